"""The lists of words that transformations go by."""

from builder.language.clauses.vocabulary import LISTS_PATH, LISTS_SHA256, _lists, words
from contract.machine.hashes import hash_of_file


def test_the_lists_are_those_the_code_was_written_for() -> None:
    """Cases are kept under the hash of the code, which must therefore know the lists."""
    assert hash_of_file(LISTS_PATH) == LISTS_SHA256


def test_lists_hold_words_in_small_letters_each_once() -> None:
    """YAML reads "no" as a truth value where it is not quoted."""
    for name, listed in _lists().items():
        assert all(isinstance(word, str) and word == word.lower() for word in listed), name
        assert len(set(listed)) == len(listed), name
        assert words(name) == frozenset(listed)
