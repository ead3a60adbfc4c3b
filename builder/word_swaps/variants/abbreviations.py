"""Abbreviations and what they stand for, where it can be nothing else: Nov. 3, 5 km, the U.S. Senate."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from builder.word_swaps.variants.places import Places, Variant
from contract.machine.hashes import hash_of_file

TABLE_PATH = Path(__file__).parent / "data" / "abbreviations.txt"
# Units are keyed by the hash of the code, which through this constant covers the table.
TABLE_SHA256 = "c3e050d734e217f91c794a2c12b2565cdcedc44a68a309c0aedbf69d9f5f17bc"
_GIVEN_FIRST = frozenset(["month", "unit", "title", "company", "state", "hour"])
# After "U.S." a capital may begin a sentence, unless it is one of these.
_WITH_COUNTRY = frozenset(
    """
    Air Ambassador Army Attorney Census Central Coast Congress Congressman Constitution Consulate Court
    Customs Defense Department District Embassy Environmental Federal Food Forest General Geological
    Government House Justice Marine Marines Military National Navy Olympic Open Postal President
    Representative Secretary Securities Security Senate Senator State Supreme Treasury Vice
    """.split()  # noqa: SIM905
)
_NAMES_WITH_US = frozenset(
    ["Airways", "Bancorp", "Bank", "Cellular", "Foods", "Magazine", "Robotics", "Steel", "Weekly"]
)


class Form(NamedTuple):
    """One way of writing an entry of the table: the entry's kind, and all its forms."""

    kind: str
    forms: tuple[str, ...]


@lru_cache(maxsize=1)
def load_forms() -> Mapping[tuple[str, ...], Form]:
    """Return the shipped table by the words of each form, read once for each process."""
    if hash_of_file(TABLE_PATH) != TABLE_SHA256:
        raise ValueError(f"{TABLE_PATH} is not the file this code was made for; install the package again")
    table = {}
    for line in TABLE_PATH.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            kind, listed = line.split(" | ")
            forms = tuple(form.strip() for form in listed.split("="))
            for form in forms:
                table[tuple(form.removeprefix(">").split())] = Form(kind, forms)
    return table


def are_abbreviations(one: str, other: str) -> bool:
    """Whether two spans of text are forms of one entry."""
    forms = load_forms()
    entry = forms.get(tuple(one.split())) or forms.get(tuple(f"{one}.".split()))
    others = forms.get(tuple(other.split())) or forms.get(tuple(f"{other}.".split()))
    return entry is not None and entry == others


@lru_cache(maxsize=1)
def _longest() -> Mapping[str, int]:
    """Return for each first word the number of words of the longest form that begins with it."""
    longest: dict[str, int] = {}
    for words in load_forms():
        longest[words[0]] = max(longest.get(words[0], 0), len(words))
    return longest


def abbreviations_in(places: Places) -> Iterator[Variant]:
    """Yield the abbreviations of a text in full, and what can be abbreviated."""
    for number in range(places.n_words):
        raw = places.raw(number)
        for first in {raw, raw.removesuffix(".")}:
            for n_words in range(_longest().get(first, 0), 0, -1):
                last = number + n_words - 1
                if last < places.n_words and all(places.is_joined(each) for each in range(number, last)):
                    yield from _at(places, number, last)


def _at(places: Places, first: int, last: int) -> Iterator[Variant]:
    """Yield the other forms of the words from the first to the last, if these are a form."""
    words = tuple(places.raw(number) for number in range(first, last + 1))
    entry = load_forms().get(words)
    is_sentence_end = words[-1].endswith(".") and not places.is_joined(last) and not places.raw(last + 1)
    if entry is None and words[-1].endswith("."):
        entry = load_forms().get((*words[:-1], words[-1].removesuffix(".")))
        if entry is None:
            return
        words = (*words[:-1], words[-1].removesuffix("."))
        is_sentence_end = True
    if entry is None or not _holds(entry.kind, places, first, last):
        return
    for form in entry.forms:
        if form.startswith(">") or tuple(form.split()) == words:
            continue
        if is_sentence_end and form.endswith("."):
            continue
        variant = places.variant(first, last, form)
        if is_sentence_end:
            variant = variant._replace(stop=variant.stop - 1)
        yield variant


def _holds(kind: str, places: Places, first: int, last: int) -> bool:
    """Whether what stands beside a form is what its kind asks for."""
    before, after = places.raw(first - 1) if places.is_joined(first - 1) else "", places.raw(last + 1)
    is_capital_after = places.is_joined(last) and after[:1].isupper()
    match kind:
        case "unit":
            holds = before[:1].isdigit()
        case "hour":
            holds = before[-1:].isdigit() or places.tag_before(first) == "CD"
        case "month":
            holds = places.is_joined(last) and after[:1].isdigit()
        case "title":
            holds = is_capital_after and after not in {"I", "The"}
        case "company":
            holds = before[:1].isupper() and places.tag_before(first).startswith("NNP")
        case "state":
            holds = not before and places.raw(first - 1)[:1].isupper()
        case "country":
            is_known = not is_capital_after or after in _WITH_COUNTRY
            holds = is_known and after not in _NAMES_WITH_US
        case _:
            # Other abbreviations with a dot would lose the end of a sentence before a capital.
            holds = not (places.raw(last).endswith(".") and after[:1].isupper())
    return holds
