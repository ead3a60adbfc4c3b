"""How a linear model's worst of K random cases falls with K, at one degree, as RobTest's Rule-Worst does.

Run on a release with many rule cases: python -m benchmarks.worst_of_k RELEASE
The model is word TF-IDF with logistic regression, trained on the release's training rows.
"""

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

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


def _line(
    split: SplitInfo, places: NDArray[np.int64], is_right: NDArray[np.bool_], clean: NDArray[np.bool_]
) -> str:
    """Return the row of a split: of the samples that have as many cases as the largest K."""
    n_cases = np.bincount(places, minlength=len(clean))
    n_right = np.bincount(places[is_right], minlength=len(clean))
    full = n_cases >= KS[-1]
    shown = ["–"] * (1 + len(KS))
    if full.any():
        cases = n_cases[full, None].astype(np.int32)
        right = np.where(clean, n_right, 0)[full, None].astype(np.int32)
        worst = [float(worst_at_k(right, cases, k).value()) for k in KS]
        shown = [f"{value:.3f}" for value in ((right / cases).mean(), *worst)]
    return f"| `{split.dimension}` | {split.degree:g} | {full.sum():,} | {' | '.join(shown)} |"


def main() -> None:
    """Print the table of a release."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("release", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        predictions = Path(folder) / "predictions.parquet"
        linear_predictions(options.release, predictions)
        print(*worst_lines(options.release, predictions), sep="\n")


if __name__ == "__main__":
    main()
