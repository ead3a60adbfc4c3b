"""Rewrites texts step by step: a transformation is drawn, its result parsed and checked, and so on."""

from collections import OrderedDict
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from builder.language.clauses.draft import Draft, edits_of
from builder.language.parser.parse import Parse
from builder.language.parser.parsing import parse
from builder.language.rewriting.soundness import is_sound
from builder.language.transformations import TRANSFORMATIONS
from builder.values.associations import cores_of
from builder.values.randomness import Draw
from contract.schema.edits import apply_edits

# So many transformations one after the other, and so many that may be tried.
MOST_STEPS = 4
MOST_TRIES = 12
# How many parsed texts are kept for further ladders of the same texts.
MOST_TEXTS_KEPT = 20_000


class Step(NamedTuple):
    """A rewritten text, and the transformations that led to it."""

    text: str
    methods: tuple[str, ...]


class Start(NamedTuple):
    """A text to be rewritten, the randomness for it, and the words that must not come in."""

    text: str
    draw: Draw
    refused: frozenset[str]


class _Tried(NamedTuple):
    name: str
    draft: Draft


# What each transformation found in a text.
_Options = dict[str, list[Draft]]


@dataclass
class _Read:
    """A parsed text, and what each transformation finds in it."""

    parse: Parse

    @cached_property
    def options(self) -> Mapping[str, Sequence[Draft]]:
        """What can be drawn."""
        return options_of(self.parse)

    def after(self, methods: Sequence[str]) -> _Options:
        """Return what can be drawn after some transformations, to be used up."""
        done = [TRANSFORMATIONS[name] for name in methods]
        found = self.options.items()
        return {name: list(drafts) for name, drafts in found if TRANSFORMATIONS[name].may_follow(done)}


# Asks for a text to be parsed, is sent it, and returns all steps in the end.
_Walk = Generator[str, _Read, list[Step]]


def walk(starts: Sequence[Start], parser: str) -> list[list[Step]]:
    """Return for each text how it was rewritten, one transformation more with every step."""
    walks = [_walk(start) for start in starts]
    steps: list[list[Step]] = [[] for _ in starts]
    asked = {number: next(each) for number, each in enumerate(walks)}
    while asked:
        read = _read(list(asked.values()), parser)
        following: dict[int, str] = {}
        for number, text in asked.items():
            try:
                following[number] = walks[number].send(read[text])
            except StopIteration as end:
                steps[number] = end.value
        asked = following
    return steps


def _walk(start: Start) -> _Walk:
    current = yield start.text
    steps: list[Step] = []
    methods: tuple[str, ...] = ()
    options = current.after(methods)
    seen = {start.text}
    for _ in range(MOST_TRIES):
        tried = _draw(options, start.draw)
        if tried is None or len(methods) == MOST_STEPS:
            break
        text = rewritten(current.parse, tried.draft)
        if text is None or text in seen or brings_in(start, text):
            continue
        seen.add(text)
        following = yield text
        if is_sound(current.parse, following.parse):
            current, methods = following, (*methods, tried.name)
            steps.append(Step(text, methods))
            options = current.after(methods)
    return steps


def options_of(current: Parse) -> _Options:
    """Return what each transformation finds in a parsed text."""
    found = {name: list(part.find(current)) for name, part in TRANSFORMATIONS.items()}
    return {name: drafts for name, drafts in found.items() if drafts}


def rewritten(current: Parse, draft: Draft) -> str | None:
    """Return the text that a draft makes of a parsed one; none if it cannot be written out."""
    edits = edits_of(current, draft)
    return None if edits is None else apply_edits(current.text, edits)


def _draw(options: _Options, draw: Draw) -> _Tried | None:
    """Take out one draft: of a transformation drawn by weight, any of what it found."""
    names = list(options)
    if not names:
        return None
    left = draw.fraction() * sum(TRANSFORMATIONS[name].weight for name in names)
    chosen = names[-1]
    for name in names:
        left -= TRANSFORMATIONS[name].weight
        if left < 0:
            chosen = name
            break
    drafts = options[chosen]
    draft = drafts.pop(draw.below(len(drafts)))
    if not drafts:
        del options[chosen]
    return _Tried(chosen, draft)


def brings_in(start: Start, text: str) -> bool:
    """Whether a word comes in that must not."""
    return not start.refused.isdisjoint({*cores_of(text)} - {*cores_of(start.text)})


_kept: OrderedDict[tuple[str, str], _Read] = OrderedDict()


def _read(texts: Sequence[str], parser: str) -> Mapping[str, _Read]:
    """Return each text parsed; the latest are kept, so that more ladders of a text cost little."""
    unknown = [text for text in dict.fromkeys(texts) if (parser, text) not in _kept]
    found = dict(zip(unknown, map(_Read, parse(unknown, parser)), strict=True))
    found.update({text: _kept[parser, text] for text in texts if text not in found})
    _kept.update({(parser, text): each for text, each in found.items()})
    while len(_kept) > MOST_TEXTS_KEPT:
        _kept.popitem(last=False)
    return found
