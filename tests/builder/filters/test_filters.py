"""Every filter keeps what is right and says why it drops what is not."""

import pytest

from builder.dimensions.typo import TYPO_GENERAL
from builder.filters import FILTERS
from builder.filters.filter import Filter, FilterContext
from builder.models.resources import Resources
from contract.schema.drop_reasons import REASONS, Reason
from contract.schema.edits import Edit, apply_edits
from contract.schema.records import Record

ASSOCIATIONS = {"bad": 0, "awful": 0, "good": 1}


def reason(name: str, original: str, *edits: Edit, label: int = 1, degree: float = 0.1) -> str | None:
    """Return what a filter says of one case."""
    record = Record(
        id="x",
        sample_id="x",
        text=apply_edits(original, edits),
        original_text=original,
        label=label,
        task="t",
        dimension="typo-general",
        degree=degree,
        realised_degree=degree,
        field="text",
        edits=tuple(("text", edit) for edit in edits),
    )
    chosen = FILTERS[name]
    context = FilterContext(
        dimension=TYPO_GENERAL, thresholds=chosen.thresholds, resources=Resources(associations=ASSOCIATIONS)
    )
    (found,) = chosen.check(context, [record])
    assert found is None or found in chosen.reasons
    return None if found is None else found.name


@pytest.mark.parametrize(
    ("name", "original", "edit", "expected"),
    [
        ("degree", "a b c d e f g h i j", Edit(0, 1, "a", "x"), None),
        ("degree", "a b", Edit(0, 3, "a b", "x y"), "degree"),
        ("legibility", "a bat film", Edit(4, 5, "t", "y"), None),
        ("legibility", "a bat film", Edit(4, 5, "t", "d"), "reads-as-other-class"),
        ("legibility", "a bat, film", Edit(4, 5, "t", "d"), "reads-as-other-class"),
        ("legibility", "a now film", Edit(4, 5, "w", "t"), "reads-as-negation"),
        ("legibility", "not a film", Edit(2, 3, "t", "tt"), None),
        ("label-words", "a fine film", Edit(2, 6, "fine", "bad"), "label-word"),
        ("label-words", "a fine film", Edit(2, 6, "fine", "good"), None),
        ("label-words", "a bad film", Edit(10, 10, "", " bad"), None),
        ("label-words", "some awful films", Edit(5, 10, "awful", "bad"), "label-word"),
        ("label-words", "the worse film", Edit(4, 9, "worse", "bad"), None),
        ("negation", "a fine film", Edit(2, 6, "fine", "not fine"), "negation"),
        ("negation", "it isn't fine", Edit(3, 8, "isn't", "is"), "negation"),
        ("negation", "it isn't fine", Edit(9, 13, "fine", "good"), None),
        ("negation", "it isn't fine", Edit(5, 8, "n't", " not"), None),
        ("negation", "it cannot last", Edit(3, 9, "cannot", "ca n't"), None),
        ("negation", "it can not last", Edit(7, 10, "not", "never"), "negation"),
    ],
)
def test_a_filter_says_why(name: str, original: str, edit: Edit, expected: str | None) -> None:
    """By hand, one edit at a time, for a text whose label is positive."""
    assert reason(name, original, edit) == expected


@pytest.mark.parametrize(
    ("replacement", "expected"), [("movie", None), ("bridge across the river Kwai", "dissimilar")]
)
def test_a_case_about_something_else_is_dissimilar(replacement: str, expected: str | None) -> None:
    """What an encoder finds far away is dropped; what is kept carries its cosine."""
    found = reason("similarity", "a fine film", Edit(7, 11, "film", replacement))
    assert found == expected


def test_what_is_measured_is_noted() -> None:
    """A row that is kept is frozen with its similarity, which is 1 for the same text."""
    note = FILTERS["similarity"].note
    assert note is not None
    texts = ["a fine film", "a fine movie"]
    records = [
        Record(
            id=text,
            sample_id="x",
            text=text,
            original_text="a fine film",
            label=1,
            task="t",
            dimension="synonym",
            degree=0.3,
            realised_degree=0.3,
            field="text",
        )
        for text in texts
    ]
    same, near = note(FilterContext(dimension=TYPO_GENERAL, thresholds={}), records)
    assert same.similarity == 1.0
    assert near.similarity is not None
    assert 0.5 < near.similarity < 1.0


def test_a_word_of_the_same_class_may_appear() -> None:
    """Only what speaks against the label is dropped."""
    assert reason("legibility", "a bat film", Edit(4, 5, "t", "d"), label=0) is None


def test_every_filter_answers_for_every_case_and_for_none() -> None:
    """Batches in, batches out."""
    for found in FILTERS.values():
        context = FilterContext(dimension=TYPO_GENERAL, thresholds=found.thresholds)
        assert found.check(context, []) == []


def test_a_filter_declares_its_reasons() -> None:
    """Those of the filters that ship are in the list of all reasons."""
    for found in FILTERS.values():
        assert found.reasons
        assert all(REASONS[reason.name] is reason for reason in found.reasons)


def test_a_filter_may_bring_a_reason_of_its_own() -> None:
    """At the stage at which readers of a release count reasons that they do not know."""
    own = Reason("too-long", "the case has too many words", "fidelity")
    assert Filter(name="short", summary="few words", check=lambda _, __: [], reasons=(own,)).reasons == (own,)
    elsewhere = Reason("too-long", "the case has too many words", "search")
    with pytest.raises(ValueError, match="too-long has the stage search, expected fidelity"):
        Filter(name="short", summary="few words", check=lambda _, __: [], reasons=(elsewhere,))
