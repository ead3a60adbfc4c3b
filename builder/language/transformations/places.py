"""Places: "the firm opened a shop in Paris" becomes "in Paris, the firm opened a shop"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.statements import Statement, statements
from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse, Token
from builder.language.transformations.transformation import Transformation
from builder.language.words.inflected_forms import paradigm_of
from builder.language.words.negations import is_negation


def front_places(parse: Parse) -> Iterator[Draft]:
    """Yield statements that begin with the place that ended them."""
    for statement in statements(parse):
        paradigm = paradigm_of(statement.root.small, statement.root.tag)
        is_deed = paradigm is not None and paradigm.forms[0] in (words("actions") | words("deeds"))
        if not statement.begins_with_subject or not is_deed:
            continue
        things = parse.children(statement.root.number, "obj")
        # Parsers take a place after an object for a part of it.
        places = [place for thing in things for place in parse.children(thing.number, "nmod")]
        for place in [*parse.children(statement.root.number, "obl"), *places]:
            span = parse.span(place.number)
            if span is not None and _is_last_place(parse, statement, place, span):
                rest = range(statement.start, span.start)
                yield Draft(statement.start, statement.end, (*span, ",", *rest))


def _is_last_place(parse: Parse, statement: Statement, place: Token, span: range) -> bool:
    """Whether "in" and a name end a statement with one verb, and only an object may stand before them."""
    between = [parse.tokens[number] for number in range(statement.root.number + 1, span.start)]
    body = range(statement.start, statement.end)
    return (
        span.stop == statement.end
        and parse.tokens[span.start].small == "in"
        and place.tag == "NNP"
        and all(parse.tokens[number].tag == "NNP" for number in span[1:])
        and bool(between)
        and all(token.tag in {"DT", "JJ", "NN", "NNS", "NNP", "CD", "PRP$"} for token in between)
        and not any(is_negation(word) for word in parse.words(body))
        and not parse.children(statement.root.number, "conj", "xcomp", "ccomp", "advcl", "parataxis")
    )


PLACE = Transformation(
    name="place", summary="a sentence begins with the place that ended it", find=front_places
)
