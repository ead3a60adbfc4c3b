"""Rewrites a text by one transformation: some drafts are drawn, written out, parsed again and checked."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from builder.language.clauses.draft import Draft
from builder.language.parser.parse import Parse
from builder.language.parser.parsing import parse
from builder.language.rewriting.soundness import is_sound
from builder.language.rewriting.walk import rewritten
from builder.language.transformations.transformation import Transformation
from builder.values.randomness import Draw


class SingleStep(NamedTuple):
    """A sound rewrite of a text, parsed, and the transformation that made it."""

    transformation: str
    parse: Parse


def single_steps(
    before: Parse, transformations: Sequence[Transformation], draw: Draw, parser: str, *, most: int
) -> list[SingleStep]:
    """Return sound rewrites of a text in random order, of at most so many drafts; each costs a parse."""
    options = {part.name: list(part.find(before)) for part in transformations}
    drawn = list(_drawn({name: drafts for name, drafts in options.items() if drafts}, draw, most))
    written = {
        name_and_draft: text
        for name_and_draft in drawn
        if (text := rewritten(before, name_and_draft[1])) is not None and text != before.text
    }
    parsed = parse(list(written.values()), parser)
    return [
        SingleStep(name, after)
        for (name, _), after in zip(written, parsed, strict=True)
        if is_sound(before, after)
    ]


def _drawn(options: Mapping[str, list[Draft]], draw: Draw, most: int) -> Iterator[tuple[str, Draft]]:
    """Yield one draft of each transformation in random order, then second ones, up to a limit."""
    left = draw.sample(sorted(options), len(options))
    n = 0
    while left and n < most:
        for name in left[: most - n]:
            drafts = options[name]
            yield name, drafts.pop(draw.below(len(drafts)))
            n += 1
        left = [name for name in left if options[name]]
