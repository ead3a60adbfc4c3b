"""The shipped table and what it is derived from."""

import importlib.util
from pathlib import Path

import pytest

from builder.language.pronunciation import spellings as spellings_module
from builder.language.pronunciation.graphemes import rows_of
from builder.language.pronunciation.reader import Span
from builder.language.pronunciation.spellings import (
    DATA_SHA256,
    Spelling,
    hash_of_data,
    load_spellings,
    read_spellings,
    save_spellings,
    spellings_of,
)
from builder.making.pronunciation.homophones import Vocabulary
from builder.making.pronunciation.lexicon import Lexicon, load_lexicon

SOUNDS = {
    "know": "nO",
    "no": "nO",
    "week": "wik",
    "weak": "wik",
    "sea": "si",
    "see": "si",
    "wine": "wIn",
    "not": "nɑt",
    "knot": "nɑt",
    "weke": "wik",
}
VOCABULARY = Vocabulary(
    lexicon=Lexicon(
        phonemes=SOUNDS,
        frequency=dict.fromkeys(SOUNDS, -5.0),
        curated=frozenset(SOUNDS),
        plain=frozenset(SOUNDS),
    ),
    aligned={},
    valence={"weak": -1.9},
    listed={"wierd": "weird"},
)


def test_new_data_are_new_code() -> None:
    """New data need their hash in the module."""
    assert hash_of_data() == DATA_SHA256


def test_each_listed_word_is_listed_once_and_stands_in_the_table() -> None:
    """Respellings differ from their word and from one another."""
    rows = list(rows_of("listed.tsv"))
    words = [word for word, _ in rows]
    assert words == sorted(set(words))
    for word, respellings in rows:
        others = respellings.split()
        assert len({word, *others}) == len(others) + 1
        assert {spelling.span.apply(word) for spelling in spellings_of(word)} >= set(others)


def test_homophones_say_nothing_else() -> None:
    """See is sea, but know is not no and week is not weak."""
    assert VOCABULARY.homophones("see") == ["sea"]
    for word in ("know", "no", "week", "weak", "not", "knot"):
        assert not set(VOCABULARY.homophones(word)) & {"know", "no", "week", "weak", "not", "knot"}


def test_a_spelling_that_is_another_word_is_told() -> None:
    """Words with another sound, insults, negations and known respellings of others are out."""
    assert VOCABULARY.is_other_word("see", "wine")
    assert not VOCABULARY.is_other_word("see", "sea")
    assert not VOCABULARY.is_other_word("see", "cee")
    assert VOCABULARY.is_other_word("see", "no")
    assert VOCABULARY.is_other_word("not", "knot")
    assert VOCABULARY.is_other_word("sea", "ass")
    assert VOCABULARY.is_other_word("wired", "wierd")


def test_a_table_survives_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is saved is loaded, and names are told from words."""
    table = {
        "night": [Spelling("listed", Span(0, 5, "nite"), 100), Spelling("respell", Span(0, 1, "nn"), 7)],
        "lee": [],
    }
    path = tmp_path / "spellings.txt.gz"
    path.write_bytes(save_spellings(table, frozenset({"lee"})))
    monkeypatch.setattr(spellings_module, "TABLE_PATH", path)
    loaded = load_spellings.__wrapped__()
    assert read_spellings(loaded.by_word["night"]) == tuple(table["night"])
    assert read_spellings(loaded.by_word["lee"]) == ()
    assert loaded.is_word("night")
    assert not loaded.is_word("lee")
    assert not loaded.is_word("nite")


@pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("misaki", "pocketsphinx")),
    reason="misaki and pocketsphinx, from which the data are derived, are not installed",
)
def test_the_lexicon_knows_words_inflections_and_frequencies() -> None:
    """Inflections that the curated dictionary lacks are made by rule."""
    lexicon = load_lexicon()
    assert lexicon.phonemes["movies"] == "muviz"
    assert lexicon.phonemes["film"] == "fɪlm"
    assert lexicon.frequency["film"] > lexicon.frequency["cinema"]
    assert lexicon.by_frequency[0] == "the"
