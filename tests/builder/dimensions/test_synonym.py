"""Synonyms keep sense, form, casing and article, and leave alone what decides the label."""

from pathlib import Path

import pytest

from builder.dimensions.synonym import THRESHOLDS, Thresholds, propose
from builder.models.resources import Resources
from builder.operations.dimension import WordsOfText
from contract.schema.edits import apply_edits, words_of

NEGATIVE, POSITIVE = 0, 1
# For what forms and articles become, whatever the judge thinks of the words.
UNJUDGED = Thresholds(least={})


def proposed(
    text: str,
    *,
    label: int | None = None,
    associations: dict[str, int] | None = None,
    lexicons: tuple[str, ...] = (),
    thresholds: Thresholds = THRESHOLDS,
) -> dict[str, set[str]]:
    """Return what each word of a text, or each expression, may become."""
    resources = Resources(associations=associations or {}, lexicons=lexicons)
    words = words_of(text)
    (operations,) = propose([WordsOfText(text, words, label)], resources, thresholds)
    found: dict[str, set[str]] = {}
    for number, of_word in enumerate(operations):
        for item in of_word.items:
            span = text[words[number].start : words[number + item.n_words - 1].end]
            found.setdefault(span, set()).add(apply_edits(span, item.edits))
    return found


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("i saw two movies there .", "movies", "films"),
        ("Movies are a joy .", "Movies", "Films"),
        ("THE MOVIE IS GOOD", "MOVIE", "FILM"),
        ("the movie, she told us", "movie,", "film,"),
        ("they depicted the war .", "depicted", "portrayed"),
        ("she is constructing a boat .", "constructing", "building"),
        ("they live in a bigger house now .", "bigger", "larger"),
        ("he tries to sing .", "tries", "attempts"),
        ("it is often cold there .", "often", "frequently"),
        ("he confessed to the murder of a plumber .", "murder", "slaying"),
    ],
)
def test_a_synonym_has_the_form_and_the_casing_of_its_word(text: str, word: str, expected: str) -> None:
    """Number, tense, comparison, capitals, and the marks around it."""
    assert expected in proposed(text, thresholds=UNJUDGED).get(word, set())


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("he did not , in fact , laugh .", "not"),
        ("nobody laughs here .", "nobody"),
        ("it fails at once .", "fails"),
        ("it lacks a story .", "lacks"),
        ("few films are like that .", "few"),
        ("a third of the films are out .", "third"),
        ("with chris rock in the lead", "rock"),
        ("i met Mr. Movie there", "Movie"),
        ("we met in high school .", "school"),
        ("you must of course see it .", "course"),
        ("they met in high school, in May .", "school,"),
        ("a list of films , including mine", "including"),
        ("it is the worst film of all .", "worst"),
        ("it is not nearly enough .", "nearly"),
        ("and inspiring hope in us", "inspiring"),
        ("he looks after the kids", "looks"),
        ("the wizard in the tower cast a spell on the king", "cast"),
    ],
)
def test_what_decides_or_is_no_single_word_stays(text: str, word: str) -> None:
    """Negations, amounts, numbers, names, parts of phrases, and words whose reading is open."""
    assert word not in proposed(text)


def test_an_article_still_fits() -> None:
    """Where the next word begins otherwise than before, the article changes with it."""
    found = proposed("it is a gripping film", thresholds=UNJUDGED)
    assert found["gripping"] == {"riveting"}
    assert "an engrossing" in found["a gripping"]
    found = proposed("it is an engrossing film", thresholds=UNJUDGED)
    assert found["engrossing"] == {"absorbing"}
    assert "a gripping" in found["an engrossing"]


@pytest.mark.parametrize(
    ("text", "expression", "expected"),
    [
        ("In order to win, he trained.", "In order", "So as"),
        ("it rained, because of which we left early because of them .", "because of", "owing to"),
        ("about 50 people came .", "about", "roughly"),
        ("many people came .", "many", "numerous"),
        ("How do I cook rice?", "do", "can"),
        ("How to cook rice?", "to", "can I"),
        ("they carried out the plan .", "carried out", "conducted"),
        ("two points of view were heard .", "points of view", "viewpoints"),
        ("he said that it rained .", "said", "stated"),
    ],
)
def test_an_expression_has_another_in_its_neighbourhood(text: str, expression: str, expected: str) -> None:
    """Only the words that differ are touched, and the first of them has its capital."""
    assert expected in proposed(text).get(expression, set())


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("they talked about him .", "about"),
        ("how many people came ?", "many"),
        ("he said it again and again .", "again"),
        ("a heart attack killed him .", "attack"),
        ('they read "The Big Sleep" to us .', "Big"),
        ("after the boys left , we slept .", "after the"),
    ],
)
def test_another_neighbourhood_has_none(text: str, expression: str) -> None:
    """A word that tells another sense, or that the expression does not stand beside."""
    assert expression not in proposed(text)


def test_a_word_that_is_there_already_does_not_come_again() -> None:
    """Funny and amusing do not become amusing and amusing."""
    assert "amusing" in proposed("a film that is funny")["funny"]
    assert "amusing" not in proposed("a film that is funny and amusing").get("funny", set())


def test_two_words_do_not_become_the_same() -> None:
    """What one word of a text may become, another may not; the same word may, wherever it stands."""
    found = proposed("a complete and utter mess", thresholds=UNJUDGED)
    assert not found["complete"] & found.get("utter", set())
    assert found["complete"]
    text = "the film of the year is a film for kids ."
    (operations,) = propose([WordsOfText(text, words_of(text))], Resources(), UNJUDGED)
    assert len(operations[1]) == len(operations[7]) == 1


def test_no_class_comes_or_goes() -> None:
    """A word typical of another class does not come in, nor another form of such a word."""
    text = "the film is a story of war ."
    assert proposed(text, label=POSITIVE, thresholds=UNJUDGED)["story"] == {"tale", "narrative"}
    guarded = proposed(text, label=POSITIVE, associations={"tales": NEGATIVE}, thresholds=UNJUDGED)
    assert guarded["story"] == {"narrative"}
    assert proposed(text, label=NEGATIVE, associations={"tales": NEGATIVE}, thresholds=UNJUDGED)["story"] == {
        "tale",
        "narrative",
    }


def test_a_sense_is_chosen_by_its_text() -> None:
    """The same word has synonyms of the sense it has, or none."""
    money = proposed("the bank lent him the money at a low interest rate .").get("bank", set())
    river = proposed("they sat on the grassy bank of the river and fished .").get("bank", set())
    assert not river & {"depository", "banking"}
    assert not money & {"shore", "slope"}


def test_a_lexicon_of_the_recipe_adds_candidates_that_are_judged(tmp_path: Path) -> None:
    """What is near in meaning comes in; what is not, what is opposed and what negates does not."""
    path = tmp_path / "near.json"
    path.write_text('{"boat": ["ship", "banana", "nothing"], "hot": ["cold"]}', encoding="utf-8")
    text = "they sailed the little boat around the island and it was hot ."
    assert proposed(text) == {}
    assert proposed(text, lexicons=(f"file:{path}",)) == {"boat": {"ship"}}


def test_a_word_of_the_thesaurus_is_taken_where_the_judge_is_sure_of_it() -> None:
    """The same list has both pairs; readers accept the one and refuse the other."""
    text = "the centre of the town has a few new restaurants and the movie was funny ."
    assert proposed(text)["movie"] == {"film"}
    refused = proposed("they raised $ 500 for the school .")
    assert "increased" not in refused.get("raised", set())
    assert "increased" in proposed("they raised $ 500 for the school .", thresholds=UNJUDGED)["raised"]
