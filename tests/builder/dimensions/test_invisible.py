"""Disguises that people read through, each taken back by the shipped fold."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.dimensions.invisible import INVISIBLE, METHODS
from builder.searches.rule import search
from builder.searches.search import SearchRequest
from builder.values.randomness import Draw
from builder.values.samples import Sample
from contract.folding import fold, restoring_folds
from contract.schema.records import Record

TEXT = "A reader said that the guard of their house never let hateful messages into the room, which is good."
# The step of the fold that takes each method back, alone.
STEP_OF = {
    "spaced-out": "respacing",
    "zero-width": "unseen",
    "fullwidth": "plain-letters",
    "mathematical": "plain-letters",
    "combining-marks": "marks",
    "bidirectional": "direction",
    "tags": "unseen",
    "leetspeak": "unleeting",
}


def cases(text: str, n_cases: int, seed: int = 1) -> list[Record]:
    """Return cases at all degrees."""
    return search(
        SearchRequest(
            task="t",
            perturbed="text",
            samples=[Sample(id="t-0", text=text, text_pair=None, label=0)],
            dimension=INVISIBLE,
            degrees=INVISIBLE.degrees,
            n_cases=n_cases,
            seed=seed,
        )
    ).records


def test_every_method_makes_cases_that_its_step_of_the_fold_takes_back() -> None:
    """So a report can say what each step would have saved."""
    records = cases(TEXT, 60)
    assert {(record.method or "").removesuffix("+not-restorable") for record in records} == set(METHODS)
    for record in records:
        if record.method in METHODS:
            assert STEP_OF[record.method] in restoring_folds(TEXT, record.text)


@settings(deadline=None, max_examples=60)
@given(
    text=st.one_of(
        st.text(max_size=60),
        st.lists(st.sampled_from([*TEXT.split(), "a", "I", "b.c.d", "f1n3", "c", "ü", "①"]), max_size=20).map(
            " ".join
        ),
    ),
    seed=st.integers(0, 1000),
)
def test_a_case_is_restored_exactly_or_marked(text: str, seed: int) -> None:
    """Whatever stands around the disguised words."""
    for record in cases(text, 3, seed):
        is_marked = (record.method or "").endswith("+not-restorable")
        assert is_marked == (fold(record.text) != fold(text))


def test_nearly_all_cases_of_an_ordinary_text_are_restored() -> None:
    """Single letters that stand beside a spaced-out word are the exception."""
    records = cases(TEXT, 60)
    marked = [record for record in records if (record.method or "").endswith("+not-restorable")]
    assert len(marked) <= len(records) // 50


@pytest.mark.parametrize("method", [name for name in METHODS if name != "spaced-out"])
def test_a_method_always_changes_a_word_that_it_can_change(method: str) -> None:
    """At least one letter or gap, however low the probability."""
    for seed in range(20):
        assert METHODS[method]("steals", 0.01, Draw(method, seed)) != "steals" or method == "leetspeak"
