"""Measures the reader on words it has not seen: `python -m builder.making.pronunciation.accuracy`."""

import hashlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from builder.language.pronunciation.graphemes import Unit, load_graphemes, phonemes_of
from builder.language.pronunciation.phonemes import sounds_like
from builder.making.pronunciation.alignment import align_words
from builder.making.pronunciation.lexicon import load_lexicon
from builder.making.pronunciation.training import train_reader

# One word in so many is held out, and so many of those are read.
HELD_OUT = 20
MOST_READ = 3_000


@dataclass(frozen=True, kw_only=True)
class Accuracy:
    """Shares of held-out words read exactly, or so that they sound alike; wrong phonemes ÷ phonemes."""

    n_words: int
    exact: float
    alike: float
    phoneme_error_rate: float


def measure(aligned: Mapping[str, tuple[Unit, ...]]) -> Accuracy:
    """Train on most of the words and read some of the others."""
    held_out = sorted(filter(_is_held_out, aligned))[:: max(1, len(aligned) // HELD_OUT // MOST_READ)]
    reader = train_reader([units for word, units in aligned.items() if not _is_held_out(word)])
    pairs = [(phonemes_of(aligned[word]), phonemes_of(reader.read(word) or ())) for word in held_out]
    return Accuracy(
        n_words=len(pairs),
        exact=sum(right == read for right, read in pairs) / len(pairs),
        alike=sum(sounds_like(right, read) for right, read in pairs) / len(pairs),
        phoneme_error_rate=sum(Levenshtein.distance(right, read) for right, read in pairs)
        / sum(len(right) for right, _ in pairs),
    )


def _is_held_out(word: str) -> bool:
    return int(hashlib.sha256(word.encode()).hexdigest(), 16) % HELD_OUT == 0


def main() -> None:
    """Print how well unseen words of misaki's dictionary are read."""
    lexicon = load_lexicon()
    words = {word: lexicon.phonemes[word] for word in lexicon.curated}
    sys.stdout.write(f"{measure(align_words(words, load_graphemes()))}\n")


if __name__ == "__main__":
    main()
