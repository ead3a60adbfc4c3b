"""The builder's commands: build and clean."""

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from contract.errors import ExitCode, UserError

if TYPE_CHECKING:
    from builder.recipe import Recipe
    from contract.manifest import Manifest

DEFAULT_RECIPE = "default"


@click.command()
@click.argument("recipe", default=DEFAULT_RECIPE, metavar="[RECIPE]")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Folder for the release.")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Processes to use.")
@click.option("--surrogates", metavar="A,B", help="Kinds or specs of surrogates instead of the recipe's.")
@click.option("--trust", "is_trusted", is_flag=True, help="Run the code of the recipe's own surrogates.")
@click.option("--fresh", "is_fresh", is_flag=True, help="Do finished units of work again.")
@click.option(
    "--expect",
    metavar="MANIFEST",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Say whether the result is the benchmark of this manifest.json; exit 4 if not. Needs no -o.",
)
@click.option(
    "--plan", "is_plan", is_flag=True, help="Print the resolved recipe and the units; make nothing."
)
@click.option("--json", "as_json", is_flag=True, help="Print the plan or the manifest as JSON.")
def build(
    recipe: str,
    output: Path | None,
    workers: int,
    surrogates: str | None,
    *,
    is_trusted: bool,
    is_fresh: bool,
    expect: Path | None,
    is_plan: bool,
    as_json: bool,
) -> None:
    """Build the release of RECIPE, a YAML file or the name of a ready recipe.

    Units of work that an earlier build finished are taken from the cache, so a killed build goes on.
    """
    from builder.recipe_file import find_recipe, read_recipe  # noqa: PLC0415

    chosen = read_recipe(find_recipe(recipe))
    if surrogates is None and not is_trusted:
        chosen.check_trust()
    if surrogates is not None:
        chosen = chosen.with_surrogates([name.strip() for name in surrogates.split(",") if name.strip()])
    if is_plan:
        _print_plan(chosen, as_json=as_json)
        return
    if output is None and expect is None:
        raise click.UsageError("say where the release goes: -o FOLDER")
    from builder.pipeline import build as build_release  # noqa: PLC0415
    from contract.manifest import Manifest  # noqa: PLC0415
    from contract.progress import Bars  # noqa: PLC0415

    expected = None if expect is None else Manifest.read(expect)
    if expected is not None and expected.recipe_sha256 != chosen.sha256:
        raise UserError(
            f"{expect}: made by another recipe ({expected.recipe_sha256[:12]}, this one is"
            f" {chosen.sha256[:12]}); nothing was built",
            exit_code=ExitCode.MISMATCH,
        )
    with tempfile.TemporaryDirectory() as scratch, Bars() as progress:
        folder = output or Path(scratch) / "release"
        manifest = build_release(chosen, folder, progress, workers=workers, is_fresh=is_fresh)
    n_cases = sum(split.rows for split in manifest.splits if split.is_adversarial)
    if as_json:
        click.echo(json.dumps(manifest.to_json(), ensure_ascii=False))
    else:
        name = f"{manifest.name} {manifest.version}"
        place = "" if output is None else f"{output}: "
        click.echo(f"{place}{name}, {n_cases:,} cases in {len(manifest.splits)} splits")
    if expected is not None:
        _compare(expected, manifest)


def _compare(expected: "Manifest", found: "Manifest") -> None:
    """Say whether a build gave the benchmark that was expected."""
    from contract.comparison import (  # noqa: PLC0415
        ACCURACY_TOLERANCE,
        DEGREE_TOLERANCE,
        ROWS_TOLERANCE,
        compare_manifests,
    )

    agreement = compare_manifests(expected, found)
    if agreement.differences:
        lines = [*agreement.differences, "not the benchmark that was expected"]
        raise UserError("\n".join(lines), exit_code=ExitCode.MISMATCH)
    for path in agreement.same_cases:
        click.echo(f"{path}: the same cases; votes or measured figures differ", err=True)
    for line in agreement.near:
        click.echo(f"{line}: chosen by models, within the tolerance", err=True)
    click.echo(
        f"the same benchmark: {agreement.n_identical} of {len(expected.splits)} splits to the last value;"
        f" where models choose, {ROWS_TOLERANCE:.0%} of rows, {DEGREE_TOLERANCE} in mean degree and"
        f" {ACCURACY_TOLERANCE} in a surrogate's accuracy may differ",
        err=True,
    )


def _print_plan(recipe: "Recipe", *, as_json: bool) -> None:
    """Print what would be done and what is already done."""
    import yaml  # noqa: PLC0415

    from builder.pipeline import plan_so_far  # noqa: PLC0415
    from builder.shelf import Shelf  # noqa: PLC0415
    from contract.files import cache_path  # noqa: PLC0415

    planned = plan_so_far(recipe)
    shelf = Shelf(cache_path=cache_path())
    units = [{"key": unit.key, "title": unit.title, "is_done": shelf.is_done(unit)} for unit in planned.units]
    if as_json:
        click.echo(json.dumps({"recipe": recipe.resolved(), "units": units}, ensure_ascii=False))
        return
    click.echo(yaml.safe_dump(recipe.resolved(), sort_keys=False, allow_unicode=True), nl=False)
    for unit in units:
        click.echo(f"{str(unit['key'])[:12]} {'done' if unit['is_done'] else 'todo'} {unit['title']}")
    n_done = sum(bool(unit["is_done"]) for unit in units)
    click.echo(f"{len(units)} units of work, {n_done} of them done", err=True)
    if not planned.is_complete:
        click.echo("attacks are planned when the surrogates are trained", err=True)


@click.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
def clean(*, yes: bool) -> None:
    """Delete the cache: finished units of work, trained surrogates, embeddings and answers."""
    import shutil  # noqa: PLC0415

    from contract.files import cache_path  # noqa: PLC0415

    folders = [cache_path() / name for name in ("units", "surrogates", "embeddings", "probabilities")]
    for folder in folders:
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        click.echo(f"{folder}: {size / 1e6:.1f} MB")
    if not yes and not click.confirm("Delete them?"):
        raise SystemExit(ExitCode.FAILURE)
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
