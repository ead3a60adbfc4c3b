"""Shows a plan: the resolved recipe, the surrogates and units of work, and which of them are done."""

import json
from dataclasses import replace
from pathlib import Path

import yaml

from builder.recipe.recipe import Recipe
from builder.surrogates.training import is_trained, training_jobs
from builder.units.planning import Shard, plan_so_far
from builder.units.store import UnitStore
from contract.machine.cache_folder import cache_path
from contract.machine.terminal import echo, echo_data


def print_plan(
    recipe: Recipe, shard: str | None, folder: Path | None, *, samples_per_unit: int, as_json: bool
) -> None:
    """Print what would be done and what is already done; a shard's units are in its folder."""
    plan = plan_so_far(recipe, samples_per_unit=samples_per_unit)
    store = UnitStore(cache_path=cache_path())
    if shard is not None:
        plan = plan.of_shard(Shard.parse(shard))
        store = replace(store, folders=() if folder is None else (folder.absolute(),))
    surrogates = [
        {"name": job.recipe.name, "task": job.task.info.name, "is_done": is_trained(job, cache_path())}
        for job in training_jobs(recipe, plan.tasks)
    ]
    vote_units = plan.vote_units if plan.is_complete else []
    shown = [
        [{"key": unit.key, "title": unit.title, "is_done": store.is_done(unit)} for unit in units]
        for units in (plan.case_units, vote_units)
    ]
    if as_json:
        found = {"recipe": recipe.resolved(), "surrogates": surrogates, "units": shown[0], "votes": shown[1]}
        echo_data(json.dumps(found, ensure_ascii=False))
        return
    echo(yaml.safe_dump(recipe.resolved(), sort_keys=False, allow_unicode=True), nl=False)
    for surrogate in surrogates:
        state = "done" if surrogate["is_done"] else "todo"
        echo(f"{'surrogate':<12} {state} {surrogate['task']} {surrogate['name']}")
    for unit in [*shown[0], *shown[1]]:
        echo(f"{str(unit['key'])[:12]} {'done' if unit['is_done'] else 'todo'} {unit['title']}")
    n_done = sum(bool(unit["is_done"]) for unit in [*shown[0], *shown[1]])
    echo(f"{len(shown[0]) + len(shown[1])} units of work, {n_done} of them done", err=True)
    if not plan.is_complete:
        echo("attacks and votes are planned when the surrogates are trained", err=True)
