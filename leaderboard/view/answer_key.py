"""The labels of a release as one compact script: with it, a browser scores a predictions file."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from contract.predictions.reading import ReleaseRows
from contract.release.release import Release
from contract.schema.estimates import RANKED_BY
from contract.schema.leaderboards import Leaderboard
from contract.schema.manifest import CORE, SplitInfo
from contract.schema.names import CLEAN, case_id, clean_id, degree_key
from contract.task_kinds import TASK_KINDS
from leaderboard.text.untrusted_text import visible
from leaderboard.view.by_setting import RULE
from leaderboard.view.data_scripts import script
from leaderboard.view.labels import model_labels
from leaderboard.view.tables import Table

# A row takes about six bytes; more rows would take a browser too long to load and to match.
MOST_ROWS = 1_000_000
WITHHELD = -1
# One in so many clean samples must have a case at a degree that counts.
ONE_IN = 10


@dataclass(frozen=True, kw_only=True)
class AnswerKey:
    """The script that holds the labels, or the reason why there is none."""

    script: str | None = None
    why_not: str = ""


def asked_of(release: Release | None) -> list[str]:
    """Return what predictions must give for tasks with many labels a text, a sentence a task."""
    tasks = [] if release is None else release.manifest.tasks
    return [
        f"Task {visible(task.name, 60)} is {task.kind}: give {lists.answer.replace('`', '')}."
        for task in tasks
        if (lists := TASK_KINDS[task.kind].lists) is not None
    ]


def answer_key(release: Release | None, leaderboard: Leaderboard, table: Table) -> AnswerKey:
    """Return the answer key of a release, or none if its labels are not public or it is too large."""
    if release is None:
        return AnswerKey(why_not="this site was written without the release")
    if release.manifest.labels == "withheld":
        return AnswerKey(why_not="the labels of this benchmark are withheld")
    listed = [task.name for task in release.manifest.tasks if TASK_KINDS[task.kind].lists is not None]
    if listed:
        return AnswerKey(
            why_not=f"{', '.join(listed)} has many labels a text, which only the command line scores"
        )
    rows = ReleaseRows.read(release, ("id", "sample_id", "label", "case"))
    if len(rows) > MOST_ROWS:
        return AnswerKey(why_not=f"{len(rows):,} rows are too many for a browser")
    if pc.any(pc.equal(rows.table["label"], WITHHELD)).as_py():
        return AnswerKey(why_not="some labels of this benchmark are withheld")
    samples = {task.name: _samples_of(rows, task.name) for task in rows.tasks}
    task_indices = {task.name: index for index, task in enumerate(rows.tasks)}
    value = {
        "benchmark": rows.benchmark,
        "min_samples": leaderboard.settings.min_samples,
        "beta": leaderboard.settings.beta,
        "ranked_by": RANKED_BY,
        "ewma_start": leaderboard.settings.ewma_start,
        "tasks": [
            {
                "name": task.name,
                "labels": task.labels,
                "mean": leaderboard.settings.mean or task.mean,
                "used": degrees_used(rows, task.name),
                "samples": samples[task.name].to_pylist(),
            }
            for task in rows.tasks
        ],
        "dimensions": _dimensions_of(release, leaderboard, table),
        "splits": [
            {"task": task_indices[split.task]} | _packed(split, rows.table[start:stop], samples[split.task])
            for split, (start, stop) in zip(rows.splits, pairwise(rows.bounds.tolist()), strict=True)
        ],
        "empty": [
            [task_indices[task.name], dimension, setting]
            for task in rows.tasks
            for dimension, setting in release.manifest.empty_cells(task.name)
        ],
        "left_out": rows.left_out,
        "n_left_out": rows.n_left_out,
        "left_out_ids": rows.left_out_ids,
        "headline": table.headline,
        "standings": _standings(leaderboard),
    }
    return AnswerKey(script=script("answer_key", value))


def degrees_used(rows: ReleaseRows, task: str) -> dict[str, list[str]]:
    """Return for each dimension the degrees that scores are made of, low ones first.

    Those at which a tenth of the task's samples have a random case; in a dimension without the setting
    `rule`, a case of any setting. A split without degrees always counts. All settings have the same.
    """
    splits = [split for split in rows.release.manifest.splits if split.task == task]
    n_samples = sum(split.samples for split in splits if split.dimension == CLEAN)
    dimensions = dict.fromkeys(split.dimension for split in splits if split.is_adversarial)
    used = {}
    for dimension in dimensions:
        here = [split for split in splits if split.dimension == dimension]
        with_degree = [split for split in here if split.degree is not None]
        random: Counter[float | None] = Counter()
        for split in with_degree:
            if split.setting == RULE:
                random[split.degree] += split.samples
        counts: Mapping[float | None, int] = random or _n_with_case(rows, with_degree)
        enough = [degree for degree, n in counts.items() if n * ONE_IN >= max(n_samples, 1)]
        enough += [None] if len(with_degree) < len(here) else []
        enough.sort(key=lambda degree: -1.0 if degree is None else degree)
        used[dimension] = [degree_key(degree) for degree in enough]
    return used


def _n_with_case(rows: ReleaseRows, splits: Sequence[SplitInfo]) -> dict[float | None, int]:
    """Return how many samples have a case at each degree; a sample may stand in both files of a degree."""
    samples: dict[float | None, set[str]] = {}
    bounds = dict(zip(rows.splits, pairwise(rows.bounds.tolist()), strict=True))
    for split in splits:
        if split in bounds:
            start, stop = bounds[split]
            samples.setdefault(split.degree, set()).update(rows.table["sample_id"][start:stop].to_pylist())
    return {degree: len(names) for degree, names in samples.items()}


def _samples_of(rows: ReleaseRows, task: str) -> pa.Array:
    """Return a task's samples in the order of their first rows."""
    columns = [
        rows.table["sample_id"][group.start : group.stop] for group in rows.groups if group.task == task
    ]
    return pc.unique(pa.chunked_array([chunk for column in columns for chunk in column.chunks], pa.string()))


def _packed(split: SplitInfo, table: pa.Table, samples: pa.Array) -> dict[str, Any]:
    """Return a split column by column; samples as differences from row to row, most of them 0 or 1."""
    indices = pc.index_in(table["sample_id"], value_set=samples).to_pylist()
    return {
        "dimension": split.dimension,
        "setting": split.setting,
        "degree": split.degree,
        "key": degree_key(split.degree),
        "tier": split.tier,
        "mean_realised_degree": split.mean_realised_degree,
        "samples": [index - before for before, index in pairwise([0, *indices])],
        "labels": table["label"].to_pylist(),
        **_packed_ids(split, table),
    }


def _packed_ids(split: SplitInfo, table: pa.Table) -> dict[str, Any]:
    """Return the text between sample and case of the ids, or all ids if they are made otherwise."""
    ids: list[str] = table["id"].to_pylist()
    names: list[str] = table["sample_id"].to_pylist()
    if split.setting is None:
        if all(map(str.__eq__, ids, map(clean_id, names))):
            return {"middle": clean_id("")}
        return {"ids": ids}
    cases: list[int] = table["case"].to_pylist()
    middle = case_id("", split.dimension, split.setting, split.degree, 0).removesuffix("0")
    if all(
        identifier == f"{name}{middle}{case}"
        for identifier, name, case in zip(ids, names, cases, strict=True)
    ):
        return {"middle": middle, "cases": cases}
    return {"ids": ids}


def _dimensions_of(release: Release, leaderboard: Leaderboard, table: Table) -> list[dict[str, Any]]:
    """Return the dimensions in the order of tables, with their page if the site has one."""
    infos = {info.name: info for info in release.manifest.dimensions}
    pages = {
        info.name: column.page for info, column in zip(leaderboard.dimensions, table.columns, strict=True)
    }
    names = release.manifest.dimension_order()
    names += [split.dimension for split in release.manifest.splits if split.is_adversarial]
    return [
        {
            "name": name,
            "tag": infos[name].tag if name in infos else None,
            "group": infos[name].group if name in infos else CORE,
            "page": pages.get(name),
        }
        for name in dict.fromkeys(names)
    ]


def _standings(leaderboard: Leaderboard) -> list[dict[str, Any]]:
    """Return the ranked entries with their overall scores, best first."""
    return [
        {
            "name": label.distinct,
            "page": label.page,
            "score": overall.score.ewma,
            "average": overall.average.ewma,
        }
        for entry, label in zip(leaderboard.entries, model_labels(leaderboard.entries), strict=True)
        if entry.status == "ranked" and (overall := entry.result.overall) is not None
    ]
