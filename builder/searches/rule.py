"""The setting `rule`: edits drawn at random until the measured amount equals the budget, or fills a bin.

Where degrees are probabilities, coins choose the words that are attacked.
"""

from collections import deque
from collections.abc import Sequence

from builder.operations.dimension import ProbabilityDimension, SentenceDimension, SingleWordDimension
from builder.searches.machinery.attacked_words import search_words
from builder.searches.machinery.editable_texts import (
    Budget,
    EditableText,
    PlacedOperation,
    count_proposals,
    editable_texts,
)
from builder.searches.machinery.garbage_collection import rare_collections
from builder.searches.machinery.listed_choices import Choices, listed_choices
from builder.searches.machinery.random_edits import draw_operations
from builder.searches.machinery.records import record_of
from builder.searches.machinery.rewrite_bins import search_rewrites
from builder.searches.search import DegreeCounts, Search, SearchRequest, SearchResult
from builder.values.distinct import Distinct
from builder.values.randomness import Draw
from contract.schema.drop_reasons import BUDGET_NOT_MET, DUPLICATE, NO_MORE_CASES, Reason
from contract.schema.records import Record

NAME = "rule"
# A duplicate, or edits that cancel, are drawn anew this often before the case is refused.
MOST_TRIES = 10
# So many cases are drawn each by itself. Where a sample gets more, and has few to choose among, the others
# are drawn without putting back; the first ones stay what they are where fewer are asked for.
FEW_CASES = 10
# After so many cases in a row of which every try was a duplicate, there are hardly any left to find.
MOST_IN_VAIN = 5


@rare_collections()
def search(request: SearchRequest) -> SearchResult:
    """Return up to `n_cases` different random cases for each sample and degree it carries."""
    dimension = request.dimension
    if isinstance(dimension, SentenceDimension):
        return search_rewrites(request, dimension, setting=NAME)
    if isinstance(dimension, ProbabilityDimension):
        return search_words(request, dimension, NAME)
    if isinstance(dimension, SingleWordDimension):
        raise TypeError(f"{dimension.name}: its words are those of a source; the setting rule has none")
    counts = {degree: DegreeCounts(n_samples=len(request.samples)) for degree in request.degrees}
    records: list[Record] = []
    texts = editable_texts(request, dimension)
    count_proposals(texts, counts.values())
    for text in texts:
        for budget in text.budgets:
            records += _draw_cases(request, text, budget, counts[budget.degree])
    return SearchResult(records=records, counts=counts)


def _draw_cases(
    request: SearchRequest, text: EditableText, budget: Budget, counts: DegreeCounts
) -> list[Record]:
    """Return different cases of a text at one degree, and count what is refused."""
    drawing = _Drawing(request, text, budget)
    choices = listed_choices(text, budget.amount) if request.n_cases > FEW_CASES else None
    refused: dict[int, Reason] = {}
    for case in range(request.n_cases if choices is None else FEW_CASES):
        reason = drawing.draw(case)
        if case == 0 and reason == BUDGET_NOT_MET:
            # Operations that exclude each other do not suffice together: the text does not carry the degree.
            return []
        if reason is not None:
            refused[case] = reason
            if case >= FEW_CASES and all(case - back in refused for back in range(MOST_IN_VAIN)):
                break
    if choices is not None:
        drawing.take_from(choices)
        refused = {}
    for case in drawing.missing:
        counts.drop(refused.get(case, NO_MORE_CASES), text.sample.id)
    counts.n_candidates += request.n_cases
    counts.n_carrying += 1
    return [record for _, record in sorted(drawing.records.items())]


class _Drawing:
    """The cases of a text at one degree, drawn one after the other."""

    def __init__(self, request: SearchRequest, text: EditableText, budget: Budget) -> None:
        self.records: dict[int, Record] = {}
        self._request = request
        self._text = text
        self._budget = budget
        self._distinct = Distinct([text.original])
        self._names = (request.seed, request.task, text.sample.id, text.dimension.name, NAME)

    @property
    def missing(self) -> list[int]:
        """The numbers of the cases that are not there."""
        return [case for case in range(self._request.n_cases) if case not in self.records]

    def draw(self, case: int) -> Reason | None:
        """Draw a case that is new, or return the reason why there is none."""
        draw = Draw(*self._names, case, self._budget.degree)
        reason = BUDGET_NOT_MET
        is_tight = False
        for _ in range(MOST_TRIES):
            placed = draw_operations(self._text, self._budget.amount, draw, is_tight=is_tight)
            if placed is None:
                # Random operations left no room: once more with those that go farthest, then enough.
                if is_tight:
                    break
                is_tight = True
                continue
            reason = DUPLICATE
            if self._is_kept(case, placed):
                return None
        return reason

    def take_from(self, choices: Choices) -> None:
        """Give every case that is missing a choice that no other has, as long as there are any."""
        missing = deque(self.missing)
        for placed in choices.in_random_order(Draw(*self._names, "listed", self._budget.degree)):
            if not missing:
                return
            if self._is_kept(missing[0], placed):
                missing.popleft()

    def _is_kept(self, case: int, placed: Sequence[PlacedOperation]) -> bool:
        """Keep a case whose text no other has, and tell whether it was."""
        text = self._text
        change = text.change(placed)
        if not self._distinct.is_new(change.text):
            return False
        self.records[case] = record_of(
            self._request,
            text.sample,
            change,
            setting=NAME,
            degree=self._budget.degree,
            case=case,
            method="+".join(sorted({item.operation.name for item in placed})),
            realised_degree=text.measure.realised(change),
        )
        return True


RULE = Search(
    name=NAME,
    summary="edits drawn at random; no model is asked",
    run=search,
    degree_kinds=("budget", "bin", "probability"),
)
