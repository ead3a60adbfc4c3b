"""Words are typical of a class when training rows show it, and only then."""

from pathlib import Path

from builder.values.associations import cores_of, keep, learn, load
from builder.values.samples import Sample


def rows(*texts: tuple[str, int]) -> list[Sample]:
    """Return training rows."""
    return [
        Sample(id=str(n), text=text, text_pair=None, label=label) for n, (text, label) in enumerate(texts)
    ]


def test_a_word_of_one_class_speaks_for_it_and_a_word_of_both_for_none() -> None:
    """Rare words are not believed."""
    train = rows(*[("an awful film", 0)] * 20, *[("a lovely film", 1)] * 20, ("rare", 1))
    assert learn(train, 2) == {"an": 0, "awful": 0, "lovely": 1}


def test_words_are_bare_and_small() -> None:
    """Punctuation and case do not make another word."""
    assert cores_of("It's GOOD, isn’t it?") == ["it's", "good", "isn't", "it"]


def test_a_list_is_kept_by_its_hash(tmp_path: Path) -> None:
    """The same list, the same name; reading it back gives the same list."""
    name = keep(tmp_path, {"awful": 0})
    assert keep(tmp_path, {"awful": 0}) == name
    assert load(tmp_path, name) == {"awful": 0}
