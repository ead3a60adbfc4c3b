"""TextBugger: the words that matter most get one of five bugs each, the one that hurts the source most."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from builder.dimensions.glyph import DIGITS, look_alikes
from builder.dimensions.typo import NEIGHBOURS
from builder.label_guard.misreadings import propose_legible
from builder.language.words.negations import is_negation
from builder.methods.method import Method, Parameter
from builder.methods.searching import search_words
from builder.models.resources import Resources
from builder.operations.dimension import WordsOfText
from builder.operations.letters import figures_of, is_editable
from builder.operations.operation import Operation, Operations, shared_operation
from builder.searches.search import SearchRequest, SearchResult
from contract.schema.manifest import Setting

# A space is put only into words with fewer characters than this; longer ones would fall into two words.
SPACE_BELOW = 6
# Characters are swapped only in words with more characters than this.
SWAP_ABOVE = 4
# The least likeness of a look-alike: what a reader takes for the letter itself.
LEAST_ALIKE = 0.9
BUGS = ("space", "delete", "keyboard", "look-alike", "swap")


@lru_cache(maxsize=4096)
def bugs_of(word: str) -> Operations:
    """Return every bug of a word, each kind equally often; negations and numbers stay whole."""
    if is_negation(word):
        return Operations([], [])
    figures = figures_of(word)
    inside = [index for index in range(len(word)) if is_editable(word, index) and index not in figures]
    by_bug = {bug: [item for item in _bugs(word, inside) if item.name == bug] for bug in BUGS}
    items = [item for of_bug in by_bug.values() for item in of_bug]
    return Operations(items, [1 / len(by_bug[item.name]) for item in items])


def _bugs(word: str, editable: Sequence[int]) -> Iterator[Operation]:
    n_letters, letters = len(editable), set(editable)
    for place, index in enumerate(editable):
        character, following = word[index], word[index + 1 : index + 2]
        is_inner = 0 < place < n_letters - 1
        if place > 0 and index - 1 in letters and n_letters < SPACE_BELOW:
            yield shared_operation("space", index, "", " ")
        if is_inner:
            yield shared_operation("delete", index, character, "")
        for key in NEIGHBOURS.get(character.lower(), ""):
            yield shared_operation("keyboard", index, character, key.upper() if character.isupper() else key)
        for other in _alike(character):
            yield shared_operation("look-alike", index, character, other)
        is_swapped = is_inner and index + 1 in letters and place + 1 < n_letters - 1
        if is_swapped and following != character and n_letters > SWAP_ABOVE:
            yield shared_operation("swap", index, character + following, following + character, cost=2)


@lru_cache(maxsize=1024)
def _alike(character: str) -> tuple[str, ...]:
    """Return the single characters that look like a letter: digits, and those of other scripts."""
    others = [other for other, alike in look_alikes().get(character, ()) if alike >= LEAST_ALIKE]
    typed = list(DIGITS.get(character, ""))
    return tuple(dict.fromkeys(other for other in [*typed, *others] if len(other) == 1))


def propose(texts: Sequence[WordsOfText], resources: Resources) -> list[list[Operations]]:
    """Return the bugs of every word of every text that cannot be misread."""
    return propose_legible(bugs_of, texts, resources)


def search(request: SearchRequest, setting: Setting) -> SearchResult:
    """Return the cases that a greedy search finds among the bugs of words."""
    return search_words(request, setting, propose)


TEXTBUGGER = Method(
    name="textbugger",
    summary="one of five bugs in each of the words that matter most, the one that hurts the source most",
    paper="Li et al. 2019, TextBugger, NDSS",
    dimension="typo-general",
    settings=("score",),
    parameters=(
        Parameter(name="kinds of bugs", paper=5, ours=len(BUGS)),
        Parameter(name="a space only in words with fewer characters than", paper=6, ours=SPACE_BELOW),
        Parameter(name="a swap only in words with more characters than", paper=4, ours=SWAP_ABOVE),
        Parameter(name="edit distance of a bug", paper="1; 2 for a swap", ours="1; 2 for a swap"),
    ),
    departures=(
        "The paper draws one bug of each kind for a word; we look at up to twelve bugs of all kinds.",
        "The paper stops when the source is fooled; we fill the budget of every degree.",
        "Negations and numbers are left alone, and bugs that can be misread as a word of another class.",
    ),
    function=search,
)
