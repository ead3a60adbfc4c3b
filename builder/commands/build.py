"""The builder's commands: build, merge and clean."""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from contract.machine.errors import ExitCode, UserError
from contract.machine.interruption import interruptible
from contract.machine.json_option import as_json_option, echo_json
from contract.machine.terminal import echo, echo_data

if TYPE_CHECKING:
    from builder.recipe.recipe import Recipe
    from builder.run.options import ExecutionOptions
    from contract.schema.manifest import Manifest

DEFAULT_RECIPE = "default"
RESUME_HINT = "every finished unit of work is kept; run the same command again to go on"
FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command()
@click.argument("recipe", default=DEFAULT_RECIPE, metavar="[RECIPE]")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Folder for the release.")
@click.option(
    "--workers",
    type=click.IntRange(1),
    help="Processes to use: 1, or with --engine process or ray as many as there are cores.",
)
@click.option(
    "--engine",
    metavar="NAME",
    help="serial, process or ray; with several workers process. The rows do not depend on it.",
)
@click.option("--address", help="Of an existing Ray cluster, such as auto or HOST:6379.")
@click.option(
    "--shard",
    metavar="I/N",
    help="Do only the I-th of N parts, into the folder -o; `hardfrost merge` makes the release of them.",
)
@click.option(
    "--source",
    "sources",
    multiple=True,
    metavar="TASK=SOURCE",
    help="Read a task from elsewhere; several are joined.",
)
@click.option(
    "--train",
    "trains",
    multiple=True,
    metavar="TASK=SOURCE",
    help="Its training rows, or TASK=rest: what SOURCE has beside the samples.",
)
@click.option(
    "--read",
    "reads",
    multiple=True,
    metavar="TASK={…}",
    help="Read the files of a task so: {header: false, columns: {text: 1, label: 0}}, as under `read`.",
)
@click.option(
    "--part", help="Build only this part of the benchmark, one of the recipe's `parts`: dev, test …"
)
@click.option("--dimensions", metavar="A,B", help="Dimensions instead of the recipe's.")
@click.option("--surrogates", metavar="A,B", help="Kinds or specs of surrogates instead of the recipe's.")
@click.option(
    "--allow-weak",
    "allows_weak",
    is_flag=True,
    help="Attack with surrogates that are no better than a constant answer, too; part of the recipe's hash.",
)
@click.option(
    "--trust",
    "is_trusted",
    is_flag=True,
    help="Load files that can run code (joblib, saved spaCy pipelines); run the recipe's own parts.",
)
@click.option(
    "--samples-per-unit",
    type=click.IntRange(1),
    help="Samples in one unit of work at most, 64 by default; the rows do not depend on it.",
)
@click.option("--fresh", "is_fresh", is_flag=True, help="Do finished units of work again.")
@click.option(
    "--expect",
    metavar="MANIFEST",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Say whether the result is the benchmark of this manifest.json; exit 4 if not. Needs no -o.",
)
@click.option(
    "--plan",
    "is_plan",
    is_flag=True,
    help="Print the resolved recipe and the units, done or to do; make nothing.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the plan or the manifest as JSON.")
def build(
    recipe: str,
    *,
    output: Path | None,
    workers: int | None,
    engine: str | None,
    address: str | None,
    shard: str | None,
    sources: Sequence[str],
    trains: Sequence[str],
    reads: Sequence[str],
    part: str | None,
    dimensions: str | None,
    surrogates: str | None,
    allows_weak: bool,
    is_trusted: bool,
    samples_per_unit: int | None,
    is_fresh: bool,
    expect: Path | None,
    is_plan: bool,
    as_json: bool,
) -> None:
    """Build the release of RECIPE, a YAML file or the name of a ready recipe.

    Units of work that an earlier build finished are taken from the cache, so a killed build goes on.
    """
    from builder.recipe.overrides import with_data_sources, with_dimensions, with_part, with_surrogates
    from builder.recipe.recipe_file import find_recipe, read_recipe
    from builder.recipe.trust import check_trust

    read = read_recipe(find_recipe(recipe), is_trusted=is_trusted)
    chosen = with_part(with_data_sources(read, sources, trains, reads), part)
    if dimensions is not None:
        chosen = with_dimensions(chosen, _listed(dimensions))
    if surrogates is not None:
        chosen = with_surrogates(chosen, _listed(surrogates))
    if allows_weak:
        chosen = chosen.model_copy(update={"allow_weak": True})
    if not is_trusted:
        check_trust(chosen, are_surrogates_typed=surrogates is not None)
    options = _options(engine, workers, address, is_fresh=is_fresh, samples_per_unit=samples_per_unit)
    if is_plan:
        from builder.run.plan_printing import print_plan

        print_plan(chosen, shard, output, samples_per_unit=options.samples_per_unit, as_json=as_json)
    elif shard is not None:
        _build_shard(chosen, shard, output, options, as_json=as_json)
    elif output is None and expect is None:
        raise click.UsageError("say where the release goes: -o FOLDER")
    else:
        _build_release(chosen, output, options, expect, as_json=as_json)


def _listed(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]


def _options(
    engine: str | None,
    workers: int | None,
    address: str | None,
    *,
    is_fresh: bool,
    samples_per_unit: int | None,
) -> "ExecutionOptions":
    """Return how the build is executed, or refuse options that do not go together."""
    from builder.engines import ENGINES
    from builder.run.options import ExecutionOptions
    from builder.units.planning import SAMPLES_PER_UNIT

    name = engine or ("ray" if address else "process" if (workers or 1) > 1 else "serial")
    _ = ENGINES[name]
    if address is not None and name != "ray":
        raise click.UsageError("--address is of a Ray cluster: give --engine ray, too")
    if name == "serial" and (workers or 1) > 1:
        raise click.UsageError("--engine serial has one worker: leave out --workers or take --engine process")
    return ExecutionOptions(
        engine=name,
        workers=workers,
        address=address,
        is_fresh=is_fresh,
        samples_per_unit=samples_per_unit or SAMPLES_PER_UNIT,
    )


def _build_release(
    recipe: "Recipe", output: Path | None, options: "ExecutionOptions", expect: Path | None, *, as_json: bool
) -> None:
    from builder.run.pipeline import build as build_release
    from contract.machine.progress import Bars
    from contract.schema.manifest import Manifest

    expected = None if expect is None else Manifest.read(expect)
    if expected is not None and expected.recipe_sha256 != recipe.sha256:
        raise UserError(
            f"{expect}: made by another recipe ({expected.recipe_sha256[:12]}, this one is"
            f" {recipe.sha256[:12]}); nothing was built",
            exit_code=ExitCode.MISMATCH,
        )
    with interruptible(hint=RESUME_HINT), tempfile.TemporaryDirectory() as scratch, Bars() as progress:
        folder = output or Path(scratch) / "release"
        manifest = build_release(recipe, folder, progress, options)
    _print_release(manifest, output, as_json=as_json)
    if expected is not None:
        _compare(expected, manifest)
    _refuse_empty(manifest)


def _build_shard(
    recipe: "Recipe", shard: str, output: Path | None, options: "ExecutionOptions", *, as_json: bool
) -> None:
    from builder.run.sharding import build_shard
    from builder.units.planning import Shard
    from contract.machine.progress import Bars

    parsed = Shard.parse(shard)
    if output is None:
        raise click.UsageError("say where the shard goes: -o FOLDER")
    with interruptible(hint=RESUME_HINT), Bars() as progress:
        note = build_shard(recipe, parsed, output, progress, options)
    if as_json:
        echo_data(json.dumps(note.to_json(), ensure_ascii=False))
    else:
        echo(f"{output}: shard {note.number} of {note.n_shards}, {note.n_units} units of cases")
        echo("when all are done: hardfrost merge FOLDER… -o RELEASE", err=True)


@click.command()
@click.argument("shards", nargs=-1, required=True, type=FOLDER)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="Folder for the release."
)
@click.option("--json", "as_json", is_flag=True, help="Print the manifest as JSON.")
def merge(shards: Sequence[Path], output: Path, *, as_json: bool) -> None:
    """Make the release of SHARDS, the folders that `build --shard I/N` filled; nothing is computed again."""
    from builder.run.sharding import merge as merge_shards
    from contract.machine.progress import Bars

    with interruptible(hint="nothing was written; run the same command again"), Bars() as progress:
        manifest = merge_shards(shards, output, progress)
    _print_release(manifest, output, as_json=as_json)
    _refuse_empty(manifest)


def _print_release(manifest: "Manifest", output: Path | None, *, as_json: bool) -> None:
    if as_json:
        echo_data(json.dumps(manifest.to_json(), ensure_ascii=False))
        return
    n_cases = sum(split.rows for split in manifest.splits if split.is_adversarial)
    place = "" if output is None else f"{output}: "
    name = f"{manifest.name} {manifest.version}"
    echo(f"{place}{name}, {n_cases:,} cases in {len(manifest.splits)} splits")


def _refuse_empty(manifest: "Manifest") -> None:
    """Say where nothing is frozen; a whole setting of a task without a case is a failure."""
    from builder.run.empty_splits import empty_settings, empty_splits

    for line in empty_splits(manifest):
        echo(line, err=True)
    settings = empty_settings(manifest)
    if settings:
        raise UserError(
            "\n".join(f"{setting}: no case at all is frozen" for setting in settings)
            + "\nthe release is written; `hardfrost info` shows what dropped the candidates"
        )


def _compare(expected: "Manifest", found: "Manifest") -> None:
    """Say whether a build gave the benchmark that was expected."""
    from contract.release.comparison import (
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
        echo(f"{path}: the same cases; votes or measured figures differ", err=True)
    for line in agreement.near:
        echo(f"{line}: chosen by models, within the tolerance", err=True)
    echo(
        f"the same benchmark: {agreement.n_identical} of {len(expected.splits)} splits to the last value;"
        f" where models choose, {ROWS_TOLERANCE:.0%} of rows, {DEGREE_TOLERANCE} in mean degree and"
        f" {ACCURACY_TOLERANCE} in a surrogate's accuracy may differ",
        err=True,
    )


@click.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
@as_json_option
def clean(*, yes: bool, as_json: bool) -> None:
    """Delete the cache: units of work, surrogates, word lists, embeddings, answers, parsed code."""
    import shutil

    from builder.run.workspace import CACHE_FOLDERS, CACHE_LOCK
    from contract.machine.cache_folder import cache_path
    from contract.machine.locks import locked

    freed: dict[str, dict[str, int]] = {}
    for name in CACHE_FOLDERS:
        files = [path for path in (cache_path() / name).rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files)
        echo(f"{cache_path() / name}: {size / 1e6:.1f} MB in {len(files):,} files", err=as_json)
        freed[name] = {"files": len(files), "bytes": size}
    total = sum(each["bytes"] for each in freed.values())
    if not yes and not click.confirm(f"Delete them, {total / 1e6:.1f} MB?", err=as_json):
        raise SystemExit(ExitCode.FAILURE)
    in_use = f"{cache_path()}: a build is using it; wait until it is done"
    with locked(cache_path() / CACHE_LOCK, in_use):
        for name in CACHE_FOLDERS:
            shutil.rmtree(cache_path() / name, ignore_errors=True)
    if as_json:
        echo_json({"cache": str(cache_path()), "bytes": total, "freed": freed})
    else:
        echo(f"freed {total / 1e6:.1f} MB")
