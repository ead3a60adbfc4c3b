"""The promises of every dimension."""

from collections.abc import Sequence
from dataclasses import replace

from rapidfuzz.distance import Levenshtein

from builder.measures import MEASURES
from builder.models.resources import Resources
from builder.operations.dimension import AnyDimension, Dimension, SentenceDimension, WordsOfText
from builder.searches.rule import search
from builder.searches.search import SearchRequest, SearchResult
from builder.values.samples import Sample
from contract.schema.edits import apply_edits, touched_words, words_of
from contract.schema.records import Record, records_of, table_of
from flows.part_checks.check import Check, demand
from flows.part_checks.texts import ODD_TEXTS, REVIEWS, samples_of

# Texts are changed at these degrees at least in half of ordinary sentences.
LOW = 0.2


def find(dimension: AnyDimension, samples: Sequence[Sample], seed: int = 1) -> SearchResult:
    """Search random cases of some samples at all degrees."""
    return search(
        SearchRequest(
            task="t",
            perturbed="text",
            samples=samples,
            dimension=dimension,
            degrees=dimension.degrees,
            n_cases=2,
            seed=seed,
        )
    )


def reviews_have_cases(dimension: AnyDimension) -> None:
    """Demand cases of ordinary sentences at low degrees."""
    found = find(dimension, samples_of(REVIEWS))
    for record in found.records:
        _check_case(dimension, record)
    low = [degree for degree in dimension.degrees if degree <= LOW]
    for degree in low:
        n = len({record.sample_id for record in found.records if record.degree == degree})
        demand(n >= len(REVIEWS) // 2, f"at degree {degree:g} only {n} of {len(REVIEWS)} reviews have a case")


def odd_texts_are_taken(dimension: AnyDimension) -> None:
    """Demand of every odd text cases that keep their promises, or none."""
    for text in ODD_TEXTS:
        for record in find(dimension, samples_of([text])).records:
            _check_case(dimension, record)


def texts_without_words_have_no_case(dimension: AnyDimension) -> None:
    """Demand nothing of nothing."""
    demand(not find(dimension, samples_of(["", " ", "... !?"])).records, "a text without words has a case")


def same_request_same_cases(dimension: AnyDimension) -> None:
    """Demand that nothing is drawn from a clock, a hash or a state left behind."""
    samples = samples_of([*REVIEWS, *ODD_TEXTS])
    first, second = find(dimension, samples).records, find(dimension, samples).records
    demand(first == second, "the same request gave other cases the second time")


def other_samples_change_nothing(dimension: AnyDimension) -> None:
    """Demand that a sample has the same cases alone, and in another order, as among others."""
    samples = samples_of(REVIEWS)
    together = {record.id: record for record in find(dimension, samples).records}
    backwards = {record.id: record for record in find(dimension, samples[::-1]).records}
    alone = {record.id: record for each in samples for record in find(dimension, [each]).records}
    demand(together == backwards == alone, "the cases of a sample depend on the other samples")


def another_seed_other_cases(dimension: AnyDimension) -> None:
    """Demand that cases are drawn, not always the same."""
    texts = [
        [record.text for record in find(dimension, samples_of(REVIEWS), seed).records] for seed in (1, 2)
    ]
    demand(texts[0] != texts[1], "two seeds gave the same cases")


def operations_cost_their_distance(dimension: AnyDimension) -> None:
    """Demand that every operation changes its word by as much as it says."""
    if not isinstance(dimension, Dimension):
        return
    for text in (*REVIEWS, *ODD_TEXTS):
        words = words_of(text)
        (proposed,) = dimension.propose([WordsOfText(text, words)], Resources())
        demand(len(proposed) == len(words), f"{len(proposed)} sets of operations for {len(words)} words")
        for word, operations in zip(words, proposed, strict=True):
            for item in operations.items:
                changed = apply_edits(word.text, item.edits)
                distance = Levenshtein.distance(word.text, changed)
                said = f"{item.name} makes {changed!r} of {word.text!r}: distance {distance}"
                demand(changed.strip(), f"{said}; nothing is left of the word")
                demand(distance == item.cost > 0, f"{said}, but its cost is {item.cost}")


def only_the_named_field_changes(dimension: AnyDimension) -> None:
    """Demand that the other text of a pair stays as it is."""
    pairs = [replace(each, text="Is it any good?", text_pair=each.text) for each in samples_of(REVIEWS)]
    request = SearchRequest(
        task="t",
        perturbed="text_pair",
        samples=pairs,
        dimension=dimension,
        degrees=dimension.degrees,
        n_cases=1,
        seed=1,
    )
    changed = {record.text for record in search(request).records} - {"Is it any good?"}
    demand(not changed, "the text was changed where the other text of the pair was to be")


def _check_case(dimension: AnyDimension, record: Record) -> None:
    """Demand that a case has the amount of its degree, by edits that are all there is between the texts."""
    original, case = record.unperturbed_text, record.perturbed_text
    edits = [edit for _, edit in record.edits]
    shown = f"{case[:60]!r} of {original[:60]!r}"
    demand(case != original, f"{shown}: nothing is changed")
    demand(apply_edits(original, edits) == case, f"{shown}: its edits do not lead from one to the other")
    demand(record.method, f"{shown}: does not say how it was made")
    demand(list(records_of(table_of([record]))) == [record], f"{shown}: cannot be written to a file")
    if isinstance(dimension, SentenceDimension) or record.degree is None:
        return
    words = words_of(original)
    measure = MEASURES[dimension.measure]
    units = measure.units(original, words)
    is_edit = dimension.measure == "edit"
    amount = Levenshtein.distance(original, case) if is_edit else len(touched_words(words, edits))
    budget = measure.budget(record.degree, units)
    demand(amount == budget, f"{shown}: changes {amount} at degree {record.degree:g}, expected {budget}")


CHECKS: tuple[Check[AnyDimension], ...] = (
    Check("operations cost the distance that they make", operations_cost_their_distance),
    Check("ordinary sentences have exact cases at low degrees", reviews_have_cases),
    Check("odd texts are changed exactly or refused", odd_texts_are_taken),
    Check("a text without words has no case", texts_without_words_have_no_case),
    Check("the same request has the same cases", same_request_same_cases),
    Check("cases do not depend on the other samples", other_samples_change_nothing),
    Check("another seed has other cases", another_seed_other_cases),
    Check("only the named field of a pair is changed", only_the_named_field_changes),
)
