"""Trains the judge of substitutions: `python -m builder.making.substitution.train FOLDER`.

Needs the extra `build` and a folder with swords_dev.tsv.gz and coinco.tsv.gz. Prints precision and recall on
the documents that are held out; the judge that ships is the one that was measured.
"""

import gzip
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from builder.language.masked_lm.model import PACKAGED
from builder.language.substitution.features import Matrix
from builder.language.substitution.places import rows_of
from builder.language.substitution.thesaurus_pairs import PAIRS_PATH
from builder.language.substitution.trees import WEIGHTS_PATH, Trees, save_trees
from builder.making.substitution.verdicts import Verdict, read_verdicts
from builder.making.thesaurus.senses import Sense, read_senses
from contract.machine.hashes import hash_of_file

N_TREES = 160
LEARNING_RATE = 0.06
MOST_LEAVES = 12
FEWEST_ROWS = 30
SEED = 0
THRESHOLDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)

Flags = NDArray[np.bool_]


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--rows", "rows_path", type=click.Path(path_type=Path), help="Keeps the features between runs.")
def main(folder: Path, rows_path: Path | None) -> None:
    """Train, measure and write the judge."""
    save_pairs()
    verdicts = read_verdicts(folder)
    if rows_path is not None and rows_path.exists():
        rows = np.load(rows_path, allow_pickle=False)
    else:
        rows = features(verdicts)
        if rows_path is not None:
            np.save(rows_path, rows, allow_pickle=False)
    is_held_out = np.array([verdict.is_held_out for verdict in verdicts])
    is_acceptable = np.array([verdict.is_acceptable for verdict in verdicts])
    weights = np.array([verdict.weight for verdict in verdicts])
    trees = fit(rows[~is_held_out], is_acceptable[~is_held_out], weights[~is_held_out])
    WEIGHTS_PATH.write_bytes(save_trees(trees))
    sources = np.array([verdict.source for verdict in verdicts])
    for source in ("swords", "coinco"):
        chosen = is_held_out & (sources == source)
        print_figures(source, trees.probabilities(rows[chosen]), is_acceptable[chosen])
    for path, where in ((WEIGHTS_PATH, "trees.py"), (PAIRS_PATH, "thesaurus_pairs.py")):
        click.echo(f"{path.name} has sha256 {hash_of_file(path)}: that goes into {where}", err=True)


def save_pairs() -> None:
    """Write the pairs of the thesaurus, the same bytes for the same thesaurus."""
    pairs: dict[tuple[str, str], dict[str, None]] = {}
    for sense in read_senses():
        if isinstance(sense, Sense) and sense.substitutes:
            of_word = pairs.setdefault((sense.part_of_speech, sense.word), {})
            of_word.update((substitute.text, None) for substitute in sense.substitutes)
    lines = [f"{part}\t{word}\t{','.join(of_word)}" for (part, word), of_word in sorted(pairs.items())]
    PAIRS_PATH.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))


def features(verdicts: Sequence[Verdict]) -> Matrix:
    """Return a row for each verdict."""
    by_text: dict[str, list[int]] = {}
    for number, verdict in enumerate(verdicts):
        by_text.setdefault(verdict.text, []).append(number)
    of_texts = rows_of(
        list(by_text),
        [[verdicts[number].swap for number in numbers] for numbers in by_text.values()],
        PACKAGED,
    )
    order = [number for numbers in by_text.values() for number in numbers]
    rows = np.concatenate(of_texts)
    placed = np.empty_like(rows)
    placed[order] = rows
    return placed


def fit(rows: Matrix, is_acceptable: Flags, weights: Matrix) -> Trees:
    """Return boosted trees."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(
        max_iter=N_TREES,
        learning_rate=LEARNING_RATE,
        max_leaf_nodes=MOST_LEAVES,
        min_samples_leaf=FEWEST_ROWS,
        l2_regularization=5.0,
        early_stopping=False,
        random_state=SEED,
    ).fit(rows, is_acceptable, sample_weight=weights)
    # scikit-learn has no public way to read the trees; its pickles must not be shipped.
    nodes = [predictors[0].nodes for predictors in model._predictors]  # noqa: SLF001
    return _as_trees(nodes, float(np.ravel(model._baseline_prediction)[0]))  # noqa: SLF001


def _as_trees(nodes: Sequence[Any], start: float) -> Trees:
    firsts = np.cumsum([0, *(len(of_tree) for of_tree in nodes[:-1])])
    columns: Mapping[str, list[Any]] = {
        name: [] for name in ("feature", "threshold", "left", "right", "value")
    }
    for first, of_tree in zip(firsts.tolist(), nodes, strict=True):
        is_leaf = of_tree["is_leaf"].astype(bool)
        own = first + np.arange(len(of_tree))
        columns["feature"].append(np.where(is_leaf, 0, of_tree["feature_idx"]))
        columns["threshold"].append(np.where(is_leaf, 0.0, of_tree["num_threshold"]))
        columns["left"].append(np.where(is_leaf, own, first + of_tree["left"]))
        columns["right"].append(np.where(is_leaf, own, first + of_tree["right"]))
        columns["value"].append(np.where(is_leaf, of_tree["value"], 0.0))
    return Trees(
        feature=np.concatenate(columns["feature"]).astype(np.int16),
        threshold=np.concatenate(columns["threshold"]).astype(np.float64),
        left=np.concatenate(columns["left"]).astype(np.int32),
        right=np.concatenate(columns["right"]).astype(np.int32),
        value=np.concatenate(columns["value"]).astype(np.float64),
        roots=firsts.astype(np.int32),
        depth=np.array(max(int(of_tree["depth"].max()) for of_tree in nodes), dtype=np.int16),
        start=np.array(start, dtype=np.float64),
    )


def print_figures(source: str, probabilities: Matrix, is_acceptable: Flags) -> None:
    """Print precision and recall at some thresholds."""
    from sklearn.metrics import average_precision_score, roc_auc_score

    click.echo(
        f"{source}, held out: {len(probabilities)} substitutions, {is_acceptable.mean():.3f} acceptable,"
        f" AUC {roc_auc_score(is_acceptable, probabilities):.3f},"
        f" average precision {average_precision_score(is_acceptable, probabilities):.3f}"
    )
    for threshold in THRESHOLDS:
        is_taken = probabilities >= threshold
        right = int((is_taken & is_acceptable).sum())
        click.echo(
            f"  at {threshold:.1f}: precision {right / max(int(is_taken.sum()), 1):.3f},"
            f" recall {right / max(int(is_acceptable.sum()), 1):.3f}, {int(is_taken.sum())} taken"
        )


if __name__ == "__main__":
    main()
