"""Particles: "he picked up the phone" and "he picked the phone up"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_PARTICLES = frozenset({"up", "out", "off", "down", "back", "away", "over", "on", "in"})
_LONGEST = 4


def move(parse: Parse) -> Iterator[Draft]:
    """Yield the particle of a verb after its object instead of before it, or the other way round."""
    for particle in parse.tokens:
        verb = parse.tokens[particle.head]
        if (
            particle.relation != "compound:prt"
            or particle.small not in _PARTICLES
            or verb.universal_tag != "VERB"
        ):
            continue
        thing = parse.child(verb.number, "obj")
        span = parse.span(thing.number) if thing else None
        if thing is None or span is None or len(span) > _LONGEST or thing.tag not in {"NN", "NNS", "NNP"}:
            continue
        if parse.tokens[span.start].universal_tag not in {"DET", "PRON", "PROPN"} or particle.number == 0:
            continue
        if particle.number == verb.number + 1 and span.start == particle.number + 1:
            yield Draft(particle.number, span.stop, (*span, particle.number))
        elif span.start == verb.number + 1 and particle.number == span.stop:
            yield Draft(span.start, particle.number + 1, (particle.number, *span))


PARTICLE = Transformation(
    name="particle", summary="“picked up the phone” and “picked the phone up”", find=move, is_repeated=True
)
