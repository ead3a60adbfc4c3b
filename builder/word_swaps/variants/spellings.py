"""Spellings of one word: British and American, with a hyphen or without, "and" or its sign."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from builder.language.wordnet.tables import PARTS_OF_SPEECH, load_tables
from builder.language.words.word_families import lemmas_or_itself
from builder.word_swaps.variants.places import Places, Variant, as_cased
from builder.word_swaps.word_uses import words_in
from contract.machine.hashes import hash_of_file

TABLE_PATH = Path(__file__).parent / "data" / "spellings.txt"
# Units are keyed by the hash of the code, which through this constant covers the table.
TABLE_SHA256 = "eb3d07af51cb3084c612454c732d39489e431b2c9d3099647f34533afbab8c4d"
_COMPOUND = re.compile(r"([A-Za-z][a-z]{2,})-([a-z]{3,})")
# A compound with one of these needs its hyphen, is a number, or is written together.
_KEEP_HYPHEN = words_in(
    """
    all and anti bye counter cross double down eight ex five four half hip hop inter its micro mid multi nine
    non off one out over per post pre pro quasi semi seven six sub super ten the three trans two ultra under
    vice
    """
)
_ODD = frozenset(
    ["in-law", "year-old", "ping-pong", "tick-tock", "zig-zag", "mish-mash", "wee-wee", "wish-washy"]
)
_ABBREVIATED = re.compile(r"[A-Z][a-z]{0,4}\.")
_LISTED_TAGS = frozenset(["NN", "NNS", "JJ"])


@lru_cache(maxsize=1)
def load_spellings() -> Mapping[tuple[str, ...], tuple[str, ...]]:
    """Return what else each word, or two words, are written as; read once for each process."""
    if hash_of_file(TABLE_PATH) != TABLE_SHA256:
        raise ValueError(f"{TABLE_PATH} is not the file this code was made for; install the package again")
    table = {}
    for line in TABLE_PATH.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            forms = [form.strip() for form in line.split("=")]
            written = [form for form in forms if not form.startswith(">")]
            for form in forms:
                words = form.removeprefix(">")
                table[tuple(words.split())] = tuple(other for other in written if other != words)
    return table


def spellings_in(places: Places) -> Iterator[Variant]:
    """Yield the words of a text in their other spellings."""
    for number in range(places.n_words):
        raw, small = places.raw(number), places.small(number)
        if raw[1:] != small[1:] or (raw != small and not _begins_sentence(places, number)):
            # A name keeps its spelling.
            continue
        yield from _listed(places, number, number, (small.removesuffix("."),))
        if places.is_joined(number) and places.raw(number + 1).islower():
            yield from _listed(
                places, number, number + 1, (small, places.small(number + 1).removesuffix("."))
            )
        yield from _without_hyphen(places, number)
        yield from _with_sign(places, number, small)


def _begins_sentence(places: Places, number: int) -> bool:
    """Whether a word begins a sentence, and does not follow a title or an initial: Mr. Grey."""
    return places.begins(number) and not _ABBREVIATED.fullmatch(places.raw(number - 1))


def _listed(places: Places, first: int, last: int, words: tuple[str, ...]) -> Iterator[Variant]:
    for form in load_spellings().get(words, ()):
        variant = places.variant(first, last, as_cased(places.raw(first), form))
        yield variant._replace(stop=places.bare[last].undotted.end)


def _without_hyphen(places: Places, number: int) -> Iterator[Variant]:
    """Yield a compound of two words that are known, with a space between them."""
    bare = places.bare[number].undotted
    match = _COMPOUND.fullmatch(bare.text)
    if match is None or (bare.text.lower(),) in load_spellings() or bare.text.lower() in _ODD:
        return
    parts = [part.lower() for part in match.groups()]
    if not _KEEP_HYPHEN.isdisjoint(parts) or parts[0] == parts[1] or not all(map(_is_word, parts)):
        return
    # A second compound or adjective after it would leave open which words belong together.
    if places.tag_after(number) in _LISTED_TAGS and "-" not in places.after(number):
        yield Variant(number, number + 1, bare.start, bare.end, " ".join(match.groups()), 0.8)


@lru_cache(maxsize=4096)
def _is_word(part: str) -> bool:
    senses = load_tables().senses
    return any((lemma, kind) in senses for lemma in lemmas_or_itself(part) for kind in PARTS_OF_SPEECH)


def _with_sign(places: Places, number: int, small: str) -> Iterator[Variant]:
    """Yield the sign for "and" between two words of one kind that are no names."""
    before, after = places.tag_before(number)[:2], places.tag_after(number)[:2]
    is_of_small_words = places.raw(number - 1).islower() and places.raw(number + 1).islower()
    if small == "and" and before == after and before in _LISTED_TAGS and is_of_small_words:
        yield places.variant(number, number, "&", 0.8)
