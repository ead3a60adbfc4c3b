"""The reader pronounces spellings it has never seen, and tells sounds that are alike from others."""

from pathlib import Path

import pytest

from builder.language.pronunciation import reader as reader_module
from builder.language.pronunciation.graphemes import Unit, load_graphemes, phonemes_of
from builder.language.pronunciation.phonemes import from_arpabet, from_misaki, sounds_like
from builder.language.pronunciation.reader import Span, load_reader, save_reader
from builder.making.pronunciation.alignment import align_words
from builder.making.pronunciation.training import train_reader


@pytest.mark.parametrize(
    ("spelling", "phonemes"),
    [("nite", "nIt"), ("moovee", "muvi"), ("kwik", "kwɪk"), ("phishing", "fɪʃɪŋ"), ("grayt", "ɡɹAt")],
)
def test_spellings_are_read_aloud(spelling: str, phonemes: str) -> None:
    """Letters that are no word still have a sound."""
    units = load_reader().read(spelling)
    assert units is not None
    assert phonemes_of(units) == phonemes
    assert "".join(unit.letters for unit in units) == spelling


def test_letters_without_sound_are_not_read() -> None:
    """What the reader has never seen has no pronunciation."""
    assert load_reader().read("語") is None
    assert load_reader().margins("語", "a", [Span(0, 1, "界")]) == [float("inf")]


def test_margins_tell_what_sounds_the_same() -> None:
    """Naim is read as name, nam is not, and numb cannot be."""
    same, other, impossible = load_reader().margins(
        "name", "nAm", [Span(1, 4, "aim"), Span(1, 4, "am"), Span(1, 4, "umb")]
    )
    assert same < 0.5
    assert 2 < other < impossible


def test_a_reader_survives_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was trained, saved and loaded reads the same."""
    words = {"phone": "fOn", "bone": "bOn", "ton": "tʌn", "photo": "fOɾO", "tea": "ti"}
    aligned = align_words(words, load_graphemes())
    assert aligned["phone"] == (Unit("ph", "f"), Unit("o", "O"), Unit("n", "n"), Unit("e", ""))
    assert aligned["photo"][2] == Unit("t", "t")
    trained = train_reader(list(aligned.values()))
    path = tmp_path / "reader.txt.gz"
    path.write_bytes(save_reader(trained))
    monkeypatch.setattr(reader_module, "MODEL_PATH", path)
    loaded = load_reader.__wrapped__()
    assert loaded.units == trained.units
    assert set(loaded.scores) == set(trained.scores)
    assert all(loaded.read(word) == trained.read(word) == aligned[word] for word in words)


def test_both_dictionaries_are_brought_to_one_set_of_phonemes() -> None:
    """Stress goes, and the vowel of "but" is told from the one of "about" by the syllables."""
    assert from_misaki("ɡɹˈæʤuˌAt") == "ɡɹæʤuAt"
    assert from_misaki("wˈɜɹst") == from_arpabet(["W", "ER", "S", "T"]) == "wRst"
    assert from_arpabet(["B", "AH", "T"]) == "bʌt"
    assert from_arpabet(["AH", "B", "AW", "T"]) == "əbWt"


def test_weak_vowels_sound_alike_and_strong_ones_do_not() -> None:
    """Shun ends action, but fin is not fun."""
    assert sounds_like("ækʃən", "ækʃʌn")
    assert not sounds_like("fʌn", "fɪn")
    assert not sounds_like("fʌn", "fʌ")
