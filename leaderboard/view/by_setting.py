"""Scores by setting: what pages compare is always of one setting, never a mean of several."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from contract.schema.results import Aggregate, Overall, Pair, Result, SettingScore
from leaderboard.board.result_keys import ATTACKED, ATTACKED_SETTINGS
from leaderboard.text.untrusted_text import page_name, visible

RULE = "rule"
LIVE = "live"
# Settings in the order of tabs; others follow.
_ORDER = (RULE, ATTACKED, *ATTACKED_SETTINGS)

# Every figure is a score: the setting of that name says that it is an attack.
_LABELS = {"score": "Score attacks", "gradient": "Gradient attacks", LIVE: "Live attacks"}

# The pairs of a setting by dimension.
Pairs = Mapping[str, Pair]
# Task, dimension and setting of the cells in which any result was scored.
Coverage = Mapping[tuple[str, str], frozenset[str]]


@dataclass(frozen=True, kw_only=True)
class Tab:
    """A setting, or all attacked settings together, as pages offer it."""

    name: str
    label: str
    # The settings of its cells.
    settings: tuple[str, ...]

    @property
    def page(self) -> str:
        """The name of its page, without an ending."""
        return f"setting-{page_name(self.name)}"

    @property
    def is_main(self) -> bool:
        """Whether it is not one of several attacked settings, which `attacked` has the mean of."""
        return self.name not in ATTACKED_SETTINGS

    @property
    def is_attacked(self) -> bool:
        """Whether its cases were made by attacks."""
        return self.name == ATTACKED or self.name in ATTACKED_SETTINGS


def tabs_of(results: Sequence[Result]) -> tuple[Tab, ...]:
    """Return rule, attacked, and each attacked setting where there are two; only what was scored."""
    found = {
        setting
        for result in results
        for task in result.tasks.values()
        for settings in task.dimensions.values()
        for setting, score in settings.items()
        if score.score is not None
    }
    attacked = tuple(name for name in ATTACKED_SETTINGS if name in found)
    names = sorted(found - set(attacked)) + ([ATTACKED] if attacked else [])
    names += attacked if len(attacked) > 1 else ()
    names.sort(key=lambda name: (_ORDER.index(name) if name in _ORDER else len(_ORDER), name))
    return tuple(
        Tab(
            name=name,
            label=_label(name, attacked),
            settings=attacked if name == ATTACKED else (name,),
        )
        for name in names
    )


def _label(name: str, attacked: tuple[str, ...]) -> str:
    """Return the label of a tab; where attacks are of one kind that says more, it is that kind's."""
    if name == ATTACKED and attacked == (LIVE,):
        name = LIVE
    return _LABELS.get(name) or visible(name, 40).capitalize()


def coverage_of(results: Iterable[Result]) -> Coverage:
    """Return for each dimension and setting the tasks in which any result was scored."""
    coverage: dict[tuple[str, str], set[str]] = {}
    for result in results:
        for task, score in result.tasks.items():
            for dimension, settings in score.dimensions.items():
                for setting, value in settings.items():
                    if value.score is not None:
                        coverage.setdefault((dimension, setting), set()).add(task)
    return {cell: frozenset(tasks) for cell, tasks in coverage.items()}


def pairs_of(result: Result, tab: Tab, coverage: Coverage) -> dict[str, Pair]:
    """Return a result's score in each dimension; of a partial result, only where it has every cell."""
    if result.overall is not None:
        return {
            dimension: settings[tab.name]
            for dimension, settings in result.overall.dimensions.items()
            if tab.name in settings
        }
    pairs = {}
    for dimension in dict.fromkeys(dimension for dimension, _ in coverage):
        pair = _mean_over_cells(result, dimension, tab, coverage)
        if pair is not None:
            pairs[dimension] = pair
    return pairs


def setting_pair(overall: Overall | None, tab: Tab) -> Pair | None:
    """Return the overall score of a setting."""
    return None if overall is None else overall.settings.get(tab.name)


def tag_pair(overall: Overall | None, tag: str, tab: Tab) -> Pair | None:
    """Return the overall score of the dimensions with a tag, in one setting."""
    return None if overall is None else overall.tags.get(tag, {}).get(tab.name)


def pair_of(score: SettingScore) -> Pair | None:
    """Return both estimates of a cell (task × dimension × setting), or None if it was not scored."""
    if score.average is None or score.worst is None:
        return None
    return Pair(average=score.average, worst=score.worst)


def headline_name(covers: Sequence[str], *, is_audit: bool = False) -> str:
    """Return what the headline number is, in one sentence."""
    what = (
        "The share of samples that a model has right when clean and keeps right on every frozen case,"
        " whatever the strength up to a degree"
    )
    mean = "the mean over degrees (low ones weigh most), core dimensions and tasks"
    attacks = "attacks on this model" if is_audit else "attacks on other models"
    if set(covers) >= {RULE, ATTACKED}:
        return (
            f"{what}. Half random cases, half attacks: texts that were changed at random, and the strongest"
            f" changes that {attacks} found; {mean}."
        )
    if ATTACKED in covers:
        return f"{what}. Attacks only: the strongest changes that {attacks} found; {mean}."
    if RULE in covers:
        return (
            f"{what}. Random cases only: texts that were changed at random, since this release has no"
            f" attacks; {mean}."
        )
    return f"{what}. Imported cases only: cases that others made; {mean}."


def covers_of(results: Iterable[Result]) -> tuple[str, ...]:
    """Return the halves of the headline, as the first complete result tells them."""
    return next((result.overall.covers for result in results if result.overall is not None), ())


def _mean_over_cells(result: Result, dimension: str, tab: Tab, coverage: Coverage) -> Pair | None:
    """Return the mean over tasks of the mean over the tab's settings, if no cell is missing."""
    by_task: dict[str, list[Pair]] = {}
    for setting in tab.settings:
        for task in sorted(coverage.get((dimension, setting), ())):
            score = result.tasks[task].dimensions.get(dimension, {}) if task in result.tasks else {}
            pair = pair_of(score[setting]) if setting in score else None
            # A mean over fewer cells could not be compared with those of other models.
            if pair is None:
                return None
            by_task.setdefault(task, []).append(pair)
    return _mean([_mean(pairs) for pairs in by_task.values()]) if by_task else None


def _mean(pairs: Sequence[Pair]) -> Pair:
    return Pair(
        average=Aggregate(ewma=fmean(pair.average.ewma for pair in pairs)),
        worst=Aggregate(ewma=fmean(pair.worst.ewma for pair in pairs)),
    )
