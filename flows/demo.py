"""The command `demo`: builds a small release, scores baselines on it and writes their leaderboard."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from contract.machine.terminal import echo

if TYPE_CHECKING:
    from contract.schema.manifest import Manifest
    from contract.schema.results import ModelInfo

ORGANISATION = "baselines"
SENTIMENT = ["negative", "positive"]


@dataclass(frozen=True, kw_only=True)
class DemoModel:
    """A model of the demo's leaderboard: its name, the spec that `predict` takes, and what it is."""

    name: str
    spec: str
    notes: str
    surrogate: str | None = None

    @property
    def info(self) -> "ModelInfo":
        """What the leaderboard says about it."""
        from contract.schema.results import ModelInfo

        return ModelInfo(
            name=self.name,
            organisation=ORGANISATION,
            revision="1",
            notes=self.notes,
            is_surrogate_family=self.surrogate is not None,
            surrogate=self.surrogate,
        )


# What no good score may be given to.
CARELESS = (
    DemoModel(name="majority", spec="majority", notes="the most frequent label"),
    DemoModel(name="guess", spec="guess", notes="a label drawn at random"),
)
LEANING = DemoModel(
    name="leaning-lexicon",
    # By its file: a folder of the user's may hold a `flows` of its own.
    spec=f"python:{Path(__file__).parent / 'demo_models' / 'leaning_lexicon.py'}:predict",
    notes="VADER's lexicon, where what is not negative is positive",
)
LEXICONS = (
    DemoModel(name="vader", spec="vader", notes="VADER's sentiment lexicon"),
    DemoModel(name="textblob", spec="textblob", notes="TextBlob's sentiment lexicon"),
)
TRAINED = (
    DemoModel(name="my-nbsvm", spec="trained:nbsvm", notes="naive Bayes ratios with a linear layer"),
    DemoModel(name="my-char-tfidf", spec="trained:char-tfidf", notes="a linear layer over characters"),
    DemoModel(name="my-subword", spec="trained:subword", notes="vectors of words and their parts"),
    DemoModel(
        name="my-ensemble",
        spec="ensemble:trained:nbsvm+trained:char-tfidf+trained:subword",
        notes="the mean of the three above",
    ),
)


def models_for(manifest: "Manifest") -> Iterator[DemoModel]:
    """Yield the models that can read the release; its surrogates come last, and are marked as such."""
    yield from CARELESS
    if all(sorted(task.labels) == SENTIMENT for task in manifest.tasks):
        yield from (LEANING, *LEXICONS)
    yield from TRAINED
    for info in manifest.surrogates:
        spec = f"surrogate:{info.name}"
        yield DemoModel(name=info.name, spec=spec, notes="a surrogate of the release", surrogate=info.name)


@click.command()
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), default=Path("demo"), help="The folder for all files."
)
@click.option("--recipe", default="default", help="The recipe to build.")
@click.option("--workers", type=click.IntRange(1), default=2, help="Processes to build with.")
def demo(output: Path, recipe: str, workers: int) -> None:
    """Build a small release, score baseline models on it and write their leaderboard site."""
    from builder.commands.build import RESUME_HINT
    from builder.recipe.recipe_file import find_recipe, read_recipe
    from builder.recipe.trust import check_trust
    from builder.run.options import ExecutionOptions
    from builder.run.pipeline import build
    from contract.machine.interruption import interruptible
    from contract.machine.progress import Bars
    from evaluator.predicting.predicting import predict
    from evaluator.scoring.score import score
    from leaderboard.board.collecting import collect
    from leaderboard.pages.site import write_site

    chosen = read_recipe(find_recipe(recipe))
    check_trust(chosen)
    release = output / "release"
    with interruptible(hint=RESUME_HINT), Bars() as progress:
        manifest = build(chosen, release, progress, ExecutionOptions.with_workers(workers))
        # Files of an earlier demo may belong to another release.
        for folder in ("predictions", "results"):
            shutil.rmtree(output / folder, ignore_errors=True)
        models = list(models_for(manifest))
        progress.stage("predict and score", len(models))
        for model in models:
            predictions = output / "predictions" / f"{model.name}.jsonl"
            predict(release, model.spec, predictions)
            path = output / "results" / f"{ORGANISATION}__{model.name}" / "1" / "result.json"
            score(release, predictions, model.info).write(path)
            progress.step()
        progress.stage("leaderboard and site", 2)
        leaderboard = collect(output / "results", release_dir=release)
        leaderboard.write(output / "leaderboard.json")
        progress.step()
        page = write_site(leaderboard, output / "site", release_dir=release)
        progress.step()
    echo(f"Open {page.resolve()}")
