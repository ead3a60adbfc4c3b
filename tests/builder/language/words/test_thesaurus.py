"""What is written by hand holds together: words that are opposed never stand for each other."""

from builder.language.wordnet.antonyms import are_opposed
from builder.language.words.negations import is_negation
from builder.language.words.thesaurus import FORM, load_thesaurus


def test_no_word_stands_for_itself_its_opposite_or_a_negation() -> None:
    """Whatever else a hand may have slipped on, not this."""
    for (first, _), entries in load_thesaurus().items():
        for entry in entries:
            assert entry.words[0] == first
            text = " ".join(entry.words)
            for substitute in entry.substitutes:
                assert substitute.text != text
                if len(entry.words) == 1 and entry.part_of_speech != FORM:
                    assert not is_negation(substitute.text)
                    assert not are_opposed(text, substitute.text), (text, substitute.text)


def test_an_entry_says_which_way_round_and_where() -> None:
    """A film is a movie and a movie is a film; some words stand only before a certain other."""
    thesaurus = load_thesaurus()

    def substitutes(word: str, part_of_speech: str) -> set[str]:
        return {each.text for entry in thesaurus[word, part_of_speech] for each in entry.substitutes}

    assert "movie" in substitutes("film", "n")
    assert "film" in substitutes("movie", "n")
    assert "performer" in substitutes("actor", "n")
    befores_to = [entry for entry in thesaurus["try", "v"] if "to" in entry.after.wanted]
    assert {each.text for entry in befores_to for each in entry.substitutes} == {"attempt", "seek"}


def test_a_domain_stands_for_the_words_that_tell_it() -> None:
    """A stock option is no choice."""
    (option,) = (entry for entry in load_thesaurus()["option", "n"] if "choice" in str(entry.substitutes))
    assert {"stock", "bond", "quarterback"} <= option.not_near
