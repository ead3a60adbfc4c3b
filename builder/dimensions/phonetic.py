"""Phonetic spellings: words, or sections of words, respelled so that they sound the same."""

import math
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from rapidfuzz.distance import Levenshtein

from builder.label_guard.misreadings import propose_legible
from builder.language.pronunciation.spellings import LONGEST, Spelling, load_spellings, spellings_of
from builder.models.resources import Resources
from builder.operations.dimension import ALL_DEGREES, Dimension, WordsOfText
from builder.operations.letters import LONGEST_READ, is_editable
from builder.operations.operation import Operation, Operations, operation
from contract.schema.edits import Edit, apply_edits

# Runs of letters, with the apostrophes between them.
_RUN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
# Addresses, handles, tags and entities are not read aloud.
_NOT_SPOKEN = re.compile(
    r"://|www\.|[@#&]|\b(?:amp|gt|lt|nbsp|quot);|\.(?:com|edu|gov|net|org)\b", re.IGNORECASE
)
# These are read as the words they stand for.
_ABBREVIATIONS = re.compile(
    "co|com|corp|dr|etc|gen|gov|inc|jr|ltd|mln|mr|mrs|ms|mt|pct|prof|rep|rev|sen|sr|st|vs"
)
# Shorter words in capitals are mostly spelled out, letter by letter.
_SHORTEST_SHOUTED = 5
_SHORTEST_UNKNOWN = 3
# Of a word's letters, at most these may change; with fewer left it is no longer recognised.
MOST_CHANGED = 0.75


@lru_cache(maxsize=65_536)
def general_operations_of(word: str) -> Operations:
    """Return every spelling of a word that sounds the same, drawn as often as people write it."""
    items, weights = _operations_of(word)
    return Operations(items, weights)


@lru_cache(maxsize=65_536)
def malicious_operations_of(word: str) -> Operations:
    """Return every spelling of a word that sounds the same, drawn the more often the more it changes."""
    items, weights = _operations_of(word)
    items = _set_apart(word, items)
    operations = Operations(items, [weight * item.cost for item, weight in zip(items, weights, strict=True)])
    operations.capacity = min(_reach(word, items), math.ceil(MOST_CHANGED * len(word)))
    return operations


def propose_general(texts: Sequence[WordsOfText], resources: Resources) -> list[list[Operations]]:
    """Return the other spellings of every word of every text, as people write them."""
    return propose_legible(general_operations_of, texts, resources)


def propose_malicious(texts: Sequence[WordsOfText], resources: Resources) -> list[list[Operations]]:
    """Return the other spellings of every word of every text, as they disguise it."""
    return propose_legible(malicious_operations_of, texts, resources)


def _operations_of(word: str) -> tuple[list[Operation], list[int]]:
    """Return the operations on a word and how often people write each; only letters are changed."""
    if _NOT_SPOKEN.search(word):
        return [], []
    weighted = [pair for run in _RUN.finditer(word) for pair in _of_run(word, run)]
    return [item for item, _ in weighted], [weight for _, weight in weighted]


def _of_run(word: str, run: re.Match[str]) -> Iterator[tuple[Operation, int]]:
    """Yield the operations on one run of letters within a word, with their weights."""
    if not _stands_alone(word, run.start(), run.end()):
        return
    letters = run.group()
    for spelling in _spellings(letters):
        original = letters[spelling.span.start : spelling.span.end]
        written = _in_case_of(letters, spelling)
        is_plain = original.replace("’", "'").isascii()
        if written is not None and is_plain and written != original:
            start = run.start() + spelling.span.start
            yield _respelling(spelling.kind, start, original, written), spelling.weight


def _stands_alone(word: str, start: int, end: int) -> bool:
    """Whether a run of letters is not part of a code ("mp3") and none of its letters has marks or joiners."""
    beside = word[max(0, start - 1) : start] + word[end : end + 1]
    is_code = any(character.isdigit() for character in beside)
    return not is_code and is_editable(word, start) and is_editable(word, end - 1)


def _spellings(letters: str) -> tuple[Spelling, ...]:
    """Return the spellings of a run: of the whole, or of what stands before its apostrophe."""
    spoken = _plain(letters)
    known = load_spellings().by_word
    if _ABBREVIATIONS.fullmatch(spoken):
        return ()
    if letters.isupper() and len(letters) > 1:
        is_spelled_out = len(letters) < _SHORTEST_SHOUTED or spoken not in known
        return () if is_spelled_out else spellings_of(spoken)
    if not known.get(spoken):
        spoken, _, ending = spoken.partition("'")
        # What stands before the apostrophe of "didn't" is no word.
        if ending == "t" or (spoken not in known and len(spoken) < _SHORTEST_UNKNOWN):
            return ()
    return spellings_of(spoken)


def _plain(letters: str) -> str:
    """Return letters in lower case, without accents, with a plain apostrophe; none is lost or gained."""
    plain = "".join(unicodedata.normalize("NFD", letter)[0].lower()[:1] for letter in letters)
    return plain.replace("’", "'")


def _in_case_of(letters: str, spelling: Spelling) -> str | None:
    """Return what is written, in capitals where the original is; nothing where its capitals are odd."""
    original = letters[spelling.span.start : spelling.span.end]
    written = spelling.span.written
    if "’" in letters:
        written = written.replace("'", "’")
    if letters.isupper() and len(letters) > 1:
        return written.upper()
    if original[1:] != original[1:].lower() or (spelling.span.start and original[:1].isupper()):
        return None
    return written[:1].upper() + written[1:] if original[:1].isupper() else written


def _respelling(name: str, start: int, original: str, written: str) -> Operation:
    """Return the operation that changes as few letters as it can, and keeps others off those it needs."""
    before = 0
    while before < min(len(original), len(written)) and original[before] == written[before]:
        before += 1
    after = 0
    most = min(len(original), len(written)) - before
    while after < most and original[-1 - after] == written[-1 - after]:
        after += 1
    end = len(original) - after
    edit = Edit(start + before, start + end, original[before:end], written[before : len(written) - after])
    minimal = operation(name, edit, cost=Levenshtein.distance(edit.original, edit.replacement))
    if len(edit.original) > len(original) // 2:
        needed = Edit(start, start + len(original), "", "")
    else:
        # A doubled letter needs the vowel before it, a changed one its neighbours in the respelled letters.
        first = edit.start - 2 if not edit.original else max(start, edit.start - 1)
        needed = Edit(max(0, first), min(start + len(original), edit.end + 1), "", "")
    return minimal._replace(slots=minimal.slots | operation(name, needed).slots)


def _set_apart(word: str, items: Sequence[Operation]) -> list[Operation]:
    """Return the operations so that two which together make another word share a slot: race, rayce, raise."""
    known = load_spellings()
    word = word[: 2 * LONGEST_READ]
    one_by_one = [word, *(apply_edits(word, item.edits) for item in items)]
    expected = {run for spelling in one_by_one for run in _RUN.findall(spelling.casefold())}
    slots = [item.slots for item in items]
    # Beyond the word's own slots, and with room between them for a search that looks at neighbouring slots.
    free = 2 * len(word) + 4
    for (first, one), (second, other) in combinations(enumerate(items), 2):
        is_one_word = abs(one.edits[0].start - other.edits[0].start) <= LONGEST
        if is_one_word and not slots[first] & slots[second]:
            together = apply_edits(word, [*one.edits, *other.edits])
            new = set(_RUN.findall(together.casefold())) - expected
            if any(map(known.is_word, new)):
                slots[first] |= 1 << free
                slots[second] |= 1 << free
                free += 5
    return [item._replace(slots=taken) for item, taken in zip(items, slots, strict=True)]


def _reach(word: str, items: Sequence[Operation]) -> int:
    """Return how far from the original operations that fit together take a word, the farthest first."""
    chosen: list[Edit] = []
    taken = total = 0
    for item in sorted(items, key=lambda item: -item.cost):
        if not taken & item.slots:
            distance = Levenshtein.distance(word, apply_edits(word, [*chosen, *item.edits]))
            if distance == total + item.cost:
                chosen += item.edits
                taken |= item.slots
                total = distance
    return total


PHONETIC_MALICIOUS = Dimension(
    name="phonetic-malicious",
    summary="parts of words respelled so that they sound the same, counted in characters",
    stands_for="words disguised from a filter that any reader still hears",
    level="char",
    tag="malicious",
    measure="edit",
    degrees=(0.05, 0.1, 0.2, 0.3),
    uses=("associations",),
    propose=propose_malicious,
)
PHONETIC_GENERAL = Dimension(
    name="phonetic-general",
    summary="at most one respelling a word that sounds the same, counted in words",
    stands_for="people who write as they speak: informal messages, learners, uncertain spellers",
    level="char",
    tag="general",
    measure="words",
    degrees=ALL_DEGREES,
    uses=("associations",),
    propose=propose_general,
)
