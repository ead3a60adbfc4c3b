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

# At most this many transformations one after the other, and this many tries.
MOST_STEPS = 4
MOST_TRIES = 12
# How many parsed texts are kept for further series of the same texts.
MOST_TEXTS_KEPT = 20_000


class Step(NamedTuple):
    """A rewritten text, and the transformations that led to it."""

    text: str
    methods: tuple[str, ...]


class Start(NamedTuple):
    """A text to rewrite, the randomness for it, and the words that must not come in."""

    text: str
    draw: Draw
    refused: frozenset[str]


class _Tried(NamedTuple):
    name: str
    draft: Draft


# The drafts that each transformation found in a text.
_Options = dict[str, list[Draft]]


@dataclass
class _Parsed:
    """A parsed text, and the drafts that each transformation finds in it."""

    parse: Parse

    @cached_property
    def options(self) -> Mapping[str, Sequence[Draft]]:
        """The drafts to draw from, by transformation."""
        return options_of(self.parse)

    def after(self, methods: Sequence[str]) -> _Options:
        """Return the drafts to draw from after some transformations, as lists that the caller may empty."""
        done = [TRANSFORMATIONS[name] for name in methods]
        return {
            name: list(drafts)
            for name, drafts in self.options.items()
            if TRANSFORMATIONS[name].may_follow(done)
        }


# Yields a text to be parsed, is sent the parse, and returns all steps in the end.
_Walk = Generator[str, _Parsed, list[Step]]


def walk(starts: Sequence[Start], parser: str) -> list[list[Step]]:
    """Return the steps of rewriting each text; every step adds one transformation."""
    walks = [_walk(start) for start in starts]
    steps: list[list[Step]] = [[] for _ in starts]
    to_parse = {number: next(steps_of_text) for number, steps_of_text in enumerate(walks)}
    while to_parse:
        parsed = _parsed(list(to_parse.values()), parser)
        following: dict[int, str] = {}
        for number, text in to_parse.items():
            try:
                following[number] = walks[number].send(parsed[text])
            except StopIteration as end:
                steps[number] = end.value
        to_parse = following
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
    """Return the drafts that each transformation finds in a parsed text."""
    options = {name: list(part.find(current)) for name, part in TRANSFORMATIONS.items()}
    return {name: drafts for name, drafts in options.items() if drafts}


def rewritten(current: Parse, draft: Draft) -> str | None:
    """Return the text that a draft describes; None if it cannot be written out."""
    edits = edits_of(current, draft)
    return None if edits is None else apply_edits(current.text, edits)


def _draw(options: _Options, draw: Draw) -> _Tried | None:
    """Remove and return one draft: a transformation is drawn by weight, then one of its drafts."""
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
    """Whether a text has a refused word that the start does not have."""
    return not start.refused.isdisjoint({*cores_of(text)} - {*cores_of(start.text)})


_kept: OrderedDict[tuple[str, str], _Parsed] = OrderedDict()


def _parsed(texts: Sequence[str], parser: str) -> Mapping[str, _Parsed]:
    """Return each text parsed; the latest are kept, so that more series of a text cost little."""
    unknown = [text for text in dict.fromkeys(texts) if (parser, text) not in _kept]
    parsed = dict(zip(unknown, map(_Parsed, parse(unknown, parser)), strict=True))
    parsed.update({text: _kept[parser, text] for text in texts if text not in parsed})
    _kept.update({(parser, text): parse_of_text for text, parse_of_text in parsed.items()})
    while len(_kept) > MOST_TEXTS_KEPT:
        _kept.popitem(last=False)
    return parsed
