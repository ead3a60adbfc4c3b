"""A unit of cases says what its source and its screener were asked."""

from pathlib import Path

import pytest

from builder.models.resources import Resources
from builder.run import make_cases as making
from builder.run.make_cases import make_cases
from builder.surrogates.surrogate_ref import SurrogateRef
from builder.units.units import Attack, CaseUnit
from builder.values import associations
from classifiers.machinery.inference import Inference
from tests.builder.searches.test_score import SENTENCES, CountsGoodWords, samples

SOURCE = SurrogateRef(name="source", kind="cnn", sha256="a" * 64)
SCREENER = SurrogateRef(name="screener", kind="word-tfidf", sha256="b" * 64)


@pytest.mark.parametrize("screener", [None, SCREENER])
def test_questions_to_source_and_screener_are_counted_apart(
    screener: SurrogateRef | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only those of this unit, though a process keeps its surrogates."""
    loaded = {each.sha256: Inference(CountsGoodWords(), each.sha256, None) for each in (SOURCE, SCREENER)}
    monkeypatch.setattr(making, "surrogate_of", lambda _cache_path, sha256: loaded[sha256])
    monkeypatch.setattr(associations, "load", lambda _cache_path, _name: {})
    unit = CaseUnit(
        task="t",
        perturbed="text",
        samples=tuple(samples(SENTENCES[:2])),
        dimension="typo-general",
        degrees=(0.1, 0.3),
        setting="score",
        n_cases=1,
        seed=1,
        filters=(),
        associations="",
        resources=Resources(),
        attack=Attack(source=SOURCE, screener=screener, max_queries=100, first_case=0),
    )
    first, second = make_cases(unit, tmp_path), make_cases(unit, tmp_path)
    for done in (first, second):
        assert done.records == first.records != []
        assert done.n_queries == loaded[SOURCE.sha256].counts.n_distinct // 2 > 0
        assert done.n_screener_queries == loaded[SCREENER.sha256].counts.n_distinct // 2
        assert (done.n_screener_queries > 0) is (screener is not None)
