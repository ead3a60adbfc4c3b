"""Builds in parts: each shard does some of the units in a folder of its own, and merging freezes them all."""

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import Field, ValidationError

from builder.engines.serial import SerialPool
from builder.recipe.recipe import Recipe
from builder.run.pipeline import Made, Means, freeze_made, make_units, selections_of
from builder.run.workspace import at_work
from builder.surrogates.surrogates import Prepared
from builder.tasks import load_tasks
from builder.units.planning import Plan, Shard, plan
from builder.units.store import Shelf
from contract.machine.cache_folder import cache_path
from contract.machine.errors import UserError, bad_input, bad_inputs
from contract.machine.progress import Progress
from contract.machine.whole_files import PARTS
from contract.release.release import check_replaceable
from contract.schema.documents import Count, Document, Sha256, Value, validation_lines
from contract.schema.manifest import Manifest, SurrogateInfo

NOTE = "shard.json"
MOST_TITLES = 5


class ReadySurrogate(Value):
    """A surrogate as a shard used it."""

    info: SurrogateInfo
    cost: Count


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
    surrogates: tuple[ReadySurrogate, ...]
    n_units: Count


def build_shard(recipe: Recipe, shard: Shard, folder: Path, progress: Progress, *, means: Means) -> ShardNote:
    """Do one shard of a build into a folder; what an interrupted run finished there is used again."""
    _check_folder(folder)
    shelf = Shelf(cache_path=cache_path(), folders=(folder.absolute(),))
    with at_work(folder, shelf.cache_path), means.pool() as pool:
        made = make_units(recipe, shelf, pool, progress, out=folder, is_fresh=means.is_fresh, shard=shard)
        surrogates = (ReadySurrogate(info=each.info, cost=each.cost) for each in made.plan.surrogates)
        note = ShardNote(
            number=shard.number,
            n_shards=shard.n_shards,
            recipe=recipe.model_dump(mode="json"),
            recipe_sha256=recipe.sha256,
            plan_sha256=made.plan.sha256,
            surrogates=tuple(surrogates),
            n_units=len(made.plan.units),
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
    shelf = Shelf(cache_path=cache_path(), folders=tuple(folders))
    with at_work(out, shelf.cache_path):
        progress.stage("load", 1)
        surrogates = [Prepared(info=each.info, cost=each.cost) for each in note.surrogates]
        planned = plan(recipe, load_tasks(recipe.tasks), surrogates)
        if planned.sha256 != note.plan_sha256:
            raise bad_input(
                f"{folders[0]}: its units are not those that this recipe has here;"
                " merge with the version of Hardfrost and the data that the shards were built with"
            )
        progress.step()
        selections = list(selections_of(recipe, planned, shelf))
        judging = [unit for selection in selections for unit in selection.judging()]
        hearings = [selection.hearing for selection in selections if selection.hearing is not None]
        heard = [unit for selection in selections for unit in selection.jury()]
        units = [*planned.units, *judging, *heard]
        progress.stage("check", len(units))
        problems = list(_problems(units, planned, note, shelf, progress))
        if problems:
            raise bad_inputs(problems)
        for hearing in hearings:
            hearing.take_whole()
        timings = [shelf.timing(unit) for unit in units]
        made = Made(plan=planned, selections=selections, timings=timings)
        return freeze_made(recipe, made, out, progress, SerialPool())


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
    units: Sequence[Any], planned: Plan, note: ShardNote, shelf: Shelf, progress: Progress
) -> Iterator[str]:
    """Yield for each shard which of its units are missing or spoilt, and how to mend it."""
    faults: dict[int, list[str]] = {}
    shard_of = {
        unit.key: number
        for number in range(1, note.n_shards + 1)
        for unit in planned.of_shard(Shard(number=number, n_shards=note.n_shards)).units
    }
    for unit in units:
        state = shelf.state(unit)
        progress.step()
        if state != "done":
            key = unit.key if unit.key in shard_of else unit.first.key
            faults.setdefault(shard_of[key], []).append(f"{unit.title} is {state}")
    for number, lines in sorted(faults.items()):
        shown = "; ".join(lines[:MOST_TITLES]) + (" …" if len(lines) > MOST_TITLES else "")
        command = shlex.join(["hardfrost", "build", "RECIPE", "--shard", f"{number}/{note.n_shards}"])
        yield f"shard {number} of {note.n_shards}: {shown}; run its `{command} -o FOLDER` again"
