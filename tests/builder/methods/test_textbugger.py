"""TextBugger's bugs: five kinds, with their length rules."""

from builder.methods.textbugger import BUGS, bugs_of
from contract.schema.edits import apply_edits


def bugs(word: str, kind: str) -> set[str]:
    """Return what a kind of bug makes of a word."""
    return {apply_edits(word, item.edits) for item in bugs_of(word).items if item.name == kind}


def test_a_space_is_put_only_into_short_words() -> None:
    """Words with fewer than six characters."""
    assert bugs("huge", "space") == {"h uge", "hu ge", "hug e"}
    assert bugs("great", "space")
    assert not bugs("splendid", "space")


def test_characters_are_swapped_only_inside_words_of_more_than_four() -> None:
    """The first and the last character stay."""
    assert bugs("movie", "swap") == {"mvoie", "moive"}
    assert not bugs("film", "swap")


def test_a_character_is_deleted_only_inside_a_word() -> None:
    """Readers need the ends."""
    assert bugs("film", "delete") == {"flm", "fim"}


def test_other_characters_are_near_on_the_keyboard_or_look_alike() -> None:
    """One character for one."""
    assert "fikm" in bugs("film", "keyboard")
    assert "f1lm" not in bugs("film", "keyboard")
    assert "fi1m" in bugs("film", "look-alike")
    assert all(len(word) == 4 for kind in ("keyboard", "look-alike") for word in bugs("film", kind))


def test_all_bugs_of_a_word_are_of_the_five_kinds_and_cost_one_but_a_swap() -> None:
    """The edit distance is 1, of a swap 2."""
    items = bugs_of("movies").items
    assert {item.name for item in items} == set(BUGS) - {"space"}
    assert all(item.cost == (2 if item.name == "swap" else 1) for item in items)


def test_negations_and_numbers_have_no_bugs() -> None:
    """Another one would be another claim."""
    assert not len(bugs_of("not"))
    assert not len(bugs_of("1984"))
