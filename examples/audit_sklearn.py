"""Audits a scikit-learn pipeline on rows of your own: python audit_sklearn.py FILE.csv [FOLDER] [LIMIT]."""

import csv
import sys
from pathlib import Path

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import hardfrost


def main(file: str, folder: str = "audited", limit: str = "200") -> None:
    """Train on half of the rows, attack the model on the other half, and say where it breaks."""
    with Path(file).open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    texts, labels = [row["text"] for row in rows], [row["label"] for row in rows]
    half = len(rows) // 2
    model = make_pipeline(TfidfVectorizer(), LogisticRegression(C=10)).fit(texts[:half], labels[:half])

    score = hardfrost.audit(
        model, texts[half:], labels[half:], name="my pipeline", out=folder, limit=int(limit)
    )
    print(score)
    for task in score.result.tasks.values():
        for dimension, settings in task.dimensions.items():
            for setting, cell in settings.items():
                print(f"{dimension}, {setting}: most hurt is {cell.most_hurt_label}")
    print(f"Open {score.report_path}")


if __name__ == "__main__":
    main(*sys.argv[1:])
