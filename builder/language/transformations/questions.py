"""Indirect questions: "who wrote it?" becomes "can you tell me who wrote it?"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft, Piece
from builder.language.parser.parse import Parse, Token
from builder.language.transformations.transformation import Transformation
from builder.language.words.inflected_forms import paradigm_of

OPENINGS = ("can you tell me", "could you tell me", "do you know")
_QUESTION_WORDS = frozenset({"who", "what", "which", "when", "where", "how", "why", "whose"})
_BE = frozenset({"is", "are", "was", "were"})
# The place of a form in a verb's paradigm.
_PLACES = {"did": 2, "does": 1, "do": 0}


def ask_indirectly(parse: Parse) -> Iterator[Draft]:
    """Yield a text that is one question with a question word as a question whether one can answer it."""
    if len(parse.sentences) != 1 or not parse.tokens:
        return
    (sentence,) = parse.sentences
    if parse.tokens[sentence.stop - 1].text != "?" or len(parse.roots(sentence)) != 1 or len(sentence) < 4:
        return
    clause = _clause(parse, sentence)
    if clause:
        for opening in OPENINGS:
            yield Draft(sentence.start, sentence.stop, (opening, *clause, sentence.stop - 1))


def _clause(parse: Parse, sentence: range) -> tuple[Piece, ...] | None:
    """Return a question in the order of a clause."""
    (root,) = parse.roots(sentence)
    end = sentence.stop - 1
    asked = next(
        (parse.tokens[number] for number in sentence[:3] if parse.tokens[number].small in _QUESTION_WORDS),
        None,
    )
    subject = parse.child(root.number, "nsubj")
    if asked is None or subject is None or parse.children(root.number, "conj", "parataxis", "advcl", "expl"):
        return None
    span = parse.span(subject.number)
    if span is None or any(parse.tokens[number].text in {",", '"'} for number in sentence):
        return None
    if span.start == sentence.start and asked.number in span:
        return tuple(range(sentence.start, end)) if _asks_for_subject(parse, root, span) else None
    helper = _helper(parse, root)
    if helper is None or span.start != helper.number + 1:
        return None
    opening = range(sentence.start, helper.number)
    if helper.small in _PLACES:
        form = _did(root, helper) if root.number == span.stop else None
        return (*opening, *span, form, *range(root.number + 1, end)) if form else None
    return (*opening, *span, helper.number, *range(span.stop, end))


def _asks_for_subject(parse: Parse, root: Token, span: range) -> bool:
    """Whether what is asked for does what the verb says: its order is that of a clause."""
    verb = parse.tokens[span.stop]
    if verb == root:
        return (
            verb.tag in {"VBZ", "VBD", "VBP"} and verb.universal_tag == "VERB" and verb.small not in _PLACES
        )
    names_it = len(span) > 1 and any(parse.tokens[number].tag in {"NN", "NNS"} for number in span)
    return names_it and verb.head == root.number and verb.small in _BE


def _helper(parse: Parse, root: Token) -> Token | None:
    """Return the verb that stands before the subject."""
    helpers = parse.children(root.number, "aux", "cop")
    first = helpers[0] if helpers else None
    return (
        first
        if first
        and first.small
        in {
            "is",
            "are",
            "was",
            "were",
            "has",
            "have",
            "had",
            "can",
            "could",
            "will",
            "would",
            "should",
            *_PLACES,
        }
        else None
    )


def _did(root: Token, helper: Token) -> str | None:
    """Return the form of a verb that says what it says with "do", "does" or "did"."""
    paradigm = paradigm_of(root.small, "VB") if root.tag == "VB" else None
    return (paradigm.forms[_PLACES[helper.small]] or None) if paradigm else None


INDIRECT_QUESTION = Transformation(
    name="indirect-question",
    summary="a question becomes one whether it can be answered",
    find=ask_indirectly,
    kind="frame",
)
