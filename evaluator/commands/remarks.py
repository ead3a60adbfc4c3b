"""What to know of a result before it is believed: skill, the most hurt label, kin, families left out."""

from collections.abc import Iterator
from typing import NamedTuple

from contract.schema.results import CleanScore, Result
from contract.task_kinds.multilabel import MULTILABEL
from evaluator.commands.consoles import interval_text, percent
from evaluator.scoring.kin import KIN_BOUND


def remarks(result: Result) -> Iterator[str]:
    """Yield a sentence on each."""
    for name, task in result.tasks.items():
        if task.clean is not None:
            yield _skill(name, task.kind, task.clean)
    hurt = most_hurt(result)
    if hurt is not None:
        yield (
            f"Most hurt: label {hurt.label} of {hurt.where} at {hurt.degree}: recall {percent(hurt.clean)}"
            f" when clean, {percent(hurt.worst)} in the worst case, {percent(hurt.average)} on average."
        )
    yield from _kin(result)
    yield from _families(result)
    if result.overall is not None and (tier := result.overall.transferable) is not None:
        yield (
            f"Accuracy on the {tier.n_cases:,} transferable cases: {percent(tier.accuracy)} (nothing is"
            " ranked by it: it rewards being unlike the surrogates)."
        )


class HurtLabel(NamedTuple):
    """A label's recall where it falls farthest."""

    label: str
    where: str
    degree: str
    clean: float
    average: float
    worst: float


def most_hurt(result: Result) -> HurtLabel | None:
    """Return the label whose recall falls farthest at a degree that counts, wherever that is."""
    found = [
        HurtLabel(
            label=label,
            where=f"{task_name}, {dimension}, {setting}",
            degree=degree,
            clean=task.clean.recall[label],
            average=score.degrees[degree].recall[label].average,
            worst=score.degrees[degree].recall[label].worst,
        )
        for task_name, task in result.tasks.items()
        if task.clean is not None
        for dimension, settings in task.dimensions.items()
        for setting, score in settings.items()
        if (label := score.most_hurt_label) is not None
        for degree in score.degrees_used
    ]
    return max(found, key=lambda hurt: hurt.clean - hurt.average, default=None)


def _skill(task: str, kind: str, clean: CleanScore) -> str:
    # Of each label by itself, guessing has half of both sides right.
    n_classes = 2 if kind == MULTILABEL.name else max(len(clean.recall), 1)
    guessing = percent(1 / n_classes)
    figure = f"balanced clean accuracy {percent(clean.balanced)}{interval_text(clean.balanced_ci)}"
    if clean.has_skill is None:
        return f"Skill on {task} is not judged: {figure}, guessing gets {guessing}; draws are needed."
    if clean.has_skill:
        return f"It has skill on {task}: {figure}, guessing gets {guessing}."
    return f"It shows no skill on {task}: {figure} is not above guessing, {guessing}; it gets no rank."


def _kin(result: Result) -> Iterator[str]:
    kin = [one for one in result.kin if one.is_kin]
    if kin:
        names = ", ".join(f"{one.surrogate} ({one.family}, kappa {one.consistency:.2f})" for one in kin)
        yield f"Kin of a surrogate: its errors on random cases are those of {names}."
    elif result.kin:
        nearest = max(result.kin, key=lambda one: one.consistency)
        yield (
            f"Kin of no surrogate: its errors are nearest to those of {nearest.surrogate} (kappa"
            f" {nearest.consistency:.2f}, kin from {KIN_BOUND:.2f} on)."
        )


def _families(result: Result) -> Iterator[str]:
    scores = {name: one.score for name, one in result.without_families.items() if one.score is not None}
    if scores:
        low, high = min(scores, key=scores.__getitem__), max(scores, key=scores.__getitem__)
        yield (
            f"With one family of surrogates left out: robustness {percent(scores[low])} (without {low}) to"
            f" {percent(scores[high])} (without {high})."
        )
