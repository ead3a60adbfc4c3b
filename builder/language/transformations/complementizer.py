"""The word "that" comes or goes where it may: "says it is", "says that it is"; "the film he made"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.statements import finite_of
from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse, Token
from builder.language.transformations.transformation import Transformation

# In a longer one the parser may have taken a sentence for a clause.
_LONGEST_RELATIVE = 7
_NOMINATIVE = frozenset({"i", "he", "she", "we", "they"})


def change(parse: Parse) -> Iterator[Draft]:
    """Yield clauses with the "that" they lack, or without the one they have."""
    for verb in parse.tokens:
        if verb.relation == "ccomp":
            yield from _of_said(parse, verb)
        elif verb.relation == "acl:relcl":
            yield from _of_relative(parse, verb)


def _of_said(parse: Parse, verb: Token) -> Iterator[Draft]:
    governor, span = parse.tokens[verb.head], parse.span(verb.number)
    if span is None or governor.small not in words("reporting") or governor.number != span.start - 1:
        return
    subject = parse.child(verb.number, "nsubj", "expl")
    if subject is None or subject.number > verb.number:
        return
    first = parse.tokens[span.start]
    if (
        governor.tag in {"VBZ", "VBD", "VBP"}
        and first.small == "that"
        and first.relation == "mark"
        and governor.small in {"say", "says", "said", "think", "thinks", "thought", "know", "hope", "believe"}
    ):
        if parse.subtree(subject.number)[0] == span.start + 1:
            yield Draft(governor.number, first.number + 2, (governor.number, first.number + 1))
    elif parse.subtree(subject.number)[0] == span.start and (
        _begins_clause(first) or _is_reported(parse, governor, subject)
    ):
        yield Draft(first.number, first.number + 1, ("that", first.number))


def _is_reported(parse: Parse, governor: Token, subject: Token) -> bool:
    """Whether a clause after "said" has a noun as its subject, with its verb after it."""
    finite = finite_of(parse, parse.tokens[subject.head])
    is_noun = (
        subject.tag in {"NN", "NNS", "NNP", "NNPS"} and finite is not None and finite.number > subject.number
    )
    return governor.small in {"said", "says", "announced", "believe", "believes"} and is_noun


def _begins_clause(first: Token) -> bool:
    """Whether a word is one that begins a subject: "felt myself drawn" is no clause."""
    return first.tag in {"DT", "EX", "PRP$"} or first.small in _NOMINATIVE | {"it", "you"}


def _of_relative(parse: Parse, verb: Token) -> Iterator[Draft]:
    noun, subject = parse.tokens[verb.head], parse.child(verb.number, "nsubj")
    if subject is None or noun.tag not in {"NN", "NNS"} or subject.number != noun.number + 1:
        return
    if len(parse.subtree(verb.number)) > _LONGEST_RELATIVE or parse.children(verb.number, "obj", "conj"):
        return
    if not parse.children(noun.number, "det", "amod", "nmod:poss"):
        return
    if subject.small in _NOMINATIVE and noun.small not in {"time", "way", "day", "reason"}:
        yield Draft(subject.number, subject.number + 1, ("that", subject.number))


COMPLEMENTIZER = Transformation(
    name="complementizer", summary="“that” before a clause comes or goes", find=change
)
