"""Derives the shipped data: `python -m builder.making.pronunciation.derive`.

Needs the packages misaki and pocketsphinx (pronunciations, frequencies) and vaderSentiment (words of
opinion); to be run after any change to the files written by hand, to the reader or to respelling.
"""

import sys
from collections.abc import Mapping
from functools import partial

from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from builder.language.pronunciation.graphemes import Unit, load_graphemes, rows_of
from builder.language.pronunciation.reader import MODEL_PATH, Reader, Span, load_reader, save_reader
from builder.language.pronunciation.respelling import respell
from builder.language.pronunciation.spellings import (
    TABLE_PATH,
    Kind,
    Spelling,
    hash_of_data,
    percent,
    save_spellings,
)
from builder.making.pronunciation.alignment import align_words
from builder.making.pronunciation.homophones import Vocabulary
from builder.making.pronunciation.lexicon import Lexicon, load_lexicon
from builder.making.pronunciation.training import train_reader

# How many of the most frequent words the table has.
N_WORDS = 60_000
# A homophone whose best pronunciation is this much likelier (a logarithm) than its listed one is an error.
HARDLY_PRONOUNCED = 8.0
# How often each kind is written; all respellings of sections together count 1.
WEIGHTS: Mapping[Kind, float] = {"listed": 1.0, "homophone": 0.3, "respell": 1.0}


def main() -> None:
    """Write the reader and the table of spellings."""
    lexicon = load_lexicon()
    aligned = align_words(lexicon.phonemes, load_graphemes())
    curated = [units for word, units in aligned.items() if word in lexicon.curated]
    MODEL_PATH.write_bytes(save_reader(train_reader(curated)))
    load_reader.cache_clear()
    table, names = make_table(lexicon, aligned, load_reader())
    TABLE_PATH.write_bytes(save_spellings(table, names))
    sys.stderr.write(
        f"{len(table)} words, {sum(map(bool, table.values()))} with other spellings; data {hash_of_data()}:"
        " that goes into builder/language/pronunciation/spellings.py\n"
    )


def make_table(
    lexicon: Lexicon, aligned: Mapping[str, tuple[Unit, ...]], reader: Reader
) -> tuple[dict[str, list[Spelling]], frozenset[str]]:
    """Return the spellings of the most frequent words and of the listed ones, and which are names."""
    listed = {word: respellings.split() for word, respellings in rows_of("listed.tsv")}
    vocabulary = Vocabulary(
        lexicon=lexicon,
        aligned=aligned,
        valence=SentimentIntensityAnalyzer().make_lex_dict(),
        listed={other: word for word, respellings in listed.items() for other in respellings},
    )
    # A possessive is its word and 's, wherever it is looked up.
    frequent = [word for word in lexicon.by_frequency[:N_WORDS] if not word.endswith("'s")]
    words = sorted({*frequent, *listed})
    table = {
        word: _without_repetition(
            word,
            [
                *_whole(word, "listed", listed.get(word, [])),
                *_whole(word, "homophone", _homophones(word, vocabulary, reader)),
                *_sections(word, vocabulary, reader),
            ],
        )
        for word in words
    }
    return table, frozenset(words) - vocabulary.words


def _homophones(word: str, vocabulary: Vocabulary, reader: Reader) -> list[str]:
    """Return a word's homophones without those that are unlikely to sound so: dictionaries have errors."""
    found = vocabulary.homophones(word)
    spans = [Span(0, len(word), other) for other in found]
    margins = reader.margins(word, vocabulary.sound(word), spans) if found else []
    return [other for other, margin in zip(found, margins, strict=True) if margin < HARDLY_PRONOUNCED]


def _whole(word: str, kind: Kind, others: list[str]) -> list[Spelling]:
    """Return spellings of a whole word, each with half the weight of the one before."""
    total = sum(0.5**rank for rank in range(len(others)))
    return [
        Spelling(kind, Span(0, len(word), other), percent(WEIGHTS[kind] * 0.5**rank / total))
        for rank, other in enumerate(others)
    ]


def _sections(word: str, vocabulary: Vocabulary, reader: Reader) -> list[Spelling]:
    """Return respellings of sections of a word."""
    # The letters around an apostrophe are few and all needed: only what is listed.
    if "'" in word:
        return []
    units = vocabulary.aligned.get(word) or reader.read(word)
    if units is None:
        return []
    found = respell(word, units, reader, partial(vocabulary.is_other_word, word))
    total = sum(item.weight for item in found)
    return [
        Spelling("respell", item.span, percent(WEIGHTS["respell"] * item.weight / total)) for item in found
    ]


def _without_repetition(word: str, spellings: list[Spelling]) -> list[Spelling]:
    """Return the spellings that differ from the word and from those before them."""
    seen = {word}
    kept = []
    for item in spellings:
        written = item.span.apply(word)
        if written not in seen:
            seen.add(written)
            kept.append(item)
    return kept


if __name__ == "__main__":
    main()
