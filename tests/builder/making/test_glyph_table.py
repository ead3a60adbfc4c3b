"""The shipped table of look-alikes holds what its derivation promises."""

import string
import unicodedata
from pathlib import Path

import numpy as np
import pytest

from builder.dimensions.glyph import TABLE_PATH, TABLE_SHA256, look_alikes
from contract.machine.hashes import hash_of_file

PAIRS = [(character, other, alike) for character, pairs in look_alikes().items() for other, alike in pairs]
VECTORS = Path(__file__).parents[4] / "shared" / "data" / "lexicons" / "visual_character_vectors.txt"


def test_the_table_is_the_one_the_code_was_written_for() -> None:
    """Cases are kept under the hash of the code, which must therefore know the table."""
    assert hash_of_file(TABLE_PATH) == TABLE_SHA256


def test_letters_and_common_accented_letters_have_look_alikes() -> None:
    """All of ASCII but Q, which nothing resembles closely, and what Western Europe writes."""
    assert set(string.ascii_letters) - set(look_alikes()) == {"Q"}
    assert set("àáâãäåçèéêëìíîïñòóôõöùúûüýÿÀÁÂÄÇÈÉÊËÑÓÖÜ") <= set(look_alikes())


def test_look_alikes_are_ranked_and_none_is_listed_twice() -> None:
    """Most alike first."""
    for character, pairs in look_alikes().items():
        likenesses = [alike for _, alike in pairs]
        assert likenesses == sorted(likenesses, reverse=True)
        assert 0.88 <= likenesses[-1] <= likenesses[0] <= 1
        assert len({other for other, _ in pairs} | {character}) == len(pairs) + 1


def test_look_alikes_are_single_visible_characters_that_normalisation_keeps() -> None:
    """No combining marks, nothing invisible, right to left, private or unassigned."""
    for character, other, _ in PAIRS:
        assert len(other) == 1
        assert unicodedata.category(other) in {"Ll", "Lu", "Lt", "Lo", "Nd", "Nl"}
        assert unicodedata.bidirectional(other) in {"L", "EN"}
        assert unicodedata.normalize("NFC", other) == other
        assert unicodedata.normalize("NFC", character) != other


def test_case_is_kept_unless_the_glyph_is_the_same() -> None:
    """A capital for a small letter would be another disguise."""
    for character, other, alike in PAIRS:
        is_other_case = (character.islower() and other.isupper()) or (character.isupper() and other.islower())
        assert not is_other_case or alike >= 0.97


@pytest.mark.skipif(not VECTORS.is_file(), reason=f"the visual vectors are not at {VECTORS}")
def test_likeness_agrees_with_vectors_learnt_from_images() -> None:
    """Somebody else's measure ranks the pairs much as ours does."""
    vectors = {}
    for line in VECTORS.read_text(encoding="utf-8").split("\n")[1:]:
        character, _, numbers = line.partition(" ")
        if numbers:
            vector = np.array(numbers.split(), dtype=float)
            vectors[character] = vector / np.linalg.norm(vector)
    shared = [(a, b, alike) for a, b, alike in PAIRS if a.isascii() and a in vectors and b in vectors]
    ours = [alike for _, _, alike in shared]
    theirs = [float(vectors[a] @ vectors[b]) for a, b, _ in shared]
    assert len(shared) > 100
    assert np.corrcoef(_ranks(ours), _ranks(theirs))[0, 1] > 0.5


def _ranks(values: list[float]) -> list[float]:
    """Return the rank of each value, the mean one where some are equal."""
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) - 1) / 2 for value in values]
