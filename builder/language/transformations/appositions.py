"""Appositions: "Ann Lee, the director of the film, said" and "Ann Lee, who is the director of the film, said"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse, Token
from builder.language.transformations.transformation import Transformation

_LONGEST = 14


def expand(parse: Parse) -> Iterator[Draft]:
    """Yield ", who is the director," for ", the director,"."""
    for noun in parse.tokens:
        span = parse.span(noun.number) if noun.relation == "appos" and noun.tag in {"NN", "NNP"} else None
        if span is None or parse.tokens[noun.head].tag not in {"NN", "NNP"}:
            continue
        inner = _inside_commas(parse, span)
        kind = "who" if noun.small in words("persons") else "which" if noun.small in words("bodies") else None
        if inner is None or kind is None:
            continue
        first = parse.tokens[inner.start]
        if first.small in {"a", "an", "the", "its", "their", "one"} and noun.number < inner.stop:
            yield Draft(first.number, first.number + 1, (kind, "is", first.number))


def reduce(parse: Parse) -> Iterator[Draft]:
    """Yield ", the director," for ", who is the director,"."""
    for noun in parse.tokens:
        span = parse.span(noun.number) if noun.relation == "acl:relcl" and noun.tag == "NN" else None
        inner = _inside_commas(parse, span) if span else None
        if inner is None or len(inner) < 4:
            continue
        pronoun, be, article = (parse.tokens[number] for number in inner[:3])
        is_clear = (
            pronoun.small in {"who", "which"}
            and be.small in {"is", "are"}
            and be.head == noun.number
            and article.small in {"a", "an", "the", "one"}
            and _is_named(parse, parse.tokens[noun.head])
        )
        if is_clear:
            yield Draft(pronoun.number, article.number + 1, (article.number,))


def _is_named(parse: Parse, noun: Token) -> bool:
    return noun.tag == "NNP" or bool(parse.children(noun.number, "det"))


def _inside_commas(parse: Parse, span: range) -> range | None:
    """Return a phrase without the commas around it, if it has one on its left and one, or an end, on its right."""
    start, stop = span.start, span.stop
    while start < stop and parse.tokens[start].text == ",":
        start += 1
    while stop > start and parse.tokens[stop - 1].text == ",":
        stop -= 1
    has_left = start > 0 and parse.tokens[start - 1].text == ","
    has_right = stop < len(parse.tokens) and parse.tokens[stop].text in {",", "."}
    inner = range(start, stop)
    is_simple = len(inner) <= _LONGEST and "," not in parse.words(inner) and "and" not in parse.words(inner)
    return inner if has_left and has_right and inner and is_simple else None


APPOSITION_EXPANSION = Transformation(
    name="apposition-expansion",
    summary="an apposition becomes a relative clause",
    find=expand,
    undoes="apposition-reduction",
)
APPOSITION_REDUCTION = Transformation(
    name="apposition-reduction",
    summary="a relative clause becomes an apposition",
    find=reduce,
    undoes="apposition-expansion",
)
