"""Inflection writes another form of the same word, read in context, and leaves grammar and names alone."""

import pytest

from builder.dimensions.inflection import propose
from builder.language.words import inflected_forms
from builder.language.words.inflected_forms import (
    HELPING,
    LIKELIHOOD,
    TAGS_OF_PART_OF_SPEECH,
    lemmas_of,
    load_paradigms,
    other_forms,
)
from builder.models.resources import Resources
from builder.operations.dimension import WordsOfText
from contract.schema.edits import apply_edits, words_of


def changes(text: str) -> dict[str, set[str]]:
    """Return what each word of a text may become; words that stay are left out."""
    words = words_of(text)
    (proposals,) = propose([WordsOfText(text, words)], Resources())
    return {
        word.text: {apply_edits(word.text, item.edits) for item in operations.items}
        for word, operations in zip(words, proposals, strict=True)
        if len(operations)
    }


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("she lives in paris .", "lives", {"live", "lived", "living"}),
        ("it shows their lives .", "lives", {"life"}),
        ("i saw it twice .", "saw", {"see", "sees", "seen", "seeing"}),
        ("he told the story well .", "told", {"tell", "tells", "telling"}),
        ("two good movies .", "movies", {"movie"}),
        ("two good movies .", "good", {"better", "best"}),
        ("the funniest scene of all .", "funniest", {"funny", "funnier"}),
        ("the film is long .", "is", {"are", "was"}),
    ],
)
def test_other_forms_are_those_of_the_word_in_its_context(text: str, word: str, expected: set[str]) -> None:
    """Noun or verb, of this lemma and no other."""
    assert changes(text)[word] == expected


def test_casing_and_marks_around_a_word_are_kept() -> None:
    """Only the word itself changes."""
    found = changes('Movies, he said, are "movies"!')
    assert found["Movies,"] == {"Movie,"}
    assert found['"movies"!'] == {'"movie"!'}
    assert changes("THE MOVIES WERE FUNNY!")["MOVIES"] == {"MOVIE"}


@pytest.mark.parametrize(
    "text",
    [
        "it isn't , doesn't , won't and cannot",
        "not nothing nobody never lacks fails",
        "the and of to would could everything one",
        "Steven Spielberg of Warner Brothers in Rome",
        "it's the film's must-see re-make",
        "NASA and the BBC",
        "42 !? :-) www.example.com @films",
    ],
)
def test_grammar_negations_names_and_clitics_are_left_alone(text: str) -> None:
    """What carries the structure or the polarity of a sentence is no inflection to play with."""
    assert changes(text) == {}


def test_a_form_is_never_the_word_itself_nor_one_that_misleads() -> None:
    """Every form in the table can be drawn, differs from its word, and no word has the same form twice."""
    for form, tag in load_paradigms():
        if tag in LIKELIHOOD:
            others = [other.text for other in other_forms(form, tag)]
            assert form not in others
            assert len(set(others)) == len(others)
            assert inflected_forms.MISLEADING.isdisjoint(others)
            assert all(other.isalpha() and other.islower() for other in others)


def test_helping_verbs_change_into_each_other_only() -> None:
    """Agreement and tense, never a bare "be"."""
    assert {form for forms in HELPING.values() for form in forms} <= set(HELPING)


def test_a_participle_before_its_noun_stays() -> None:
    """It describes the noun; elsewhere it is a form of the verb."""
    assert "moving" not in changes("a moving essay about love")
    assert "moving" in changes("he is moving the table")


def test_forms_of_one_lemma_are_known_as_such() -> None:
    """Other parts can ask whether a word is new or only inflected."""
    assert lemmas_of("films") & lemmas_of("film")
    assert {"life", "live"} <= lemmas_of("lives")
    assert lemmas_of("xyzzy") == frozenset()


def test_words_that_the_lexicon_lacks_have_plurals_in_s() -> None:
    """Reviews are full of them."""
    assert changes("two filmmakers made a thriller")["thriller"] == {"thrillers"}
    assert changes("two filmmakers made a thriller")["filmmakers"] == {"filmmaker"}


def test_every_tag_has_its_likelihoods() -> None:
    """A tag of the table has somewhere to go, within its part of speech."""
    for tags in TAGS_OF_PART_OF_SPEECH.values():
        for tag in tags:
            assert set(LIKELIHOOD[tag]) <= set(tags)
            assert all(likelihood > 0 for likelihood in LIKELIHOOD[tag].values())


def test_a_table_that_is_not_the_code_s_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another table would make other cases under the same name."""
    monkeypatch.setattr(inflected_forms, "TABLE_SHA256", "0" * 64)
    load_paradigms.cache_clear()
    with pytest.raises(ValueError, match="not the file this code was made for"):
        load_paradigms()
    load_paradigms.cache_clear()


def test_the_table_is_what_its_script_derives() -> None:
    """A few lemmas, derived anew: regular forms before rare ones, letters only, none without a use."""
    pytest.importorskip("lemminflect")
    pytest.importorskip("wordfreq")
    from builder.making.inflections.derive import _forms

    assert _forms("noun", "film") == ("film", "films")
    assert _forms("noun", "diva") == ("diva", "divas")
    assert _forms("noun", "worthy") == ("worthy", "")
    assert _forms("verb", "dive") == ("dive", "dives", "dived", "dived", "diving")
    assert _forms("verb", "overcome")[1] == "overcomes"
    assert _forms("adjective", "huge") == ()
