"""The command line: mounts the commands of the packages, importing each only when it is used."""

import importlib
import json
import shutil
import sys
from pathlib import Path
from typing import Protocol

import click

from contract.errors import ExitCode, UserError
from contract.files import file_trouble
from contract.json_option import as_json_option
from contract.registry import Registry

# Where each command lives; the order is that of a newcomer's day.
COMMANDS = {
    "demo": "hardfrost:demo",
    "build": "builder.commands:build",
    "merge": "builder.commands:merge",
    "import": "builder.import_commands:import_release",
    "download": "contract.hub_commands:download",
    "verify": "contract.commands:verify",
    "info": "contract.commands:info",
    "diff": "contract.commands:diff",
    "predict": "evaluator.commands:predict",
    "template": "evaluator.commands:template",
    "check": "evaluator.commands:check",
    "score": "evaluator.commands:score",
    "compare": "evaluator.commands:compare",
    "submit": "submitting:submit",
    "recheck": "submitting:recheck",
    "report": "leaderboard.commands:report",
    "leaderboard": "leaderboard.commands:leaderboard",
    "site": "leaderboard.commands:site",
    "export": "evaluator.export_commands:export",
    "publish": "builder.publish_commands:publish",
    "reveal": "builder.publish_commands:reveal",
    "pack": "contract.hub_commands:pack",
    "list": "hardfrost:list_parts",
    "clean": "builder.commands:clean",
}
# The parts that `list` knows, and where their registries are.
REGISTRIES = {
    "dimensions": "builder.dimensions:DIMENSIONS",
    "settings": "builder.searches:SEARCHES",
    "tasks": "builder.tasks:SOURCES",
    "filters": "builder.filters:ALL_FILTERS",
    "surrogates": "classifiers:TRAINABLE_KINDS",
    "engines": "builder.engines:ENGINES",
    "classifiers": "classifiers:KINDS",
    "metrics": "evaluator.metrics:METRICS",
}
DEMO_BASELINES = {
    "majority": "the most frequent label",
    "vader": "VADER's sentiment lexicon",
    "textblob": "TextBlob's sentiment lexicon",
}


class Described(Protocol):
    """A part of any kind, as `list` shows it."""

    @property
    def name(self) -> str:
        """The public name."""

    @property
    def summary(self) -> str:
        """What it is, in a line."""


class LazyGroup(click.Group):
    """Imports a command's module when the command is asked for."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        """Return the command, imported from the package that owns it."""
        if name not in COMMANDS:
            return None
        command = _import(COMMANDS[name])
        if not isinstance(command, click.Command):
            raise TypeError(f"{COMMANDS[name]} is not a command")
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.version_option(package_name="hardfrost")
def cli() -> None:
    """Build frozen adversarial-robustness benchmarks for text classifiers and keep their leaderboards."""


def main() -> None:
    """Run the command line; what a user can fix is printed alone, anything else keeps its traceback."""
    try:
        cli()
    except UserError as error:
        click.echo(error.message, err=True)
        sys.exit(error.exit_code)
    except Exception as error:
        message = file_trouble(error)
        if message is None:
            raise
        click.echo(message, err=True)
        sys.exit(ExitCode.FAILURE)


@click.command(name="list")
@click.argument("what", type=click.Choice(list(REGISTRIES)))
@as_json_option
def list_parts(what: str, *, as_json: bool) -> None:
    """List the parts of a kind: name and what each is."""
    parts = [(part.name, part.summary) for part in registry(what).values()]
    if as_json:
        click.echo(json.dumps([{"name": name, "summary": summary} for name, summary in parts]))
        return
    width = max(len(name) for name, _ in parts)
    for name, summary in parts:
        click.echo(f"{name:<{width}}  {summary}")


@click.command()
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), default=Path("demo"), help="Folder for all of it."
)
@click.option("--recipe", default="default", help="The recipe to build.")
@click.option("--workers", type=click.IntRange(1), default=2, help="Processes to build with.")
def demo(output: Path, recipe: str, workers: int) -> None:
    """Build a small release, score baseline models on it and write their leaderboard site."""
    from builder.commands import GO_ON  # noqa: PLC0415
    from builder.pipeline import build  # noqa: PLC0415
    from builder.recipe_file import find_recipe, read_recipe  # noqa: PLC0415
    from contract.interruption import stoppable  # noqa: PLC0415
    from contract.progress import Bars  # noqa: PLC0415
    from contract.results import ModelInfo  # noqa: PLC0415
    from evaluator.predicting import predict  # noqa: PLC0415
    from evaluator.scoring import score  # noqa: PLC0415
    from leaderboard.collecting import collect  # noqa: PLC0415
    from leaderboard.site import write_site  # noqa: PLC0415

    release = output / "release"
    with stoppable(GO_ON), Bars() as progress:
        manifest = build(read_recipe(find_recipe(recipe)), release, progress, workers=workers)
        # What an earlier demo left may be about another release.
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
    click.echo(f"Open {page.resolve()}")


def registry(what: str) -> Registry[Described]:
    """Return the parts of a kind."""
    found = _import(REGISTRIES[what])
    if not isinstance(found, Registry):
        raise TypeError(f"{REGISTRIES[what]} is not a registry")
    return found


def _import(place: str) -> object:
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


if __name__ == "__main__":
    main()
