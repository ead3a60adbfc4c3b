"""An attack on a source: which texts it changes, along which paths, and what comes of it.

`score` and `gradient` differ in how much each word matters and in how the next change is chosen. All else is
the same: they begin an attack, lay its paths, walk them, and take its result.
"""

from collections.abc import Sequence
from itertools import groupby

from builder.operations.dimension import Dimension
from builder.searches.machinery.edit_paths import EditPath, narrow
from builder.searches.machinery.editable_texts import EditableText, editable_texts
from builder.searches.machinery.records import record_of
from builder.searches.search import DegreeCounts, SearchRequest, SearchResult, Source
from builder.values.distinct import Distinct
from builder.values.randomness import Draw
from classifiers.machinery.classifier import Numbers, TextPair
from contract.schema.drop_reasons import BUDGET_NOT_MET, DUPLICATE, SOURCE_ALREADY_WRONG
from contract.schema.records import Record

# The first case goes by importance alone; for others this share of the words is put off until the end.
SHARE_PUT_OFF = 0.3


class Attack:
    """An attack on the source of a request, in one setting."""

    def __init__(self, request: SearchRequest, dimension: Dimension, setting: str) -> None:
        self._request = request
        self._setting = setting
        self._source = request.attacked_source
        texts = editable_texts(request, dimension)
        self._counts = {degree: DegreeCounts(n_samples=len(texts)) for degree in request.degrees}
        for text in texts:
            for budget in text.budgets:
                self._counts[budget.degree].n_carrying += 1
                self._counts[budget.degree].n_candidates += request.n_cases
        # Those that carry a degree and that the source gets right.
        self.texts = self._attackable(texts)

    def lay_paths(self, importances: Sequence[Numbers], *, is_narrow: bool = False) -> list[EditPath]:
        """Return `n_cases` paths for each text, given how much each of its words matters.

        Narrow paths keep to a few operations a word, so that all can be known before they are walked.
        """
        paths = []
        for text, importance in zip(self.texts, importances, strict=True):
            # Rounded, and ties broken by place: the last bit of a gradient decides nothing.
            order = sorted(
                range(len(importance)), key=lambda index: (-round(float(importance[index]), 5), index)
            )
            for number in range(self._request.n_cases):
                draw = self._draw(text, number)
                path = EditPath(
                    text,
                    case=self._request.first_case + number,
                    order=order if number == 0 else _shaken(order, draw),
                    draw=draw,
                    narrowed=[narrow(of_word, draw) for of_word in text.operations] if is_narrow else None,
                )
                paths.append(path)
        return paths

    def result(self, paths: Sequence[EditPath]) -> SearchResult:
        """Return the cases on finished paths in the order of samples, degrees and cases."""
        records: list[Record] = []
        for _, of_text in groupby(paths, key=lambda path: path.text.sample.id):
            records += self._records(list(of_text))
        count_success(self._source, records, self._counts)
        return SearchResult(records=records, counts=self._counts)

    def _attackable(self, texts: Sequence[EditableText]) -> list[EditableText]:
        """Return the texts that carry a degree and that the source gets right; count the others."""
        carrying = [text for text in texts if text.budgets]
        votes = self._source.inference.votes([pair_of(text) for text in carrying])
        right = []
        for text, vote in zip(carrying, votes, strict=True):
            if vote == text.sample.label:
                right.append(text)
                continue
            for budget in text.budgets:
                counts = self._counts[budget.degree]
                counts.drop(SOURCE_ALREADY_WRONG, text.sample.id, self._request.n_cases)
        return right

    def _draw(self, text: EditableText, number: int) -> Draw:
        request = self._request
        names = (request.task, text.sample.id, text.dimension.name, self._setting, self._source.name)
        return Draw(request.seed, *names, number)

    def _records(self, paths: Sequence[EditPath]) -> list[Record]:
        """Return the cases of one text, without those that came out twice."""
        text = paths[0].text
        records = []
        for _, degree in text.budgets:
            counts, distinct = self._counts[degree], Distinct([text.original])
            for path in paths:
                if degree not in path.found:
                    counts.drop(BUDGET_NOT_MET, text.sample.id)
                    continue
                change, method = path.found[degree]
                if not distinct.is_new(change.text):
                    counts.drop(DUPLICATE, text.sample.id)
                    continue
                record = record_of(
                    self._request,
                    text.sample,
                    change,
                    setting=self._setting,
                    degree=degree,
                    case=path.case,
                    method=method,
                    realised_degree=text.measure.realised(change),
                    source=self._source,
                )
                records.append(record)
        return records


def pair_of(text: EditableText) -> TextPair:
    """Return the texts of a sample as a classifier takes them."""
    return text.sample.text, text.sample.text_pair


def pair_with(request: SearchRequest, text: EditableText, changed: str) -> TextPair:
    """Return the texts of a sample, with a changed one in the perturbed field."""
    first, second = pair_of(text)
    return (changed, second) if request.perturbed == "text" else (first, changed)


def count_success(source: Source, records: Sequence[Record], counts: dict[float, DegreeCounts]) -> None:
    """Count for each degree the samples that were attacked and those of which a case fools the source."""
    votes = source.inference.votes([(record.text, record.text_pair) for record in records])
    for degree, of_degree in counts.items():
        voted = [pair for pair in zip(records, votes, strict=True) if pair[0].degree == degree]
        of_degree.n_attacked = len({record.sample_id for record, _ in voted})
        of_degree.n_fooled = len({record.sample_id for record, vote in voted if vote != record.label})


def _shaken(order: Sequence[int], draw: Draw) -> list[int]:
    """Return the order with some of the words put off until the end."""
    put_off = {index for index in order if draw.fraction() < SHARE_PUT_OFF}
    return [index for index in order if index not in put_off] + [index for index in order if index in put_off]
