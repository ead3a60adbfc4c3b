"""Chooses, for an attack on a source, what is added to texts: pieces that hurt, until every bin has some.

First the source is asked about each piece alone. Then, round after round, the strongest rewrites of lower
bins get further pieces, those that hurt most, until a higher bin has a rewrite that hurts no less and every
bin has one that fools. Only the most harmful rewrites of a round are measured, since a sentence encoder costs
more than most sources. All samples go in step.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from builder.measures import BIN_MEASURES
from builder.measures.measure import Change, bin_of
from builder.operations.dimension import Rewrite, SentenceDimension, TextToRewrite
from builder.searches.machinery.growing_texts import GrowingText, MeasuredRewrite
from builder.searches.machinery.records import record_of
from builder.searches.search import SearchRequest
from builder.values.randomness import Draw
from classifiers.machinery.classifier import EXPENSIVE, Numbers, TextPair
from contract.schema.edits import apply_edits, words_of
from contract.schema.records import Record

# Of single pieces, so many of the most harmful are measured, and so many of the most harmful short ones: low
# bins have no room for others.
N_MEASURED = 8
N_SHORT_MEASURED = 6
# The share of pieces that count as short.
SHORT = 1 / 3
# The rounds in which pieces are added, and in each the bins that are worked on, the pieces that the source is
# asked about for each, and the rewrites that are measured.
ROUNDS = 5
BINS_A_ROUND = 2
PIECES_ASKED = 24
MEASURED_A_BIN = 2
MOST_PIECES_AT_ONCE = 24
# Beside as many pieces as should do, so many of them are tried.
SHORTER = 0.6
# How far a further piece moves a text, as a share of how far it moves the text alone.
FURTHER = 0.6
# Of the pieces that a screener picks, an expensive source is shown so many.
SHOWN_TO_THE_EXPENSIVE = 6


class _Asked(NamedTuple):
    """What a source says of a text."""

    probability: float
    is_fooled: bool


class _Question(NamedTuple):
    """A rewrite of a sample that is to be asked about or measured."""

    growing: GrowingText
    rewrite: Rewrite
    text: str


def choose_pieces(
    request: SearchRequest, dimension: SentenceDimension, known: Sequence[Record], setting: str
) -> list[Record]:
    """Return rewrites in the bins that samples carry, beyond the known ones, chosen by what hurts the source.

    `known` has the rewrites of all samples; a sample carries the degrees that it has a rewrite of.
    """
    chooser = _Chooser(request, dimension, known)
    chooser.begin()
    for _ in range(ROUNDS):
        if not chooser.go_on():
            break
    return list(chooser.records(setting))


class _Chooser:
    """The samples of a request, and the questions to its source."""

    def __init__(self, request: SearchRequest, dimension: SentenceDimension, known: Sequence[Record]) -> None:
        self._request = request
        self._known = {(record.sample_id, record.degree, record.perturbed_text) for record in known}
        self._measure = BIN_MEASURES[dimension.measure]
        self._middles = {degree: (low + degree) / 2 for low, degree in pairwise([0.0, *request.degrees])}
        avoid = frozenset(request.resources.associations)
        by_id: dict[str, list[Record]] = {}
        for record in known:
            by_id.setdefault(record.sample_id, []).append(record)
        samples = [sample for sample in request.samples if sample.id in by_id]
        texts = [
            TextToRewrite(
                text=sample.field(request.perturbed),
                draw=Draw(request.seed, request.task, sample.id, dimension.name, "pieces"),
                avoid=avoid,
                label=sample.label,
                is_of_pair=sample.text_pair is not None,
            )
            for sample in samples
        ]
        written = dimension.write_pieces(texts, request.resources) if dimension.write_pieces else ()
        self._growing = [
            GrowingText(
                sample=sample,
                text=text.text,
                pieces=pieces,
                degrees=sorted({record.degree or 0.0 for record in by_id[sample.id]}),
                states={degree: [] for degree in request.degrees},
            )
            for sample, text, pieces in zip(samples, texts, written, strict=True)
            if pieces.n
        ]
        self._note_known(by_id)

    def begin(self) -> None:
        """Ask about each piece alone, and measure the most harmful."""
        most = self._request.attacked_source.max_queries
        questions = [
            [self._question(growing, None, [number]) for number in range(min(most, growing.pieces.n))]
            for growing in self._growing
        ]
        to_measure = []
        for growing, of_text, answers in zip(
            self._growing, questions, self._ask_each(questions), strict=True
        ):
            order = sorted(range(len(of_text)), key=lambda number: (answers[number], number))
            growing.order = order
            by_length = sorted(order, key=lambda number: len(of_text[number].text))
            short = set(by_length[: max(1, round(SHORT * len(order)))])
            chosen = [
                *order[:N_MEASURED],
                *[number for number in order if number in short][:N_SHORT_MEASURED],
            ]
            to_measure += [of_text[number] for number in dict.fromkeys(chosen)]
        realised = self._put(to_measure)
        for growing in self._growing:
            alone = [
                far for question, far in zip(to_measure, realised, strict=True) if question.growing is growing
            ]
            growing.stride = max(0.005, float(np.median(alone)))

    def go_on(self) -> bool:
        """Add pieces to the strongest rewrites; whether anything was left to do."""
        parents: list[tuple[GrowingText, float, MeasuredRewrite]] = []
        for growing in self._growing:
            if growing.n_queries >= self._request.attacked_source.max_queries:
                continue
            chosen = 0
            for degree in growing.open_degrees():
                parent = growing.parent_for(degree)
                if parent is not None and chosen < BINS_A_ROUND:
                    growing.tried.add((degree, parent.text))
                    parents.append((growing, degree, parent))
                    chosen += 1
        questions = [
            [self._question(growing, parent.rewrite, [number]) for number in growing.order[:PIECES_ASKED]]
            for growing, _, parent in parents
        ]
        to_measure: list[_Question] = []
        for (growing, degree, parent), of_parent, answers in zip(
            parents, questions, self._ask_each(questions), strict=True
        ):
            order = sorted(range(len(of_parent)), key=lambda place: (answers[place], place))
            missing = self._middles[degree] - parent.realised
            n = max(1, min(MOST_PIECES_AT_ONCE, round(missing / (FURTHER * growing.stride))))
            if n == 1:
                to_measure += [of_parent[place] for place in order[:MEASURED_A_BIN]]
                continue
            numbers = [growing.order[place] for place in order]
            for many in sorted({max(1, round(SHORTER * n)), n}):
                to_measure.append(self._question(growing, parent.rewrite, numbers[:many]))
        self._put(to_measure)
        return bool(parents)

    def records(self, setting: str) -> Iterator[Record]:
        """Yield the new rewrites of bins that their samples carry."""
        for growing in self._growing:
            for degree in growing.degrees:
                texts = dict.fromkeys(state.text for state in growing.states[degree])
                by_text = {state.text: state for state in growing.states[degree]}
                for text in texts:
                    if (growing.sample.id, degree, text) not in self._known:
                        yield self._record(growing, by_text[text], degree, setting)

    def _note_known(self, by_id: dict[str, list[Record]]) -> None:
        """Start from the rewrites that are known."""
        pairs = [(growing, record) for growing in self._growing for record in by_id[growing.sample.id]]
        questions = [
            _Question(
                growing,
                Rewrite(tuple(edit for _, edit in record.edits), record.method or ""),
                record.perturbed_text,
            )
            for growing, record in pairs
        ]
        asked = self._asked(questions)
        for question, (growing, record), answer in zip(questions, pairs, asked, strict=True):
            growing.states[record.degree or 0.0].append(
                MeasuredRewrite(
                    answer.probability,
                    question.text,
                    question.rewrite,
                    record.realised_degree or 0.0,
                    answer.is_fooled,
                )
            )

    def _question(self, growing: GrowingText, before: Rewrite | None, numbers: Sequence[int]) -> _Question:
        rewrite = growing.pieces.extend(before, numbers)
        return _Question(growing, rewrite, apply_edits(growing.text, rewrite.edits))

    def _ask_each(self, questions: Sequence[Sequence[_Question]]) -> list[Numbers]:
        """Return the true label's probabilities for each list of questions; infinite where not asked."""
        source = self._request.attacked_source
        shown = [list(range(len(few))) for few in questions]
        if source.screener is not None and source.inference.cost >= EXPENSIVE:
            flat = [question for few in questions for question in few]
            rows = source.screener.ask([self._pair(question) for question in flat])
            start = 0
            for place, few in enumerate(questions):
                if few:
                    scores = rows[start : start + len(few), few[0].growing.sample.label]
                    shown[place] = [
                        int(each) for each in np.argsort(scores, kind="stable")[:SHOWN_TO_THE_EXPENSIVE]
                    ]
                start += len(few)
        asked = iter(
            self._asked(
                [few[each] for few, numbers in zip(questions, shown, strict=True) for each in numbers]
            )
        )
        answers = []
        for few, numbers in zip(questions, shown, strict=True):
            answer = np.full(len(few), np.inf)
            for each in numbers:
                answer[each] = next(asked).probability
            answers.append(answer)
        return answers

    def _asked(self, questions: Sequence[_Question]) -> list[_Asked]:
        if not questions:
            return []
        rows = self._request.attacked_source.inference.ask([self._pair(question) for question in questions])
        answers = []
        for question, row in zip(questions, rows, strict=True):
            label = question.growing.sample.label
            question.growing.n_queries += 1
            answers.append(_Asked(float(row[label]), int(row.argmax()) != label))
        return answers

    def _put(self, questions: Sequence[_Question]) -> list[float]:
        """Measure rewrites and sort them into their bins; return their degrees."""
        pairs = [(question.growing.text, question.text) for question in questions]
        realised = self._measure.realised(pairs, self._request.resources.encoder) if pairs else []
        for question, far, answer in zip(questions, realised, self._asked(questions), strict=True):
            degree = bin_of(far, self._request.degrees)
            if degree is not None:
                state = MeasuredRewrite(
                    answer.probability, question.text, question.rewrite, far, answer.is_fooled
                )
                question.growing.states[degree].append(state)
        return list(realised)

    def _pair(self, question: _Question) -> TextPair:
        sample = question.growing.sample
        if self._request.perturbed == "text":
            return question.text, sample.text_pair
        return sample.text, question.text

    def _record(self, growing: GrowingText, state: MeasuredRewrite, degree: float, setting: str) -> Record:
        change = Change(
            original=growing.text, words=words_of(growing.text), text=state.text, edits=state.rewrite.edits
        )
        return record_of(
            self._request,
            growing.sample,
            change,
            setting=setting,
            degree=degree,
            case=0,
            method=state.rewrite.method,
            realised_degree=state.realised,
        )
