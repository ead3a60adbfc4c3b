"""An attack never gives up a sample: attempts fooled or not, strongest first, rarely weaker when larger."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.dimensions import DIMENSIONS
from builder.searches import SEARCHES
from builder.searches.score import QUESTIONS_WITH_A_CHOICE, SHOWN_TO_THE_EXPENSIVE
from builder.searches.search import DegreeCounts, SearchRequest, SearchResult, Source
from classifiers import LoadRequest
from classifiers.kinds.python import PYTHON
from classifiers.machinery.classifier import EXPENSIVE, Classifier, Probabilities, TextPair
from classifiers.machinery.inference import Inference
from contract.schema.edits import touched_words, words_of
from contract.schema.manifest import TaskInfo
from contract.schema.records import Record
from tests.builder.searches.test_score import GOOD, SENTENCES, CountsGoodWords, Recording, samples

BAD = {"dull", "cold", "slow"}
WORDS = st.lists(st.sampled_from([*sorted(GOOD | BAD), "film", "scene", "and", "the"]), max_size=16)


class WeighsWords(CountsGoodWords):
    """Good words speak for label 1, bad ones against it: an attack should leave the bad ones alone."""

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return the logistic of good words less bad ones."""
        logits = [0.5 + sum((word in GOOD) - (word in BAD) for word in text.split()) for text, _ in texts]
        of_label = 1 / (1 + np.exp(-np.array(logits, dtype=float)))
        return np.stack([1 - of_label, of_label], axis=1)


class NeverFooled:
    """Gives every text the same label, a little less surely the longer it is; it has no mask and no cost."""

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return more than a half for label 1, whatever the text."""
        of_label = np.array([0.6 + 0.3 / (1 + len(text)) for text, _ in texts])
        return np.stack([1 - of_label, of_label], axis=1)


def request_for(
    texts: Sequence[str],
    classifier: Classifier,
    dimension: str = "typo-general",
    screener: Classifier | None = None,
) -> SearchRequest:
    """Return a request of one case and a spare one for each degree."""
    part = DIMENSIONS[dimension]
    return SearchRequest(
        task="t",
        perturbed="text",
        samples=samples(texts),
        dimension=part,
        degrees=part.degrees,
        n_cases=1,
        seed=1,
        source=Source(
            name="own",
            inference=Inference(classifier, "0" * 64, None),
            screener=None if screener is None else Inference(screener, "1" * 64, None),
        ),
    )


def find(request: SearchRequest) -> SearchResult:
    """Attack by scores."""
    return SEARCHES["score"].run(request)


def places(result: SearchResult) -> list[list[Record]]:
    """Return the attempts of each sample and degree."""
    groups = groupby(result.records, key=lambda record: (record.sample_id, record.degree))
    return [list(own) for _, own in groups]


@pytest.mark.parametrize("dimension", ["typo-general", "typo-malicious", "inflection"])
@given(texts=st.lists(WORDS.map(" ".join), max_size=3), n_cases=st.integers(1, 3), n_spare=st.integers(0, 2))
@settings(deadline=None, max_examples=15)
def test_attempts_come_strongest_first_and_say_whether_they_fool(
    dimension: str, texts: list[str], n_cases: int, n_spare: int
) -> None:
    """Different texts, numbered from the first case, at most as many as asked for."""
    request = replace(
        request_for(texts, WeighsWords(), dimension), n_cases=n_cases, n_spare=n_spare, first_case=7
    )
    result = find(request)
    inference = request.attacked_source.inference
    for own in places(result):
        rows = inference.ask([(record.text, None) for record in own])
        strengths = [(float(row[record.label]), record.text) for row, record in zip(rows, own, strict=True)]
        assert strengths == sorted(strengths)
        assert [record.case for record in own] == list(range(7, 7 + len(own)))
        assert len({record.text for record in own}) == len(own) <= n_cases + n_spare
        votes = [int(row.argmax()) for row in rows]
        assert [record.source_fooled for record in own] == [
            vote != record.label for vote, record in zip(votes, own, strict=True)
        ]
    assert {degree: _recount(result, inference, degree) for degree in result.counts} == {
        degree: (counts.n_attacked, counts.n_fooled, counts.n_weaker)
        for degree, counts in result.counts.items()
    }


def _recount(result: SearchResult, inference: Inference, degree: float) -> tuple[int, int, int]:
    """Count attacked, fooled and weaker samples anew, from the records alone."""
    lowest: dict[str, dict[float, float]] = {}
    for own in places(result):
        probability = inference.ask([(own[0].text, None)])[0][own[0].label]
        lowest.setdefault(own[0].sample_id, {})[own[0].degree or 0.0] = float(probability)
    here = [by_degree for by_degree in lowest.values() if degree in by_degree]
    fooled = {
        record.sample_id for record in result.records if record.degree == degree and record.source_fooled
    }
    n_weaker = sum(
        any(lower < degree and value < by_degree[degree] - 1e-9 for lower, value in by_degree.items())
        for by_degree in here
    )
    return len(here), len(fooled), n_weaker


def test_a_source_that_nothing_fools_is_attacked_all_the_same() -> None:
    """Every sample keeps attempts at every degree that it carries."""
    result = find(request_for(SENTENCES, NeverFooled()))
    for counts in result.counts.values():
        assert counts.n_attacked == counts.n_attackable == counts.n_carrying
        assert counts.n_fooled == 0
    assert {record.source_fooled for record in result.records} == {False}
    assert max(counts.n_attacked for counts in result.counts.values()) >= 3


@pytest.mark.parametrize("dimension", ["typo-general", "typo-malicious", "glyph-malicious"])
def test_a_larger_budget_is_no_weaker_where_there_is_a_choice(dimension: str) -> None:
    """Words that speak against the label are left alone as long as others can take the edits."""
    texts = [
        "a good film , charming and warm but cold and slow from the first scene to the last scene of it",
        "dull at times and yet the smart script makes this the most fun i have had in a cinema for years",
    ]
    result = find(request_for(texts, WeighsWords(), dimension))
    assert all(counts.n_attacked == 2 for degree, counts in result.counts.items() if degree >= 0.1)
    assert sum(counts.n_weaker for counts in result.counts.values()) == 0


def test_paths_differ_from_the_first_word_on() -> None:
    """With a budget of one word the cases of a source change different words."""
    request = replace(request_for(SENTENCES[:2], CountsGoodWords()), n_cases=2, n_spare=0)
    for own in places(find(request)):
        if own[0].degree == 0.05:
            touched = {
                tuple(touched_words(words_of(each.original_text or ""), [edit for _, edit in each.edits]))
                for each in own
            }
            assert len(touched) == len(own) == 2


def test_an_attempt_does_not_depend_on_degrees_above_its_own() -> None:
    """The degree is no part of the seed."""
    request = request_for(SENTENCES[:2], CountsGoodWords())
    all_degrees = find(request).records
    for low, high in pairwise(request.degrees):
        up_to = find(
            replace(request, degrees=[degree for degree in request.degrees if degree <= high])
        ).records
        assert [record for record in up_to if (record.degree or 0) <= low] == [
            record for record in all_degrees if (record.degree or 0) <= low
        ]


def test_spare_attempts_ask_an_expensive_source_no_more() -> None:
    """They differ in the last operation, about which it was asked anyway; only their votes are new.

    Late on a path it is asked about one text at a time: then there are none to spare.
    """
    n_asked = []
    for n_spare in (0, 2):
        source = Recording()
        result = find(
            replace(
                request_for(SENTENCES[:1], source, "typo-malicious", screener=CountsGoodWords()),
                n_spare=n_spare,
            )
        )
        n_more = len(result.records) - len(places(result))
        assert (n_more > 0) == (n_spare > 0)
        assert n_more <= n_spare * len(places(result))
        n_asked.append(len(source.texts) - len(result.records))
    assert n_asked[0] == n_asked[1]


def test_an_expensive_source_is_not_asked_about_every_edit() -> None:
    """Its choices end after some questions; from then on it is asked once for every budget."""

    class Expensive(Recording):
        cost = EXPENSIVE

    source = Expensive()
    request = request_for(SENTENCES[:1], source, "typo-malicious", screener=CountsGoodWords())
    result = find(replace(request, n_spare=0))
    n_words, n_budgets = len(words_of(SENTENCES[0])), len(places(result))
    n_edits = max(len(record.edits) for record in result.records)
    # The text itself, each word hidden, the choices, and the budgets with what stands beside them.
    most = 2 + n_words + QUESTIONS_WITH_A_CHOICE + SHOWN_TO_THE_EXPENSIVE + 2 * n_budgets
    assert n_edits > QUESTIONS_WITH_A_CHOICE / SHOWN_TO_THE_EXPENSIVE + n_budgets
    assert len(set(source.texts)) <= most


def test_any_classifier_can_be_attacked(tmp_path: Path) -> None:
    """One that answers with labels alone, from a process of its own, without a mask or gradients."""
    (tmp_path / "own.py").write_text(
        f"GOOD = {sorted(GOOD)!r}\n"
        "def answer(texts):\n"
        "    return ['good' if any(word in GOOD for word in text.split()) else 'bad' for text in texts]\n",
        encoding="utf-8",
    )
    task = TaskInfo(
        name="own",
        labels=("bad", "good"),
        fields=("text",),
        source="own",
        licence="own",
        n_samples=1,
        n_train=0,
    )
    request = LoadRequest(
        argument=f"{tmp_path / 'own.py'}:answer", task=task, release=None, cache_path=tmp_path
    )
    result = find(request_for(SENTENCES, PYTHON.load(request)))
    assert any(record.source_fooled for record in result.records)
    assert all(counts.n_attacked == counts.n_attackable for counts in result.counts.values())


def test_counts_of_parts_add_up() -> None:
    """As when a build sums its batches."""
    total = DegreeCounts()
    for sentence in SENTENCES:
        total.add(find(request_for([sentence], CountsGoodWords())).counts[0.3])
    whole = find(request_for(SENTENCES, CountsGoodWords())).counts[0.3]
    assert (total.n_attackable, total.n_attacked, total.n_fooled, total.n_weaker) == (
        whole.n_attackable,
        whole.n_attacked,
        whole.n_fooled,
        whole.n_weaker,
    )
