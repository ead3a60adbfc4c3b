"""Measure what attacks add to chance: on their sources before the panel, on an unseen model after it.

Run it as `python -m benchmarks.harm [RECIPE]`; the recipe needs the settings rule and score.
"""

import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import click
import numpy as np

from builder.recipe.overrides import with_data_sources, with_surrogates
from builder.recipe.recipe import Recipe
from builder.recipe.recipe_file import find_recipe, read_recipe
from builder.run.options import ExecutionOptions
from builder.run.pipeline import build
from builder.surrogates.loading import surrogate_of
from builder.surrogates.ready import make_ready
from builder.surrogates.sources import chosen_sources
from builder.surrogates.training import training_jobs
from builder.tasks.task import Task
from builder.units.planning import Plan, plan_so_far
from builder.units.store import UnitStore
from builder.units.units import CaseUnit
from classifiers.machinery.inference import Inference
from contract.machine.cache_folder import cache_path
from contract.machine.progress import Silence
from contract.release.release import Release
from contract.schema.records import Record, records_of

N_RESAMPLES = 2000


class Place(NamedTuple):
    """Where cases of two settings are compared."""

    dimension: str
    degree: float
    sample: str


# The share of its cases that a model gets right.
Shares = Mapping[Place, float]


@dataclass(frozen=True, kw_only=True)
class Bench:
    """A finished build: its release, and the units that it was frozen from."""

    recipe: Recipe
    plan: Plan
    store: UnitStore
    release: Release

    def units(self, task: str, setting: str, source: str | None = None) -> Iterable[CaseUnit]:
        """Yield the units of a setting, those against one source."""
        for unit in self.plan.case_units:
            is_against = None if unit.attack is None else unit.attack.source.name
            if (unit.task, unit.setting, is_against) == (task, setting, source):
                yield unit

    def before_the_panel(self, units: Iterable[CaseUnit]) -> list[Record]:
        """Return the cases of units before any surrogate but the source saw them."""
        return [
            record
            for unit in units
            for degree in unit.degrees
            for record in records_of(self.store.cases(unit, degree))
        ]

    def frozen(self, task: str, setting: str) -> list[Record]:
        """Return the cases of the release."""
        splits = self.release.splits(task=task, setting=setting)
        return [record for split in splits for record in records_of(self.release.table(split))]


@click.command()
@click.argument("recipe", default="default")
@click.option("--samples", type=click.IntRange(1), help="Samples of each task, instead of the recipe's.")
@click.option("--source", "sources", multiple=True, metavar="TASK=SOURCE", help="Read a task from elsewhere.")
@click.option("--train", "trains", multiple=True, metavar="TASK=SOURCE", help="Read its training rows so.")
@click.option("--unseen", default="nbsvm", show_default=True, help="The kind that the build does not know.")
def main(
    recipe: str, samples: int | None, sources: Sequence[str], trains: Sequence[str], unseen: str
) -> None:
    """Print both tables."""
    chosen = with_data_sources(read_recipe(find_recipe(recipe)), sources, trains)
    if unseen in {surrogate.kind for surrogate in chosen.surrogates}:
        raise click.UsageError(f"{unseen} is a surrogate of the recipe; name a kind that is not, such as cnn")
    # Other settings change nothing in these two.
    chosen = chosen.model_copy(update={"settings": ("rule", "score")})
    if samples is not None:
        tasks = tuple(task.model_copy(update={"samples": samples}) for task in chosen.tasks)
        chosen = chosen.model_copy(update={"tasks": tasks})
    with tempfile.TemporaryDirectory() as folder:
        release_dir = Path(folder) / "release"
        build(chosen, release_dir, Silence(), ExecutionOptions.with_workers(2))
        bench = Bench(
            recipe=chosen,
            plan=plan_so_far(chosen),
            store=UnitStore(cache_path=cache_path()),
            release=Release.open(release_dir),
        )
        for task in bench.plan.tasks:
            _on_sources(bench, task)
            _on_unseen(bench, task, unseen)


def _on_sources(bench: Bench, task: Task) -> None:
    """Print the accuracy of each source on cases of both settings, of samples that both have."""
    name = task.info.name
    click.echo(f"{name}: accuracy of a source on rule → score cases, same samples, before the panel")
    weights = {surrogate.info.name: surrogate.ref.sha256 for surrogate in bench.plan.surrogates}
    panel = [surrogate for surrogate in bench.plan.surrogates if surrogate.info.task == name]
    for source in [surrogate.info.name for surrogate in chosen_sources(bench.recipe, "score", panel)]:
        model = surrogate_of(cache_path(), weights[source])
        rule = _shares(bench.before_the_panel(bench.units(name, "rule")), model)
        score = _shares(bench.before_the_panel(bench.units(name, "score", source)), model)
        both = sorted(rule.keys() & score.keys())
        n_more = n_cells = 0
        for dimension in dict.fromkeys(unit.dimension for unit in bench.plan.case_units):
            cells = _by_degree(rule, score, [place for place in both if place.dimension == dimension])
            n_cells += len(cells)
            n_more += sum(after < before for before, after, _ in cells.values())
            click.echo(f"  {source:11s} {dimension:19s} {_written(cells)}")
        click.echo(f"  {source:11s} {'all':19s} {_written(_by_degree(rule, score, both))}")
        click.echo(f"  {source}: score hurts more at {n_more} of {n_cells} (dimension, degree)")


def _by_degree(rule: Shares, score: Shares, places: Sequence[Place]) -> dict[float, tuple[float, float, int]]:
    """Return for each degree both accuracies and the number of samples."""
    found = {}
    for degree in sorted({place.degree for place in places}):
        here = [place for place in places if place.degree == degree]
        before, after = (fmean(shares[place] for place in here) for shares in (rule, score))
        found[degree] = (before, after, len(here))
    return found


def _written(cells: Mapping[float, tuple[float, float, int]]) -> str:
    return "  ".join(
        f"{degree:g} {before:.2f}→{after:.2f} ({n})" for degree, (before, after, n) in cells.items()
    )


def _shares(records: Sequence[Record], model: Inference) -> Shares:
    """Return for each place the share of cases that a model gets right."""
    votes = model.votes([(record.text, record.text_pair) for record in records])
    right: dict[Place, list[bool]] = defaultdict(list)
    for record, vote in zip(records, votes, strict=True):
        place = Place(record.dimension, record.degree or 0.0, record.sample_id)
        right[place].append(vote == record.label)
    return {place: fmean(own) for place, own in right.items()}


def _on_unseen(bench: Bench, task: Task, unseen: str) -> None:
    """Print how far a model falls that the build did not know, on the samples of both settings."""
    recipe = with_surrogates(bench.recipe.model_copy(update={"settings": ("rule",)}), [unseen])
    (job,) = training_jobs(recipe, [task])
    model = surrogate_of(cache_path(), make_ready(job, cache_path()).info.weights_sha256)
    name = task.info.name
    clean = dict(
        zip(
            [sample.id for sample in task.samples],
            model.votes([(sample.text, sample.text_pair) for sample in task.samples]),
            strict=True,
        )
    )
    labels = {sample.id: sample.label for sample in task.samples}
    rule, score = (_shares(bench.frozen(name, setting), model) for setting in ("rule", "score"))
    by_sample: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for place in sorted(rule.keys() & score.keys()):
        by_sample[place.sample].append((rule[place], score[place]))
    pairs = np.array([np.mean(own, axis=0) for own in by_sample.values()])
    draws = np.random.default_rng(0).integers(len(pairs), size=(N_RESAMPLES, len(pairs)))
    low, high = np.quantile((pairs[:, 0] - pairs[:, 1])[draws].mean(axis=1), [0.025, 0.975])
    on_rule, on_score = pairs.mean(axis=0)
    on_clean = fmean(clean[sample] == labels[sample] for sample in by_sample)
    click.echo(
        f"{name}: unseen {unseen}, {len(pairs)} samples with frozen cases of both settings at one dimension"
        f" and degree: clean {on_clean:.3f}, rule {on_rule:.3f}, score {on_score:.3f};"
        f" rule − score {on_rule - on_score:.3f}, 95 % interval {low:.3f} to {high:.3f}"
    )


if __name__ == "__main__":
    main()
