"""Predictions for a release with tasks of all kinds, right now and then, and its true labels."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from contract.predictions.reading import ReleaseRows
from contract.release.release import Release


@dataclass(frozen=True)
class Truth:
    """A row: its task, dimension, text, sample, and true labels, with None for what nobody judged."""

    id: str
    task: str
    dimension: str
    degree: float | None
    sample: str
    text: str
    label: int
    codes: list[int | None]


def truths_of(path: Path) -> list[Truth]:
    """Return every row that is to be answered."""
    release = Release.open(path)
    rows = ReleaseRows.read(release, ("id",))
    found = []
    for split in rows.splits:
        table = release.table(split, release.columns_of(split))
        found += [
            Truth(
                row["id"], split.task, split.dimension, split.degree, row["sample_id"], row["text"],
                row["label"], row.get("labels") or [],
            )
            for row in table.to_pylist()
        ]  # fmt: skip
    return found


def noisy_answers(path: Path, seed: int = 0, share: float = 0.25) -> list[dict[str, Any]]:
    """Return answers of which a share is wrong."""
    draw = np.random.default_rng(seed)
    labels = {task.name: task.labels for task in Release.open(path).manifest.tasks}
    answers: list[dict[str, Any]] = []
    for row in truths_of(path):
        names = labels[row.task]
        if row.task == "plain":
            is_wrong = draw.random() < share
            answers.append({"id": row.id, "prediction": names[1 - row.label if is_wrong else row.label]})
        elif row.task == "moods":
            means = [0.5 if code is None else 0.35 + 0.3 * code for code in row.codes]
            shares = np.clip(draw.normal(means, 0.2), 0, 1).round(3)
            answers.append({"id": row.id, "probabilities": shares.tolist()})
        else:
            given = [int(draw.integers(len(names))) if draw.random() < share else code for code in row.codes]
            answers.append({"id": row.id, "prediction": [names[code or 0] for code in given]})
    return answers


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write answers as JSON Lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path
