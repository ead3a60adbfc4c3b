"""Shows a plan: the resolved recipe, the surrogates and units of work, and which of them are done."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click
import yaml

from builder.panel.selecting import Selection
from builder.recipe.recipe import Recipe
from builder.run.pipeline import selections_of
from builder.surrogates.surrogates import is_trained, training_jobs
from builder.units.planning import Shard, plan_so_far
from builder.units.store import Shelf
from builder.units.units import Unit
from contract.machine.cache_folder import cache_path


def print_plan(recipe: Recipe, shard: str | None, folder: Path | None, *, as_json: bool) -> None:
    """Print what would be done and what is already done; a shard's units are in its folder."""
    planned = plan_so_far(recipe)
    shelf = Shelf(cache_path=cache_path())
    if shard is not None:
        planned = planned.of_shard(Shard.parse(shard))
        shelf = replace(shelf, folders=() if folder is None else (folder.absolute(),))
    surrogates = [
        {"name": job.recipe.name, "task": job.task.info.name, "is_done": is_trained(job, cache_path())}
        for job in training_jobs(recipe, planned.tasks)
    ]
    judging = [
        unit
        for selection in (selections_of(recipe, planned, shelf) if planned.is_complete else ())
        for unit in _judging(selection, shelf, is_part=shard is not None)
    ]
    shown = [
        [{"key": unit.key, "title": unit.title, "is_done": shelf.is_done(unit)} for unit in units]
        for units in (planned.units, judging)
    ]
    if as_json:
        found = {"recipe": recipe.resolved(), "surrogates": surrogates, "units": shown[0], "votes": shown[1]}
        click.echo(json.dumps(found, ensure_ascii=False))
        return
    click.echo(yaml.safe_dump(recipe.resolved(), sort_keys=False, allow_unicode=True), nl=False)
    for surrogate in surrogates:
        state = "done" if surrogate["is_done"] else "todo"
        click.echo(f"{'surrogate':<12} {state} {surrogate['task']} {surrogate['name']}")
    for unit in [*shown[0], *shown[1]]:
        click.echo(f"{str(unit['key'])[:12]} {'done' if unit['is_done'] else 'todo'} {unit['title']}")
    n_done = sum(bool(unit["is_done"]) for unit in [*shown[0], *shown[1]])
    click.echo(f"{len(shown[0]) + len(shown[1])} units of work, {n_done} of them done", err=True)
    if not planned.is_complete:
        click.echo("attacks and votes are planned when the surrogates are trained", err=True)


def _judging(selection: Selection, shelf: Shelf, *, is_part: bool) -> Iterator[Unit]:
    """Yield the units that ask surrogates about cases, as far as they are known."""
    first = list(selection.judging())
    yield from first
    if selection.hearing is None:
        return
    if is_part:
        yield from selection.hearing.whole()
    elif all(map(shelf.is_done, first)):
        for wave in selection.hearing.waves():
            yield from wave
            # What is heard next depends on what becomes of these.
            if not all(map(shelf.is_done, wave)):
                return
