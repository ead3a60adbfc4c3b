"""Run a TextAttack attack on every sample and sort what it finds into the degrees of a dimension."""

import random
from collections import OrderedDict
from typing import Any

import numpy as np

from builder.measures import MEASURES
from builder.measures.measure import Change
from builder.operations.dimension import Dimension
from builder.searches.machinery.paths import Subject
from builder.searches.search import Findings, SearchRequest, Tally, record_of, texts_of
from builder.searches.textattacks import PREFIX
from builder.searches.textattacks.attacks import Target, build_attack
from builder.searches.textattacks.differences import edits_between
from builder.searches.textattacks.offline import quiet, textattack_imports
from contract.machine.errors import UserError
from contract.machine.hashes import hash_of
from contract.schema.records import Record

ALREADY_WRONG = "source-already-wrong"
FAILED = "attack-failed"
OTHER_DEGREE = "other-degree"


def search_with_textattack(request: SearchRequest, dimension: Dimension, setting: str, tool: str) -> Findings:
    """Return the cases that an attack of TextAttack's finds; each stands at the degrees it exactly has."""
    texts = texts_of(request)
    proposals = dimension.propose(texts, request.resources)
    tallies = {degree: Tally(n_samples=len(texts)) for degree in request.degrees}
    records: list[Record] = []
    for sample, text, operations in zip(request.samples, texts, proposals, strict=True):
        subject = Subject(
            dimension=dimension, sample=sample, text=text, operations=operations, degrees=request.degrees
        )
        degrees = [degree for _, degree in subject.budgets]
        for degree in degrees:
            tallies[degree].n_carrying += 1
            tallies[degree].n_candidates += 1
        if degrees:
            found = _attack(request, subject, setting, tool)
            for degree in degrees:
                if isinstance(found, str):
                    tallies[degree].drop(found)
                elif degree not in found:
                    tallies[degree].drop(OTHER_DEGREE)
            records += [] if isinstance(found, str) else found.values()
    for degree, tally in tallies.items():
        tally.n_attacked = tally.n_carrying - tally.n_dropped.get(ALREADY_WRONG, 0)
        tally.n_fooled = sum(record.degree == degree for record in records)
    return Findings(records=records, tallies=tallies)


def _attack(request: SearchRequest, subject: Subject, setting: str, tool: str) -> dict[float, Record] | str:
    """Return the case of one sample at each degree that it meets, or why there is none."""
    case = _case(request, subject, tool.removeprefix(PREFIX))
    if case in {ALREADY_WRONG, FAILED}:
        return case
    text = subject.text
    edits = edits_between(text.text, case)
    change = Change(original=text.text, words=text.words, text=case, edits=edits)
    measure = MEASURES[subject.dimension.measure]
    amount = measure.amount(change)
    return {
        degree: record_of(
            request,
            subject.sample,
            change,
            setting=setting,
            degree=degree,
            case=request.first_case,
            method=tool,
            realised_degree=measure.realised(change),
            source=request.victim.name,
        )
        for budget, degree in subject.budgets
        if budget == amount
    }


def _case(request: SearchRequest, subject: Subject, name: str) -> str:
    """Return the text that fools the source, or the reason why there is none."""
    with textattack_imports():
        from textattack.attack_results import SkippedAttackResult, SuccessfulAttackResult
        from textattack.constraints.pre_transformation import InputColumnModification

    victim, sample = request.victim, subject.sample
    target = Target(
        inference=victim.inference,
        resources=request.resources,
        label=sample.label,
        max_queries=victim.max_queries,
    )
    attack = build_attack(name, target)
    given: Any = sample.text
    if sample.text_pair is not None:
        given = OrderedDict([("text", sample.text), ("text_pair", sample.text_pair)])
        other = "text" if request.perturbed == "text_pair" else "text_pair"
        attack.pre_transformation_constraints.append(InputColumnModification(["text", "text_pair"], {other}))
    _seed(request.seed, sample.id, name, victim.name)
    try:
        with quiet():
            result = attack.attack(given, sample.label)
    except Exception as error:
        raise UserError(
            f"textattack:{name} failed on {sample.id}: {str(error).strip() or type(error).__name__};"
            " take it out of the recipe, or mend what it lacks"
        ) from error
    if isinstance(result, SkippedAttackResult):
        return ALREADY_WRONG
    if not isinstance(result, SuccessfulAttackResult):
        return FAILED
    found = result.perturbed_result.attacked_text
    return str(found._text_input[request.perturbed if sample.text_pair is not None else "text"])  # noqa: SLF001


def _seed(*names: str | int) -> None:
    """Seed the global generators that TextAttack draws from, by names, for this one attack."""
    number = int(hash_of(names), 16) % 2**32
    random.seed(number)
    np.random.seed(number)  # noqa: NPY002
