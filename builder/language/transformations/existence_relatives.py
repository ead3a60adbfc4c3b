"""Existence with a relative clause: "there are people who live alone" becomes "people live alone"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.statements import body_end, is_plain, is_plural
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_QUANTITIES = frozenset({"many", "some", "several", "two", "three", "four", "five", "few", "a", "an"})


def remove(parse: Parse) -> Iterator[Draft]:
    """Yield "many N do" for "there are many N who do"."""
    for sentence in parse.sentences:
        if len(sentence) < 7 or not is_plain(parse, sentence):
            continue
        there, be = (parse.tokens[number] for number in sentence[:2])
        noun = parse.child(be.number, "nsubj") if there.tag == "EX" and be.head == be.number else None
        clause = parse.child(noun.number, "acl:relcl") if noun else None
        end = body_end(parse, sentence)
        span = parse.span(clause.number) if clause else None
        if noun is None or clause is None or span is None or span.stop != end:
            continue
        pronoun, verb = parse.tokens[span.start], parse.tokens[span.start + 1]
        is_clear = (
            be.small in {"is", "are"}
            and parse.tokens[be.number + 1].small in _QUANTITIES
            and pronoun.small in {"who", "that", "which"}
            and pronoun.relation.startswith("nsubj")
            and pronoun.number == noun.number + 1
            and verb.tag in {"VBZ", "VBP", "MD"}
            and is_plural(parse, noun) == (be.small == "are")
            and not {",", "but"}.intersection(parse.words(span))
        )
        if is_clear:
            pieces = (*range(be.number + 1, noun.number + 1), *range(verb.number, end))
            yield Draft(sentence.start, end, pieces)


THERE_RELATIVE = Transformation(
    name="there-relative", summary="“many N do” for “there are many N who do”", find=remove
)
