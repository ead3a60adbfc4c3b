"""Lists: "wit, charm and energy" becomes "charm, wit and energy", whatever the parser says."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_KINDS = frozenset({"NN", "NNS", "NNP", "JJ"})
_BEFORE = frozenset({"IN", "VB", "VBZ", "VBD", "VBP", "VBG", "VBN", "TO", "DT", "PRP$", ":"})
_AFTER = frozenset({"NN", "NNS", "NNP", "NNPS", "HYPH", "IN", "POS", "CD", "VBG", "WDT"})


def reorder(parse: Parse) -> Iterator[Draft]:
    """Yield lists of three single words with the first two in the other order."""
    tokens = parse.tokens
    for number in range(1, len(tokens) - 4):
        one, comma, other = tokens[number : number + 3]
        link = number + 4 if tokens[number + 3].text == "," else number + 3
        if comma.text != "," or link + 1 >= len(tokens) or tokens[link].small not in {"and", "or"}:
            continue
        last = tokens[link + 1]
        after = tokens[link + 2] if link + 2 < len(tokens) else None
        before = tokens[number - 1]
        is_closed = (
            after is None or after.tag not in _AFTER or (one.tag == "JJ" and after.tag in {"NN", "NNS"})
        )
        is_clear = (
            one.tag == other.tag == last.tag
            and one.tag in _KINDS
            and before.tag in _BEFORE
            and (before.tag != "DT" or before.small == "the")
            and is_closed
            and not {one.small, other.small, last.small} & words("bound-words")
        )
        if is_clear:
            yield Draft(number, number + 3, (other.number, comma.number, one.number))


LIST_ORDER = Transformation(
    name="list-order", summary="the first two of a list of three change places", find=reorder
)
