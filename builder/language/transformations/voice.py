"""Active and passive voice."""

from collections.abc import Iterator
from itertools import chain

from builder.language.clauses.draft import Draft, Piece
from builder.language.clauses.pronouns import OBJECT_FORMS
from builder.language.clauses.statements import Statement, embedded_statements, is_plural, statements
from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse, Token
from builder.language.transformations.transformation import Transformation
from builder.language.words.inflected_forms import paradigm_of
from builder.language.words.negations import is_negation

_BE = {("present", False): "is", ("present", True): "are", ("past", False): "was", ("past", True): "were"}
# These refer to somebody named before, who would then be named after.
_POINTING = frozenset({"its", "his", "her", "their", "my", "our", "your", "each", "own"})
_MODALS = frozenset({"will", "can", "could", "would", "may", "might"})
_HELPERS = {
    **dict.fromkeys(("is", "are", "'s"), "present"),
    **dict.fromkeys(("was", "were"), "past"),
    **dict.fromkeys(("has", "have"), "perfect"),
    **dict.fromkeys(_MODALS, "modal"),
}
_CLAUSES = ("conj", "ccomp", "xcomp", "iobj", "parataxis", "compound:prt", "csubj", "expl", "advmod", "advcl")


def to_passive(parse: Parse) -> Iterator[Draft]:
    """Yield "O is done by S" for "S does O"."""
    for statement in chain(statements(parse), embedded_statements(parse)):
        verb = statement.root
        thing = parse.child(verb.number, "obj")
        span = parse.span(thing.number) if thing else None
        if thing is None or span is None or not _can_change(parse, statement):
            continue
        done, plural = _passive_verb(parse, statement, thing), is_plural(parse, thing)
        is_clear = (
            span.start == verb.number + 1
            and plural is not None
            and _is_noun_phrase(parse, thing, span)
            and _is_noun_phrase(parse, statement.subject, statement.subject_span)
            and len(statement.subject_span) <= 8
            and len(span) <= 12
        )
        if is_clear and done:
            rest = range(span.stop, statement.end)
            agent = statement.subject_span
            yield Draft(statement.start, statement.end, (*span, *done, "by", *agent, *rest))


def _can_change(parse: Parse, statement: Statement) -> bool:
    verb = statement.root
    paradigm = paradigm_of(verb.small, verb.tag)
    is_free = not parse.children(verb.number, *_CLAUSES) and statement.begins_with_subject
    is_negated = any(is_negation(word) for word in parse.words(range(statement.start, statement.end)))
    return bool(paradigm and paradigm.forms[0] in words("actions")) and is_free and not is_negated


def _is_noun_phrase(parse: Parse, noun: Token, span: range) -> bool:
    """Whether a phrase can be subject and agent alike: no pronoun, not bare, nothing that points back."""
    said = list(parse.words(span))
    is_named = noun.tag in {"NNP", "NNPS", "NNS"} or parse.tokens[span.start].universal_tag in {"DET", "NUM"}
    points_back = any(word.endswith(("self", "selves")) or word in _POINTING for word in said)
    return noun.tag in {"NN", "NNS", "NNP", "NNPS"} and is_named and not points_back


def _passive_verb(parse: Parse, statement: Statement, thing: Token) -> tuple[Piece, ...] | None:
    """Return the verb group of the passive: "is made", "has been made", "will be made"."""
    verb, plural = statement.root, bool(is_plural(parse, thing))
    paradigm = paradigm_of(verb.small, verb.tag)
    helpers = [token.small for token in parse.children(verb.number, "aux")]
    if paradigm is None or paradigm.part_of_speech != "verb" or not paradigm.forms[3]:
        return None
    done = paradigm.forms[3]
    if not helpers:
        tense = {"VBZ": "present", "VBP": "present", "VBD": "past"}.get(verb.tag)
        return (_BE[tense, plural], done) if tense else None
    if len(helpers) == 1 and helpers[0] in {"has", "have"} and verb.tag == "VBN":
        return ("have" if plural else "has", "been", done)
    if len(helpers) == 1 and helpers[0] in _MODALS and verb.tag == "VB":
        return (helpers[0], "be", done)
    return None


def to_active(parse: Parse) -> Iterator[Draft]:
    """Yield "S does O" for "O is done by S"."""
    for statement in chain(statements(parse), embedded_statements(parse)):
        verb = statement.root
        agent = parse.child(verb.number, "obl:agent") or _with_by(parse, verb)
        span = parse.span(agent.number) if agent else None
        if (
            agent is None
            or span is None
            or not statement.begins_with_subject
            or parse.children(verb.number, "conj", "ccomp", "xcomp", "parataxis", "advmod")
        ):
            continue
        doing = _active_verb(parse, statement, agent)
        by = parse.tokens[span.start]
        is_clear = (
            statement.subject.relation == "nsubj:pass"
            and by.small == "by"
            and span.start == verb.number + 1
            and (agent.tag in {"NNP", "NNPS"} or parse.tokens[span.start + 1].universal_tag == "DET")
            and agent.tag in {"NN", "NNS", "NNP", "NNPS"}
            and statement.finite.number == statement.subject_span.stop
            and not any(is_negation(word) for word in parse.words(range(statement.start, statement.end)))
        )
        thing = _object(statement)
        if is_clear and doing and thing:
            rest = range(span.stop, statement.end)
            yield Draft(statement.start, statement.end, (*span[1:], *doing, *thing, *rest))


def _with_by(parse: Parse, verb: Token) -> Token | None:
    found = [
        token
        for token in parse.children(verb.number, "obl")
        for case in [parse.child(token.number, "case")]
        if case and case.small == "by"
    ]
    return found[0] if len(found) == 1 else None


def _object(statement: Statement) -> tuple[Piece, ...]:
    if statement.subject.tag == "PRP":
        return (OBJECT_FORMS[statement.subject.small],) if statement.subject.small in OBJECT_FORMS else ()
    return tuple(statement.subject_span)


def _active_verb(parse: Parse, statement: Statement, agent: Token) -> tuple[Piece, ...] | None:
    """Return the verb group of the active: "makes", "has made", "will make", "is making"."""
    verb, plural = statement.root, is_plural(parse, agent)
    paradigm = paradigm_of(verb.small, "VBN")
    helpers = tuple(token.small for token in parse.children(verb.number, "aux"))
    if paradigm is None or plural is None or verb.tag != "VBN" or not helpers:
        return None
    base, third, past, done, doing = paradigm.forms
    groups: dict[tuple[str, ...], tuple[Piece, ...]] = {
        ("present",): (base if plural else third,),
        ("past",): (past,),
        ("perfect", "been"): ("have" if plural else "has", done),
        ("present", "being"): ("are" if plural else "is", doing),
        ("modal", "be"): (helpers[0], base),
    }
    found = groups.get((_HELPERS.get(helpers[0], ""), *helpers[1:]))
    return found if found and all(found) else None


PASSIVE = Transformation(
    name="passive", summary="active voice becomes passive", find=to_passive, undoes="active"
)
ACTIVE = Transformation(
    name="active", summary="passive voice becomes active", find=to_active, undoes="passive"
)
