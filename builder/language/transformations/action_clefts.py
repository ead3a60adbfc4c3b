"""Clefts of what is done: "the firm sold the plant" becomes "what the firm did was sell the plant"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.statements import Statement, statements
from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation
from builder.language.words.inflected_forms import Paradigm, paradigm_of
from builder.language.words.negations import is_negation

_DO = {"VBD": ("did", "was"), "VBZ": ("does", "is"), "VBP": ("do", "is")}
_NO_DOERS = frozenset({"it", "this", "that", "there", "which", "what"})
_LONGEST_SUBJECT = 8
_LONGEST = 40


def say_what_is_done(parse: Parse) -> Iterator[Draft]:
    """Yield "what S did was V …" for "S V-ed …"."""
    for statement in statements(parse):
        paradigm = _deed(parse, statement)
        if paradigm is None:
            continue
        do, be = _DO[statement.root.tag]
        rest = range(statement.root.number + 1, statement.end)
        pieces = ("what", *statement.subject_span, do, be, paradigm.forms[0], *rest)
        yield Draft(statement.start, statement.end, pieces)


def _deed(parse: Parse, statement: Statement) -> Paradigm | None:
    """Return the forms of the verb if it says what somebody does, and no other verb shares its subject."""
    verb, span = statement.root, statement.subject_span
    paradigm = paradigm_of(verb.small, verb.tag)
    body = range(statement.start, statement.end)
    is_clear = (
        statement.begins_with_subject
        and verb == statement.finite
        and verb.number == span.stop
        and verb.tag in _DO
        and len(span) <= _LONGEST_SUBJECT
        and len(body) <= _LONGEST
        and statement.subject.small not in _NO_DOERS
        and "," not in parse.words(span)
        and not parse.children(verb.number, "conj", "parataxis", "ccomp", "expl")
        and not any(is_negation(word) for word in parse.words(body))
        # "Each", "few": what is counted would be read otherwise.
        and parse.tokens[span.start].small not in words("quantifiers")
    )
    is_deed = paradigm is not None and paradigm.forms[0] in words("actions") | words("deeds")
    return paradigm if is_clear and is_deed else None


ACTION_CLEFT = Transformation(
    name="action-cleft", summary="“what S did was V” for “S V-ed”", find=say_what_is_done, kind="opening"
)
