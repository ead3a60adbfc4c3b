"""The same word written in another way: contractions, numbers, abbreviations, spellings. One file a kind."""

from collections.abc import Callable, Iterator, Sequence

from builder.word_swaps.swaps import Swap
from builder.word_swaps.tagged_texts import TaggedText
from builder.word_swaps.variants.abbreviations import abbreviations_in, are_abbreviations
from builder.word_swaps.variants.amounts import amounts_in
from builder.word_swaps.variants.contractions import contractions_in
from builder.word_swaps.variants.days import days_in
from builder.word_swaps.variants.figures import are_same_number, figures_in
from builder.word_swaps.variants.places import Places, Variant
from builder.word_swaps.variants.possessives import possessives_in
from builder.word_swaps.variants.spellings import spellings_in

VARIANT = "variant"
VARIANTS: Sequence[Callable[[Places], Iterator[Variant]]] = (
    contractions_in,
    figures_in,
    amounts_in,
    days_in,
    abbreviations_in,
    spellings_in,
    possessives_in,
)


def variant_swaps(text: TaggedText) -> Iterator[Swap]:
    """Yield the swaps that write words of a text in another way, and change nothing else."""
    if text.source.text.isupper():
        return
    places = Places(text)
    for find in VARIANTS:
        for variant in find(places):
            if text.in_titles.isdisjoint(range(variant.first, variant.end)):
                yield places.swap(variant, VARIANT)


def are_same_entity(one: str, other: str) -> bool:
    """Whether two spans of text are the same number or the same name, written in two ways."""
    return are_same_number(one, other) or are_abbreviations(one, other)
