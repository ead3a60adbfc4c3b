"""An attack on a source: which texts it changes, along which paths, and what comes of it.

`score` and `gradient` differ in how much each word matters and in how the next change is chosen. All else is
the same: they begin an attack, lay its paths, walk them, and take its result.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Protocol

from builder.operations.dimension import Dimension
from builder.searches.machinery.attempts import count_attempts, strongest_first
from builder.searches.machinery.edit_paths import Attempt, EditPath
from builder.searches.machinery.edit_states import EditState, narrow
from builder.searches.machinery.editable_texts import (
    Budget,
    EditableText,
    count_proposals,
    editable_texts,
)
from builder.searches.machinery.random_edits import draw_operations
from builder.searches.machinery.records import record_of
from builder.searches.search import DegreeCounts, SearchRequest, SearchResult
from builder.values.distinct import Distinct
from builder.values.randomness import Draw
from classifiers.machinery.classifier import Numbers, TextPair
from contract.schema.drop_reasons import BUDGET_NOT_MET, DUPLICATE, SOURCE_ALREADY_WRONG, WEAKER_THAN_OTHERS
from contract.schema.records import Record

# The first path goes by importance alone; others put off one of the first words, and this share of all.
SHARE_PUT_OFF = 0.3
# A source that is cheap to ask is attacked along at least so many paths.
FEWEST_PATHS = 2
# Where no path meets a budget, so many random cases are tried.
RANDOM_TRIES = 6


class Walked(Protocol):
    """A text, and what a search has found of it: a path that was walked, or any other search."""

    @property
    def text(self) -> EditableText:
        """The text."""

    @property
    def found(self) -> Mapping[float, Sequence[Attempt]]:
        """By degree the search's own attempt, then those that may take its place."""


class Attack:
    """An attack on the source of a request, in one setting."""

    def __init__(self, request: SearchRequest, dimension: Dimension, setting: str) -> None:
        self._request = request
        self._setting = setting
        self._source = request.attacked_source
        texts = editable_texts(request, dimension)
        self._counts = {degree: DegreeCounts(n_samples=len(texts)) for degree in request.degrees}
        count_proposals(texts, self._counts.values())
        for text in texts:
            for budget in text.budgets:
                self._counts[budget.degree].n_carrying += 1
        # The true label's probability of each attacked text, by sample.
        self._probabilities: dict[str, float] = {}
        # Those that carry a degree and that the source gets right.
        self.texts = self._attackable(texts)

    def lay_paths(self, importances: Sequence[Numbers], *, is_narrow: bool = False) -> list[EditPath]:
        """Return the paths of each text, given how much each of its words matters.

        Narrow paths keep to a few operations a word, so that all can be known before they are walked. An
        expensive source is attacked along no more paths than there are cases wanted of it.
        """
        request = self._request
        is_cheap = self._source.screener is None
        n_paths = max(FEWEST_PATHS, request.n_attempts) if is_cheap else request.n_cases
        paths = []
        for text, importance in zip(self.texts, importances, strict=True):
            # Rounded, and ties broken by place: the last bit of a gradient decides nothing.
            order = sorted(
                range(len(importance)), key=lambda index: (-round(float(importance[index]), 5), index)
            )
            for number in range(n_paths):
                draw = self._draw(text, number)
                path = EditPath(
                    text,
                    order=order if number == 0 else _shaken(order, draw),
                    # What one path changes last, so that paths differ from the first word on.
                    avoided=order[number - 1] if 0 < number < len(order) else None,
                    draw=draw,
                    probability=self._probabilities[text.sample.id],
                    max_queries=self._source.max_queries,
                    may_go_back=is_cheap,
                    narrowed=[narrow(of_word, draw) for of_word in text.operations] if is_narrow else None,
                )
                paths.append(path)
        return paths

    def result(self, paths: Sequence[Walked]) -> SearchResult:
        """Return the attempts on finished paths in the order of samples and degrees, strongest first."""
        by_text = [list(of_text) for _, of_text in groupby(paths, key=lambda path: path.text.sample.id)]
        missing = [
            (of_text[0].text, budget)
            for of_text in by_text
            for budget in of_text[0].text.budgets
            if not any(budget.degree in path.found for path in of_text)
        ]
        drawn = self._random_attempts(missing)
        records: list[Record] = []
        for of_text in by_text:
            text = of_text[0].text
            for budget in text.budgets:
                found = [list(path.found[budget.degree]) for path in of_text if budget.degree in path.found]
                n_missing = len(of_text) - len(found)
                self._counts[budget.degree].refuse(BUDGET_NOT_MET, text.sample.id, n_missing)
                found += drawn.get((text.sample.id, budget.degree), [])
                records += self._records(text, budget.degree, found)
        ranked = strongest_first(self._source, records)
        count_attempts(ranked, self._counts)
        return SearchResult(records=[attempt.record for attempt in ranked], counts=self._counts)

    def _attackable(self, texts: Sequence[EditableText]) -> list[EditableText]:
        """Return the texts that carry a degree and that the source gets right; count the others."""
        carrying = [text for text in texts if text.budgets]
        pairs = [pair_of(text) for text in carrying]
        rows: Iterable[Numbers] = self._source.inference.ask(pairs) if pairs else ()
        right = []
        for text, row in zip(carrying, rows, strict=True):
            is_right = self._request.attacks_all or int(row.argmax()) == text.sample.label
            for budget in text.budgets:
                counts = self._counts[budget.degree]
                if is_right:
                    counts.n_attackable += 1
                else:
                    counts.refuse(SOURCE_ALREADY_WRONG, text.sample.id, self._request.n_cases)
            if is_right:
                self._probabilities[text.sample.id] = float(row[text.sample.label])
                right.append(text)
        return right

    def _draw(self, text: EditableText, number: int | str) -> Draw:
        request = self._request
        names = (request.task, text.sample.id, text.dimension.name, self._setting, self._source.name)
        return Draw(request.seed, *names, number)

    def _random_attempts(
        self, missing: Sequence[tuple[EditableText, Budget]]
    ) -> dict[tuple[str, float], list[list[Attempt]]]:
        """Return random attempts by sample and degree, where no path meets a budget."""
        drawn: list[tuple[EditableText, Budget, EditState]] = []
        for text, budget in missing:
            draw = self._draw(text, "random")
            for number in range(RANDOM_TRIES):
                placed = draw_operations(text, budget.amount, draw, is_tight=number % 2 == 1)
                if placed is not None:
                    drawn.append((text, budget, EditState.of(text, placed)))
        pairs = [pair_with(self._request, text, state.whole_text()) for text, _, state in drawn]
        rows: Iterable[Numbers] = self._source.inference.ask(pairs) if pairs else ()
        attempts: dict[tuple[str, float], list[list[Attempt]]] = {}
        for (text, budget, state), row in zip(drawn, rows, strict=True):
            attempt = Attempt(float(row[text.sample.label]), state.whole_text(), budget.amount, state)
            attempts.setdefault((text.sample.id, budget.degree), []).append([attempt])
        return attempts

    def _records(
        self, text: EditableText, degree: float, found: Sequence[Sequence[Attempt]]
    ) -> Iterator[Record]:
        """Yield the attempts at a degree: those of the paths, then others in the place of duplicates."""
        counts, distinct = self._counts[degree], Distinct([text.original])
        n_kept = 0
        own = sorted((attempts[0] for attempts in found), key=_strength)
        others = sorted((attempt for attempts in found for attempt in attempts[1:]), key=_strength)
        for number, attempt in enumerate([*own, *others]):
            is_replacement = number >= len(own)
            is_new = distinct.is_new(attempt.text)
            if is_replacement and (not is_new or n_kept == self._request.n_attempts):
                continue
            if not is_new or n_kept == self._request.n_attempts:
                counts.refuse(WEAKER_THAN_OTHERS if is_new else DUPLICATE, text.sample.id)
                continue
            case = attempt.case()
            if case is None:
                continue
            n_kept += 1
            counts.n_candidates += 1
            yield record_of(
                self._request,
                text.sample,
                case.change,
                setting=self._setting,
                degree=degree,
                case=self._request.first_case,
                method=case.method,
                realised_degree=text.measure.realised(case.change),
                source=self._source,
            )


def pair_of(text: EditableText) -> TextPair:
    """Return the texts of a sample as a classifier takes them."""
    return text.sample.text, text.sample.text_pair


def pair_with(request: SearchRequest, text: EditableText, changed: str) -> TextPair:
    """Return the texts of a sample, with a changed one in the perturbed field."""
    first, second = pair_of(text)
    return (changed, second) if request.perturbed == "text" else (first, changed)


def _strength(attempt: Attempt) -> tuple[float, str]:
    return attempt.probability, attempt.text


def _shaken(order: Sequence[int], draw: Draw) -> list[int]:
    """Return the order with some of the words put off until the end."""
    put_off = {index for index in order if draw.fraction() < SHARE_PUT_OFF}
    return [index for index in order if index not in put_off] + [index for index in order if index in put_off]
