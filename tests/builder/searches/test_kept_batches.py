"""What several attacks share is made once."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from builder.dimensions import DIMENSIONS
from builder.models.resources import Resources
from builder.operations.dimension import Dimension, Rewrite, SentenceDimension, TextToRewrite, WordsOfText
from builder.operations.operation import Operations
from builder.searches import SEARCHES
from builder.searches.machinery.kept_batches import KeptBatches
from builder.searches.search import SearchResult, Source
from tests.builder.searches.test_attempts import NeverFooled, WeighsWords, request_for
from tests.builder.searches.test_score import SENTENCES


def test_the_last_batches_are_kept() -> None:
    """Older ones are made again."""
    made: list[int] = []
    kept: KeptBatches[int] = KeptBatches(2)
    for key in (1, 2, 1, 2, 3, 1):
        assert kept.get((key, [key]), lambda key=key: made.append(key) or key) == key  # type: ignore[misc]
    assert made == [1, 2, 3, 1]


@pytest.mark.parametrize("name", ["typo-general", "distraction"])
def test_a_second_source_is_attacked_with_the_same_proposals(name: str) -> None:
    """They are made once, and each attack finds what it finds alone."""
    calls: list[int] = []
    own = DIMENSIONS[name]
    assert isinstance(own, Dimension | SentenceDimension)
    if isinstance(own, Dimension):
        propose = own.propose

        def counted(texts: Sequence[WordsOfText], resources: Resources) -> list[Sequence[Operations]]:
            calls.append(len(texts))
            return list(propose(texts, resources))

        watched: Dimension | SentenceDimension = replace(own, propose=counted)
    else:
        write_series = own.write_series

        def written(texts: Sequence[TextToRewrite], resources: Resources) -> list[Sequence[Rewrite]]:
            calls.append(len(texts))
            return list(write_series(texts, resources))

        watched = replace(own, write_series=written)

    def attack(
        classifier: WeighsWords | NeverFooled, dimension: Dimension | SentenceDimension
    ) -> SearchResult:
        request = request_for(SENTENCES[:2], classifier, name)
        source = replace(request.attacked_source, name=type(classifier).__name__)
        assert isinstance(source, Source)
        return SEARCHES["score"].run(replace(request, dimension=dimension, source=source))

    alone = attack(NeverFooled(), own)
    attack(WeighsWords(), watched)
    n_calls = len(calls)
    second = attack(NeverFooled(), watched)
    assert n_calls > 0
    assert len(calls) == n_calls
    assert second.records == alone.records
    assert second.counts == alone.counts
