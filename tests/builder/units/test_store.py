"""Finished units: what was put into the store is found again, degree by degree."""

import gc
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from builder.recipe.recipe_file import find_recipe, read_recipe
from builder.run.pipeline import build
from builder.units.planning import plan_so_far
from builder.units.store import ROW, UnitStore
from contract.machine.hashes import hash_of_file
from contract.machine.progress import Silence
from contract.release.release import Release
from contract.schema.records import records_of


def test_a_degree_is_read_alone_and_every_case_is_found_at_its_row(tiny: Path, cache: Path) -> None:
    """A split never holds the other degrees of its units in memory; votes stand in the order of the file."""
    store = UnitStore(cache_path=cache)
    for unit in plan_so_far(read_recipe(find_recipe("tiny"))).case_units:
        file = pq.ParquetFile(store.path(unit))
        written = list(records_of(file.read()))
        degrees = [file.read_row_group(n)["degree"].unique().to_pylist() for n in range(file.num_row_groups)]
        assert degrees == [[degree] for degree in unit.degrees]
        found = {}
        for degree in unit.degrees:
            cases = store.cases(unit, degree)
            assert set(cases["degree"].to_pylist()) == {degree}
            found |= dict(zip(cases[ROW.name].to_pylist(), records_of(cases), strict=True))
            few = store.cases(unit, degree, ["label"])
            assert few.to_pydict() == cases.select(few.column_names).to_pydict()
        assert [found[row] for row in sorted(found)] == written
    assert store.cases(unit, 0.123).num_rows == 0


def test_reading_leaves_nothing_to_the_garbage_collector(tiny: Path, cache: Path) -> None:
    """A split is read from hundreds of files: what each left until the next sweep would be megabytes."""
    store = UnitStore(cache_path=cache)
    unit = plan_so_far(read_recipe(find_recipe("tiny"))).case_units[0]
    store.cases(unit, unit.degrees[0])
    gc.collect()
    gc.disable()
    try:
        store.cases(unit, unit.degrees[0])
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_votes_on_a_case_file_that_was_written_anew_are_given_again(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Votes know their cases by row: in another order they would be those on other cases."""
    monkeypatch.setenv("HARDFROST_CACHE", str(tmp_path / "cache"))
    recipe = read_recipe(find_recipe("tiny"))
    build(recipe, tmp_path / "release", Silence())
    store = UnitStore(cache_path=tmp_path / "cache")
    unit = plan_so_far(recipe).case_units[0]
    path = store.path(unit)
    rows = pq.read_table(path)
    pq.write_table(rows.take(list(range(len(rows)))[::-1]), path)
    sidecar = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    path.with_suffix(".json").write_text(
        json.dumps({**sidecar, "sha256": hash_of_file(path)}), encoding="utf-8"
    )
    assert store.is_done(unit)
    again = build(recipe, tmp_path / "again", Silence())
    for split in again.splits:
        assert split.rows_sha256 == next(
            each.rows_sha256 for each in Release.open(tiny).manifest.splits if each.path == split.path
        )
