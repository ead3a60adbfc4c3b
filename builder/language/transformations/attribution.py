"""Attribution: "X said that …" and "…, X said"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.statements import body_end, finite_of, is_plain, statements
from builder.language.parser.parse import Parse, Token
from builder.language.transformations.transformation import Transformation

_SAYING = frozenset({"said", "says", "announced", "reported"})
_LONGEST_SPEAKER = 12


def say_last(parse: Parse) -> Iterator[Draft]:
    """Yield "…, X said" for "X said that …"."""
    for statement in statements(parse):
        verb = statement.root
        clause = parse.child(verb.number, "ccomp")
        span = parse.span(clause.number) if clause else None
        if clause is None or span is None or verb.small not in _SAYING or not statement.begins_with_subject:
            continue
        mark = parse.tokens[span.start]
        begin = span.start + 1 if mark.small == "that" and mark.relation == "mark" else span.start
        subject = parse.child(clause.number, "nsubj")
        is_clear = (
            span.stop == statement.end
            and subject is not None
            and parse.subtree(subject.number)[0] == begin
            and finite_of(parse, clause) is not None
            and span.start - statement.start <= _LONGEST_SPEAKER
            and parse.tokens[span.start - 1].text != ","
            and not parse.children(verb.number, "conj", "advcl", "parataxis")
            and not parse.children(clause.number, "conj", "parataxis")
            and parse.tokens[statement.start].tag != "PRP"
        )
        if is_clear:
            pieces = (*range(begin, span.stop), ",", *range(statement.start, span.start))
            yield Draft(statement.start, statement.end, pieces)


def say_first(parse: Parse) -> Iterator[Draft]:
    """Yield "X said that …" for "…, X said"."""
    for sentence in parse.sentences:
        if not is_plain(parse, sentence):
            continue
        (root,) = parse.roots(sentence)
        other = parse.child(root.number, "ccomp", "parataxis")
        if other is None:
            continue
        verb, clause = (root, other) if root.small in _SAYING else (other, root)
        speaker, end = parse.child(verb.number, "nsubj"), body_end(parse, sentence)
        if speaker is None or verb.small not in _SAYING or not _is_statement(parse, clause):
            continue
        begin = parse.subtree(speaker.number)[0]
        is_clear = (
            sentence.start + 2 < begin <= speaker.number < verb.number
            and clause.number < begin
            and parse.tokens[begin - 1].text == ","
            and end - begin <= _LONGEST_SPEAKER
            and not parse.children(verb.number, "advcl", "conj", "obj")
            and not parse.children(clause.number, "conj")
        )
        if is_clear:
            pieces = (*range(begin, end), "that", *range(sentence.start, begin - 1))
            yield Draft(sentence.start, end, pieces)


def _is_statement(parse: Parse, clause: Token) -> bool:
    subject, finite = parse.child(clause.number, "nsubj"), finite_of(parse, clause)
    return subject is not None and finite is not None and subject.number < finite.number


ATTRIBUTION_LAST = Transformation(
    name="attribution-last",
    summary="who says something is named after it",
    find=say_last,
    undoes="attribution-first",
)
ATTRIBUTION_FIRST = Transformation(
    name="attribution-first",
    summary="who says something is named before it",
    find=say_first,
    undoes="attribution-last",
)
