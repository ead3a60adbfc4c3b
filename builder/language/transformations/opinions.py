"""Opinions: "I think it is too long" becomes "it is too long, I think"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.statements import body_end, finite_of, is_plain
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_OPINIONS = frozenset({"think", "believe", "guess", "suppose", "suspect", "hope", "assume"})
_LONGEST = 20


def say_opinion_last(parse: Parse) -> Iterator[Draft]:
    """Yield "…, I think" for "I think (that) …"."""
    for sentence in parse.sentences:
        if len(sentence) < 5 or not is_plain(parse, sentence):
            continue
        who, verb, end = *(parse.tokens[number] for number in sentence[:2]), body_end(parse, sentence)
        clause = parse.child(verb.number, "ccomp")
        if who.small != "i" or verb.small not in _OPINIONS or clause is None:
            continue
        mark = parse.tokens[verb.number + 1]
        body = range(verb.number + (2 if mark.small == "that" and mark.relation == "mark" else 1), end)
        subject = parse.child(clause.number, "nsubj", "expl")
        is_clear = (
            subject is not None
            and parse.subtree(subject.number)[0] == body.start
            and finite_of(parse, clause) is not None
            and len(body) <= _LONGEST
            and not parse.children(verb.number, "conj", "parataxis", "advcl")
            and not {",", "but"}.intersection(parse.words(body))
        )
        if is_clear:
            yield Draft(sentence.start, end, (*body, ",", who.number, verb.number))


OPINION = Transformation(name="opinion", summary="“…, I think” for “I think …”", find=say_opinion_last)
