"""Attacks words that coins choose: Zéroe's protocol, for degrees that are probabilities."""

from collections.abc import Container
from dataclasses import dataclass
from functools import lru_cache

from builder.language.words.negations import is_negation
from builder.measures.measure import Change
from builder.measures.words import WORDS
from builder.operations.dimension import Attacked, ProbabilityDimension, Turn
from builder.searches.machinery.records import record_of
from builder.searches.search import DegreeCounts, SearchRequest, SearchResult
from builder.values.distinct import Distinct
from builder.values.randomness import Draw
from builder.values.samples import Sample
from contract.machine.errors import bad_input
from contract.schema.drop_reasons import DUPLICATE, UNCHANGED, Reason
from contract.schema.edits import Edit, apply_edits, words_of
from contract.schema.records import Record

# Coins are tossed anew this often where none fell on a word that can be changed, or the text is not new.
MOST_TRIES = 10
NOT_RESTORABLE = "not-restorable"

_negates = lru_cache(maxsize=65_536)(is_negation)


def refuse_probabilities(dimension: ProbabilityDimension, setting: str) -> SearchResult:
    """Raise an error that says why a setting that attacks a source cannot make such cases."""
    raise bad_input(
        f"{dimension.name}: its degrees are probabilities with which coins choose words, so the setting"
        f" {setting} has nothing to search; use the setting rule"
    )


def search_words(request: SearchRequest, dimension: ProbabilityDimension, setting: str) -> SearchResult:
    """Return up to `n_cases` different cases for each sample and degree at which a word may be attacked."""
    counts = {degree: DegreeCounts(n_samples=len(request.samples)) for degree in request.degrees}
    records: list[Record] = []
    for sample in request.samples:
        text = _AttackedText(request, dimension, setting, sample)
        for degree in request.degrees:
            records += text.cases(degree, counts[degree])
    return SearchResult(records=records, counts=counts)


@dataclass(frozen=True, slots=True)
class _Case:
    """A changed text and how it was made."""

    change: Change
    method: str


class _AttackedText:
    """The text of a sample, whose words are attacked."""

    def __init__(
        self, request: SearchRequest, dimension: ProbabilityDimension, setting: str, sample: Sample
    ) -> None:
        self._request = request
        self._dimension = dimension
        self._setting = setting
        self._sample = sample
        self._original = sample.field(request.perturbed)
        self._words = words_of(self._original)

    def cases(self, degree: float, counts: DegreeCounts) -> list[Record]:
        """Return different cases at one degree, and count what is refused."""
        request, sample = self._request, self._sample
        records: list[Record] = []
        if not WORDS.most(degree, len(self._words)):
            # One attacked word would be too many: the text does not carry the degree.
            return []
        distinct = Distinct([self._original])
        for case in range(request.n_cases):
            names = (request.seed, request.task, sample.id, self._dimension.name, self._setting, case, degree)
            drawn = self._draw_case(degree, Draw(*names), distinct)
            if case == 0 and drawn == UNCHANGED:
                # There is hardly a word that can be changed: the text does not carry the degree.
                return []
            counts.n_candidates += 1
            if isinstance(drawn, Reason):
                counts.drop(drawn, sample.id)
                continue
            record = record_of(
                request,
                sample,
                drawn.change,
                setting=self._setting,
                degree=degree,
                case=case,
                method=drawn.method,
                realised_degree=WORDS.realised(drawn.change),
            )
            records.append(record)
        counts.n_carrying += 1
        return records

    def _draw_case(self, degree: float, draw: Draw, distinct: Distinct) -> _Case | Reason:
        """Return a case that is new, or the reason why there is none."""
        dimension, original = self._dimension, self._original
        reason = UNCHANGED
        unrestorable: _Case | None = None
        for _ in range(MOST_TRIES):
            method = draw.choice(dimension.methods) if dimension.methods else dimension.name
            edits = self._attack(degree, draw, method)
            if not edits:
                continue
            changed = apply_edits(original, edits)
            change = Change(original=original, words=self._words, text=changed, edits=edits)
            if dimension.is_restorable is not None and not dimension.is_restorable(original, changed):
                # Kept for the end: another draw may be restored.
                unrestorable = _Case(change, f"{method}+{NOT_RESTORABLE}")
            elif distinct.is_new(changed):
                return _Case(change, method)
            else:
                reason = DUPLICATE
        if unrestorable is not None and distinct.is_new(unrestorable.change.text):
            return unrestorable
        return reason

    def _attack(self, probability: float, draw: Draw, method: str) -> list[Edit]:
        """Return the edits of one round of coins: words in random order, until enough are attacked."""
        words, dimension = self._words, self._dimension
        most = WORDS.most(probability, len(words))
        attacked: set[int] = set()
        edits: list[Edit] = []
        for index in draw.sample(range(len(words)), len(words)):
            if len(attacked) == most:
                break
            # A joined word is attacked already. The paper changes negations, too; without its "not", a text
            # may have another label.
            if index in attacked or draw.fraction() >= probability or _negates(words[index].text):
                continue
            room = 0 if dimension.keeps_words else most - len(attacked) - 1
            turn = Turn(
                word=words[index].text,
                following=self._joinable(index, attacked, room),
                probability=probability,
                method=method,
                draw=draw,
                resources=self._request.resources,
                stays_one_token=self._request.keeps_tokens,
            )
            result = dimension.attack(turn)
            if result is None or is_negation(result.text):
                # A shuffled "on" may read as "no".
                continue
            edit = self._edit(index, result)
            if edit is not None:
                edits.append(edit)
                attacked.update(range(index, index + result.n_words))
        return sorted(edits)

    def _joinable(self, index: int, attacked: Container[int], most: int) -> list[str]:
        """Return the words after a word that may be joined to it."""
        found: list[str] = []
        for before in range(index, min(index + most, len(self._words) - 1)):
            word, following = self._words[before], self._words[before + 1]
            between = self._original[word.end : following.start]
            if before + 1 in attacked or not between.isspace() or _negates(following.text):
                break
            found.append(following.text)
        return found

    def _edit(self, index: int, result: Attacked) -> Edit | None:
        """Return the edit that leaves out what stays at both ends; None where everything stays.

        Where words are joined it reaches into the first and the last one, so that they count as changed.
        """
        first, last = self._words[index], self._words[index + result.n_words - 1]
        before, after = self._original[first.start : last.end], result.text
        if before == after:
            return None
        shorter = min(len(before), len(after))
        most_start = shorter if result.n_words == 1 else len(first.text) - 1
        start = 0
        while start < most_start and before[start] == after[start]:
            start += 1
        most_end = shorter - start if result.n_words == 1 else len(last.text) - 1
        end = 0
        while end < most_end and before[-1 - end] == after[-1 - end]:
            end += 1
        return Edit(
            first.start + start,
            last.end - end,
            before[start : len(before) - end],
            after[start : len(after) - end],
        )
