"""Finished units: what was put on the shelf is found again, degree by degree."""

from pathlib import Path

import pyarrow.parquet as pq

from builder.planning import plan_so_far
from builder.recipe_file import find_recipe, read_recipe
from builder.shelf import Shelf
from contract.records import records_of


def test_a_degree_is_read_alone_and_every_case_is_found_at_its_place(tiny: Path, cache: Path) -> None:
    """A split never holds the other degrees of its units in memory; votes stand in the order of the file."""
    shelf = Shelf(cache_path=cache)
    for unit in plan_so_far(read_recipe(find_recipe("tiny"))).units:
        file = pq.ParquetFile(shelf.path(unit))
        written = list(records_of(file.read()))
        degrees = [file.read_row_group(n)["degree"].unique().to_pylist() for n in range(file.num_row_groups)]
        assert degrees == [[degree] for degree in unit.degrees]
        found = {}
        for degree in unit.degrees:
            cases = dict(shelf.records(unit, degree))
            assert {record.degree for record in cases.values()} == {degree}
            samples = [(place, case.sample_id, case.label) for place, case in cases.items()]
            assert list(shelf.samples(unit, degree)) == samples
            some = list(cases)[::2]
            assert list(shelf.records(unit, degree, some)) == [(place, cases[place]) for place in some]
            found |= cases
        assert [found[place] for place in sorted(found)] == written
