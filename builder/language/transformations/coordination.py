"""Coordination reordering: "warm and funny" becomes "funny and warm"."""

from collections.abc import Iterator, Sequence

from builder.language.clauses.draft import Draft, Piece
from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse, Token
from builder.language.transformations.transformation import Transformation

_ADJECTIVES = frozenset({"JJ"})
_NOUNS = frozenset({"NN", "NNS"})
_NAMES = frozenset({"NNP"})
_LEFT_OF_ADJECTIVES = frozenset(
    {"DT", "PRP$", "IN", ",", "VBZ", "VBP", "VBD", "VB", "TO", "CC", "POS", "WDT"}
)
_LEFT_OF_NOUNS = frozenset({"DT", "PRP$", "IN", "VBZ", "VBP", "VBD", "VB", "VBG", "POS", ","})


def reorder(parse: Parse) -> Iterator[Draft]:
    """Yield each coordination of two or more alike words or noun phrases in another order."""
    for second in parse.tokens:
        if second.relation != "conj":
            continue
        first = parse.tokens[second.head]
        link = parse.child(second.number, "cc")
        if (
            link is None
            or link.small not in {"and", "or"}
            or f"{first.small} {second.small}" in words("fixed-pairs")
        ):
            continue
        conjuncts = [first, *parse.children(first.number, "conj")]
        if second is not conjuncts[-1] or {token.small for token in conjuncts} & words("bound-words"):
            continue
        if _are_words(parse, conjuncts, link):
            yield from _swapped_words(conjuncts)
        elif len(conjuncts) == 2:
            yield from _swapped_phrases(parse, first, second, link)


def reorder_pairs(parse: Parse) -> Iterator[Draft]:
    """Yield "external and internal sources" for "internal and external sources", whatever the parser says."""
    for link in parse.tokens[1:-2]:
        one, other, noun = (parse.tokens[link.number + step] for step in (-1, 1, 2))
        before = parse.tokens[one.number - 1] if one.number else None
        is_clear = (
            link.small == "and"
            and (one.tag, other.tag) == ("JJ", "JJ")
            and noun.tag in _NOUNS
            and before is not None
            and (before.tag in {"DT", "PRP$", "IN", "POS", "VBZ", "VBD", "TO"} or before.small == "both")
            and one.text == one.small
            and other.text == other.small
            and f"{one.small} {other.small}" not in words("fixed-pairs")
            and not {one.small, other.small} & words("bound-words")
            and one.relation != "conj"
        )
        if is_clear:
            yield Draft(one.number, other.number + 1, (other.number, link.number, one.number))


def _are_words(parse: Parse, conjuncts: Sequence[Token], link: Token) -> bool:
    """Whether conjuncts are single words of one kind, side by side, that share what stands before them."""
    tags = {token.tag for token in conjuncts}
    are_adjectives, are_nouns = tags <= _ADJECTIVES, tags <= _NOUNS or tags <= _NAMES
    if not (are_adjectives or are_nouns) or conjuncts[-1].number != link.number + 1:
        return False
    numbers = range(conjuncts[0].number, conjuncts[-1].number + 1)
    expected = {token.number for token in conjuncts} | {link.number}
    if any(number not in expected and parse.tokens[number].text != "," for number in numbers):
        return False
    if any(_own(parse, token) for token in conjuncts[1:]):
        return False
    if tags <= _NAMES and parse.children(conjuncts[0].number, "flat", "compound", "appos", "nmod", "acl"):
        return False
    before = parse.tokens[numbers.start - 1].tag if numbers.start else "DT"
    after = parse.tokens[numbers.stop] if numbers.stop < len(parse.tokens) else None
    if are_adjectives:
        return before in _LEFT_OF_ADJECTIVES and not (after and after.tag in {"IN", "TO", "HYPH"})
    is_closed = (
        after is None
        or after.text in {".", ",", ";", "!", "?", ":", ")"}
        or after.universal_tag == "AUX"
        or after.tag in {"VBZ", "VBP", "VBD", "MD"}
    )
    is_headed = numbers.start > 0 and parse.tokens[numbers.start - 1].small not in {"a", "an", "between"}
    return before in _LEFT_OF_NOUNS and is_closed and is_headed


def _own(parse: Parse, token: Token) -> list[Token]:
    """Return what depends on a conjunct beside commas and the conjunction."""
    return [child for child in parse.children(token.number) if child.relation not in {"cc", "punct"}]


def _swapped_words(conjuncts: Sequence[Token]) -> Iterator[Draft]:
    first, last = conjuncts[0].number, conjuncts[-1].number
    numbers = [token.number for token in conjuncts]
    for order in _orders(numbers):
        places = dict(zip(numbers, order, strict=True))
        yield Draft(first, last + 1, tuple(places.get(number, number) for number in range(first, last + 1)))


def _orders(numbers: Sequence[int]) -> Iterator[list[int]]:
    yield list(reversed(numbers))
    if len(numbers) > 2:
        yield [*numbers[1:], numbers[0]]


def _swapped_phrases(parse: Parse, first: Token, second: Token, link: Token) -> Iterator[Draft]:
    """Yield "an able cast and a smart script" for "a smart script and an able cast"."""
    right = parse.span(second.number)
    if first.tag not in _NOUNS or second.tag not in _NOUNS or right is None or right.start != link.number:
        return
    left = _left_phrase(parse, first, link)
    right = range(link.number + 1, right.stop)
    if left is None or not _is_whole(parse, left, right):
        return
    pieces: tuple[Piece, ...] = (*right, link.number, *left)
    yield Draft(left.start, right.stop, pieces)


def _left_phrase(parse: Parse, first: Token, link: Token) -> range | None:
    """Return the numbers of the first conjunct with what belongs to it, if that is clear."""
    own = [
        number
        for child in parse.children(first.number)
        if child.relation.partition(":")[0] in {"det", "amod", "compound", "nummod", "advmod"}
        for number in parse.subtree(child.number)
    ]
    span = range(min([*own, first.number]), link.number)
    is_complete = sorted([*own, first.number]) == list(span)
    return span if is_complete else None


def _is_whole(parse: Parse, left: range, right: range) -> bool:
    """Whether each phrase has a determiner of its own and nothing after the second belongs to both."""
    openers = {parse.tokens[left.start].small, parse.tokens[right.start].small}
    tags = [parse.tokens[number].tag for number in right]
    after = parse.tokens[right.stop] if right.stop < len(parse.tokens) else None
    before = parse.tokens[left.start - 1] if left.start else None
    return (
        openers <= {"a", "an", "the", "some"}
        and not {"PRP", "PRP$", "WP", "WDT", "VBZ", "VBP", "VBD", "POS", ",", "EX"} & set(tags)
        and not {parse.tokens[number].small for number in [*left, *right]} & words("bound-words")
        and len(right) <= 8
        # Of another phrase after the second it is not clear whether it belongs to both.
        and {parse.tokens[number].small for number in right if parse.tokens[number].tag == "IN"} <= {"of"}
        and (after is None or after.text in {".", ",", ";", "!"})
        and before is not None
        and before.tag in {"VBZ", "VBD", "VBP", "VB", "VBG", "IN"}
        and before.small not in {"between", "of"}
    )


def reorder_adjectives(parse: Parse) -> Iterator[Draft]:
    """Yield "a funny, warm film" for "a warm, funny film"."""
    for comma in parse.tokens[1:-2]:
        one, other, noun = (parse.tokens[comma.number + step] for step in (-1, 1, 2))
        before = parse.tokens[one.number - 1].tag if one.number else "DT"
        is_clear = (
            comma.text == ","
            and (one.tag, other.tag) == ("JJ", "JJ")
            and (one.relation, other.relation) == ("amod", "amod")
            and one.head == other.head == noun.number
            and noun.tag in _NOUNS
            and before in {"DT", "PRP$", "IN", "VBZ", "CC"}
            and not parse.children(other.number)
            and all(child.text == "," for child in parse.children(one.number))
        )
        if is_clear:
            yield Draft(one.number, noun.number, (other.number, comma.number, one.number))


ADJECTIVE_ORDER = Transformation(
    name="adjective-order",
    summary="adjectives with a comma between them change places",
    find=reorder_adjectives,
)
PAIR_ORDER = Transformation(
    name="pair-order", summary="two adjectives before a noun change places", find=reorder_pairs
)
COORDINATION = Transformation(name="coordination", summary="what “and” joins changes places", find=reorder)
