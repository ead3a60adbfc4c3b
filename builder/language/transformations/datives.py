"""Datives: "she gave the boy a book" and "she gave a book to the boy"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse, Token
from builder.language.transformations.transformation import Transformation
from builder.language.words.inflected_forms import paradigm_of

_LONGEST = 8
_PHRASE = frozenset({"DT", "JJ", "NN", "NNS", "NNP", "PRP$", "CD"})


def alternate(parse: Parse) -> Iterator[Draft]:
    """Yield what is given to somebody in the other order."""
    for verb in parse.tokens:
        paradigm = paradigm_of(verb.small, verb.tag) if verb.universal_tag == "VERB" else None
        if paradigm is None or paradigm.forms[0] not in words("giving"):
            continue
        # Parsers may take both for direct objects.
        things = [*parse.children(verb.number, "iobj"), *parse.children(verb.number, "obj")]
        if len(things) == 2:
            yield from _with_to(parse, verb, *things)
        elif len(things) == 1:
            yield from _without_to(parse, verb, *things)


def _with_to(parse: Parse, verb: Token, person: Token, thing: Token) -> Iterator[Draft]:
    who, what = parse.span(person.number), parse.span(thing.number)
    if who is None or what is None or not _is_short(parse, who) or not _is_short(parse, what):
        return
    if who.start == verb.number + 1 and what.start == who.stop and thing.tag != "PRP":
        yield Draft(who.start, what.stop, (*what, "to", *who))


def _without_to(parse: Parse, verb: Token, thing: Token) -> Iterator[Draft]:
    # "To the boy" may be parsed as a part of what is given.
    for person in [*parse.children(verb.number, "obl"), *parse.children(thing.number, "nmod")]:
        who, case = parse.span(person.number), parse.child(person.number, "case")
        if who is None or case is None or case.small != "to" or case.number != who.start:
            continue
        what = range(verb.number + 1, who.start)
        is_person = person.tag == "PRP" or person.small in words("persons") | {"people", "children", "users"}
        is_simple = (
            all(parse.tokens[number].tag in _PHRASE for number in what) and thing.number == who.start - 1
        )
        if is_person and 2 <= len(who) <= 4 and is_simple and what and _is_short(parse, who):
            yield Draft(what.start, who.stop, (*who[1:], *what))


def _is_short(parse: Parse, span: range) -> bool:
    tags = {parse.tokens[number].tag for number in span}
    return len(span) <= _LONGEST and not tags & {",", "WDT", "WP", "VBZ", "VBD", "VBP", "CC", ":"}


DATIVE = Transformation(
    name="dative", summary="“gave the boy a book” and “gave a book to the boy”", find=alternate
)
