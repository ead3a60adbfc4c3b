"""Every filter keeps what is right and says why it drops what is not."""

import pytest

from builder.dimensions.distraction import DISTRACTION
from builder.dimensions.synonym import SYNONYM
from builder.dimensions.typo import TYPO_GENERAL
from builder.filters import FILTERS, second_similarity
from builder.filters.filter import Filter, FilterContext
from builder.models.encoder import PACKAGED_ENCODER
from builder.models.resources import Resources
from contract.machine.errors import UserError
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
        ("negation", "it can not last", Edit(15, 15, "", " and seven is not eight."), None),
        ("negation", "a fine film", Edit(11, 11, "", " . And false is not true ."), None),
        ("negation", "a fine film", Edit(11, 11, "", " and it is not fine"), "negation"),
        ("legibility", "some 500 films", Edit(5, 8, "500", "5500"), "reads-as-other-number"),
        ("legibility", "some 500 films", Edit(6, 7, "0", "O"), None),
        ("legibility", "not a film", Edit(0, 1, "n", "kn"), "loses-negation"),
        ("legibility", "Iran said so", Edit(1, 2, "r", ""), "reads-as-other-name"),
        ("legibility", "an unhappy film", Edit(3, 5, "un", ""), "reads-as-opposite"),
        ("antonyms", "a cheap ticket", Edit(2, 7, "cheap", "expensive"), "antonym"),
        ("antonyms", "a cheap ticket", Edit(2, 7, "cheap", "budget"), None),
        ("entities", "it took 3 years", Edit(8, 9, "3", "4"), "other-entities"),
        ("entities", "it took three years", Edit(8, 13, "three", "four"), "other-entities"),
        ("entities", "it took three years", Edit(8, 13, "three", "several"), "other-entities"),
        ("entities", "we met Jane there", Edit(7, 11, "Jane", "Ann"), "other-entities"),
        ("entities", "we met Jane there", Edit(3, 6, "met", "saw"), None),
        ("entities", "Films with Jane", Edit(0, 5, "Films", "Movies"), None),
        ("entities", "He left. Films last", Edit(9, 14, "Films", "Movies"), None),
        ("part-of-speech", "they watch the film", Edit(5, 10, "watch", "see"), None),
        ("part-of-speech", "they watch the film", Edit(15, 19, "film", "movie"), None),
        ("part-of-speech", "they saw the film", Edit(13, 17, "film", "slowly"), "other-part-of-speech"),
        ("part-of-speech", "he goes home", Edit(3, 7, "goes", "going"), None),
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


@pytest.mark.parametrize(("replacement", "expected"), [("movie", None), ("of", "not-fluent")])
def test_what_does_not_read_as_well_is_not_fluent(replacement: str, expected: str | None) -> None:
    """A masked language model compares what stands there with what stood there."""
    found = reason("fluency", "we went to see a fine film last night", Edit(22, 26, "film", replacement))
    assert found == expected


def test_fluency_looks_at_nothing_that_is_appended() -> None:
    """A link after a text is no flaw of the text."""
    assert reason("fluency", "a fine film", Edit(11, 11, "", " https://example.com/xqz @kjh")) is None


def test_a_second_encoder_judges_what_the_first_has_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a limit that grows with the degree of a rewrite, and by one cosine for swaps of words."""
    far = {"near": 0.25, "far": 0.45, "farther": 0.55}
    monkeypatch.setattr(
        second_similarity, "embedding_distances", lambda pairs, _encoder: [far[case] for _, case in pairs]
    )
    resources = Resources(second_encoder="hf:other/encoder")
    records = [
        Record(
            id=text,
            sample_id="x",
            text=text,
            original_text="a text",
            label=1,
            task="t",
            dimension="distraction",
            degree=0.2,
            realised_degree=0.2,
            field="text",
        )
        for text in far
    ]
    chosen = FILTERS["second-similarity"]
    for dimension, expected in (
        (DISTRACTION, [None, "dissimilar-to-second", "dissimilar-to-second"]),
        (SYNONYM, [None, None, "dissimilar-to-second"]),
    ):
        context = FilterContext(dimension=dimension, thresholds=chosen.thresholds, resources=resources)
        found = chosen.check(context, records)
        assert [each and each.name for each in found] == expected
    with pytest.raises(UserError, match="second_encoder"):
        chosen.check(FilterContext(dimension=SYNONYM, thresholds=chosen.thresholds), records)


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
    resources = Resources(second_encoder=PACKAGED_ENCODER)
    for found in FILTERS.values():
        context = FilterContext(dimension=TYPO_GENERAL, thresholds=found.thresholds, resources=resources)
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
