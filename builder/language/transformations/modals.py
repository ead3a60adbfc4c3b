"""Modal verbs: "it will rain" and "it is going to rain", "she must go" and "she has to go"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.statements import is_plural
from builder.language.parser.parse import Parse, Token
from builder.language.transformations.transformation import Transformation
from builder.language.words.negations import is_negation

_PHRASES = {
    ("will", False): "is going to",
    ("will", True): "are going to",
    ("must", False): "has to",
    ("must", True): "have to",
}


def change(parse: Parse) -> Iterator[Draft]:
    """Yield "is going to" for "will", and "has to" for a "must" of duty."""
    if any(token.text == "?" for token in parse.tokens):
        return
    for modal in parse.tokens[1:-2]:
        verb = parse.tokens[modal.head]
        subject = parse.child(verb.number, "nsubj")
        following, before = parse.tokens[modal.number + 1], parse.tokens[modal.number - 1]
        if modal.tag != "MD" or subject is None or subject.number > modal.number:
            continue
        plural = _number(parse, subject)
        is_clear = (
            plural is not None
            and modal.relation == "aux"
            and following.number == verb.number
            and verb.tag == "VB"
            and before.number in parse.subtree(subject.number)
            # "It must be true" guesses; "if he will" and "will have" are other matters.
            and not (modal.small == "must" and verb.small in {"be", "have", "know", "feel", "think", "seem"})
            and not is_negation(following.small)
        )
        phrase = _PHRASES.get((modal.small, bool(plural)))
        if is_clear and phrase:
            said = "am going to" if subject.small == "i" and modal.small == "will" else phrase
            yield Draft(modal.number, modal.number + 1, (said,))


def _number(parse: Parse, subject: Token) -> bool | None:
    return True if subject.small == "i" else is_plural(parse, subject)


MODAL = Transformation(
    name="modal", summary="“is going to” for “will”, “has to” for “must”", find=change, weight=2.0
)
