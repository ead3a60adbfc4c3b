"""What is written by hand holds together: words that are opposed never stand for each other."""

from builder.language.wordnet.antonyms import are_opposed
from builder.language.words.negations import is_negation
from builder.language.words.thesaurus import THESAURUS_PATH, load_thesaurus


def test_every_line_can_be_read_and_stands_once() -> None:
    """A part of speech, a word, a sign and others, all in small letters."""
    lines = [line for line in THESAURUS_PATH.read_text(encoding="utf-8").splitlines() if line]
    entries = [line for line in lines if not line.startswith("#")]
    assert len(set(entries)) == len(entries)
    for line in entries:
        part_of_speech, *words = line.split()
        assert part_of_speech in "nvarf"
        assert sum(word in {">", "="} for word in words) == 1, line
        named = [word.removeprefix("+") for word in words if word not in {">", "="}]
        assert all(word.isalpha() for word in named), line


def test_no_word_stands_for_itself_its_opposite_or_a_negation() -> None:
    """Whatever else a hand may have slipped on, not this."""
    for (lemma, _), entries in load_thesaurus().items():
        assert not is_negation(lemma)
        for entry in entries:
            assert entry.lemma != lemma
            assert not is_negation(entry.lemma)
            assert not are_opposed(lemma, entry.lemma), (lemma, entry.lemma)


def test_signs_say_which_way_round() -> None:
    """A set is mutual; a tale stands for a story; some words stand only before a certain other."""
    thesaurus = load_thesaurus()
    assert "movie" in {entry.lemma for entry in thesaurus["film", "n"] if entry.is_mutual}
    assert "film" in {entry.lemma for entry in thesaurus["movie", "n"]}
    assert "performer" in {entry.lemma for entry in thesaurus["actor", "n"]}
    assert ("performer", "n") not in thesaurus
    assert ("attempt", "to") in {(entry.lemma, entry.before) for entry in thesaurus["try", "v"]}
