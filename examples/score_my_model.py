"""Scores a scikit-learn pipeline on a benchmark: python score_my_model.py [RECIPE] [FOLDER]."""

import sys
from pathlib import Path

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline

import hardfrost


def train(texts: list[str], labels: list[str]) -> Pipeline:
    """Return a model of yours; anything with `predict_proba` will do."""
    return make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), LogisticRegression(C=10)).fit(texts, labels)


def main(recipe: str = "tiny", folder: str = "scored") -> None:
    """Build a small benchmark, train on its training rows, and say where the model breaks."""
    release = hardfrost.build(recipe, Path(folder) / "release")
    task = release.tasks[0]
    rows = release.datasets[f"{task}__train"]["train"]
    names = release.labels(task)
    model = train(rows["text"][:], [names[label] for label in rows["label"]])

    predictions = hardfrost.predict(release, model, Path(folder) / "predictions.jsonl")
    score = hardfrost.score(release, predictions, name="my pipeline", out=Path(folder) / "result.json")
    print(score)

    figures = score.to_pandas()
    print(figures[["dimension", "setting", "degree", "average", "worst"]].to_string(index=False))
    for dimension, settings in score.result.tasks[task].dimensions.items():
        for setting, cell in settings.items():
            print(f"{dimension}, {setting}: most hurt is {cell.most_hurt_label}")
    score.plot().savefig(Path(folder) / "curves.png")


if __name__ == "__main__":
    main(*sys.argv[1:])
