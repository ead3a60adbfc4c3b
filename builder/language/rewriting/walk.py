"""Rewrites texts step by step: a transformation is drawn, its result parsed and checked, and so on."""

from collections import OrderedDict
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from builder.language.clauses.draft import Draft, edits_of
from builder.language.clauses.statements import follows_a_stop
from builder.language.parser.parse import Parse
from builder.language.parser.parsing import parse
from builder.language.rewriting.soundness import is_sound
from builder.language.transformations import TRANSFORMATIONS
from builder.values.associations import cores_of
from builder.values.randomness import Draw
from contract.schema.edits import apply_edits

# At most this many transformations one after the other, in a segment and in a text.
MOST_STEPS_OF_SEGMENT = 4
MOST_STEPS = 10
# So many tries for each segment, and no more than these for a text.
TRIES_OF_SEGMENT = 10
MOST_TRIES = 30
# The share of walks that may end in a frame: frames reach far, so that more would soon be most of the cases.
FRAMED_SHARE = 0.08
# The share of sentences that are rewritten together with the next, so that both may become one.
JOINED_SHARE = 0.3
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
    """A parsed text, the drafts that each transformation finds in it, and what became of them."""

    parse: Parse
    # What drafts describe, and whether a rewrite is sound, once somebody has asked.
    _written: dict[Draft, str | None] = field(default_factory=dict)
    _sound: dict[str, bool] = field(default_factory=dict)

    @cached_property
    def options(self) -> Mapping[str, Sequence[Draft]]:
        """The drafts to draw from, by transformation."""
        return options_of(self.parse)

    def after(self, methods: Sequence[str], *, may_frame: bool) -> _Options:
        """Return the drafts to draw from after some transformations, as lists that the caller may empty."""
        done = [TRANSFORMATIONS[name] for name in methods]
        return {
            name: list(drafts)
            for name, drafts in self.options.items()
            if TRANSFORMATIONS[name].may_follow(done) and (may_frame or TRANSFORMATIONS[name].kind != "frame")
        }

    def written(self, draft: Draft) -> str | None:
        """Return the text that a draft describes."""
        if draft not in self._written:
            self._written[draft] = rewritten(self.parse, draft)
        return self._written[draft]

    def leads_to(self, other: "_Parsed") -> bool:
        """Whether another text is a sound rewrite of this one."""
        if other.parse.text not in self._sound:
            self._sound[other.parse.text] = is_sound(self.parse, other.parse)
        return self._sound[other.parse.text]


@dataclass
class _Segment:
    """One or two sentences of a text, with what was done to them; the rest of the text does not matter."""

    text: str
    methods: tuple[str, ...] = ()
    current: _Parsed | None = None
    options: _Options | None = None


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
    whole = yield start.text
    may_frame = start.draw.fraction() < FRAMED_SHARE
    segments = _segments(whole.parse, start.draw)
    steps: list[Step] = []
    methods: tuple[str, ...] = ()
    seen = {segment.text for segment in segments}
    words = {*cores_of(start.text)}
    open_segments = list(segments)
    for _ in range(min(MOST_TRIES, TRIES_OF_SEGMENT * len(segments))):
        if not open_segments or len(methods) == MOST_STEPS:
            break
        segment = open_segments[start.draw.below(len(open_segments))]
        if segment.current is None:
            segment.current = yield segment.text
        if segment.options is None:
            segment.options = segment.current.after(segment.methods, may_frame=may_frame)
        tried = _draw(segment.options, start.draw)
        if tried is None or len(segment.methods) == MOST_STEPS_OF_SEGMENT:
            open_segments.remove(segment)
            continue
        text = segment.current.written(tried.draft)
        if text is None or text in seen or not start.refused.isdisjoint({*cores_of(text)} - words):
            continue
        seen.add(text)
        following = yield text
        if segment.current.leads_to(following):
            segment.text, segment.current, segment.options = text, following, None
            segment.methods, methods = (*segment.methods, tried.name), (*methods, tried.name)
            steps.append(Step("".join(each.text for each in segments), methods))
    return steps


def _segments(parse: Parse, draw: Draw) -> list[_Segment]:
    """Return a text cut after sentences, some of them left together."""
    if len(parse.sentences) < 2:
        return [_Segment(parse.text)]
    # Where the parser cuts in the middle of a sentence, nothing is cut.
    cuts = [
        parse.tokens[sentence.start].start
        for sentence in parse.sentences[1:]
        if follows_a_stop(parse, sentence) and draw.fraction() >= JOINED_SHARE
    ]
    return [_Segment(parse.text[start:end]) for start, end in pairwise([0, *cuts, len(parse.text)])]


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
