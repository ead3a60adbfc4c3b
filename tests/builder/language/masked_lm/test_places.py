"""Places of a text are read with few passes, each with its own mask."""

from itertools import pairwise

from builder.language.masked_lm.model import PACKAGED, Floats, load_model
from builder.language.masked_lm.places import MOST_TOGETHER, N_APART, Span, _together, read_places

TEXT = "the old man and the young woman went to the house by the river yesterday ."


def spans_of(text: str, *words: str) -> list[Span]:
    """Return where some words stand."""
    return [Span(text.index(word), text.index(word) + len(word)) for word in words]


def test_each_place_has_its_own_answer() -> None:
    """In the order of the spans, whichever were masked together."""
    model = load_model(PACKAGED)
    token = model.token_of_word["river"]
    spans = spans_of(TEXT, "old", "man", "young", "woman", "went", "house", "river")
    asked = []

    def read(text: int, place: int, logs: Floats) -> tuple[int, float]:
        asked.append((text, place))
        return place, float(logs[token])

    ((*answers,),) = read_places([TEXT], [spans], read, PACKAGED)
    assert [place for place, _ in answers] == list(range(len(spans)))
    assert sorted(asked) == [(0, place) for place in range(len(spans))]
    went, river = answers[4][1], answers[-1][1]
    assert river > went


def test_an_answer_does_not_depend_on_other_texts() -> None:
    """Only on its own text and spans."""

    def read(_text: int, _place: int, logs: Floats) -> float:
        return float(logs.max())

    spans = spans_of(TEXT, "man", "house")
    alone = read_places([TEXT], [spans], read, PACKAGED)[0]
    others = ["a short one .", TEXT, "nothing is asked here ."]
    assert read_places(others, [[Span(2, 7)], spans, []], read, PACKAGED)[1] == alone


def test_places_masked_together_are_apart_and_few() -> None:
    """Every place once."""
    groups = _together(100)
    assert sorted(place for group in groups for place in group) == list(range(100))
    assert all(len(group) <= MOST_TOGETHER for group in groups)
    assert all(b - a >= N_APART for group in groups for a, b in pairwise(group))
