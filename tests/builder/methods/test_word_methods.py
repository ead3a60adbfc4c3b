"""TextFooler's and BERT-ATTACK's words: how many, how near, and no opposites."""

import json
from pathlib import Path

import pytest

from builder.methods import bert_attack, textfooler
from builder.methods.neighbours import median_neighbours
from builder.models.resources import Resources
from builder.operations.dimension import WordsOfText
from builder.word_swaps.masked_words import Answer, Candidate, words_of_texts
from contract.schema.edits import words_of

TEXT = "the doctor said that the children began a big fight in the old movie"


def words(text: str) -> WordsOfText:
    """Return a text with its words."""
    return WordsOfText(text, words_of(text), 1)


def swaps(resources: Resources) -> dict[str, set[str]]:
    """Return what TextFooler proposes for the words of the text."""
    text = words(TEXT)
    (operations,) = textfooler.propose([text], resources)
    return {
        word.text: {item.edits[0].replacement for item in of_word.items}
        for word, of_word in zip(text.words, operations, strict=True)
        if len(of_word)
    }


def test_textfooler_takes_the_thesaurus_where_a_recipe_has_no_lexicon() -> None:
    """In the form of the word."""
    found = swaps(Resources())
    assert "kids" in found["children"]
    assert "film" in found["movie"]


def test_textfooler_takes_the_words_of_a_lexicon_and_refuses_what_means_something_else(
    tmp_path: Path,
) -> None:
    """A lexicon of neighbours has opposites and related words, too."""
    path = tmp_path / "neighbours.json"
    path.write_text(json.dumps({"doctor": ["physician", "hospital"], "big": ["large", "small"]}))
    found = swaps(Resources(lexicons=(f"file:{path}",)))
    assert "physician" in found["doctor"]
    assert "hospital" not in found["doctor"]
    assert "large" in found["big"]
    assert "small" not in found["big"]


def test_textfooler_asks_for_more_similarity_where_classes_mean_good_and_bad(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By the words typical of them."""
    asked: list[float] = []
    monkeypatch.setattr(textfooler, "_similar", lambda swaps, _encoder, least: asked.append(least) or swaps)
    sentiment = {"wonderful": 1, "great": 1, "awful": 0, "terrible": 0}
    textfooler.propose([words("a film")], Resources(associations=sentiment))
    textfooler.propose([words("a film")], Resources(associations={"goal": 1, "market": 0}))
    assert asked == [0.8, 0.7]


def test_a_swap_after_which_the_sentence_says_something_else_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With a threshold that nothing meets, nothing is left."""
    monkeypatch.setattr(textfooler, "LEAST_SIMILAR", 1.01)
    assert not swaps(Resources())


def test_the_median_counts_words_that_have_neighbours() -> None:
    """Words with none say nothing about how many there are."""
    assert median_neighbours({"a": ("b",), "c": ("d", "e", "f"), "g": ("h", "i"), "j": ()}) == 2
    assert median_neighbours() > 0


def test_bert_attack_looks_at_the_first_48_words_of_the_model_that_are_near() -> None:
    """What stands later is not looked at, and what is far is dropped."""
    (word,) = [each for each in words_of_texts([words("a long movie")], lambda *_: True) if each.use][1:]
    far = [Candidate("tuesday", -1.0)] * 47
    near = Candidate("film", -1.0)
    answer = Answer(-1.0, (*far, near, near))
    assert bert_attack._near(word, answer).candidates == (near,)


def test_bert_attack_proposes_no_opposites() -> None:
    """A masked language model finds them as likely."""
    text = words("it was a big fight and a good old movie")
    (operations,) = bert_attack.propose([text], Resources())
    found = {item.edits[0].replacement for of_word in operations for item in of_word.items}
    assert "film" in found
    assert not found & {"small", "little", "bad", "new", "young"}
