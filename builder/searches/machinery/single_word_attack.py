"""SP-Attack: one word gives way to a strong word, so that the source errs and the text still reads well.

Section 4 of the paper on single-word perturbations. The setting `score` draws exchanges at random until k
flip the answer; `gradient` asks about the k that look worst to first order (equation 5). Of those that flip,
the best by the joint criterion (equation 4) are kept; where too few do, those that hurt the source most.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from builder.measures.measure import Change
from builder.measures.words import WORDS
from builder.models.encoder import encode
from builder.operations.dimension import SingleWordDimension, WordsOfText
from builder.operations.operation import Operations
from builder.searches.machinery.attempts import count_attempts, strongest_first
from builder.searches.machinery.records import record_of
from builder.searches.search import NO_DEGREE, DegreeCounts, SearchRequest, SearchResult
from builder.singleword.sp_attack import SpAttackChoice, perplexity_ratios
from builder.values.randomness import Draw
from builder.values.samples import Sample
from classifiers.machinery.classifier import Numbers, TextPair
from classifiers.machinery.gradients import ByEmbeddings
from classifiers.machinery.single_words import WordScorer
from contract.machine.errors import UserError
from contract.schema.drop_reasons import SOURCE_ALREADY_WRONG
from contract.schema.edits import Edit, apply_edits, words_of
from contract.schema.records import Record

CHOICE = SpAttackChoice()
# Exchanges of a text that are asked about at a time.
CHUNK = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One word of a text for another: where, and the text that comes of it."""

    place: int
    edit: Edit
    text: str
    method: str


@dataclass(frozen=True, kw_only=True)
class ExchangeableText:
    """A sample with the exchanges that the dimension proposes."""

    sample: Sample
    text: WordsOfText
    exchanges: Sequence[Exchange]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """An exchange that the source was asked about."""

    exchange: Exchange
    probability: float
    is_flip: bool


def search_single_words(
    request: SearchRequest, dimension: SingleWordDimension, setting: str, *, by_gradients: bool
) -> SearchResult:
    """Return attempts for every sample that the source has right and in which a strong word can stand."""
    attack = _SingleWordAttack(request, dimension, setting)
    orders = attack.by_gradients() if by_gradients else attack.at_random()
    return attack.result(
        [attack.tried(text, order) for text, order in zip(attack.texts, orders, strict=True)]
    )


class _SingleWordAttack:
    """The attack on one source: which texts can be attacked, and what comes of it."""

    def __init__(self, request: SearchRequest, dimension: SingleWordDimension, setting: str) -> None:
        self._request, self._setting = request, setting
        self._source = request.attacked_source
        self._counts = DegreeCounts(n_samples=len(request.samples))
        originals = [sample.field(request.perturbed) for sample in request.samples]
        texts = [
            WordsOfText(original, words_of(original), sample.label)
            for original, sample in zip(originals, request.samples, strict=True)
        ]
        proposals = dimension.propose_words(texts, request.strong_words, request.resources)
        self.texts = self._attackable(
            [
                ExchangeableText(sample=sample, text=text, exchanges=tuple(_exchanges(text, operations)))
                for sample, text, operations in zip(request.samples, texts, proposals, strict=True)
            ]
        )
        for of_text in proposals:
            for operations in of_text:
                self._counts.n_proposed += len(operations) + sum(operations.refused.values())
                for name, n in operations.refused.items():
                    self._counts.n_refused[name] = self._counts.n_refused.get(name, 0) + n

    def at_random(self) -> list[list[Exchange]]:
        """Return the exchanges of each text in random order."""
        request = self._request
        return [
            Draw(
                request.seed,
                request.task,
                own.sample.id,
                request.dimension.name,
                self._setting,
                self._source.name,
            ).sample(own.exchanges, len(own.exchanges))
            for own in self.texts
        ]

    def by_gradients(self) -> list[list[Exchange]]:
        """Return the k exchanges of each text that lower the label's probability most, to first order."""
        classifier = self._source.inference.classifier
        if not isinstance(classifier, ByEmbeddings):
            raise UserError(
                f"source {self._source.name}: has no gradients; gradient attacks cnn, minilm and hf:"
            )
        words = sorted({each.edit.replacement.lower() for own in self.texts for each in own.exchanges})
        if not words:
            return [[] for _ in self.texts]
        scorer, numbers = WordScorer.of(classifier, words), {word: place for place, word in enumerate(words)}
        orders = []
        for own in self.texts:
            spans = [(word.start, word.end) for word in own.text.words]
            pair = (own.sample.text, own.sample.text_pair)
            # Rounded, so that the last bits of a machine decide nothing.
            scores = np.round(scorer.unmasked(pair, spans, own.sample.label, self._request.perturbed), 5)
            ranked = sorted(
                own.exchanges,
                key=lambda each: (scores[each.place, numbers[each.edit.replacement.lower()]], each.text),
            )
            orders.append(ranked[: CHOICE.n_flips])
        return orders

    def tried(self, own: ExchangeableText, order: Sequence[Exchange]) -> list[Tried]:
        """Ask the source about exchanges in this order until k of them flip its answer."""
        found: list[Tried] = []
        label = own.sample.label
        for start in range(0, len(order), CHUNK):
            chunk = order[start : start + CHUNK]
            rows = self._source.inference.ask([self._pair(own.sample, each.text) for each in chunk])
            found += [
                Tried(exchange=each, probability=float(row[label]), is_flip=int(row.argmax()) != label)
                for each, row in zip(chunk, rows, strict=True)
            ]
            if sum(each.is_flip for each in found) >= CHOICE.n_flips:
                break
        return found

    def result(self, tried: Sequence[Sequence[Tried]]) -> SearchResult:
        """Return the attempts, strongest first."""
        chosen = [self._chosen(own, of_text) for own, of_text in zip(self.texts, tried, strict=True)]
        records = [
            self._record(own, each)
            for own, of_text in zip(self.texts, chosen, strict=True)
            for each in of_text
        ]
        ranked = strongest_first(self._source, records)
        counts = {NO_DEGREE: self._counts}
        self._counts.n_candidates += len(records)
        count_attempts(ranked, counts)
        return SearchResult(records=[attempt.record for attempt in ranked], counts=counts)

    def _chosen(self, own: ExchangeableText, tried: Sequence[Tried]) -> list[Exchange]:
        """Return the best flips by the joint criterion, then what hurts the source most."""
        flips = [each for each in tried if each.is_flip][: CHOICE.n_flips]
        scores = self._joint(own, [each.exchange for each in flips])
        best = sorted(zip(scores, flips, strict=True), key=lambda pair: (-pair[0], pair[1].exchange.text))
        others = sorted(
            (each for each in tried if not each.is_flip),
            key=lambda each: (each.probability, each.exchange.text),
        )
        in_order = [each.exchange for _, each in best] + [each.exchange for each in others]
        return in_order[: self._request.n_attempts]

    def _joint(self, own: ExchangeableText, exchanges: Sequence[Exchange]) -> list[float]:
        """Return α · cosine less β · ratio of perplexities of each exchange (equation 4)."""
        if not exchanges:
            return []
        resources = self._request.resources
        original, *changed = encode([own.text.text, *(each.text for each in exchanges)], resources.encoder)
        ratios = perplexity_ratios(
            own.text.text,
            [each.text for each in exchanges],
            [each.place for each in exchanges],
            resources.masked_lm,
        )
        return [
            CHOICE.alpha * round(float(np.dot(original, vector)), 5) - CHOICE.beta * ratio
            for vector, ratio in zip(changed, ratios, strict=True)
        ]

    def _attackable(self, texts: Sequence[ExchangeableText]) -> list[ExchangeableText]:
        """Return the texts with an exchange that the source has right; count the others."""
        carrying = [own for own in texts if own.exchanges]
        self._counts.n_carrying = len(carrying)
        pairs = [(own.sample.text, own.sample.text_pair) for own in carrying]
        rows: Sequence[Numbers] = list(self._source.inference.ask(pairs)) if pairs else []
        right = []
        for own, row in zip(carrying, rows, strict=True):
            if self._request.attacks_all or int(row.argmax()) == own.sample.label:
                right.append(own)
            else:
                self._counts.refuse(SOURCE_ALREADY_WRONG, own.sample.id, self._request.n_cases)
        self._counts.n_attackable = len(right)
        return right

    def _record(self, own: ExchangeableText, exchange: Exchange) -> Record:
        change = Change(
            original=own.text.text, words=own.text.words, text=exchange.text, edits=[exchange.edit]
        )
        return record_of(
            self._request,
            own.sample,
            change,
            setting=self._setting,
            degree=None,
            case=self._request.first_case,
            method=exchange.method,
            realised_degree=WORDS.realised(change),
            source=self._source,
        )

    def _pair(self, sample: Sample, changed: str) -> TextPair:
        is_first = self._request.perturbed == "text"
        return (changed, sample.text_pair) if is_first else (sample.text, changed)


def _exchanges(text: WordsOfText, operations: Sequence[Operations]) -> Iterator[Exchange]:
    for place, (word, of_word) in enumerate(zip(text.words, operations, strict=True)):
        for item in of_word.items:
            (edit,) = (edit.shifted(word.start) for edit in item.edits)
            yield Exchange(place=place, edit=edit, text=apply_edits(text.text, [edit]), method=item.name)
