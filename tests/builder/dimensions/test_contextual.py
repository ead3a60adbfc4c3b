"""Contextual swaps fit their place, keep form and casing, and leave alone what decides the label."""

from pathlib import Path

import pytest

from builder.dimensions import contextual
from builder.dimensions.contextual import THRESHOLDS, Answer, Candidate, Thresholds, propose
from builder.language.words.negations import is_negation
from builder.models.resources import Resources
from builder.operations.dimension import WordsOfText
from contract.machine.errors import UserError
from contract.schema.edits import apply_edits, words_of

NEGATIVE, POSITIVE = 0, 1
# Whatever the judge says.
LENIENT = Thresholds(accepted=0.0, accepted_if_bound=0.0, accepted_if_unrelated=0.0, close=2.0)
REVIEWS = (
    "if you sometimes like to go to the movies to have fun , wasabi is a good place to start .",
    "the second half drags badly , the jokes are tired and nobody seems to have enjoyed making it .",
    "a bad film with an awful plot and two good actors who never smile in 90 minutes .",
    "It is not the best Chinese film of the year, but Jackie Chan's fans won't mind.",
)


def proposed(
    text: str,
    *,
    label: int | None = None,
    associations: dict[str, int] | None = None,
    masked_lm: str = "packaged",
    thresholds: Thresholds = THRESHOLDS,
) -> dict[str, set[str]]:
    """Return what each word of a text may become."""
    resources = Resources(associations=associations or {}, masked_lm=masked_lm)
    (operations,) = propose([WordsOfText(text, words_of(text), label)], resources, thresholds)
    return {
        word.text: {apply_edits(word.text, item.edits) for item in of_word.items}
        for word, of_word in zip(words_of(text), operations, strict=True)
        if len(of_word)
    }


def answer_always(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    """Let the masked language model find some words likely everywhere."""
    answer = Answer(-1.0, tuple(Candidate(word, -1.0) for word in words))
    monkeypatch.setattr(contextual, "answers_about", lambda words, _masked_lm: [answer] * len(words))


@pytest.mark.parametrize(
    ("text", "word", "form", "expected"),
    [
        ("i saw two wars there .", "wars", "battles", "battles"),
        ("Wars are what he lives for .", "Wars", "battles", "Battles"),
        ("the war, she told us", "war,", "battle", "battle,"),
    ],
)
def test_a_swap_has_the_form_and_the_casing_of_its_word(
    text: str, word: str, form: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Number, capitals, and the marks around it."""
    answer_always(monkeypatch, form)
    assert expected in proposed(text, thresholds=LENIENT).get(word, set())


@pytest.mark.parametrize("label", [NEGATIVE, POSITIVE])
def test_names_numbers_negations_and_grammar_stay(label: int) -> None:
    """Whatever the model would like better there."""
    for review in REVIEWS:
        for word, forms in proposed(review, label=label).items():
            assert word.lower() not in {"wasabi", "90", "two", "not", "nobody", "never", "won't"}
            assert word not in {"Chinese", "Jackie", "Chan's"}
            assert not any(is_negation(form) or form[:1].isdigit() for form in forms)


def test_a_word_of_another_class_does_not_come_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """However likely the model finds it."""
    answer_always(monkeypatch, "horrible", "awful", "terrible")
    text = "a bad film about an old man ."
    associations = {"bad": NEGATIVE, "horrible": NEGATIVE, "terrible": POSITIVE}
    forms = proposed(text, label=NEGATIVE, associations=associations, thresholds=LENIENT).get("bad", set())
    assert "horrible" in forms
    assert "terrible" not in forms


def test_a_word_that_decides_is_replaced_by_one_that_decides_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """A word of the label's class only by another of that class."""
    answer_always(monkeypatch, "horrible", "terrible")
    associations = {"bad": NEGATIVE, "horrible": NEGATIVE}
    forms = proposed(
        "a bad film about a man .", label=NEGATIVE, associations=associations, thresholds=LENIENT
    ).get("bad", set())
    assert "horrible" in forms
    assert "terrible" not in forms


@pytest.mark.parametrize(
    ("text", "word", "candidate"),
    [
        ("he is a good man .", "good", "bad"),
        ("the actors are in the house .", "actors", "children"),
        ("the actors are in the house .", "actors", "films"),
        ("the film is long .", "film", "films"),
        ("it was an odd voice .", "odd", "strange"),
        ("the boy came into the house .", "house", "boy"),
        ("the boy came into the house .", "house", "see"),
    ],
    ids=["opposite", "another kind", "topic", "another number", "article", "already there", "another part"],
)
def test_what_the_model_proposes_is_not_yet_right(
    text: str, word: str, candidate: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It proposes; the checks decide."""
    answer_always(monkeypatch, candidate)
    assert candidate not in proposed(text).get(word, set())


def test_a_word_that_the_judge_does_not_accept_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Likely there and of the right form, but of another meaning."""
    answer_always(monkeypatch, "kitchen")
    text = "they never speak about the house at work ."
    assert "kitchen" in proposed(text, thresholds=LENIENT)["house"]
    assert "kitchen" not in proposed(text).get("house", set())


def test_a_word_that_is_far_less_likely_than_the_original_is_not_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However near its meaning is."""
    answer = Answer(-1.0, (Candidate("battle", -9.0),))
    monkeypatch.setattr(contextual, "answers_about", lambda words, _masked_lm: [answer] * len(words))
    assert proposed("they never speak about the war at home .", thresholds=LENIENT) == {}


def test_what_dictionaries_list_stays_the_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    """At about one place in four: the dimension synonym has the others."""
    answer_always(monkeypatch, "film", "battle", "physician", "start", "huge")
    text = "the doctor saw a movie with the beginning of a war ."
    words = proposed(text, thresholds=LENIENT)
    places = [word.text for word in words_of(text) if word.text in words]
    assert places
    listed = {"doctor": "physician", "movie": "film", "beginning": "start"}
    assert sum(listed.get(place) in words[place] for place in places) <= (len(places) + 1) / 3


def test_a_small_word_becomes_another_that_the_model_expects() -> None:
    """Within its grammar."""
    assert proposed("they stayed until the rain was over .").get("until", set()) <= {"till"}


def test_a_model_that_is_not_there_is_named(tmp_path: Path) -> None:
    """The error says which and what it should be."""
    with pytest.raises(UserError, match="masked_lm"):
        proposed("a good film", masked_lm=f"hf:{tmp_path}")
