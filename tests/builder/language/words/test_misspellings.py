"""The list of misspellings, packaged or a file of the user's."""

from pathlib import Path

import pytest

from builder.language.words.misspellings import TABLE_PATH, TABLE_SHA256, load_misspellings, read_misspellings
from builder.models.resources import PACKAGED
from contract.machine.errors import UserError
from contract.machine.hashes import hash_of_file


def test_the_packaged_list_is_the_one_that_the_code_names() -> None:
    """Finished work is redone when it changes."""
    assert hash_of_file(TABLE_PATH) == TABLE_SHA256


def test_the_packaged_list_has_common_words_and_no_misspelling_that_is_one_of_them() -> None:
    """A misspelling that is another listed word would not be seen as one; "its" for "it's" is."""
    listed = load_misspellings(PACKAGED)
    assert len(listed) > 1000
    assert "teh" in listed["the"]
    clashes = {(word, other) for word, others in listed.items() for other in others if other in listed}
    assert clashes == {("it's", "its")}


def test_a_file_is_read_in_small_letters_without_what_is_no_word(tmp_path: Path) -> None:
    """As lists from edit histories are written."""
    path = tmp_path / "typos.txt"
    path.write_text("# a list\nLuck lock Lucke luck\nluck l0ck luke\n\n3rd thrid\n", encoding="utf-8")
    assert load_misspellings(f"file:{path}") == {"luck": ("lock", "lucke", "luke")}


def test_a_word_without_a_misspelling_is_named_with_its_line() -> None:
    """All such lines together."""
    with pytest.raises(UserError, match=r"typos:2: 'film' has no misspelling"):
        read_misspellings("teh the\nfilm\n", "typos")


@pytest.mark.parametrize(
    ("content", "message"), [(b"", "no word with a misspelling"), (b"a \xff\n", "not UTF-8")]
)
def test_a_useless_file_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    """With what is wrong and what was expected."""
    path = tmp_path / "typos.txt"
    path.write_bytes(content)
    with pytest.raises(UserError, match=message):
        load_misspellings(f"file:{path}")


def test_a_missing_file_is_named() -> None:
    """The path in the recipe is to be corrected."""
    with pytest.raises(UserError, match="there is no such file"):
        load_misspellings("file:nowhere.txt")
