"""Syntax: the same words in another form, without new words typical of another class."""

import re
from collections import Counter
from itertools import pairwise

import pytest

from builder.dimensions.syntax import SYNTAX
from builder.language.clauses.draft import difference
from builder.language.parser.parse import Parse
from builder.language.rewriting import walk
from builder.language.transformations import TRANSFORMATIONS
from builder.language.transformations.transformation import Transformation
from builder.language.words.negations import negations_of
from builder.models.resources import Resources
from builder.operations.dimension import TextToRewrite
from builder.values.randomness import Draw
from contract.schema.edits import apply_edits

TEXTS = (
    "a warm and funny film with two splendid actors , and a story that finds its way home .",
    "although the film's plot is thin , the cast isn't bad .",
    "The company said on Tuesday that it will not sell its 12 factories in Spain.",
    "Who wrote the book that was published in 1990?",
)


def series_of(text: str, n: int = 6, **resources: object) -> list[list[tuple[str, str]]]:
    """Return some series of a text, each rewrite as text and method."""
    subjects = [
        TextToRewrite(text=text, draw=Draw(text, number), avoid=frozenset({"fact", "case"}), label=1)
        for number in range(n)
    ]
    found = SYNTAX.write_series(subjects, Resources(**resources))  # type: ignore[arg-type]
    return [[(apply_edits(text, rewrite.edits), rewrite.method) for rewrite in series] for series in found]


def words_in(text: str) -> set[str]:
    """Return the words of a text in small letters, without marks."""
    return set(re.findall(r"[a-z]+", text.lower()))


@pytest.mark.parametrize("text", TEXTS)
def test_a_rewrite_keeps_the_words_that_matter(text: str) -> None:
    """Negations, numbers and all longer words; style and what is not edited too."""
    rewrites = [rewrite for series in series_of(text) for rewrite in series]
    assert rewrites
    for case, method in rewrites:
        assert negations_of(case) == negations_of(text), method
        assert Counter(filter(str.isdigit, case)) == Counter(filter(str.isdigit, text)), method
        # "Although X, Y" may become "X, but Y".
        longer = {word for word in words_in(text) if len(word) > 6} - {"although"}
        assert longer <= words_in(case), method
        assert (case == case.lower()) == (text == text.lower()), method


@pytest.mark.parametrize("text", TEXTS)
def test_a_series_goes_one_transformation_farther_with_every_rewrite(text: str) -> None:
    """The methods of a rewrite begin with those of the one before."""
    for series in series_of(text):
        for (_, below), (_, above) in pairwise(series):
            assert above.startswith(f"{below}+")
            assert above.removeprefix(f"{below}+") in TRANSFORMATIONS


def test_words_that_speak_for_another_class_do_not_come_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words typical of the label may come in."""
    monkeypatch.setattr(walk, "FRAMED_SHARE", 1.0)
    text = "the film is far too long ."
    against = [
        case for series in series_of(text, 20, associations={"fact": 0, "case": 1}) for case, _ in series
    ]
    assert not any("fact" in case for case in against)
    assert any("the case" in case for case in against)
    both = [case for series in series_of(text, 20, associations={"fact": 0, "case": 0}) for case, _ in series]
    assert both
    assert not any("fact" in case or "the case" in case for case in both)


def test_a_text_is_parsed_once_for_all_its_series(monkeypatch: pytest.MonkeyPatch) -> None:
    """More series of a text cost no more parsing of it."""
    asked: Counter[str] = Counter()
    real = walk.parse

    def counted(texts: list[str], parser: str) -> list[Parse]:
        asked.update(texts)
        return real(texts, parser)

    monkeypatch.setattr(walk, "parse", counted)
    walk._kept.clear()
    series_of(TEXTS[0])
    series_of(TEXTS[0])
    assert asked[TEXTS[0]] == 1
    assert max(asked.values()) == 1


STATEMENTS = (
    "The council sold the old school on Tuesday because it needed money.",
    "A young doctor from Leeds wrote two books about birds in 1990.",
    "Although the road is steep, many people climb the hill every summer.",
    "The mayor said that the bridge will be closed until the police have searched it.",
    "Who wrote the song that was played at the wedding?",
    "How can I learn to swim in a month?",
    "What did the farmer plant in the field?",
    "Please read the rules before you post a comment.",
    "The plan was rejected by the committee. The minister resigned on Friday.",
    "it 's a warm , funny film that is made with care .",
)


def test_at_most_a_fifth_of_rewrites_have_a_frame() -> None:
    """Counted over every step of many series of sentences of many forms."""
    methods = [method for text in STATEMENTS for series in series_of(text, 40) for _, method in series]
    framed = [
        method
        for method in methods
        if any(TRANSFORMATIONS[name].kind == "frame" for name in method.split("+"))
    ]
    assert len(methods) > 400
    assert 0 < len(framed) <= len(methods) / 5


def test_the_sentences_of_a_text_are_rewritten_each_for_itself() -> None:
    """What is done to one does not change the others."""
    text = "The council sold the school. It is raining. They don't care."
    cases = [case for series in series_of(text, 20) for case, _ in series]
    assert any("It is raining. They do not care." in case for case in cases)
    assert any(case.startswith("The council sold the school. It's raining.") for case in cases)


def test_transformations_do_not_undo_each_other_or_pile_up() -> None:
    """One opening, then one frame, and never the way back."""
    parts = TRANSFORMATIONS
    assert not parts["passive"].may_follow([parts["active"]])
    assert not parts["framing"].may_follow([parts["text-framing"]])
    assert not parts["completion"].may_follow([parts["framing"]])
    assert not parts["cleft"].may_follow([parts["completion"]])
    assert not parts["coordination"].may_follow([parts["coordination"]])
    assert parts["framing"].may_follow([parts["completion"]])
    assert parts["expansion"].may_follow([parts["expansion"], parts["framing"]])


def test_every_transformation_that_undoes_another_is_undone_by_it() -> None:
    """Both ways."""
    for part in TRANSFORMATIONS.values():
        assert isinstance(part, Transformation)
        if part.undoes:
            assert TRANSFORMATIONS[part.undoes].undoes == part.name


def test_edits_are_spans_of_the_original() -> None:
    """What is not edited stays as it was, byte for byte."""
    text = "the film  isn't bad ."
    edits = difference(text, "it is the case that the film  is not bad .")
    assert apply_edits(text, edits) == "it is the case that the film  is not bad ."
    assert all(text[edit.start : edit.end] == edit.original for edit in edits)
    assert "film  is" not in "".join(edit.original for edit in edits)
