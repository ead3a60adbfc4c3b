"""Reasons in a sentence of their own: "X because Y" becomes "X. This is because Y"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.statements import finite_of, statements
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation
from builder.language.words.negations import is_negation


def split_reasons(parse: Parse) -> Iterator[Draft]:
    """Yield two sentences for a statement and its reason."""
    for statement in statements(parse):
        clause = parse.child(statement.root.number, "advcl")
        span = parse.span(clause.number) if clause else None
        if (
            clause is None
            or span is None
            or span.stop != statement.end
            or statement.end == statement.sentence.stop
        ):
            continue
        start = span.start + 1 if parse.tokens[span.start].text == "," else span.start
        mark = parse.tokens[start]
        main = range(statement.start, start - 1 if parse.tokens[start - 1].text == "," else start)
        is_clear = (
            mark.small == "because"
            and mark.head == clause.number
            and finite_of(parse, clause) is not None
            and bool(parse.children(clause.number, "nsubj", "expl"))
            and len(main) >= 3
            and main.stop > statement.root.number
            and not any(is_negation(word) for word in parse.words(main))
            and not parse.children(statement.root.number, "ccomp", "conj", "parataxis")
            and parse.tokens[start - 1].small not in {"just", "only", "simply", "partly", "mainly"}
        )
        if is_clear:
            be = "was" if statement.finite.tag == "VBD" else "is"
            pieces = (*main, ".", "this", be, *range(start, statement.end))
            yield Draft(statement.start, statement.end, pieces)


REASON = Transformation(name="reason", summary="“X. This is because Y” for “X because Y”", find=split_reasons)
