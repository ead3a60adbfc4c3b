"""Builds, verifies and packs releases of ready recipes, and writes their cards and the list that names them.

Run it as `python -m data_cards.releases [RECIPE…] -o releases`, for some recipes or for all, as
`make releases` does. What cannot be built here, since its data are neither on this machine nor to be fetched,
is said and left out. The folder can be put on any server as it is:
`hardfrost download NAME --list https://…/releases.json`. The release `demo` also goes into the package, with
the list that ships.
"""

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click

from benchmarks.local_files import build_options
from builder.recipe.overrides import with_data_sources
from builder.recipe.recipe import Recipe
from builder.recipe.recipe_file import RECIPES_PATH, find_recipe, read_recipe
from builder.release.documents.facts import Facts
from builder.release.documents.readme import readme_of
from builder.run.options import ExecutionOptions
from builder.run.pipeline import build
from contract.machine.errors import ExitCode, UserError
from contract.machine.progress import Bars, Progress
from contract.machine.whole_files import write_text
from contract.release.release import Release
from contract.release.verification import verify
from contract.schema.release_lists import ListedRelease, ReleaseList
from contract.schema.results import Result
from contract.transport.archives import SUFFIX, Packed, pack
from contract.transport.named_releases import SHIPPED_LIST
from contract.transport.packed_results import RESULT_NAME
from evaluator.predicting.predicting import predict
from evaluator.scoring.score import score
from flows.demo import ORGANISATION, models_for

LIST_NAME = SHIPPED_LIST.name
# Comes inside the package, with results of a few models on it.
SHIPPED = "demo"


@dataclass(frozen=True, kw_only=True)
class Given:
    """Data sources that the command line gives, each as TASK=VALUE; those of a recipe's tasks are for it."""

    sources: Sequence[str] = ()
    trains: Sequence[str] = ()
    reads: Sequence[str] = ()
    data: Path | None = None
    options: ExecutionOptions = field(default_factory=ExecutionOptions)

    def applied(self, recipe: Recipe) -> Recipe:
        """Return the recipe with the data sources that were given for its tasks."""
        names = [task.name for task in recipe.tasks]
        found: dict[str, list[str]] = {"--source": [], "--train": [], "--read": []}
        if self.data is not None:
            options = build_options(self.data.resolve(), names)
            for option, value in zip(options[::2], options[1::2], strict=True):
                found[option].append(value)
        for option, values in (("--source", self.sources), ("--train", self.trains), ("--read", self.reads)):
            own = [value for value in values if value.partition("=")[0] in names]
            given = {value.partition("=")[0] for value in own}
            found[option] = [value for value in found[option] if value.partition("=")[0] not in given] + own
        return with_data_sources(recipe, found["--source"], found["--train"], found["--read"])


@click.command()
@click.argument("recipes", metavar="[RECIPE…]", nargs=-1)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("releases"),
    show_default=True,
    help="Folder for releases, archives, cards and the list.",
)
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Folder with local copies of data sets, as benchmarks/local_files.py names them.",
)
@click.option(
    "--source", "sources", multiple=True, metavar="TASK=SOURCE", help="As `hardfrost build` has it."
)
@click.option("--train", "trains", multiple=True, metavar="TASK=SOURCE", help="As `hardfrost build` has it.")
@click.option("--read", "reads", multiple=True, metavar="TASK={…}", help="As `hardfrost build` has it.")
@click.option(
    "--workers", type=click.IntRange(1), default=1, show_default=True, help="Processes to build with."
)
@click.option(
    "--results", "has_results", is_flag=True, help="Score models on every release, not on demo alone."
)
@click.option("--ship/--no-ship", default=True, show_default=True, help="Put demo into the package.")
def main(
    *,
    recipes: Sequence[str],
    output: Path,
    data: Path | None,
    sources: Sequence[str],
    trains: Sequence[str],
    reads: Sequence[str],
    workers: int,
    has_results: bool,
    ship: bool,
) -> None:
    """Build, verify and pack the releases of RECIPES, of all ready ones if none is named."""
    options = ExecutionOptions.with_workers(workers)
    given = Given(sources=sources, trains=trains, reads=reads, data=data, options=options)
    names = recipes or sorted(path.stem for path in RECIPES_PATH.glob("*.yaml"))
    failed = []
    for name in names:
        try:
            with Bars() as progress:
                packed = make_release(
                    name, output, given, progress, has_results=has_results or name == SHIPPED
                )
        except UserError as error:
            failed.append(name)
            click.echo(f"{name}: not built: {error.message}", err=True)
            continue
        click.echo(f"{packed.sha256}  {packed.path}  {packed.path.stat().st_size:,} bytes")
        if name == SHIPPED and ship:
            ship_release(name, output)
    if failed and (recipes or len(failed) == len(names)):
        raise SystemExit(ExitCode.FAILURE)


def make_release(name: str, output: Path, given: Given, progress: Progress, *, has_results: bool) -> Packed:
    """Build the release of a recipe, check it, and write its archive, its card and its entry in the list."""
    recipe = given.applied(read_recipe(find_recipe(name)))
    folder = output / name
    build(recipe, folder, progress, given.options)
    release = Release.open(folder)
    differences = verify(release, progress)
    if differences:
        raise UserError("\n".join(differences), exit_code=ExitCode.MISMATCH)
    results_dir = output / "results" / name
    if has_results:
        _score_models(release, results_dir, progress)
    archive = output / f"{name}-{recipe.version}{SUFFIX}"
    packed = pack(release, archive, progress, results_dir=results_dir if has_results else None)
    write_text(output / "cards" / f"{name}.md", readme_of(Facts.gather(release), has_examples=False))
    _note(output / LIST_NAME, name, release, packed)
    return packed


def ship_release(name: str, output: Path, folder: Path = SHIPPED_LIST.parent) -> None:
    """Put the archive of a release, and a list of it alone, where the package has them."""
    (entry,) = [each for each in ReleaseList.read(output / LIST_NAME).releases if each.name == name]
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob(f"{name}-*{SUFFIX}"):
        old.unlink()
    shutil.copyfile(output / entry.address, folder / entry.address)
    ReleaseList(releases=(entry,)).write(folder / LIST_NAME)


def _score_models(release: Release, results_dir: Path, progress: Progress) -> None:
    """Ask the models of `hardfrost demo`, and write their results where a leaderboard looks for them.

    Those of an earlier run on the same release stay.
    """
    models = {f"{ORGANISATION}__{model.name}": model for model in models_for(release.manifest)}
    paths = {folder: results_dir / folder / "1" / RESULT_NAME for folder in models}
    for old in results_dir.glob("*"):
        if old.name not in models or not _is_of(paths[old.name], release):
            shutil.rmtree(old)
    progress.stage("predict and score", len(models))
    for folder, model in models.items():
        if not paths[folder].is_file():
            with tempfile.TemporaryDirectory() as scratch:
                predictions = Path(scratch) / "predictions.jsonl"
                predict(release.path, model.spec, predictions)
                score(release.path, predictions, model.info).write(paths[folder])
        progress.step()


def _is_of(path: Path, release: Release) -> bool:
    """Tell whether a file is a result on this release as it is."""
    benchmark = Result.read(path).benchmark if path.is_file() else None
    return benchmark is not None and benchmark.manifest_sha256 == release.manifest_sha256


def _note(path: Path, name: str, release: Release, packed: Packed) -> None:
    """Write a release into the list; it replaces the one of its name."""
    manifest = release.manifest
    n_samples = sum(task.n_samples for task in manifest.tasks)
    tasks = ", ".join(task.name for task in manifest.tasks)
    settings = ", ".join(dict.fromkeys(split.setting for split in manifest.splits if split.setting))
    entry = ListedRelease(
        name=name,
        version=manifest.version,
        summary=f"{n_samples:,} samples of {tasks}; {len(manifest.dimensions)} dimensions; {settings}",
        address=packed.path.name,
        sha256=packed.sha256,
    )
    others = ReleaseList.read(path).releases if path.is_file() else ()
    entries = [*(other for other in others if other.name != name), entry]
    ReleaseList(releases=tuple(sorted(entries, key=lambda each: each.name))).write(path)


if __name__ == "__main__":
    main()
