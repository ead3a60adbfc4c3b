"""Defences that participants may add to a model: text cleaned before it is read, and more training rows.

None of them knows the tables that the dimensions are made of, but for the rows that are added to training:
these are random cases of training rows, as anybody can make them with `hardfrost perturb`.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from builder.dimensions import DIMENSIONS
from builder.models.resources import Resources
from builder.operations.dimension import SentenceDimension, TextToRewrite
from builder.searches import SEARCHES
from builder.searches.search import SearchRequest
from builder.values.randomness import Draw
from builder.values.samples import Sample
from classifiers.machinery.classifier import Classifier, Probabilities, TextPair, cost_of
from contract.schema.edits import apply_edits

# Not the seed of any release.
SEED = 20_011
# Letters of other alphabets that are drawn like a Latin letter, each with that letter.
_LOOK_ALIKES = {
    pair[0]: pair[1]
    for pair in """
    аa АA вb ВB сc СC ԁd еe ЕE һh НH іi ІI јj ЈJ кk КK ӏl мm МM оo ОO рp РP ѕs ЅS тt ТT ѵv
    ԝw хx ХX уy УY зz пn гr ьb αa ΑA βb ΒB εe ΕE ηn ΗH ιi ΙI κk ΚK νv ΝN μu ΜM οo ΟO ρp ΡP τt ΤT υu ΥY
    χx ΧX γy ωw ıi
    """.split()  # noqa: SIM905
}
_SIGNS = dict(zip("013457@$!|€£", "oleastasiieL", strict=True))
_LATIN = re.compile(
    r"LATIN (?:SMALL |CAPITAL )?LETTER (?:SMALL CAPITAL )?"
    r"(?:SCRIPT |DOTLESS |OPEN |LONG |TURNED )?([A-Z])(?: WITH .*)?$"
)
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class Cleaning:
    """A classifier that reads a cleaned text."""

    inner: Classifier
    clean: Callable[[str], str]

    @property
    def cost(self) -> int:
        """As that of the classifier inside, which takes most of the time."""
        return cost_of(self.inner)

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return the answers to the cleaned texts."""
        return self.inner.probabilities([(self.clean(text), pair) for text, pair in texts])


def fold(text: str) -> str:
    """Return a text in plain Latin letters: without accents, look-alikes, and signs inside of words."""
    return " ".join(map(_folded_token, text.split(" ")))


@lru_cache(maxsize=200_000)
def _folded_token(token: str) -> str:
    letters = "".join(map(_folded_letter, unicodedata.normalize("NFKD", token)))
    if not any(letter.isalpha() for letter in letters):
        return letters
    start, end = _span_of_letters(letters)
    inside = "".join(_SIGNS.get(letter, letter) for letter in letters[start:end])
    return letters[:start] + inside + letters[end:]


def _folded_letter(letter: str) -> str:
    if letter.isascii():
        return letter
    if unicodedata.combining(letter):
        return ""
    if letter in _LOOK_ALIKES:
        return _LOOK_ALIKES[letter]
    found = _LATIN.match(unicodedata.name(letter, ""))
    if found is None:
        return letter
    return found[1] if letter.isupper() else found[1].lower()


def _span_of_letters(token: str) -> tuple[int, int]:
    """Return where the first letter stands and where the last one ends; a price or a year has none."""
    places = [place for place, letter in enumerate(token) if letter.isalpha()]
    return places[0], places[-1] + 1


class Speller:
    """Replaces words that training rows lack by the nearest ones that they have."""

    def __init__(self, texts: Iterable[str]) -> None:
        counts = Counter(word for text in texts for word in _WORD.findall(text.lower()))
        self._counts = {word: n for word, n in counts.items() if n > 1}
        self._by_part: dict[str, list[str]] = {}
        for word in self._counts:
            for part in _with_one_left_out(word):
                self._by_part.setdefault(part, []).append(word)
        self._known: dict[str, str] = {}

    def correct(self, text: str) -> str:
        """Return a text with each unknown word replaced by the nearest known one, if any is near."""
        return _WORD.sub(lambda match: self._nearest(match.group()), text)

    def _nearest(self, word: str) -> str:
        if word not in self._known:
            self._known[word] = self._looked_up(word)
        return self._known[word]

    def _looked_up(self, word: str) -> str:
        small = word.lower()
        if small in self._counts or len(small) < 3:
            return word
        # One character too many, too few or other, or two in the wrong order, share such a part.
        near = {known for part in _with_one_left_out(small) for known in self._by_part.get(part, ())}
        if not near:
            return word
        return max(near, key=lambda known: (known[0] == small[0], self._counts[known], known))


def _with_one_left_out(word: str) -> Iterator[str]:
    yield word
    for place in range(len(word)):
        yield word[:place] + word[place + 1 :]


def random_cases(rows: Sequence[Sample], dimension: str, degree: float) -> list[Sample]:
    """Return a random case of each training row that carries the degree; a rewrite without measuring it."""
    own = DIMENSIONS[dimension]
    if isinstance(own, SentenceDimension):
        return _rewritten(rows, own)
    request = SearchRequest(
        task="training",
        perturbed="text",
        samples=rows,
        dimension=own,
        degrees=(degree,),
        n_cases=1,
        seed=SEED,
    )
    records = SEARCHES["rule"].run(request).records
    return [
        Sample(id=record.sample_id, text=record.text, text_pair=None, label=record.label)
        for record in records
    ]


def _rewritten(rows: Sequence[Sample], dimension: SentenceDimension) -> list[Sample]:
    """Return a rewrite of each row, near or far."""
    draws = [Draw(SEED, row.id, dimension.name) for row in rows]
    texts = [
        TextToRewrite(text=row.text, draw=draw, avoid=frozenset(), label=row.label)
        for row, draw in zip(rows, draws, strict=True)
    ]
    cases = []
    for row, draw, rewrites in zip(rows, draws, dimension.write_series(texts, Resources()), strict=True):
        if rewrites:
            text = apply_edits(row.text, draw.choice(rewrites).edits)
            cases.append(Sample(id=row.id, text=text, text_pair=None, label=row.label))
    return cases


def without_words(rows: Sequence[Sample], share: float) -> list[Sample]:
    """Return the rows with a random share of their words left out."""
    cases = []
    for row in rows:
        draw = Draw(SEED, row.id, "without words")
        kept = [word for word in row.text.split() if draw.fraction() >= share]
        cases.append(Sample(id=row.id, text=" ".join(kept) or row.text, text_pair=None, label=row.label))
    return cases
