"""The most important facts of a result, as sentences; each compares figures of one setting only."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from contract.schema.hardest_hit import hardest_hits
from contract.schema.results import Pair, Result
from leaderboard.text.formatting import percent
from leaderboard.text.untrusted_text import page_name, shortened
from leaderboard.view.advice import Standing, standing_of
from leaderboard.view.by_setting import Pairs, Tab, tag_pair
from leaderboard.view.charts import degree_of
from leaderboard.view.label_tables import most_hurt_text

Tone = Standing | Literal["note"]

# Smaller differences get no sentence.
EARLY_LOSS = 0.03
WIDE_GAP = 0.1
TAG_GAP = 0.03
LABEL_LOSS = 0.1


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A headline and a sentence; `page` names the dimension that it is about."""

    tone: Tone
    head: str
    text: str
    page: str = ""


def findings_of(result: Result, tabs: Sequence[Tab], pairs: Mapping[str, Pairs]) -> tuple[Finding, ...]:
    """Return the findings; `pairs` holds the scores by tab and dimension."""
    # Attacked settings one by one would say the same again.
    main = [tab for tab in tabs if tab.is_main]
    findings = [*_audited(result), *_kept(result), *without_skill(result)]
    for tab in main:
        findings += [*_weakest(result, tab, pairs[tab.name]), *_early(result, tab)]
        # An audit begins with the labels.
        findings += [] if result.audit else _labels(result, tab)
    for tab in main:
        findings += [*_gap(tab, pairs[tab.name]), *_tags(result, tab)]
    return (*findings, *_uncertainty(result))


def without_skill(result: Result) -> Iterator[Finding]:
    """Yield a warning for each task in which the model is no better than guessing."""
    for name, task in result.tasks.items():
        if task.clean is not None and task.clean.has_skill is False:
            yield Finding(
                tone="breaks",
                head=f"No better than guessing on task {shortened(name)}",
                text=f"The mean of its clean recalls is {percent(task.clean.balanced)}, and its interval"
                " includes that of guessing. Its scores say nothing about robustness: it has no rank."
                " Improve clean accuracy first.",
            )


def _audited(result: Result) -> Iterator[Finding]:
    """Yield for an audit the label and dimension that suffer most, attacks on the model first."""
    if result.audit is None:
        return
    for hit in hardest_hits(result).values():
        yield Finding(
            tone=standing_of(hit.after, hit.before) or "note",
            head=f"{shortened(hit.label)} suffers most, in {shortened(hit.dimension)} ({hit.setting})",
            text=f"Its recall falls from {percent(hit.before)} when clean to {percent(hit.after)}, the mean"
            f" of degrees {shortened(', '.join(hit.degrees))}. At degree {shortened(hit.degree)} it is"
            f" {percent(hit.average)} on average and {percent(hit.worst)} in the worst case;"
            f" {hit.n_with_case:,} of {hit.n_samples:,} samples have a case there.",
            page=page_name(hit.dimension),
        )


def _kept(result: Result) -> Iterator[Finding]:
    overall = result.overall
    standing = standing_of(overall.score.ewma, overall.clean) if overall else None
    if overall is None or not overall.clean or standing is None:
        return
    yield Finding(
        tone=standing,
        head=f"{100 * overall.score.ewma / overall.clean:.0f} % of its clean score withstands every case",
        text=f"Clean {percent(overall.clean)}, robustness {percent(overall.score.ewma)}; on average over"
        f" cases {percent(overall.average.ewma)}.",
    )


def _weakest(result: Result, tab: Tab, pairs: Pairs) -> Iterator[Finding]:
    if len(pairs) < 2:
        return
    name, pair = min(pairs.items(), key=lambda item: item[1].score.ewma)
    best, best_pair = max(pairs.items(), key=lambda item: item[1].score.ewma)
    clean = result.overall.clean if result.overall else None
    yield Finding(
        tone=standing_of(pair.score.ewma, clean) or "note",
        head=f"{tab.label}: weakest in {shortened(name)}",
        text=f"Worst {percent(pair.worst.ewma)}, average {percent(pair.average.ewma)}."
        f" Strongest in {shortened(best)} with {percent(best_pair.score.ewma)}.",
        page=page_name(name),
    )


def _early(result: Result, tab: Tab) -> Iterator[Finding]:
    """Yield how much the mildest degree costs, in the cell where it costs most."""
    losses = []
    for task in result.tasks.values():
        for dimension, settings in task.dimensions.items():
            for setting in tab.settings:
                score = settings.get(setting)
                numbered = [
                    key for key in (score.degrees_used if score else ()) if degree_of(key) is not None
                ]
                if score is None or not numbered:
                    continue
                mildest = min(numbered, key=lambda key: degree_of(key) or 0.0)
                relative = score.degrees[mildest].relative_worst
                if relative is not None:
                    losses.append((max(0.0, 1 - relative), dimension, mildest, setting))
    if not losses:
        return
    share, dimension, degree, setting = max(losses)
    if share < EARLY_LOSS:
        yield Finding(
            tone="steady",
            head=f"{tab.label}: mild perturbations do little harm",
            text=f"The mildest degree of every dimension costs less than {100 * EARLY_LOSS:g} per cent"
            " of the clean score, even in the worst case.",
        )
        return
    yield Finding(
        tone=standing_of(1 - share, 1.0) or "note",
        head=f"{tab.label}: most sensitive to mild {shortened(dimension)}",
        text=f"The mildest degree, {shortened(degree)}, already costs {100 * share:.0f} per cent"
        f" of the clean score in the worst case (setting {shortened(setting)}).",
        page=page_name(dimension),
    )


def _labels(result: Result, tab: Tab) -> Iterator[Finding]:
    """Yield the label whose recall falls farthest, in the cell where it falls farthest."""
    found = []
    for task in result.tasks.values():
        for dimension, settings in task.dimensions.items():
            for setting in tab.settings:
                score = settings.get(setting)
                name = score.most_hurt_label if score else None
                if score is None or name is None or task.clean is None or not score.degrees_used:
                    continue
                highest = max(score.degrees_used, key=lambda key: degree_of(key) or 0.0)
                after, before = score.degrees[highest].recall.get(name), task.clean.recall.get(name)
                if after is not None and before is not None:
                    found.append((before - after.average, dimension, most_hurt_text(score, task.clean), name))
    loss, dimension, text, name = max(found, default=(0.0, "", "", ""))
    if loss >= LABEL_LOSS:
        yield Finding(
            tone="breaks",
            head=f"{tab.label}: the label {shortened(name)} suffers most, in {shortened(dimension)}",
            text=text,
            page=page_name(dimension),
        )


def _gap(tab: Tab, pairs: Pairs) -> Iterator[Finding]:
    if not pairs:
        return
    name, pair = max(pairs.items(), key=lambda item: item[1].average.ewma - item[1].worst.ewma)
    if pair.average.ewma - pair.worst.ewma >= WIDE_GAP:
        yield Finding(
            tone="note",
            head=f"{tab.label}: repeated attempts do most harm in {shortened(name)}",
            text=f"Average {percent(pair.average.ewma)} but worst {percent(pair.worst.ewma)}: a single"
            " case often fails, but one of several cases often succeeds.",
            page=page_name(name),
        )


def _tags(result: Result, tab: Tab) -> Iterator[Finding]:
    pairs: list[Pair | None] = [tag_pair(result.overall, tag, tab) for tag in ("general", "malicious")]
    general, malicious = (None if pair is None else pair.score.ewma for pair in pairs)
    if general is None or malicious is None or abs(general - malicious) < TAG_GAP:
        return
    head = (
        "malicious perturbations do more harm than general ones"
        if general > malicious
        else "general perturbations do more harm than malicious ones"
    )
    yield Finding(
        tone="note",
        head=f"{tab.label}: {head}",
        text=f"Worst {percent(general)} in general dimensions, {percent(malicious)} in malicious ones.",
    )


def _uncertainty(result: Result) -> Iterator[Finding]:
    overall = result.overall
    if overall is None or overall.score.ci is None:
        return
    low, high = overall.score.ci
    reach = max(overall.score.ewma - low, high - overall.score.ewma)
    yield Finding(
        tone="note",
        head=f"Robustness is known to within {100 * reach:.1f} points",
        text=f"It lies between {percent(low)} and {percent(high)} with"
        f" {100 * result.settings.confidence:g} per cent confidence; smaller differences mean little.",
    )
