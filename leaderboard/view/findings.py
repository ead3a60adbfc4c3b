"""The most important facts of a result, as sentences."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from contract.schema.results import DegreeScore, Pair, Result
from leaderboard.text.formatting import percent
from leaderboard.text.untrusted_text import page_name, shortened
from leaderboard.view.advice import Standing, standing_of
from leaderboard.view.charts import degree_of

Tone = Standing | Literal["note"]

# Smaller differences get no sentence.
EARLY_LOSS = 0.03
WIDE_GAP = 0.1
TAG_GAP = 0.03
NEAR_GUESSING = 0.05


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A headline and a sentence; `page` names the dimension that it is about."""

    tone: Tone
    head: str
    text: str
    page: str = ""


@dataclass(frozen=True, kw_only=True)
class _EarlyLoss:
    """The share of right answers that the mildest degree of a cell turns wrong."""

    dimension: str
    setting: str
    degree: str
    share: float


def findings_of(
    result: Result, pairs: Mapping[str, Pair], guessing: Mapping[str, float]
) -> tuple[Finding, ...]:
    """Return the findings; `guessing` is the share of the most common label in each task."""
    return tuple(
        finding
        for findings in (
            _kept(result),
            near_guessing(result, guessing),
            _weakest(result, pairs),
            _early(result),
            _gap(pairs),
            _tags(result),
            _uncertainty(result),
        )
        for finding in findings
    )


def _kept(result: Result) -> Iterator[Finding]:
    overall = result.overall
    standing = standing_of(overall.average.ewma, overall.clean) if overall else None
    if overall is None or not overall.clean or standing is None:
        return
    yield Finding(
        tone=standing,
        head=f"{100 * overall.average.ewma / overall.clean:.0f} % of its clean accuracy remains on average",
        text=f"Clean {percent(overall.clean)}, perturbed {percent(overall.average.ewma)} on average."
        f" In the worst case, {percent(overall.worst.ewma)} per cent of the samples stay right.",
    )


def near_guessing(result: Result, guessing: Mapping[str, float]) -> Iterator[Finding]:
    """Yield a warning for each task in which the model is hardly better than a constant answer."""
    for name, task in result.tasks.items():
        share = guessing.get(name)
        if share is not None and task.clean is not None and task.clean.accuracy < share + NEAR_GUESSING:
            yield Finding(
                tone="breaks",
                head=f"Close to guessing on task {shortened(name)}",
                text=f"Clean accuracy is {percent(task.clean.accuracy)}; always giving the most common label"
                f" would get {percent(share)}. A constant answer is never changed by an attack: improve clean"
                " accuracy first.",
            )


def _weakest(result: Result, pairs: Mapping[str, Pair]) -> Iterator[Finding]:
    if len(pairs) < 2:
        return
    name, pair = min(pairs.items(), key=lambda item: item[1].average.ewma)
    best, best_pair = max(pairs.items(), key=lambda item: item[1].average.ewma)
    clean = result.overall.clean if result.overall else None
    yield Finding(
        tone=standing_of(pair.average.ewma, clean) or "note",
        head=f"Weakest in {shortened(name)}",
        text=f"Average {percent(pair.average.ewma)}, worst {percent(pair.worst.ewma)}."
        f" Strongest in {shortened(best)} with {percent(best_pair.average.ewma)}.",
        page=page_name(name),
    )


def _early(result: Result) -> Iterator[Finding]:
    losses = list(_early_losses(result))
    if not losses:
        return
    worst = max(losses, key=lambda loss: loss.share)
    if worst.share < EARLY_LOSS:
        yield Finding(
            tone="steady",
            head="Mild perturbations do little harm",
            text=f"The mildest degree of every dimension costs less than {100 * EARLY_LOSS:g} per cent"
            " of the right answers on clean texts.",
        )
        return
    yield Finding(
        tone=standing_of(1 - worst.share, 1.0) or "note",
        head=f"Most sensitive to mild {shortened(worst.dimension)}",
        text=f"The mildest degree, {shortened(worst.degree)}, already costs {100 * worst.share:.0f} per cent"
        f" of the right answers on clean texts (setting {shortened(worst.setting)}).",
        page=page_name(worst.dimension),
    )


def _early_losses(result: Result) -> Iterator[_EarlyLoss]:
    for task in result.tasks.values():
        for dimension, settings in task.dimensions.items():
            for setting, score in settings.items():
                numbered = [key for key in score.degrees_used if degree_of(key) is not None]
                mildest = min(numbered, key=lambda key: degree_of(key) or 0.0, default=None)
                relative = _relative(score.degrees.get(mildest or ""))
                if mildest is not None and relative is not None:
                    yield _EarlyLoss(
                        dimension=dimension, setting=setting, degree=mildest, share=max(0.0, 1 - relative)
                    )


def _relative(score: DegreeScore | None) -> float | None:
    return None if score is None else score.relative_average


def _gap(pairs: Mapping[str, Pair]) -> Iterator[Finding]:
    if not pairs:
        return
    name, pair = max(pairs.items(), key=lambda item: item[1].average.ewma - item[1].worst.ewma)
    if pair.average.ewma - pair.worst.ewma >= WIDE_GAP:
        yield Finding(
            tone="note",
            head=f"Repeated attempts do most harm in {shortened(name)}",
            text=f"Average {percent(pair.average.ewma)} but worst {percent(pair.worst.ewma)}: a single"
            " case often fails, but one of several cases often succeeds.",
            page=page_name(name),
        )


def _tags(result: Result) -> Iterator[Finding]:
    overall = result.overall
    if overall is None or overall.general is None or overall.malicious is None:
        return
    general, malicious = overall.general.average.ewma, overall.malicious.average.ewma
    if abs(general - malicious) >= TAG_GAP:
        head = (
            "Malicious perturbations do more harm than general ones"
            if general > malicious
            else "General perturbations do more harm than malicious ones"
        )
        yield Finding(
            tone="note",
            head=head,
            text=f"Average {percent(general)} in general dimensions, {percent(malicious)} in malicious ones.",
        )


def _uncertainty(result: Result) -> Iterator[Finding]:
    overall = result.overall
    if overall is None or overall.average.ci is None:
        return
    low, high = overall.average.ci
    reach = max(overall.average.ewma - low, high - overall.average.ewma)
    yield Finding(
        tone="note",
        head=f"The overall average is known to within {100 * reach:.1f} points",
        text=f"It lies between {percent(low)} and {percent(high)} with"
        f" {100 * result.settings.confidence:g} per cent confidence; smaller differences mean little.",
    )
