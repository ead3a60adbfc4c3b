"""The command `demo`: builds a small release, scores baselines on it and writes their leaderboard."""

import shutil
from pathlib import Path

import click

from contract.machine.terminal import echo

DEMO_BASELINES = {
    "majority": "the most frequent label",
    "vader": "VADER's sentiment lexicon",
    "textblob": "TextBlob's sentiment lexicon",
}


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
    from contract.schema.results import ModelInfo
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
        surrogates = {f"surrogate:{info.name}": "a surrogate of the release" for info in manifest.surrogates}
        models = {**DEMO_BASELINES, **surrogates}
        progress.stage("predict and score", len(models))
        for spec, notes in models.items():
            name = spec.rpartition(":")[2]
            predictions = output / "predictions" / f"{name}.jsonl"
            predict(release, spec, predictions)
            is_surrogate = spec.startswith("surrogate:")
            model = ModelInfo(
                name=name,
                organisation="baselines",
                revision="1",
                notes=notes,
                is_surrogate_family=is_surrogate,
                surrogate=name if is_surrogate else None,
            )
            score(release, predictions, model).write(
                output / "results" / f"baselines__{name}" / "1" / "result.json"
            )
            progress.step()
        progress.stage("leaderboard and site", 2)
        leaderboard = collect(output / "results", release_dir=release)
        leaderboard.write(output / "leaderboard.json")
        progress.step()
        page = write_site(leaderboard, output / "site", release_dir=release)
        progress.step()
    echo(f"Open {page.resolve()}")
