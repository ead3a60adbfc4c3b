"""Possession with an ending and with "of": France's president and the president of France."""

from collections.abc import Iterator

from builder.word_swaps.variants.places import Places, Variant, as_cased
from builder.word_swaps.word_uses import words_in

# What a place, an organisation or a work has in both ways of writing; "the car of John" reads badly.
_POSSESSED = words_in(
    """
    ambassador army author beginning boundaries border borders capital captain cast cause causes center
    centre chairman chief citizens climate coach coast collapse commander constitution consequences cost
    creation creator creators culture currency death defeat development director directors economy effect
    effects embassy emperor end establishment existence expansion failure father finance flag formation
    foundation founder founders founding future goal goals governor government headquarters history idea
    importance independence inhabitants introduction king kings landscape language launch leader leaders
    leadership legacy limits location main manager mayor meaning members membership message military
    minister mission monarch mother name nature origin origins outcome owner owners parliament people
    performance plot policies policy popularity population premier presidency president prince princess
    principal problem problems production prosperity purpose quality queen rector reign rejection release
    reputation residents resolution result results role roof ruler rulers rules safety secretary security
    shape shores size start status story streets strength structure success summit supporters surface
    survival territory theme title top tradition traditions users value victims victory walls weight
    writer writers
    """
)
# Times do not possess; these words are no possessors of a kind that stands after "of".
_NO_POSSESSORS = words_in(
    """
    century day days decade everyone god hour it let life man men month months morning night nobody one
    ones other others people someone that there today tomorrow tonight week weeks what who woman women
    world year years yesterday
    """
)
_AFTER = frozenset(["", "IN", "VBZ", "VBD", "VBP", "MD", "TO", "WDT", "RB"])
# So many names in a row are one.
MOST_NAMES = 3


def possessives_in(places: Places) -> Iterator[Variant]:
    """Yield what is possessed, with "of" for an ending and an ending for "of"."""
    for number in range(places.n_words):
        small = places.small(number)
        if small.endswith("'s") and not small.startswith("'"):
            yield from _with_of(places, number)
        elif small == "the":
            yield from _with_ending(places, number)


def _is_name(places: Places, number: int) -> bool:
    return places.is_name_at(number) and places.tag(number).startswith("NNP") and places.raw(number).isalpha()


def _ends_here(places: Places, number: int) -> bool:
    """Whether no further noun belongs to the one with this number."""
    return places.tag_after(number) in _AFTER and places.after(number) not in {"of", "'s"}


def _with_of(places: Places, number: int) -> Iterator[Variant]:
    """Yield "the president of France" for "France's president"."""
    owner, last = places.raw(number)[:-2], number + 1
    if not places.is_joined(number) or places.raw(last) not in _POSSESSED or not _ends_here(places, last):
        return
    if owner.lower() in _NO_POSSESSORS or not owner.isalpha():
        return
    first = number
    if owner[0].isupper() and not places.begins(number):
        while number - first < MOST_NAMES - 1 and places.is_joined(first - 1) and _is_name(places, first - 1):
            first -= 1
        if places.tag_before(first) in {"NN", "NNS", "JJ", "CD", "CC"}:
            return
    if places.before(first) in {"the", "this", "that", "his", "her", "its", "their", "our"}:
        first -= 1
    elif not owner[0].isupper() or places.begins(number):
        return
    words = [places.raw(each) for each in range(first, number)]
    begins = places.begins(first)
    if begins and words:
        words[0] = words[0].lower() if places.tag(first) in {"DT", "PRP$"} else words[0]
    whole = " ".join(["of", *words, owner])
    yield places.variant(first, last, f"{as_cased('T' if begins else 't', 'the')} {places.raw(last)} {whole}")


def _with_ending(places: Places, number: int) -> Iterator[Variant]:
    """Yield "France's president" for "the president of France"."""
    possessed = number + 1
    if not (
        places.is_joined(number) and places.raw(possessed) in _POSSESSED and places.after(possessed) == "of"
    ):
        return
    first = last = number + 3
    if not places.is_joined(number + 2):
        return
    if places.small(first) in {"the", "this", "that", "his", "her", "its", "their", "our"}:
        last += 1
        is_noun = places.tag(last) == "NN" and places.raw(last).islower()
        if not places.is_joined(first) or not (is_noun or _is_name(places, last)):
            return
    elif not _is_name(places, last):
        return
    while (
        last - first < MOST_NAMES
        and places.is_joined(last)
        and _is_name(places, last)
        and _is_name(places, last + 1)
    ):
        last += 1
    owner = places.raw(last)
    if (
        owner.lower() in _NO_POSSESSORS
        or not owner.isalpha()
        or owner.endswith("s")
        or not _ends_here(places, last)
    ):
        return
    words = [places.raw(each) for each in range(first, last + 1)]
    words[0] = as_cased(places.raw(number), words[0])
    ending = " 's" if places.is_cut_apart else "'s"
    yield places.variant(number, last, f"{' '.join(words)}{ending} {places.raw(possessed)}")
