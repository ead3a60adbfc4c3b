"""Datives: "she gave the boy a book" and "she gave a book to the boy"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse, Token
from builder.language.transformations.transformation import Transformation
from builder.language.words.inflected_forms import paradigm_of

_LONGEST = 8


def alternate(parse: Parse) -> Iterator[Draft]:
    """Yield what is given to somebody in the other order."""
    for verb in parse.tokens:
        paradigm = paradigm_of(verb.small, verb.tag) if verb.universal_tag == "VERB" else None
        if paradigm is None or paradigm.forms[0] not in words("giving"):
            continue
        thing, person = parse.child(verb.number, "obj"), parse.child(verb.number, "iobj")
        if thing and person:
            yield from _with_to(parse, verb, person, thing)
        elif thing:
            yield from _without_to(parse, verb, thing)


def _with_to(parse: Parse, verb: Token, person: Token, thing: Token) -> Iterator[Draft]:
    who, what = parse.span(person.number), parse.span(thing.number)
    if who is None or what is None or not _is_short(parse, who) or not _is_short(parse, what):
        return
    if who.start == verb.number + 1 and what.start == who.stop and thing.tag != "PRP":
        yield Draft(who.start, what.stop, (*what, "to", *who))


def _without_to(parse: Parse, verb: Token, thing: Token) -> Iterator[Draft]:
    what = parse.span(thing.number)
    if what is None or what.start != verb.number + 1 or thing.tag == "PRP" or not _is_short(parse, what):
        return
    for person in parse.children(verb.number, "obl"):
        who, case = parse.span(person.number), parse.child(person.number, "case")
        if who is None or case is None or case.small != "to" or who.start != what.stop:
            continue
        is_person = person.tag == "PRP" or person.small in words("persons") | {"people", "children", "users"}
        if is_person and len(who) <= 4 and case.number == who.start and _is_short(parse, who):
            yield Draft(what.start, who.stop, (*who[1:], *what))


def _is_short(parse: Parse, span: range) -> bool:
    tags = {parse.tokens[number].tag for number in span}
    return len(span) <= _LONGEST and not tags & {",", "WDT", "WP", "VBZ", "VBD", "VBP", "CC", ":"}


DATIVE = Transformation(
    name="dative", summary="“gave the boy a book” and “gave a book to the boy”", find=alternate
)
