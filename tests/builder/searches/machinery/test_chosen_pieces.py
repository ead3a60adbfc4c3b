"""An attack chooses pieces that hurt its source, and larger degrees hurt no less."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest

from builder.dimensions.distraction import DISTRACTION
from builder.searches.rule import search as search_rule
from builder.searches.score import search as search_score
from builder.searches.search import SearchRequest, SearchResult, Source
from builder.values.samples import Sample
from classifiers.machinery.classifier import Probabilities, TextPair
from classifiers.machinery.inference import Inference
from contract.schema.edits import apply_edits

TEXTS = (
    "a warm and funny film with two splendid actors , and a story that finds its way home .",
    "The second half drags badly, the jokes are tired, and the cast seems bored by every word of it.",
)


class AfraidOfTrees:
    """Doubts its answer a little more for each word of the garden that it sees, whatever the text says."""

    cost: ClassVar[int] = 10
    WORDS = ("oak", "birch", "trowel", "hedge", "flowers", "mammal", "bird", "tree", "linen", "page")

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return rows for the labels 0 and 1; the first is right."""
        n_seen = [sum(text.lower().count(word) for word in self.WORDS) for text, _ in texts]
        right = np.array([0.9 * 0.8**n for n in n_seen])
        return np.stack([right, 1 - right], axis=1)


def request(*, max_queries: int = 1000, pair: str | None = None) -> SearchRequest:
    """Return a search of two samples against the source."""
    samples = [
        Sample(id=f"t-{number:05d}", text=text, text_pair=pair, label=0) for number, text in enumerate(TEXTS)
    ]
    return SearchRequest(
        task="t",
        perturbed="text",
        samples=samples,
        dimension=DISTRACTION,
        degrees=(0.1, 0.2, 0.3, 0.4),
        n_cases=1,
        seed=1,
        source=Source(
            name="afraid", inference=Inference(AfraidOfTrees(), "0" * 64, None), max_queries=max_queries
        ),
    )


@pytest.fixture(scope="module")
def found() -> SearchResult:
    """Return the attempts on both samples."""
    return search_score(request())


def lowest(result: SearchResult) -> dict[str, dict[float, float]]:
    """Return the lowest probability of the right label by sample and degree."""
    rows = AfraidOfTrees().probabilities([(record.text, None) for record in result.records])
    by_sample: dict[str, dict[float, float]] = defaultdict(dict)
    for record, row in zip(result.records, rows, strict=True):
        of_sample, degree = by_sample[record.sample_id], record.degree or 0.0
        of_sample[degree] = min(of_sample.get(degree, 1.0), float(row[0]))
    return by_sample


def test_chosen_pieces_fool_where_random_ones_do_not(found: SearchResult) -> None:
    """At every degree that a sample carries, what hurts is found."""
    random_cases = search_rule(replace(request(), source=None, n_cases=2))
    for sample, by_degree in lowest(random_cases).items():
        for degree, probability in by_degree.items():
            assert lowest(found)[sample][degree] <= probability
    assert any(record.source_fooled for record in found.records)


def test_a_larger_degree_hurts_no_less(found: SearchResult) -> None:
    """It begins where the strongest attempt of a smaller one ends."""
    n_weaker = sum(counts.n_weaker for counts in found.counts.values())
    n_attacked = sum(counts.n_attacked for counts in found.counts.values())
    assert n_attacked >= 4
    assert n_weaker <= 0.2 * n_attacked


def test_attempts_are_cases_and_every_candidate_is_counted(found: SearchResult) -> None:
    """Edits reproduce the text, numbers of cases differ, and no text stands twice in a bin."""
    for record in found.records:
        edits = [edit for _, edit in record.edits]
        assert apply_edits(record.unperturbed_text, edits) == record.perturbed_text
    assert len({record.id for record in found.records}) == len(found.records)
    places = [(record.sample_id, record.degree, record.text) for record in found.records]
    assert len(set(places)) == len(places)
    for degree, counts in found.counts.items():
        n_kept = sum(record.degree == degree for record in found.records)
        assert counts.n_candidates == n_kept + sum(counts.n_dropped.values())


def test_the_same_request_gives_the_same_attempts(found: SearchResult) -> None:
    """One sample alone gives what it gives among others."""
    alone = search_score(replace(request(), samples=request().samples[:1]))
    assert alone.records == [record for record in found.records if record.sample_id == "t-00000"]


def test_no_more_is_asked_than_allowed() -> None:
    """Beyond the first look at every piece, a small budget ends the search."""
    small, large = request(max_queries=1), request()
    search_score(small)
    search_score(large)
    assert small.attacked_source.inference.counts.n_queries < large.attacked_source.inference.counts.n_queries


def test_texts_of_pairs_are_attacked_with_pieces_for_pairs() -> None:
    """Nothing that claims anything is chosen."""
    for record in search_score(request(pair="something else")).records:
        assert set((record.method or "").split("+")) <= {"tautology", "statement", "web", "tail"}
