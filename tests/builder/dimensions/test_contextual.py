"""Contextual swaps fit their place, keep form and casing, and leave alone what decides the label."""

from pathlib import Path

import pytest

from builder.dimensions import contextual
from builder.dimensions.contextual import CONTEXTUAL
from builder.language.masked_lm import Gap, GapScores, ScoredWord
from builder.language.words.negations import is_negation
from builder.models.resources import Resources
from builder.operations.dimension import WordsOfText
from builder.values.randomness import Draw
from contract.machine.errors import UserError
from contract.schema.edits import apply_edits, words_of

NEGATIVE, POSITIVE = 0, 1
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
) -> dict[str, set[str]]:
    """Return what each word of a text may become."""
    resources = Resources(associations=associations or {}, masked_lm=masked_lm)
    (operations,) = CONTEXTUAL.propose([WordsOfText(text, words_of(text), label)], resources)
    return {
        word.text: {apply_edits(word.text, item.edits) for item in of_word.items}
        for word, of_word in zip(words_of(text), operations, strict=True)
        if len(of_word)
    }


def answer_always(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    """Let the masked language model find some words likely everywhere."""

    def score_gaps(
        gaps: list[Gap], known: list[tuple[str, ...]], _n: int, _masked_lm: str
    ) -> list[GapScores]:
        best = tuple(ScoredWord(word, -1.0) for word in words)
        return [GapScores(best, (-1.0,) * len(of_gap)) for _, of_gap in zip(gaps, known, strict=True)]

    monkeypatch.setattr(contextual, "score_gaps", score_gaps)


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("i saw two movies there .", "movies", "films"),
        ("Movies are what he lives for .", "Movies", "Films"),
        ("the movie, she told us", "movie,", "film,"),
    ],
)
def test_a_swap_has_the_form_and_the_casing_of_its_word(text: str, word: str, expected: str) -> None:
    """Number, capitals, and the marks around it."""
    assert expected in proposed(text).get(word, set())


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
    forms = proposed(text, label=NEGATIVE, associations=associations).get("bad", set())
    assert "horrible" in forms
    assert "terrible" not in forms


def test_a_word_that_decides_is_replaced_by_one_that_decides_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """A word of the label's class only by another of that class."""
    answer_always(monkeypatch, "horrible", "terrible")
    associations = {"bad": NEGATIVE, "horrible": NEGATIVE}
    forms = proposed("a bad film about a man .", label=NEGATIVE, associations=associations).get("bad", set())
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


def test_a_likely_word_that_is_near_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """The model's own word, where no list has it: battle for war."""
    answer_always(monkeypatch, "battle", "awful")
    assert "battle" in proposed("they never speak about the war at home .")["war"]


def test_unlikely_synonyms_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A synonym that the model does not expect there at all is no contextual swap."""

    def score_gaps(
        gaps: list[Gap], known: list[tuple[str, ...]], _n: int, _masked_lm: str
    ) -> list[GapScores]:
        return [GapScores((), (-1.0, *(-20.0 for _ in of_gap[1:]))) for of_gap in known]

    monkeypatch.setattr(contextual, "score_gaps", score_gaps)
    assert proposed("i saw two movies there .") == {}


def test_likelier_words_are_drawn_more_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """The weights of a word's operations follow the model."""

    def score_gaps(
        gaps: list[Gap], known: list[tuple[str, ...]], _n: int, _masked_lm: str
    ) -> list[GapScores]:
        return [
            GapScores((), (-1.0, *(-1.0 - number for number in range(len(of_gap) - 1)))) for of_gap in known
        ]

    monkeypatch.setattr(contextual, "score_gaps", score_gaps)
    text = "i like the story of the two boys ."
    (operations,) = CONTEXTUAL.propose([WordsOfText(text, words_of(text))], Resources())
    of_word = max(operations, key=len)
    draws = [of_word.items.index(of_word.draw(Draw(0, number))) for number in range(500)]
    counts = [draws.count(place) for place in range(len(of_word))]
    assert len(counts) > 1
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] < counts[0]


def test_a_model_that_is_not_there_is_named(tmp_path: Path) -> None:
    """The error says which and what it should be."""
    with pytest.raises(UserError, match="masked_lm"):
        proposed("a good film", masked_lm=f"hf:{tmp_path}")
