"""The validity weights that come with Hardfrost are what was read, and are shown unless others are named."""

import csv
from collections import Counter
from pathlib import Path

import pytest
from synthetic import Case, SyntheticTask, right_answers, write_answers, write_release

from contract.schema.results import ModelInfo, Result
from evaluator.scoring.score import ScoreOptions, score
from evaluator.scoring.validity_weights import SHIPPED, read_weights

READINGS = Path(__file__).parents[3] / "data_cards" / "readings"
# The newest blind reading of each dimension.
SHEETS = {"synonym": "blind-2", "contextual": "blind-2", "syntax": "blind-1"}


def test_blind_readings_are_the_shares_of_yes_in_the_sheets() -> None:
    """Counted again."""
    (weights,) = read_weights("blind-readings")
    assert set(weights.dimensions) == set(SHEETS)
    for dimension, sheet in SHEETS.items():
        n_read: Counter[str] = Counter()
        n_yes: Counter[str] = Counter()
        with (READINGS / f"{sheet}.tsv").open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                _, *parts = row["id"].split(".")
                if parts[0] == dimension:
                    degree = f"{int(parts[2]) / 100:g}"
                    n_read[degree] += 1
                    n_yes[degree] += row["answer"] == "yes"
        assert weights.dimensions[dimension] == {degree: n_yes[degree] / n for degree, n in n_read.items()}


def test_the_table_of_robtest_has_eleven_dimensions() -> None:
    """Syntax has no figure at the lowest degree, and none of its cases at 0.8 is valid."""
    (weights,) = read_weights("robtest-table3")
    assert len(weights.dimensions) == 11
    assert {len(degrees) for degrees in weights.dimensions.values()} == {4, 5}
    assert weights.dimensions["syntax"] == {"0.1": 0.28, "0.3": 0.06, "0.5": 0.02, "0.8": 0}
    assert weights.dimensions["typo-malicious"]["0.3"] == 0.26


def _scored(folder: Path, **options: str) -> Result:
    cases = tuple(
        Case(sample=sample, dimension="synonym", setting="rule", degree=degree, case=0)
        for degree in (0.1, 0.3)
        for sample in range(4)
    )
    task = SyntheticTask(name="t", labels=("no", "yes"), clean=(0, 1, 0, 1), cases=cases, mean="plain")
    write_release(folder / "r", [task])
    answers = right_answers(folder / "r") | {"t-00000.synonym.rule.30.0": "yes"}
    file = write_answers(folder / "p.jsonl", answers)
    return score(
        folder / "r",
        file,
        ModelInfo(name="m"),
        options=ScoreOptions(resamples=10, **options),  # type: ignore[arg-type]
    )


def test_both_are_computed_unless_one_is_named(tmp_path: Path) -> None:
    """In the cell and overall, with intervals; only a named one stands in the signature."""
    result = _scored(tmp_path)
    assert result.overall is not None
    expected = {
        "robtest-table3/average": (0.32 + 0.20 * 0.75) / 0.52,
        "blind-readings/average": (0.925 + 0.9375 * 0.75) / (0.925 + 0.9375),
    }
    found = result.overall.validity_weighted
    assert {name: found[name] for name in expected} == pytest.approx(expected)
    assert set(result.overall.validity_weighted_ci) == set(found)
    cell = result.tasks["t"].dimensions["synonym"]["rule"].metrics
    assert cell["validity_weighted/blind-readings/average"] == found["blind-readings/average"]
    assert (result.settings.validity_weights, "weights:" in result.signature) == (None, False)
    (tmp_path / "one").mkdir()
    one = _scored(tmp_path / "one", weights=SHIPPED[0])
    assert one.overall is not None
    assert {name.partition("/")[0] for name in one.overall.validity_weighted} == {SHIPPED[0]}
    assert f"|weights:{SHIPPED[0]}|" in one.signature
    assert ScoreOptions.like(one.settings).weights == SHIPPED[0]
