"""The setting `rule`: edits drawn at random until the measured amount equals the budget, or fills a bin.

Where degrees are probabilities, coins choose the words that are attacked.
"""

from builder.operations.dimension import ProbabilityDimension, SentenceDimension, SingleWordDimension
from builder.searches.machinery.attacked_words import search_words
from builder.searches.machinery.editable_texts import (
    Budget,
    EditableText,
    count_proposals,
    editable_texts,
)
from builder.searches.machinery.garbage_collection import rare_collections
from builder.searches.machinery.random_edits import draw_operations
from builder.searches.machinery.records import record_of
from builder.searches.machinery.rewrite_bins import search_rewrites
from builder.searches.search import DegreeCounts, Search, SearchRequest, SearchResult
from builder.values.distinct import Distinct
from builder.values.randomness import Draw
from contract.schema.drop_reasons import BUDGET_NOT_MET, DUPLICATE, Reason
from contract.schema.records import Record

NAME = "rule"
# A duplicate, or edits that cancel, are drawn anew this often before the case is refused.
MOST_TRIES = 10


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
    records: list[Record] = []
    distinct = Distinct([text.original])
    for case in range(request.n_cases):
        drawn = _draw_case(request, text, budget, case, distinct)
        if case == 0 and drawn == BUDGET_NOT_MET:
            # Operations that exclude each other do not suffice together: the text does not carry the degree.
            return []
        counts.n_candidates += 1
        if isinstance(drawn, Record):
            records.append(drawn)
        else:
            counts.drop(drawn, text.sample.id)
    counts.n_carrying += 1
    return records


def _draw_case(
    request: SearchRequest, text: EditableText, budget: Budget, case: int, distinct: Distinct
) -> Record | Reason:
    """Return a case that is new, or the reason why there is none."""
    draw = Draw(request.seed, request.task, text.sample.id, text.dimension.name, NAME, case, budget.degree)
    reason = BUDGET_NOT_MET
    is_tight = False
    for _ in range(MOST_TRIES):
        placed = draw_operations(text, budget.amount, draw, is_tight=is_tight)
        if placed is None:
            # Random operations left no room: once more with those that go farthest, then enough.
            if is_tight:
                break
            is_tight = True
            continue
        reason = DUPLICATE
        change = text.change(placed)
        if distinct.is_new(change.text):
            return record_of(
                request,
                text.sample,
                change,
                setting=NAME,
                degree=budget.degree,
                case=case,
                method="+".join(sorted({item.operation.name for item in placed})),
                realised_degree=text.measure.realised(change),
            )
    return reason


RULE = Search(
    name=NAME,
    summary="edits drawn at random; no model is asked",
    run=search,
    degree_kinds=("budget", "bin", "probability"),
)
