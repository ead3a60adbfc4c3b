"""Runs an attack of TextAttack on every sample and sorts what it finds into the degrees of a dimension."""

import random
from collections import OrderedDict
from typing import Any

import numpy as np

from builder.measures.measure import Change
from builder.operations.dimension import Dimension
from builder.searches.machinery.attempts import count_attempts, strongest_first
from builder.searches.machinery.editable_texts import EditableText, editable_texts
from builder.searches.machinery.records import record_of
from builder.searches.search import DegreeCounts, SearchRequest, SearchResult
from builder.searches.textattacks import PREFIX
from builder.searches.textattacks.attacks import Target, build_attack
from builder.searches.textattacks.differences import edits_between
from builder.searches.textattacks.offline import quiet, textattack_imports
from contract.machine.errors import UserError
from contract.machine.hashes import hash_of
from contract.schema.drop_reasons import ATTACK_FAILED, OTHER_DEGREE, SOURCE_ALREADY_WRONG, Reason
from contract.schema.records import Record


def search_with_textattack(
    request: SearchRequest, dimension: Dimension, setting: str, tool: str
) -> SearchResult:
    """Return the attempts of an attack of TextAttack; each stands at the degrees it exactly has."""
    counts = {degree: DegreeCounts(n_samples=len(request.samples)) for degree in request.degrees}
    records: list[Record] = []
    for text in editable_texts(request, dimension):
        degrees = [budget.degree for budget in text.budgets]
        attempts = _attempts(request, text, setting, tool) if degrees else {}
        for degree in degrees:
            of_degree = counts[degree]
            of_degree.n_carrying += 1
            of_degree.n_attackable += attempts != SOURCE_ALREADY_WRONG
            if isinstance(attempts, Reason):
                of_degree.refuse(attempts, text.sample.id)
            elif degree not in attempts:
                of_degree.refuse(OTHER_DEGREE, text.sample.id)
            else:
                of_degree.n_candidates += 1
                records.append(attempts[degree])
    ranked = strongest_first(request.attacked_source, records)
    count_attempts(ranked, counts)
    return SearchResult(records=[attempt.record for attempt in ranked], counts=counts)


def _attempts(
    request: SearchRequest, text: EditableText, setting: str, tool: str
) -> dict[float, Record] | Reason:
    """Return the attempt of one sample at each degree that it meets, or why there is none."""
    case = _attacked_text(request, text, tool.removeprefix(PREFIX))
    if isinstance(case, Reason):
        return case
    edits = edits_between(text.original, case)
    change = Change(original=text.original, words=text.words, text=case, edits=edits)
    amount = text.measure.amount(change)
    return {
        budget.degree: record_of(
            request,
            text.sample,
            change,
            setting=setting,
            degree=budget.degree,
            case=request.first_case,
            method=tool,
            realised_degree=text.measure.realised(change),
            source=request.attacked_source,
        )
        for budget in text.budgets
        if budget.amount == amount
    }


def _attacked_text(request: SearchRequest, text: EditableText, name: str) -> str | Reason:
    """Return the text that the attack ends with, whether it fools or not, or why there is none."""
    with textattack_imports():
        from textattack.attack_results import SkippedAttackResult
        from textattack.constraints.pre_transformation import InputColumnModification

    source, sample = request.attacked_source, text.sample
    target = Target(
        inference=source.inference,
        resources=request.resources,
        label=sample.label,
        max_queries=source.max_queries,
        dimensions=request.tool_dimensions,
    )
    attack = build_attack(name, target)
    given: Any = sample.text
    if sample.text_pair is not None:
        given = OrderedDict([("text", sample.text), ("text_pair", sample.text_pair)])
        other = "text" if request.perturbed == "text_pair" else "text_pair"
        attack.pre_transformation_constraints.append(InputColumnModification(["text", "text_pair"], {other}))
    _seed(request.seed, sample.id, name, source.name)
    try:
        with quiet():
            result = attack.attack(given, sample.label)
    except Exception as error:
        raise UserError(
            f"textattack:{name} failed on {sample.id}: {str(error).strip() or type(error).__name__};"
            " take it out of the recipe, or mend what it lacks"
        ) from error
    if isinstance(result, SkippedAttackResult):
        return SOURCE_ALREADY_WRONG
    attacked = result.perturbed_result.attacked_text
    field = request.perturbed if sample.text_pair is not None else "text"
    changed = str(attacked._text_input[field])  # noqa: SLF001
    return ATTACK_FAILED if changed == text.original else changed


def _seed(*names: str | int) -> None:
    """Seed the global generators that TextAttack draws from, by names, for this one attack."""
    number = int(hash_of(names), 16) % 2**32
    random.seed(number)
    np.random.seed(number)  # noqa: NPY002
