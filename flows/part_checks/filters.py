"""The promises of every filter."""

from builder.dimensions import DIMENSIONS
from builder.filters.filter import Filter, FilterContext
from builder.models.resources import Resources
from builder.searches.rule import search
from builder.searches.search import SearchRequest
from contract.schema.records import Record
from flows.part_checks.check import Check, demand
from flows.part_checks.texts import REVIEWS, samples_of

# A dimension of each level that needs no model to be searched.
_OF_LEVEL = {"char": "typo-general", "word": "inflection"}
_ASSOCIATIONS = {"badly": 0, "tired": 0, "good": 1, "charming": 1}


def _cases(name: str) -> list[Record]:
    dimension = DIMENSIONS[name]
    request = SearchRequest(
        task="t",
        perturbed="text",
        samples=samples_of(REVIEWS),
        dimension=dimension,
        degrees=(0.1, 0.3),
        n_cases=3,
        seed=1,
    )
    return search(request).records


def _context(part: Filter, name: str) -> FilterContext:
    return FilterContext(
        dimension=DIMENSIONS[name],
        thresholds=part.thresholds,
        degrees=(0.1, 0.3),
        resources=Resources(associations=_ASSOCIATIONS),
    )


def says_one_reason_a_case(part: Filter) -> None:
    """Demand for each case None or a reason that the filter lists."""
    for level, name in _OF_LEVEL.items():
        if level in part.levels:
            cases = _cases(name)
            reasons = part.check(_context(part, name), cases)
            demand(len(reasons) == len(cases), f"{len(reasons)} answers for {len(cases)} cases")
            unknown = [reason for reason in reasons if reason is not None and reason not in part.reasons]
            demand(not unknown, f"gives the reason {unknown[:1]}, which `reasons` does not list")


def judges_each_case_alone(part: Filter) -> None:
    """Demand that a case is judged as it is among others."""
    for level, name in _OF_LEVEL.items():
        if level in part.levels:
            cases, context = _cases(name), _context(part, name)
            together = part.check(context, cases)
            alone = [part.check(context, [case])[0] for case in cases]
            demand(together == alone, "a case is judged otherwise alone than among others")


def takes_no_cases(part: Filter) -> None:
    """Demand nothing of nothing."""
    demand(part.check(_context(part, "typo-general"), []) == [], "has something to say about no cases")


CHECKS: tuple[Check[Filter], ...] = (
    Check("each case is kept or has a reason that is listed", says_one_reason_a_case),
    Check("a case is judged as if it were alone", judges_each_case_alone),
    Check("no cases, no reasons", takes_no_cases),
)
