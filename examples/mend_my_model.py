"""Makes a model more robust by more training rows: python mend_my_model.py [FOLDER]."""

import sys
from pathlib import Path

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline

import hardfrost

RECIPE = {
    "name": "typos",
    "version": "1.0",
    "tasks": [{"name": "mr", "source": "mr", "samples": 300, "train_rows": 2000}],
    "dimensions": [{"name": "typo-general", "degrees": [0.1, 0.3, 0.5]}],
}


def train(texts: list[str], labels: list[str]) -> Pipeline:
    """Return a model of words, which knows none that is misspelt."""
    return make_pipeline(TfidfVectorizer(), LogisticRegression(max_iter=500)).fit(texts, labels)


def main(folder: str = "mended") -> None:
    """Score a model before and after it has seen typos, and test the difference."""
    release = hardfrost.build(RECIPE, Path(folder) / "release")
    rows = release.datasets["mr__train"]["train"]
    texts, names = list(rows["text"]), release.labels()
    labels = [names[label] for label in rows["label"]]

    # `hardfrost augment` does the same to a file.
    typos = hardfrost.perturb(texts, "typo-general", 0.5, seed=3, labels=labels)
    before = hardfrost.predict(release, train(texts, labels), Path(folder) / "before.jsonl")
    after = hardfrost.predict(
        release, train(texts + typos.texts, labels + labels), Path(folder) / "after.jsonl"
    )
    for name, predictions in (("before", before), ("after", after)):
        print(hardfrost.score(release, predictions, name=name))
    print(hardfrost.compare(release, after, before))


if __name__ == "__main__":
    main(*sys.argv[1:])
