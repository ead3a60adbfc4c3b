"""Robust recall by label: which label an attack hurts most, degree by degree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from contract.schema.results import CleanScore, LabelRecall, SettingScore
from leaderboard.text.formatting import NO_FIGURE, percent
from leaderboard.text.untrusted_text import visible
from leaderboard.view.charts import degree_of
from leaderboard.view.figure_rows import FigureRow

# A task may have dozens of labels: those that fall farthest are shown.
LABELS_SHOWN = 6


@lru_cache
def low_first(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return the keys of degrees from the lowest to the highest degree."""
    return tuple(sorted(keys, key=lambda key: (degree_of(key) or 0.0, key)))


@dataclass(frozen=True, kw_only=True)
class LabelTable:
    """Degrees down, labels across; each cell is worst / average recall. The first row is the clean recall."""

    labels: tuple[str, ...]
    n_more: int
    rows: tuple[FigureRow, ...]
    most_hurt: str


def label_table(score: SettingScore, clean: CleanScore | None) -> LabelTable | None:
    """Return recall by label at every degree, the label that falls farthest first; None without recalls."""
    degrees = low_first(tuple(key for key, value in score.degrees.items() if value.recall))
    if not degrees:
        return None
    names = _hurt_first(score, clean, degrees)
    shown = names[:LABELS_SHOWN]
    head = ("clean", *(percent(clean.recall.get(name)) for name in shown)) if clean else ()
    rows = [(visible(key, 20), *_cells(score.degrees[key].recall, shown)) for key in degrees]
    return LabelTable(
        labels=tuple(visible(name, 40) for name in shown),
        n_more=len(names) - len(shown),
        rows=tuple(FigureRow(is_used=True, cells=cells) for cells in ([head, *rows] if head else rows)),
        most_hurt=most_hurt_text(score, clean),
    )


def most_hurt_text(score: SettingScore, clean: CleanScore | None) -> str:
    """Return in words how far the recall of the most hurt label falls; nothing if the result names none."""
    name = score.most_hurt_label
    if name is None:
        return ""
    highest = max(score.degrees_used, key=lambda key: degree_of(key) or 0.0, default=None)
    after = None if highest is None else score.degrees[highest].recall.get(name)
    before = None if clean is None else clean.recall.get(name)
    shown = visible(name, 60)
    if after is None or before is None:
        return f"Most hurt label: {shown}."
    at = f" at degree {highest}" if highest is not None and degree_of(highest) is not None else ""
    return (
        f"Most hurt label: {shown}. Its recall falls from {percent(before)} when clean to"
        f" {percent(after.worst)} in the worst case and {percent(after.average)} on average{visible(at, 40)}."
    )


def _hurt_first(score: SettingScore, clean: CleanScore | None, degrees: Sequence[str]) -> list[str]:
    """Return the labels, the named most hurt one first, then by how far they fall."""
    recalls = score.degrees[degrees[-1]].recall
    before = {} if clean is None else clean.recall

    def order(name: str) -> tuple[bool, float]:
        return name != score.most_hurt_label, recalls[name].average - before.get(name, 0.0)

    return sorted(recalls, key=order)


def _cells(recalls: Mapping[str, LabelRecall], names: Sequence[str]) -> list[str]:
    # One format: a large site has a million of these cells.
    return [
        f"{100 * recall.worst:.1f} / {100 * recall.average:.1f}"
        if (recall := recalls.get(name)) is not None
        else NO_FIGURE
        for name in names
    ]
