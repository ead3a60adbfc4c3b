"""The names are listed in small letters, and known with and without their genitive."""

from builder.language.words.names import NAMES_PATH, is_listed, load_names, names_in


def test_people_places_and_peoples_are_known() -> None:
    """Those that news are full of, and rarer ones."""
    assert {"jane", "jan", "iran", "iraq", "ian", "bush", "london", "karl", "aachen", "iraqi"} <= load_names()
    assert "film" not in load_names()
    assert len(load_names()) > 10_000


def test_a_genitive_counts_as_the_name() -> None:
    """Jane's is Jane."""
    assert names_in(["jane's", "film", "iran"]) == {"jane", "iran"}
    assert is_listed("jane's")
    assert not is_listed("aachen")


def test_the_list_is_in_small_letters_and_no_section_has_a_name_twice() -> None:
    """As it is looked up."""
    for line in NAMES_PATH.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            names = line.split()
            assert all(name.isalpha() and name.islower() for name in names)
            assert len(set(names)) == len(names)
