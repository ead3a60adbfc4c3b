"""Conditions: "if he had known" and "had he known"; "if it were true" and "were it true"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_LONGEST_SUBJECT = 5


def invert(parse: Parse) -> Iterator[Draft]:
    """Yield conditions without "if", their verb first, or with it."""
    for clause in parse.tokens:
        subject = parse.child(clause.number, "nsubj") if clause.relation == "advcl" else None
        span = parse.span(subject.number) if subject else None
        if span is None or len(span) > _LONGEST_SUBJECT or span.start == 0:
            continue
        before, verb = parse.tokens[span.start - 1], parse.tokens[min(span.stop, len(parse.tokens) - 1)]
        following = parse.tokens[min(verb.number + 1, len(parse.tokens) - 1)]
        if (
            before.small == "if"
            and before.head == clause.number
            and verb.head in {clause.number, verb.number}
        ):
            is_had = verb.small == "had" and clause.tag == "VBN" and verb.relation == "aux"
            is_were = (
                verb.small == "were"
                and verb.relation in {"cop", "aux", "aux:pass"}
                and _would(parse, clause.head)
            )
            if (is_had or is_were) and following.small not in {"not", "n't"}:
                yield Draft(before.number, verb.number + 1, (verb.number, *span))
        elif (
            before.small == "had"
            and before.head == clause.number
            and before.relation == "aux"
            and verb.number == clause.number
            and clause.tag == "VBN"
            and before.number in parse.firsts
        ):
            yield Draft(before.number, span.stop, ("if", *span, before.number))


def _would(parse: Parse, main: int) -> bool:
    """Whether a main clause says what would be: only then is "were" no past tense."""
    return any(token.small in {"would", "could", "might", "'d"} for token in parse.children(main, "aux"))


CONDITION = Transformation(name="condition", summary="“had he known” and “if he had known”", find=invert)
