"""An own reader of predictions: what a score must say about a file that was accepted."""

import csv
import gzip
import io
import json
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

AGREEMENT = 1e-6


@dataclass(frozen=True, kw_only=True)
class Oracle:
    """The true label of every row, and the rows of each task, dimension, setting and degree."""

    labels: dict[str, tuple[int, str]]
    cells: dict[tuple[str, str, str, str], list[str]]

    @classmethod
    def of_release(cls, release: Path) -> "Oracle":
        """Read a release without the project's own code."""
        manifest = json.loads((release / "manifest.json").read_text(encoding="utf-8"))
        names = {task["name"]: task["labels"] for task in manifest["tasks"]}
        labels: dict[str, tuple[int, str]] = {}
        cells: dict[tuple[str, str, str, str], list[str]] = defaultdict(list)
        for split in manifest["splits"]:
            if split["dimension"] == "train" or not split["rows"]:
                continue
            rows = pq.read_table(release / split["path"], columns=["id", "label"]).to_pylist()
            cell = (split["task"], split["dimension"], split["setting"] or "", f"{split['degree']:g}")
            for row in rows:
                labels[row["id"]] = (row["label"], names[split["task"]][row["label"]])
                cells[cell].append(row["id"])
        return cls(labels=labels, cells=dict(cells))

    def wrong_figures(self, predictions: bytes, name: str, result: Any) -> list[str] | None:
        """Return the figures of a result that do not follow from a file; nothing if it cannot be read."""
        try:
            answers = _answers(predictions, name)
        except (ValueError, KeyError, TypeError, RecursionError, OSError, EOFError):
            return None
        wrong = []
        for (task, dimension, setting, degree), ids in self.cells.items():
            n_right = sum(self._is_right(row, answers.get(row)) for row in ids)
            scores = result["tasks"].get(task)
            if scores is None:
                continue
            if dimension == "clean":
                claimed = scores["clean"]["accuracy"]
            else:
                cell = scores["dimensions"].get(dimension, {}).get(setting, {}).get("degrees", {})
                if degree not in cell:
                    continue
                claimed = cell[degree]["accuracy_cases"]
            if abs(claimed - n_right / len(ids)) > AGREEMENT:
                wrong.append(f"{task} {dimension} {setting} {degree}: {claimed}, not {n_right / len(ids)}")
        return wrong

    def _is_right(self, row: str, answer: Any) -> bool:
        index, name = self.labels[row]
        return answer is not None and str(answer).strip() in {name, str(index)}


def _answers(data: bytes, name: str) -> dict[str, Any]:
    """Return the predictions by id."""
    if name.endswith(".gz"):
        data, name = gzip.decompress(data), name.removesuffix(".gz")
    if name.endswith(".parquet"):
        rows = pq.read_table(io.BytesIO(data)).to_pylist()
    elif name.endswith(".csv"):
        rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    else:
        rows = [json.loads(line) for line in data.decode("utf-8-sig").splitlines() if line.strip()]
    return {row["id"]: row["prediction"] for row in rows}
