"""Clefts of times: "the minister left on Tuesday" becomes "it was on Tuesday that the minister left"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.statements import statements
from builder.language.clauses.times import time_phrases
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation
from builder.language.words.negations import is_negation


def cleft_times(parse: Parse) -> Iterator[Draft]:
    """Yield "it was on Tuesday that S …" for "S … on Tuesday"."""
    for statement in statements(parse):
        is_clear = (
            statement.begins_with_subject
            and statement.finite.small not in {"will", "would", "should", "could", "may", "might", "can"}
            and not parse.children(statement.root.number, "parataxis")
            and not any(is_negation(word) for word in parse.words(range(statement.start, statement.end)))
        )
        if not is_clear:
            continue
        be = "was" if statement.finite.tag == "VBD" else "is"
        for time in time_phrases(parse, statement):
            rest = [*range(statement.start, time.span.start), *range(time.span.stop, statement.end)]
            on = ("on",) if time.is_bare_day else ()
            yield Draft(statement.start, statement.end, ("it", be, *on, *time.span, "that", *rest))


ADVERBIAL_CLEFT = Transformation(
    name="adverbial-cleft", summary="“it was on Tuesday that …”", find=cleft_times, kind="opening"
)
