"""Pronounces spellings: a joint model of letters and sounds over units of English spelling.

An n-gram model of units (Bisani and Ney's joint sequences): one model aligns, pronounces and compares.
"""

import gzip
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from builder.language.pronunciation.graphemes import DATA_PATH, Unit
from builder.language.pronunciation.phonemes import SOUNDS_LIKE

ORDER = 4
BEAM = 6
MODEL_PATH = DATA_PATH / "reader.txt.gz"
START, END = "\x01", "\x02"
# Log probabilities (and back-offs, which may exceed 0) are kept in steps of an eighth, one character each.
_STEPS, _ZERO = 8, 0x50
_UNSEEN = -15.0
_MOST_REMEMBERED = 500_000

# For each history of units that leads to a position in the word: its score and all units so far.
_Column = dict[str, tuple[float, str]]


@dataclass(frozen=True, eq=False)
class Reader:
    """Log probabilities of unit n-grams, in which every unit is one character."""

    units: tuple[Unit, ...]
    scores: Mapping[str, float]
    backoffs: Mapping[str, float]

    @cached_property
    def codes(self) -> dict[Unit, str]:
        """The character of each unit."""
        return {unit: chr(0x100 + index) for index, unit in enumerate(self.units)}

    @cached_property
    def _by_letters(self) -> dict[str, tuple[tuple[str, str], ...]]:
        by_letters: dict[str, list[tuple[str, str]]] = {}
        for unit, code in self.codes.items():
            by_letters.setdefault(unit.letters, []).append((code, unit.phonemes))
        return {letters: tuple(options) for letters, options in by_letters.items()}

    @cached_property
    def _remembered(self) -> dict[str, float]:
        return {}

    @cached_property
    def _most_letters(self) -> int:
        return max(len(unit.letters) for unit in self.units)

    def read(self, word: str) -> tuple[Unit, ...] | None:
        """Return the likeliest units of a lower-case spelling; nothing where no unit has its letters."""
        _, path = self._finish(self._columns(word)[-1])
        return tuple(self.units[ord(code) - 0x100] for code in path) if path else None

    def margins(self, word: str, phonemes: str, respellings: Sequence["Span"]) -> list[float]:
        """Return for each respelling how much likelier its best pronunciation is than the phonemes."""
        if len(self._remembered) > _MOST_REMEMBERED:
            self._remembered.clear()
        columns = self._columns(word)
        margins = []
        for span in respellings:
            spelling = span.apply(word)
            wanted, path = self._finish(self._columns_sounding(spelling, phonemes))
            if not path:
                margins.append(float("inf"))
                continue
            best, _ = self._finish(self._columns(spelling, columns[: span.start + 1])[-1])
            margins.append(best - wanted)
        return margins

    def _columns(self, word: str, known: Sequence[_Column] = ()) -> list[_Column]:
        """Return a column of hypotheses for each position in a word; those of a common start may be given."""
        columns = [*known] if known else [{START: (0.0, "")}]
        n_known = len(columns)
        columns += [{} for _ in range(len(word) + 1 - n_known)]
        for start in range(max(0, n_known - self._most_letters), len(word)):
            hypotheses = _best(columns[start])
            for end in range(max(start + 1, n_known), min(len(word), start + self._most_letters) + 1):
                for code, _ in self._by_letters.get(word[start:end], ()):
                    self._extend(hypotheses, code, columns[end])
        return columns

    def _columns_sounding(self, word: str, phonemes: str) -> _Column:
        """Return the hypotheses at the word's end that sound like the phonemes."""
        columns: list[dict[int, _Column]] = [{} for _ in range(len(word) + 1)]
        columns[0][0] = {START: (0.0, "")}
        for start in range(len(word)):
            for spoken, column in columns[start].items():
                hypotheses = _best(column)
                for end in range(start + 1, min(len(word), start + self._most_letters) + 1):
                    for code, sound in self._by_letters.get(word[start:end], ()):
                        if _is_heard(sound, phonemes, spoken):
                            self._extend(hypotheses, code, columns[end].setdefault(spoken + len(sound), {}))
        return columns[-1].get(len(phonemes), {})

    def _extend(
        self, hypotheses: Sequence[tuple[str, tuple[float, str]]], code: str, column: _Column
    ) -> None:
        """Add one more unit to every hypothesis, keeping the best for each history."""
        remembered = self._remembered
        for history, (score, path) in hypotheses:
            gram = history + code
            step = remembered.get(gram)
            if step is None:
                step = remembered[gram] = self._score(history, code)
            reached = score + step
            longer = gram[1 - ORDER :]
            known = column.get(longer)
            if known is None or reached > known[0]:
                column[longer] = (reached, path + code)

    def _finish(self, column: _Column) -> tuple[float, str]:
        ended = ((score + self._score(history, END), path) for history, (score, path) in column.items())
        return max(ended, default=(_UNSEEN, ""))

    def _score(self, history: str, code: str) -> float:
        """Return the log probability of a unit after others, backing off to fewer of them."""
        penalty = 0.0
        while True:
            score = self.scores.get(history + code)
            if score is not None:
                return penalty + score
            if not history:
                return penalty + _UNSEEN
            penalty += self.backoffs.get(history, 0.0)
            history = history[1:]


@dataclass(frozen=True, slots=True)
class Span:
    """A span of a word and the letters written there instead."""

    start: int
    end: int
    written: str

    def apply(self, word: str) -> str:
        """Return the word as respelled."""
        return word[: self.start] + self.written + word[self.end :]


def _best(column: _Column) -> list[tuple[str, tuple[float, str]]]:
    """Return the best hypotheses of a column, ties in one order everywhere."""
    if len(column) <= BEAM:
        return list(column.items())
    return sorted(column.items(), key=lambda item: (-item[1][0], item[0]))[:BEAM]


def _is_heard(sound: str, phonemes: str, spoken: int) -> bool:
    """Whether a unit's sound is like the next phonemes."""
    if len(sound) > len(phonemes) - spoken:
        return False
    return all(
        heard in SOUNDS_LIKE.get(phonemes[position], phonemes[position])
        for position, heard in enumerate(sound, start=spoken)
    )


def save_reader(reader: Reader) -> bytes:
    """Return the reader as a file: a line of units, then one for each history with its successors."""
    lines = [" ".join(f"{unit.letters}={unit.phonemes}" for unit in reader.units)]
    successors: dict[str, list[str]] = {}
    for gram in sorted(reader.scores):
        successors.setdefault(gram[:-1], []).append(gram[-1])
    for history, codes in sorted(successors.items()):
        scores = "".join(_shorten(reader.scores[history + code]) for code in codes)
        lines.append(f"{history}\t{_shorten(reader.backoffs.get(history, 0.0))}\t{''.join(codes)}\t{scores}")
    return gzip.compress("\n".join(lines).encode(), mtime=0)


@lru_cache(maxsize=1)
def load_reader() -> Reader:
    """Return the shipped reader."""
    first, *lines = gzip.decompress(MODEL_PATH.read_bytes()).decode().split("\n")
    units = tuple(Unit(*pair.split("=")) for pair in first.split(" "))
    scores: dict[str, float] = {}
    backoffs: dict[str, float] = {}
    for line in lines:
        history, backoff, codes, values = line.split("\t")
        backoffs[history] = _lengthen(backoff)
        for code, value in zip(codes, values, strict=True):
            scores[history + code] = _lengthen(value)
    return Reader(units, scores, backoffs)


def _shorten(score: float) -> str:
    return chr(_ZERO + round(-max(score, _UNSEEN) * _STEPS))


def _lengthen(character: str) -> float:
    return (_ZERO - ord(character)) / _STEPS
