"""An attacked split is empty only where no sample that a source has right carries the degree."""

from pathlib import Path
from typing import Any

import pytest

from builder.dimensions import CORE_DIMENSIONS, DIMENSIONS
from builder.recipe.recipe import Recipe
from builder.run.empty_splits import empty_splits
from builder.run.pipeline import build
from contract.machine.progress import Silence

DATA = Path(__file__).parents[4] / "shared" / "data"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"the development data are not at {DATA}")

TASKS: dict[str, dict[str, Any]] = {
    "mr": {"source": "mr"},
    "sst2": {
        "source": f"file:{DATA}/sst2/dev.tsv",
        "read": {"columns": {"text": "sentence"}},
        "labels": ["negative", "positive"],
    },
}


def degrees_of(dimension: str) -> list[float]:
    """Return 0.1; a bin begins where the one below it ends."""
    return [0.05, 0.1] if DIMENSIONS[dimension].level == "sentence" else [0.1]


@pytest.mark.parametrize("name", ["mr", pytest.param("sst2", marks=needs_data)])
def test_no_dimension_is_empty_at_a_tenth(name: str, tmp_path: Path) -> None:
    """The funnel counts the samples that a source has right; they all have an attempt."""
    recipe = Recipe.model_validate(
        {
            "name": "tenth",
            "version": "1",
            # One in eight sentences of mr has another structure at this distance.
            "tasks": [{"name": name, "samples": 30, "train_rows": 500, **TASKS[name]}],
            "dimensions": [{"name": each, "degrees": degrees_of(each)} for each in CORE_DIMENSIONS],
            "settings": ["score"],
            "cases": {"score": 1},
            "surrogates": ["word-tfidf"],
            # So few samples show the skill of nobody.
            "allow_weak": True,
            "min_samples": 1,
        }
    )
    manifest = build(recipe, tmp_path / "release", Silence())
    assert [row.dimension for row in manifest.funnel if row.degree == 0.1] == list(CORE_DIMENSIONS)
    assert empty_splits(manifest) == []
    for row in manifest.funnel:
        (attack,) = row.attacks.values()
        assert 0 < attack.n_attackable <= row.n_carrying
        # Expressions change several words at once, so that some numbers of words cannot be met.
        assert attack.n_attacked == attack.n_attackable or "budget-not-met" in row.n_dropped
        # Filters may drop all attempts on a sample, and say so.
        filtered = set(row.n_dropped) - {"source-already-wrong", "weaker-than-others", "enough-cases"}
        assert row.n_samples_frozen == attack.n_attackable or filtered
