"""Genitives: "the film's plot" and "the plot of the film"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse, Token
from builder.language.transformations.transformation import Transformation

_DETERMINERS = frozenset({"the", "this", "that", "its", "his", "her", "their", "our"})


def alternate(parse: Parse) -> Iterator[Draft]:
    """Yield each clear genitive in its other form."""
    for token in parse.tokens:
        if token.relation == "nmod:poss":
            yield from _with_of(parse, token)
        elif token.relation == "nmod":
            yield from _with_clitic(parse, token)
            yield from _of_name(parse, token)


def _with_of(parse: Parse, owner: Token) -> Iterator[Draft]:
    """Yield "the tired plot of the film" for "the film's tired plot"."""
    thing, span = parse.tokens[owner.head], parse.span(owner.number)
    clitic = parse.child(owner.number, "case")
    if span is None or clitic is None or clitic.tag != "POS" or clitic.number != span.stop - 1:
        return
    first = parse.tokens[span.start]
    is_name = owner.tag == "NNP" and all(parse.tokens[number].tag == "NNP" for number in span[:-1])
    is_noun = owner.tag == "NN" and first.small in _DETERMINERS and first.head == owner.number
    is_clear = (
        (is_noun or (is_name and thing.small in words("relations")))
        and clitic.small == "'s"
        and len(span) <= 4
        and owner.small not in words("no-owners")
        and clitic.number == owner.number + 1
    )
    if not is_clear or thing.tag not in {"NN", "NNS"} or thing.small in words("no-possessions"):
        return
    between = [parse.tokens[number] for number in range(span.stop, thing.number)]
    if len(between) > 3 or any(token.tag not in {"JJ", "NN", "CC", ",", "RB", "VBN"} for token in between):
        return
    after = parse.tokens[thing.number + 1] if thing.number + 1 < len(parse.tokens) else None
    if after and after.tag in {
        "NN",
        "NNS",
        "IN",
        "HYPH",
        "POS",
        "CC",
        "TO",
        "JJ",
        "VBG",
        "VBN",
        "WDT",
        "CD",
        "-LRB-",
    }:
        return
    pieces = ("the", *range(span.stop, thing.number + 1), "of", *span[:-1])
    yield Draft(span.start, thing.number + 1, pieces)


def _with_clitic(parse: Parse, owner: Token) -> Iterator[Draft]:
    """Yield "the film's plot" for "the plot of the film"."""
    thing, start = parse.tokens[owner.head], owner.head - 1
    if (
        owner.number != thing.number + 3
        or start < 0
        or thing.small not in words("relations")
        or owner.tag != "NN"
    ):
        return
    article, of, determiner = (
        parse.tokens[start],
        parse.tokens[thing.number + 1],
        parse.tokens[owner.number - 1],
    )
    after = parse.tokens[owner.number + 1] if owner.number + 1 < len(parse.tokens) else None
    is_clear = (
        article.small == "the"
        and of.small == "of"
        and determiner.small in _DETERMINERS
        and len(parse.subtree(owner.number)) == 3
        and not (after and after.tag in {"NN", "NNS", "HYPH", "POS", "IN", "CC", "WDT", "VBN", "VBG", "NNP"})
    )
    if is_clear:
        yield Draft(start, owner.number + 1, (determiner.number, owner.number, "'s", thing.number))


def _of_name(parse: Parse, owner: Token) -> Iterator[Draft]:
    """Yield "France's president" for "the president of France"."""
    thing, span = parse.tokens[owner.head], parse.span(owner.number)
    start = thing.number - 1
    if span is None or start < 0 or owner.tag != "NNP" or thing.small not in words("relations"):
        return
    names = span[1:]
    after = parse.tokens[span.stop] if span.stop < len(parse.tokens) else None
    is_clear = (
        parse.tokens[start].small == "the"
        and span.start == thing.number + 1
        and parse.tokens[span.start].small == "of"
        and 1 <= len(names) <= 3
        and all(parse.tokens[number].tag == "NNP" for number in names)
        and not (
            after and (after.tag in {"NNP", "NN", "NNS", "POS", "HYPH", "CC", "IN"} or after.text == "(")
        )
    )
    if is_clear:
        yield Draft(start, span.stop, (*names, "'s", thing.number))


GENITIVE = Transformation(
    name="genitive", summary="“the film's plot” and “the plot of the film”", find=alternate
)
