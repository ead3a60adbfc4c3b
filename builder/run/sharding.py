"""Builds in shards: each does some of the units in a folder of its own, and merging freezes them all."""

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import Field, ValidationError

from builder.engines.serial import SerialPool
from builder.recipe.recipe import Recipe
from builder.run.options import ExecutionOptions
from builder.run.pipeline import freeze_plan, make_units
from builder.run.unit_runner import UnitRunner
from builder.run.workspace import exclusive_workspace
from builder.surrogates.ready import ReadySurrogate
from builder.tasks.task import load_tasks
from builder.units.planning import SAMPLES_PER_UNIT, Plan, Shard, plan_build
from builder.units.store import UnitStore
from builder.units.units import Unit
from contract.machine.cache_folder import cache_path
from contract.machine.errors import UserError, bad_input, bad_inputs
from contract.machine.progress import Progress
from contract.machine.whole_files import PARTS
from contract.release.release import check_replaceable
from contract.schema.documents import Count, Document, Sha256, validation_lines
from contract.schema.manifest import Manifest

NOTE = "shard.json"
MOST_TITLES = 5


class ShardNote(Document):
    """What a finished shard says of itself: which build it is a part of, and which part."""

    SCHEMA: ClassVar[str] = "hardfrost/shard/1"

    schema_: Literal["hardfrost/shard/1"] = Field(alias="schema", default="hardfrost/shard/1")
    number: int
    n_shards: int
    # With the paths of the machine: shards are not published.
    recipe: dict[str, Any]
    recipe_sha256: Sha256
    plan_sha256: Sha256
    samples_per_unit: Count = SAMPLES_PER_UNIT
    surrogates: tuple[ReadySurrogate, ...]
    n_units: Count


def build_shard(
    recipe: Recipe, shard: Shard, folder: Path, progress: Progress, options: ExecutionOptions
) -> ShardNote:
    """Do one shard of a build into a folder; what an interrupted run finished there is used again."""
    _check_folder(folder)
    if recipe.decoys:
        raise bad_input("a recipe with `decoys: true` is built in one place: leave out --shard")
    store = UnitStore(cache_path=cache_path(), folders=(folder.absolute(),))
    with exclusive_workspace(folder, store.cache_path), options.pool() as pool:
        runner = UnitRunner(store=store, out=folder, pool=pool, progress=progress, is_fresh=options.is_fresh)
        plan = make_units(recipe, runner, samples_per_unit=options.samples_per_unit, shard=shard)
        note = ShardNote(
            number=shard.number,
            n_shards=shard.n_shards,
            recipe=recipe.model_dump(mode="json"),
            recipe_sha256=recipe.sha256,
            plan_sha256=plan.sha256,
            samples_per_unit=options.samples_per_unit,
            surrogates=tuple(plan.surrogates),
            n_units=len(plan.case_units),
        )
        note.write(folder / NOTE)
    return note


def merge(folders: Sequence[Path], out: Path, progress: Progress) -> Manifest:
    """Freeze the release whose shards are in these folders, if they are all of the same build and whole."""
    check_replaceable(out)
    notes = {folder: ShardNote.read(folder / NOTE) for folder in folders}
    _check_same(notes)
    note = notes[folders[0]]
    _check_all_there(notes, out)
    recipe = _recipe_of(note, folders[0])
    store = UnitStore(cache_path=cache_path(), folders=tuple(folders))
    with exclusive_workspace(out, store.cache_path):
        runner = UnitRunner(store=store, out=out, pool=SerialPool(), progress=progress)
        progress.stage("load", 1)
        plan = plan_build(
            recipe,
            load_tasks(recipe.tasks),
            list(note.surrogates),
            samples_per_unit=note.samples_per_unit,
        )
        if plan.sha256 != note.plan_sha256:
            raise bad_input(
                f"{folders[0]}: its units are not those that this recipe has here;"
                " merge with the version of Hardfrost and the data that the shards were built with"
            )
        progress.step()
        units = [*plan.case_units, *plan.vote_units]
        progress.stage("check", len(units))
        problems = list(_problems(units, plan, note, store, progress))
        if problems:
            raise bad_inputs(problems)
        runner.timings.extend(map(store.timing, units))
        return freeze_plan(plan, runner, runner.pool)


def _check_folder(folder: Path) -> None:
    """Refuse to put a shard among other files."""
    known = {"units", NOTE}
    if folder.exists() and not folder.is_dir():
        raise bad_input(f"{folder}: is a file; give a folder for the shard")
    # A killed run leaves files that it was writing; they are swept when the folder is ours.
    if folder.is_dir() and {path.name for path in folder.iterdir() if not path.match(PARTS)} - known:
        raise bad_input(f"{folder}: holds other files; give an empty folder, or one with this shard")


def _check_same(notes: dict[Path, ShardNote]) -> None:
    """Refuse shards of different builds, and say in what they differ."""
    first, *others = notes.items()
    problems = []
    for folder, note in others:
        why = _difference(first[1], note)
        if why is not None:
            problems.append(f"{folder}: not of the same build as {first[0]}: {why}")
    if problems:
        raise bad_inputs(problems)


def _difference(left: ShardNote, right: ShardNote) -> str | None:
    if left.recipe_sha256 != right.recipe_sha256:
        return "another recipe"
    if left.n_shards != right.n_shards:
        return f"one of {right.n_shards} shards, not of {left.n_shards}"
    weights = [
        {each.info.name: each.info.weights_sha256 for each in note.surrogates} for note in (left, right)
    ]
    others = sorted(name for name in weights[0] if weights[0][name] != weights[1].get(name))
    if others:
        return (
            f"other weights of {', '.join(others)}, as other processors train them;"
            " let all shards share one cache (HARDFROST_CACHE), or copy its folder `surrogates` to each"
        )
    return None if left.plan_sha256 == right.plan_sha256 else "other data, or another version of Hardfrost"


def _check_all_there(notes: dict[Path, ShardNote], out: Path) -> None:
    n_shards = next(iter(notes.values())).n_shards
    missing = sorted(set(range(1, n_shards + 1)) - {note.number for note in notes.values()})
    if missing:
        command = f"hardfrost build RECIPE --shard {missing[0]}/{n_shards} -o FOLDER"
        raise UserError(
            f"{out}: not written, since of {n_shards} shards {len(missing)} are missing:"
            f" {', '.join(map(str, missing))}; make each with `{command}`"
        )


def _recipe_of(note: ShardNote, folder: Path) -> Recipe:
    try:
        recipe = Recipe.model_validate(note.recipe)
    except ValidationError as error:
        raise bad_inputs([f"{folder / NOTE}: {line}" for line in validation_lines(error)]) from None
    if recipe.sha256 != note.recipe_sha256:
        raise bad_input(f"{folder / NOTE}: the recipe is not the one its hash names; build the shard again")
    return recipe


def _problems(
    units: Sequence[Unit], plan: Plan, note: ShardNote, store: UnitStore, progress: Progress
) -> Iterator[str]:
    """Yield for each shard which of its units are missing or spoilt, and how to mend it."""
    faults: dict[int, list[str]] = {}
    shard_of = {
        unit.key: number
        for number in range(1, note.n_shards + 1)
        for unit in plan.of_shard(Shard(number=number, n_shards=note.n_shards)).case_units
    }
    for unit in units:
        state = store.state(unit)
        progress.step()
        if state != "done":
            faults.setdefault(shard_of[unit.first.key], []).append(f"{unit.title} is {state}")
    for number, lines in sorted(faults.items()):
        shown = "; ".join(lines[:MOST_TITLES]) + (" …" if len(lines) > MOST_TITLES else "")
        command = shlex.join(["hardfrost", "build", "RECIPE", "--shard", f"{number}/{note.n_shards}"])
        yield f"shard {number} of {note.n_shards}: {shown}; run its `{command} -o FOLDER` again"
