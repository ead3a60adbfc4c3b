"""Attacks on a source: exact budgets on one path, more harm than chance, the same in any company."""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from builder.dimensions import DIMENSIONS
from builder.searches import SEARCHES
from builder.searches.score import SHOWN_TO_THE_EXPENSIVE
from builder.searches.search import SearchRequest, SearchResult, Source
from builder.values.samples import Sample
from classifiers.machinery.classifier import Probabilities, TextPair
from classifiers.machinery.inference import Inference
from contract.schema.edits import apply_edits, touched_words, words_of
from contract.schema.records import Record

GOOD = {"good", "fun", "charming", "warm", "smart"}
SENTENCES = [
    "a good film , charming and warm from the first scene to the last .",
    "the smart script makes this the most fun i have had in a cinema for years",
    "good",
    "",
    "warm and smart and fun and good and charming and all of it in ninety minutes",
]
ANY_TEXT = st.one_of(
    st.text(max_size=40),
    st.lists(
        st.sampled_from(["good", "fun", "ציון", "e\u0301te\u0301", "a", "中文", "don't"]), max_size=20
    ).map(" ".join),
)


class CountsGoodWords:
    """A classifier simple enough to know what an attack should do: each good word speaks for label 1."""

    cost = 30

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return the logistic of the number of good words, less a half."""
        n_good = np.array([sum(word in GOOD for word in text.split()) for text, _ in texts], dtype=float)
        of_label = 1 / (1 + np.exp(0.5 - n_good))
        return np.stack([1 - of_label, of_label], axis=1)


def samples(texts: Sequence[str]) -> list[Sample]:
    """Return texts as samples with label 1."""
    return [
        Sample(id=f"t-{number:05}", text=text, text_pair=None, label=1) for number, text in enumerate(texts)
    ]


def find(
    some: Sequence[Sample],
    dimension: str,
    setting: str = "score",
    *,
    max_queries: int = 1000,
    n_spare: int = 0,
) -> tuple[SearchResult, Inference]:
    """Search cases against the counter of good words."""
    part = DIMENSIONS[dimension]
    inference = Inference(CountsGoodWords(), "0" * 64, Path("nowhere"))
    request = SearchRequest(
        task="t",
        perturbed="text",
        samples=some,
        dimension=part,
        degrees=part.degrees,
        n_cases=3,
        n_spare=n_spare,
        seed=1,
        source=Source(name="counter", inference=inference, max_queries=max_queries),
    )
    return SEARCHES[setting].run(request), inference


def is_exact(record: Record, measure: str) -> bool:
    """Whether a case has exactly the budget of its degree."""
    original = record.original_text or ""
    degree = Fraction(repr(record.degree))
    if measure == "edit":
        return Levenshtein.distance(original, record.text) == math.ceil(degree * len(original))
    words = words_of(original)
    edits = [edit for _, edit in record.edits]
    return len(touched_words(words, edits)) == math.ceil(degree * len(words))


@pytest.mark.parametrize("dimension", ["typo-malicious", "typo-general", "phonetic-malicious"])
@given(texts=st.lists(ANY_TEXT, max_size=3))
@settings(deadline=None, max_examples=25)
def test_cases_of_any_text_have_exactly_the_budget_and_the_rest_is_counted(
    dimension: str, texts: list[str]
) -> None:
    """Edits reproduce the case; candidates are found or dropped for a reason."""
    result, _ = find(samples(texts), dimension)
    for record in result.records:
        assert apply_edits(record.original_text or "", [edit for _, edit in record.edits]) == record.text
        assert is_exact(record, DIMENSIONS[dimension].measure)
        assert record.source == "counter"
    for degree, counts in result.counts.items():
        n_found = sum(record.degree == degree for record in result.records)
        assert counts.n_candidates == n_found + sum(counts.n_dropped.values())
        with_a_reason = {sample for sample, reason in counts.dropped if reason != "source-already-wrong"} - {
            record.sample_id for record in result.records if record.degree == degree
        }
        assert counts.n_attackable == counts.n_attacked + len(with_a_reason)
        n_wrong = len({sample for sample, reason in counts.dropped if reason == "source-already-wrong"})
        assert counts.n_carrying == counts.n_attackable + n_wrong


def test_a_path_goes_on_from_the_degree_before() -> None:
    """Where nothing has to be exchanged, what was done at a low degree is also done at every higher one."""
    result, _ = find(samples(["a good film from the first scene to the last one of the day"]), "typo-general")
    first = [record for record in result.records if record.case == 0]
    assert len(first) > 3
    for low, high in pairwise(first):
        words_low, words_high = (
            touched_words(words_of(record.original_text or ""), [edit for _, edit in record.edits])
            for record in (low, high)
        )
        assert len(set(words_low) & set(words_high)) >= len(set(words_low)) - 1


def test_the_words_that_matter_go_first() -> None:
    """With a budget of one word the first case changes a good one; chance often does not."""
    some = samples([text for text in SENTENCES if len(text.split()) > 10])
    for result, is_always in (
        (find(some, "typo-general")[0], True),
        (find(some, "typo-general", "rule")[0], False),
    ):
        first = [record for record in result.records if record.degree == 0.05 and record.case == 0]
        hits = [
            edit.start for record in first for _, edit in record.edits if _word_at(record, edit.start) in GOOD
        ]
        assert (len(hits) == len(first) == 3) is is_always


def _word_at(record: Record, place: int) -> str:
    words = words_of(record.original_text or "")
    return next(word.text for word in words if word.start <= place <= word.end)


def test_what_is_found_does_not_depend_on_other_samples() -> None:
    """Lockstep is only for speed."""
    some = samples(SENTENCES)
    together, _ = find(some, "typo-malicious")
    alone = [record for sample in some for record in find([sample], "typo-malicious")[0].records]
    assert together.records == alone


def test_without_queries_only_the_importance_of_words_is_asked() -> None:
    """Beyond the importance of words and what the cases do to the source no question is asked."""
    some = samples(SENTENCES[:1])
    _, free = find(some, "typo-malicious")
    result, bound = find(some, "typo-malicious", max_queries=0)
    n_words = len(words_of(SENTENCES[0]))
    assert bound.counts.n_distinct <= 2 + n_words + 2 * len(result.records)
    assert free.counts.n_distinct > 5 * bound.counts.n_distinct


class Recording(CountsGoodWords):
    """Remembers what it was asked about."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Answer, and note the texts."""
        self.texts += [text for text, _ in texts]
        return super().probabilities(texts)


class Masking(Recording):
    """Has a token of its own for a hidden word, as a masked language model has."""

    mask_token = "[MASK]"  # noqa: S105


class PrefersLongWords(Recording):
    """Another opinion than the source's: candidates that lengthen a text look harmless to it."""

    cost = 1

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return more for longer texts."""
        super().probabilities(texts)
        of_label = np.array([len(text) / (100 + len(text)) for text, _ in texts])
        return np.stack([1 - of_label, of_label], axis=1)


def attack_on(classifier: Recording, text: str, screener: Recording | None = None) -> SearchResult:
    """Search typos in one text against a classifier."""
    part = DIMENSIONS["typo-general"]
    return SEARCHES["score"].run(
        SearchRequest(
            task="t",
            perturbed="text",
            samples=samples([text]),
            dimension=part,
            degrees=(0.1,),
            n_cases=1,
            n_spare=0,
            seed=1,
            source=Source(
                name="counter",
                inference=Inference(classifier, "0" * 64, None),
                screener=None if screener is None else Inference(screener, "1" * 64, None),
            ),
        )
    )


@pytest.mark.parametrize(("source", "hidden"), [(Masking(), "[MASK]"), (Recording(), "")])
def test_a_word_is_hidden_by_the_sources_own_mask_or_left_out(source: Recording, hidden: str) -> None:
    """Each word once, in its place, and nothing around it changes."""
    text = "a good film , so warm"
    attack_on(source, text)
    for word in words_of(text):
        assert text[: word.start] + hidden + text[word.end :] in source.texts
    assert any("[MASK]" in asked for asked in source.texts) is bool(hidden)


def test_an_expensive_source_sees_only_what_a_cheap_one_lets_through() -> None:
    """The three candidates that the screener holds for the worst, of which the source picks its own."""
    text = "a fun film that is too long for its ideas"
    alone, source, screener = Recording(), Recording(), PrefersLongWords()
    attack_on(alone, text)
    result = attack_on(source, text, screener)
    (record,) = result.records
    # One word's worth of candidates: all but three of them stay with the screener.
    candidates = [asked for asked in screener.texts if asked != text]
    assert len(candidates) > SHOWN_TO_THE_EXPENSIVE
    shown = [asked for asked in candidates if asked in source.texts]
    assert len(shown) == SHOWN_TO_THE_EXPENSIVE
    assert max(map(len, shown)) <= min(len(asked) for asked in candidates if asked not in shown)
    assert record.text in shown
    assert set(candidates) <= set(alone.texts)
    assert len(source.texts) < len(alone.texts)


def test_a_sample_that_the_source_gets_wrong_is_not_attacked() -> None:
    """It is counted instead."""
    result, _ = find(
        samples(["the film is long and the seats are hard , that is all there is to say"]), "typo-general"
    )
    assert result.records == []
    assert all(
        set(counts.n_dropped) == {"source-already-wrong"}
        for counts in result.counts.values()
        if counts.n_carrying
    )


def test_a_pair_is_attacked_in_the_field_that_the_task_names() -> None:
    """The partner stays, and the source sees both."""

    class CountsGoodPartners(CountsGoodWords):
        def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
            return super().probabilities([(partner or "", None) for _, partner in texts])

    part = DIMENSIONS["typo-general"]
    sample = Sample(id="t-00000", text="what is it like ?", text_pair=SENTENCES[0], label=1)
    inference = Inference(CountsGoodPartners(), "1" * 64, Path("nowhere"))
    request = SearchRequest(
        task="t",
        perturbed="text_pair",
        samples=[sample],
        dimension=part,
        degrees=(0.3,),
        n_cases=2,
        n_spare=0,
        seed=1,
        source=Source(name="counter", inference=inference),
    )
    result = SEARCHES["score"].run(request)
    assert len(result.records) == 2
    for record in result.records:
        assert record.text == sample.text
        assert record.text_pair != sample.text_pair
        assert inference.votes([(record.text, record.text_pair)]) == [0]


def test_of_the_rewrites_in_a_bin_the_worst_are_kept() -> None:
    """The same rewrites as those of chance; the most harmful of them stay."""
    some = samples(SENTENCES[:2])
    result, inference = find(some, "distraction")
    assert result.records
    assert {record.setting for record in result.records} == {"score"}
    for degree, counts in result.counts.items():
        of_degree = [record for record in result.records if record.degree == degree]
        assert counts.n_candidates == len(of_degree) + sum(counts.n_dropped.values())
        for sample in some:
            own = [record for record in of_degree if record.sample_id == sample.id]
            harm = inference.ask([(record.text, None) for record in own])[:, 1] if own else np.zeros(0)
            assert list(harm) == sorted(harm)
            assert len(own) <= 3
