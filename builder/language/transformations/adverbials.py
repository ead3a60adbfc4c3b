"""Fronting: adverbial clauses, prepositional phrases and adverbs change between first and last place."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft, Piece
from builder.language.clauses.statements import Statement, statements
from builder.language.clauses.times import time_phrases
from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation
from builder.language.words.negations import is_negation

# A comma stands before these when they come last.
_CONTRASTING = frozenset({"although", "though", "while", "whereas"})
_CLAUSE_MARKS = _CONTRASTING | {
    "as",
    "because",
    "if",
    "when",
    "whenever",
    "after",
    "before",
    "once",
    "until",
    "unless",
}
# Behind a negation these say something else than before it: "not … because", "not … until".
_SCOPED = frozenset({"because", "until", "unless", "since"})
_PREPOSITIONS = frozenset(
    {
        "in",
        "on",
        "at",
        "during",
        "despite",
        "after",
        "before",
        "throughout",
        "since",
        "for",
        "under",
        "within",
        "among",
        "as",
        "because",
        "between",
        "from",
        "near",
        "over",
        "through",
        "until",
        "with",
    }
)
# Phrases that begin with these belong to no single noun.
_OF_WHOLE = frozenset(
    {"despite", "throughout", "during", "after", "before", "since", "until", "because", "due"}
)
# What points back to something named before.
_POINTING = frozenset({"these", "those", "this", "such", "latter", "former", "second", "other", "others"})
_LONGEST_MAIN = 24
# What makes it doubtful which clause an adverbial belongs to.
_CLAUSES = ("conj", "ccomp", "advcl", "parataxis", "csubj")


def front_clauses(parse: Parse) -> Iterator[Draft]:
    """Yield sentences with their adverbial clause first instead of last, or last instead of first."""
    for statement in statements(parse):
        clause = parse.child(statement.root.number, "advcl")
        span = parse.span(clause.number) if clause else None
        if (
            clause is None
            or span is None
            or parse.children(statement.root.number, "conj", "ccomp", "parataxis")
        ):
            continue
        span = _without_commas(parse, span)
        mark = parse.tokens[span.start + (parse.tokens[span.start].small in {"even", "just", "only"})]
        if mark.small not in _CLAUSE_MARKS or mark.head != clause.number or len(span) < 3:
            continue
        if mark.small == "if" and span.start and parse.tokens[span.start - 1].small in words("wondering"):
            # "I wonder if it is true": no condition.
            continue
        has_subject = bool(parse.children(clause.number, "nsubj", "expl"))
        has_comma = any(parse.tokens[number].text == "," for number in span)
        if not has_subject and (mark.small not in _CONTRASTING or has_comma):
            continue
        if mark.small in _SCOPED and _is_negated(parse, statement, span):
            continue
        if (
            span.stop == statement.end
            and span.start > statement.finite.number
            and statement.begins_with_subject
        ):
            yield _moved_first(parse, statement, span)
        elif span.start == statement.start and _is_main_short(statement, span):
            yield from _moved_last(parse, statement, span, has_comma=mark.small in _CONTRASTING)


def front_phrases(parse: Parse) -> Iterator[Draft]:
    """Yield sentences with a prepositional phrase first instead of last, or last instead of first."""
    for statement in statements(parse):
        for phrase in parse.children(statement.root.number, "obl"):
            span = parse.span(phrase.number)
            case = parse.child(phrase.number, "case")
            if span is None:
                continue
            span = _without_commas(parse, span)
            has_preposition = case is not None and case.number == span.start and case.small in _PREPOSITIONS
            if span.start == statement.start and has_preposition and _is_simple_main(parse, statement, span):
                yield from _moved_last(parse, statement, span, has_comma=False)
            elif statement.begins_with_subject and _is_last_phrase(parse, statement, span):
                yield _moved_first(parse, statement, span)
        if statement.begins_with_subject:
            yield from _times_first(parse, statement)


def _is_last_phrase(parse: Parse, statement: Statement, span: range) -> bool:
    """Whether a phrase ends a simple sentence and can belong to nothing but the whole of it."""
    is_clear = parse.tokens[span.start].small in _OF_WHOLE
    return is_clear and span.stop == statement.end and _is_simple_main(parse, statement, span)


def front_adverbs(parse: Parse) -> Iterator[Draft]:
    """Yield sentences with a sentence adverb that commas set off first instead of last or between."""
    for statement in statements(parse):
        for number in range(statement.start, statement.end):
            token = parse.tokens[number]
            if token.small not in words("sentence-adverbs"):
                continue
            body = range(statement.start, statement.end)
            is_simple = len(body) <= _LONGEST_MAIN and not parse.children(statement.root.number, *_CLAUSES)
            if number == statement.start and _is_comma(parse, number + 1) and is_simple:
                yield Draft(body.start, body.stop, (*body[2:], ",", number))
            elif _is_comma(parse, number - 1) and number == statement.end - 1:
                yield Draft(body.start, body.stop, (number, ",", *range(body.start, number - 1)))
            elif (
                _is_comma(parse, number - 1)
                and _is_comma(parse, number + 1)
                and number < statement.root.number + 2
            ):
                rest = [*range(body.start, number - 1), *range(number + 2, body.stop)]
                yield Draft(body.start, body.stop, (number, ",", *rest))


def _is_comma(parse: Parse, number: int) -> bool:
    return 0 <= number < len(parse.tokens) and parse.tokens[number].text == ","


def _without_commas(parse: Parse, span: range) -> range:
    start, stop = span.start, span.stop
    while start < stop and parse.tokens[start].text == ",":
        start += 1
    while stop > start and parse.tokens[stop - 1].text == ",":
        stop -= 1
    return range(start, stop)


def _is_negated(parse: Parse, statement: Statement, without: range) -> bool:
    return any(
        is_negation(parse.tokens[number].small)
        for number in range(statement.start, statement.end)
        if number not in without
    )


def _is_main_short(statement: Statement, span: range) -> bool:
    return statement.end - span.stop <= _LONGEST_MAIN


def _is_simple_main(parse: Parse, statement: Statement, span: range) -> bool:
    return _is_main_short(statement, span) and not parse.children(statement.root.number, *_CLAUSES)


def _moved_first(parse: Parse, statement: Statement, span: range) -> Draft:
    rest = list(range(statement.start, span.start))
    if parse.tokens[rest[-1]].text == ",":
        rest.pop()
    return Draft(statement.start, statement.end, (*span, ",", *rest))


def _moved_last(parse: Parse, statement: Statement, span: range, *, has_comma: bool) -> Iterator[Draft]:
    """Yield what comes first as the last, if a comma and the subject follow it."""
    if not _is_comma(parse, span.stop) or statement.subject_span.start != span.stop + 1:
        return
    if any(word in _POINTING for word in parse.words(range(span.stop, statement.end))):
        return
    # "When the film slows, it …": the pronoun would come before what it stands for.
    if statement.subject.small in {"it", "he", "she", "they"} and any(
        parse.tokens[number].universal_tag in {"NOUN", "PROPN"} for number in span
    ):
        return
    joint: tuple[Piece, ...] = (",",) if has_comma else ()
    pieces = (*range(span.stop + 1, statement.end), *joint, *span)
    yield Draft(statement.start, statement.end, pieces)


def _times_first(parse: Parse, statement: Statement) -> Iterator[Draft]:
    """Yield "On Tuesday, X said …" for "X said Tuesday …"."""
    for time in time_phrases(parse, statement):
        rest = [*range(statement.start, time.span.start), *range(time.span.stop, statement.end)]
        opening: tuple[Piece, ...] = ("on",) if time.is_bare_day else ()
        yield Draft(statement.start, statement.end, (*opening, *time.span, ",", *rest))


CLAUSE_FRONTING = Transformation(
    name="clause-fronting", summary="an adverbial clause changes its place", find=front_clauses
)
PHRASE_FRONTING = Transformation(
    name="phrase-fronting", summary="a prepositional phrase changes its place", find=front_phrases
)
ADVERB_FRONTING = Transformation(
    name="adverb-fronting", summary="a sentence adverb changes its place", find=front_adverbs
)
