"""Typos: a character deleted, inserted, replaced by a keyboard neighbour, swapped or repeated."""

from collections.abc import Sequence
from functools import lru_cache

from builder.label_guard.misreadings import propose_legible
from builder.language.words.negations import is_negation
from builder.models.resources import Resources
from builder.operations.dimension import ALL_DEGREES, Dimension, WordsOfText
from builder.operations.letters import figures_of, is_editable
from builder.operations.operation import Operation, Operations, shared_operation

# The five operations equally often, wherever a word allows them.
MIX = {"delete": 0.2, "insert": 0.2, "replace": 0.2, "swap": 0.2, "repeat": 0.2}
# How often the first character of a word is hit, where any other counts 1: people rarely miss it, and readers
# need it.
FIRST_LETTER = 0.2

_ROWS = ("1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm")
# How far each row of a QWERTY keyboard is shifted to the right, in keys.
_SHIFTS = (0.0, 0.5, 0.75, 1.25)


def _keyboard() -> dict[str, str]:
    """Return for each key the keys that touch it."""
    places = {
        key: (row, column + _SHIFTS[row]) for row, keys in enumerate(_ROWS) for column, key in enumerate(keys)
    }
    return {
        key: "".join(
            other
            for other, (other_row, other_column) in places.items()
            if other != key
            and abs(row - other_row) <= 1
            and abs(column - other_column) <= 1
            # A digit is no slip for a letter that a reader would still recognise.
            and other.isdigit() == key.isdigit()
        )
        for key, (row, column) in places.items()
    }


NEIGHBOURS = _keyboard()


@lru_cache(maxsize=2048)
def operations_of(word: str) -> Operations:
    """Return every typo of a word: of letters alone, none split from its marks; numbers stay whole."""
    by_name: dict[str, list[Operation]] = {name: [] for name in MIX}
    if is_negation(word):
        # A changed "not" may change the label.
        return Operations([], [])
    figures = figures_of(word)
    editable = [index for index in range(len(word)) if is_editable(word, index) and index not in figures]
    for index in editable:
        character = word[index]
        after = index + 1
        near = _neighbours(character)
        if len(editable) > 1:
            by_name["delete"].append(shared_operation("delete", index, character, ""))
        by_name["repeat"].append(shared_operation("repeat", after, "", character))
        by_name["replace"] += [shared_operation("replace", index, character, key) for key in near]
        by_name["insert"] += [shared_operation("insert", after, "", key) for key in near]
        following = word[after : after + 1]
        if following and following != character and after in editable:
            pair = character + following
            by_name["swap"].append(shared_operation("swap", index, pair, pair[::-1], cost=2))
    items: list[Operation] = []
    weights: list[float] = []
    for name, of_name in by_name.items():
        likelihoods = [FIRST_LETTER if item.edits[0].start == 0 else 1.0 for item in of_name]
        items += of_name
        if of_name:
            weight = MIX[name] / sum(likelihoods)
            weights += [weight * likelihood for likelihood in likelihoods]
    return Operations(items, weights)


def propose(texts: Sequence[WordsOfText], resources: Resources) -> list[list[Operations]]:
    """Return the typos of every word of every text."""
    return propose_legible(operations_of, texts, resources)


def _neighbours(character: str) -> str:
    near = NEIGHBOURS.get(character.lower(), "")
    return near.upper() if character.isupper() else near


TYPO_MALICIOUS = Dimension(
    name="typo-malicious",
    summary="keyboard slips anywhere, counted in characters",
    stands_for="text mangled on purpose to slip past a filter: spam, abuse, fraud",
    level="char",
    tag="malicious",
    measure="edit",
    degrees=ALL_DEGREES,
    uses=("associations",),
    propose=propose,
)
TYPO_GENERAL = Dimension(
    name="typo-general",
    summary="at most one keyboard slip a word, counted in words",
    stands_for="people who type fast or on small screens",
    level="char",
    tag="general",
    measure="words",
    degrees=ALL_DEGREES,
    uses=("associations",),
    propose=propose,
)
