"""Keeps what identifies a reference release: its manifest, its card, and results of several models.

Run it as `python -m data_cards.reference RELEASE_DIR data_cards/mr`; no text of the release is kept. With
`--no-results` no model is asked.
"""

import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from builder.release.documents.datasheet import datasheet_of
from builder.release.documents.facts import Facts
from builder.release.documents.readme import readme_of
from contract.machine.whole_files import write_text
from contract.release.release import MANIFEST, Release
from contract.schema.results import ModelInfo
from contract.schema.timings import LOG, Timing, read_timings
from data_cards.participants import TRAIN
from evaluator.predicting.predicting import predict
from evaluator.scoring.score import score

ORGANISATION = "hardfrost"
PARTICIPANTS = "python:data_cards.participants"


@dataclass(frozen=True, kw_only=True)
class Entrant:
    """A model, how it is called, and the surrogate of whose family it is."""

    spec: str
    notes: str
    family: str | None = None

    @property
    def name(self) -> str:
        """What it is called on the leaderboard."""
        return self.spec.rpartition(":")[2].replace("_", "-")


ENTRANTS = (
    Entrant(spec="majority", notes="the most frequent label"),
    Entrant(spec="vader", notes="VADER's sentiment lexicon"),
    Entrant(spec="textblob", notes="TextBlob's sentiment lexicon"),
    Entrant(spec=f"{PARTICIPANTS}:naive_bayes", notes="multinomial naive Bayes over words"),
    Entrant(spec=f"{PARTICIPANTS}:nbsvm", notes="naive Bayes ratios with a linear layer"),
    Entrant(spec=f"{PARTICIPANTS}:regression", notes="logistic regression over words"),
    Entrant(spec=f"{PARTICIPANTS}:regression_folded", notes="the same, look-alikes folded into letters"),
    Entrant(spec=f"{PARTICIPANTS}:linear_svm", notes="linear SVM over words and characters"),
    Entrant(spec=f"{PARTICIPANTS}:svm_spelled", notes="linear SVM over words, spelling corrected"),
    Entrant(spec=f"{PARTICIPANTS}:char_svm", notes="linear SVM over characters"),
    Entrant(spec=f"{PARTICIPANTS}:char_svm_typos", notes="the same, trained with typing errors, too"),
    Entrant(spec=f"{PARTICIPANTS}:forest", notes="random trees over words"),
    Entrant(spec=f"{PARTICIPANTS}:gru", notes="a recurrent network over words"),
    Entrant(spec=f"{PARTICIPANTS}:fasttext", notes="the mean of hashed vectors of words and n-grams"),
    Entrant(spec=f"{PARTICIPANTS}:ensemble", notes="naive Bayes, SVM over characters and hashed vectors"),
    Entrant(spec=f"{PARTICIPANTS}:another_cnn", notes="a small convolutional network", family="cnn"),
    Entrant(
        spec=f"{PARTICIPANTS}:probe",
        notes="logistic regression over frozen MiniLM embeddings",
        family="minilm",
    ),
    Entrant(
        spec=f"{PARTICIPANTS}:another_minilm",
        notes="MiniLM, fine-tuned with another seed on other rows",
        family="minilm",
    ),
)


@click.command()
@click.argument("release_dir", type=click.Path(path_type=Path, file_okay=False))
@click.argument("kept_dir", type=click.Path(path_type=Path, file_okay=False))
@click.option("--results/--no-results", "has_results", default=True, help="Whether to score models.")
@click.option(
    "--took", default="", help="The command, what the clock and the largest process said, for the card."
)
def main(release_dir: Path, kept_dir: Path, *, has_results: bool, took: str) -> None:
    """Write manifest, card and results of the release in RELEASE_DIR into KEPT_DIR."""
    release = Release.open(release_dir)
    kept_dir.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(release_dir / MANIFEST, kept_dir / MANIFEST)
    facts = Facts.gather(release)
    write_text(kept_dir / "README.md", readme_of(facts, has_examples=False))
    sheet = datasheet_of(facts, has_examples=False)
    write_text(kept_dir / "DATASHEET.md", f"{sheet}\n{_cost(read_timings(release_dir / LOG), took)}")
    if has_results:
        _keep_results(release, release_dir, kept_dir)


def _cost(timings: Sequence[Timing], took: str) -> str:
    """Return what the build took, as a section of the card."""
    lines = [
        "## What the build took",
        "",
        *([took, ""] if took else []),
        "Seconds of work, summed over workers, by `hardfrost info DIR --timings` where it was built:",
        "",
        "| stage | pieces | seconds | rows | questions to surrogates |",
        "| --- | --- | --- | --- | --- |",
    ]
    for stage in dict.fromkeys(timing.stage for timing in timings):
        of_stage = [timing for timing in timings if timing.stage == stage]
        seconds, n_rows, n_questions = (
            sum(getattr(timing, name) for timing in of_stage) for name in ("seconds", "n_rows", "n_questions")
        )
        lines.append(f"| {stage} | {len(of_stage):,} | {seconds:,.0f} | {n_rows:,} | {n_questions:,} |")
    return "\n".join([*lines, ""])


def _keep_results(release: Release, release_dir: Path, kept_dir: Path) -> None:
    (task,) = release.manifest.tasks
    os.environ[TRAIN] = str((release_dir / f"data/{task.name}/train.parquet").resolve())
    surrogates = tuple(
        Entrant(spec=f"surrogate:{info.name}", notes="a surrogate of the release", family=info.name)
        for info in release.manifest.surrogates
    )
    with tempfile.TemporaryDirectory() as folder:
        for entrant in (*ENTRANTS, *surrogates):
            click.echo(entrant.name, err=True)
            predictions = Path(folder) / f"{entrant.name}.parquet"
            predict(release_dir, entrant.spec, predictions)
            model = ModelInfo(
                name=entrant.name,
                organisation=ORGANISATION,
                revision=release.manifest.version,
                notes=entrant.notes,
                is_surrogate_family=entrant.family is not None,
                surrogate=entrant.family,
            )
            result_dir = kept_dir / "results" / f"{ORGANISATION}__{entrant.name}" / release.manifest.version
            score(release_dir, predictions, model).write(result_dir / "result.json")


if __name__ == "__main__":
    main()
