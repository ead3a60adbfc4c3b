"""How a linear model's worst of K random cases falls with K, at one degree, as RobTest's Rule-Worst does.

Run on a release with many rule cases: python -m benchmarks.worst_of_k RELEASE
The model is word TF-IDF with logistic regression, trained on the release's training rows; in one dimension
other linear models stand beside it.
"""

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.svm import LinearSVC

from classifiers.machinery.classifier import TrainingSet
from classifiers.trained import TRAINABLE_KINDS
from contract.predictions.reading import ReleaseRows, read_predictions
from contract.release.release import Release
from contract.schema.manifest import SplitInfo
from contract.schema.names import CLEAN, TRAIN
from evaluator.metrics.worst_at_k import worst_at_k

MODEL = "word-tfidf"
KS = (1, 2, 5, 10, 20, 50, 100)
TEXTS_AT_A_TIME = 20_000
DIMENSION = "typo-malicious"


def linear_models() -> dict[str, Pipeline]:
    """Return linear models of scikit-learn as most people have them."""

    def joined(vectorizer: CountVectorizer, classifier: ClassifierMixin) -> Pipeline:
        return make_pipeline(vectorizer, classifier)

    return {
        "TF-IDF, logistic regression": joined(TfidfVectorizer(), LogisticRegression(max_iter=1000)),
        "TF-IDF, linear SVM": joined(TfidfVectorizer(), LinearSVC()),
        "counts, logistic regression": joined(CountVectorizer(), LogisticRegression(max_iter=1000)),
        "counts, naive Bayes": joined(CountVectorizer(), MultinomialNB()),
    }


def linear_predictions(release_path: Path, out: Path) -> None:
    """Train the model on the training rows and write its answers to all rows, a few at a time."""
    release = Release.open(release_path)
    schema = pa.schema([("id", pa.string()), ("prediction", pa.string())])
    with tempfile.TemporaryDirectory() as folder, pq.ParquetWriter(out, schema) as writer:
        for task in release.manifest.tasks:
            (train,) = release.splits(task=task.name, dimension=TRAIN)
            rows = release.table(train, ["text", "text_pair", "label"]).to_pylist()
            texts = [(row["text"], row["text_pair"]) for row in rows]
            training = TrainingSet(
                texts=texts, labels=[row["label"] for row in rows], n_labels=len(task.labels), seed=0
            )
            kind = TRAINABLE_KINDS[MODEL]
            kind.train(training, Path(folder))
            model = kind.load(Path(folder))
            for split in release.splits(task=task.name):
                if split.dimension == TRAIN or not split.rows:
                    continue
                table = release.table(split, ["id", "text", "text_pair"])
                for batch in table.to_batches(max_chunksize=TEXTS_AT_A_TIME):
                    pairs = zip(batch["text"].to_pylist(), batch["text_pair"].to_pylist(), strict=True)
                    labels = model.probabilities(list(pairs)).argmax(axis=1)
                    answers = [task.labels[label] for label in labels]
                    writer.write_batch(
                        pa.record_batch([batch["id"], pa.array(answers, pa.string())], schema=schema)
                    )


def worst_lines(release_path: Path, predictions_path: Path) -> Iterator[str]:
    """Yield a table of the worst of K cases at the lowest degree of each dimension, for rising K."""
    release = Release.open(release_path)
    (task,) = release.manifest.tasks
    rows = ReleaseRows.read(release, ("id", "sample_id", "label"))
    is_right = read_predictions(predictions_path, rows).labels == rows.table["label"].to_numpy()
    samples = pc.unique(rows.table["sample_id"])
    places = pc.index_in(rows.table["sample_id"], value_set=samples).to_numpy()
    yield "| dimension | degree | samples with 100 | average " + "".join(f"| K = {k} " for k in KS) + "|"
    yield "| --- " * (4 + len(KS)) + "|"
    for split, start, stop in zip(rows.splits, rows.bounds[:-1], rows.bounds[1:], strict=True):
        if split.dimension == CLEAN:
            clean = np.zeros(len(samples), np.bool_)
            clean[places[start:stop]] = is_right[start:stop]
        elif split.degree == min(s.degree or 0 for s in rows.splits if s.dimension == split.dimension):
            yield _line(split, places[start:stop], is_right[start:stop], clean)
    yield ""
    yield (
        f"{MODEL} on {task.n_samples:,} samples of {task.name}, {clean.mean():.3f} of which it has right when"
        " clean; a sample is right when its clean text and all K cases are, drawn without replacement."
    )


def linear_lines(release_path: Path) -> Iterator[str]:
    """Yield a table of other linear models in one dimension, at its lowest degree."""
    release = Release.open(release_path)
    (train,), (clean,) = release.splits(dimension=TRAIN), release.splits(dimension=CLEAN)
    split = min(release.splits(dimension=DIMENSION), key=lambda each: each.degree or 0)
    learnt = release.table(train, ["text", "label"]).to_pandas()
    originals, cases = (
        release.table(each, ["sample_id", "text", "label"]).to_pandas() for each in (clean, split)
    )
    places = pd.Index(originals["sample_id"]).get_indexer(cases["sample_id"])
    yield f"| `{DIMENSION}` at {split.degree:g} | clean " + "".join(f"| K = {k} " for k in KS) + "| 100 ÷ 2 |"
    yield "| --- " * (3 + len(KS)) + "|"
    for name, model in linear_models().items():
        model.fit(learnt["text"], learnt["label"])
        is_clean_right = (model.predict(originals["text"]) == originals["label"]).to_numpy()
        is_right = (model.predict(cases["text"]) == cases["label"]).to_numpy()
        _, values = _worst(places, is_right, is_clean_right)
        shown = " | ".join(f"{value:.3f}" for value in (is_clean_right.mean(), *values[1:]))
        yield f"| {name} | {shown} | {values[-1] / values[1 + KS.index(2)]:.2f} |"


def _line(
    split: SplitInfo, places: NDArray[np.int64], is_right: NDArray[np.bool_], clean: NDArray[np.bool_]
) -> str:
    """Return the row of a split."""
    n_full, values = _worst(places, is_right, clean)
    shown = [f"{value:.3f}" for value in values] or ["–"] * (1 + len(KS))
    return f"| `{split.dimension}` | {split.degree:g} | {n_full:,} | {' | '.join(shown)} |"


def _worst(
    places: NDArray[np.int64], is_right: NDArray[np.bool_], clean: NDArray[np.bool_]
) -> tuple[int, list[float]]:
    """Return how many samples have as many cases as the largest K; their average, and worst of each K."""
    n_cases = np.bincount(places, minlength=len(clean))
    n_right = np.bincount(places[is_right], minlength=len(clean))
    full = n_cases >= KS[-1]
    if not full.any():
        return 0, []
    cases = n_cases[full, None].astype(np.int32)
    right = np.where(clean, n_right, 0)[full, None].astype(np.int32)
    worst = [float(worst_at_k(right, cases, k).value()) for k in KS]
    return int(full.sum()), [float((right / cases).mean()), *worst]


def main() -> None:
    """Print the table of a release."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("release", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        predictions = Path(folder) / "predictions.parquet"
        linear_predictions(options.release, predictions)
        print(*worst_lines(options.release, predictions), "", *linear_lines(options.release), sep="\n")


if __name__ == "__main__":
    main()
