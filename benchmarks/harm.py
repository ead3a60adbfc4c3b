"""Measure what attacks add to chance: on their sources before filters, on an unseen model after them.

Run it as `python -m benchmarks.harm [RECIPE]`; the recipe needs the settings rule and score.
"""

import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import click
import numpy as np

from builder import associations
from builder.dimensions import DIMENSIONS
from builder.dimensions.dimension import Dimension
from builder.pipeline import build
from builder.recipe import Recipe
from builder.recipe_file import find_recipe, read_recipe
from builder.searches import SEARCHES
from builder.searches.search import SearchRequest, Victim
from builder.surrogates import prepare, surrogate_of, training_jobs
from builder.tasks import Task, load_tasks
from classifiers.inference import Inference
from contract.files import cache_path
from contract.progress import Silence
from contract.records import Record, records_of
from contract.release import Release

N_RESAMPLES = 2000


@click.command()
@click.argument("recipe", default="default")
@click.option("--unseen", default="nbsvm", show_default=True, help="The kind that the build does not know.")
def main(recipe: str, unseen: str) -> None:
    """Print both tables."""
    chosen = read_recipe(find_recipe(recipe))
    tasks = load_tasks(chosen.tasks)
    for task in tasks:
        _on_sources(chosen, task)
    with tempfile.TemporaryDirectory() as folder:
        build(chosen, Path(folder) / "release", Silence(), workers=2)
        for task in tasks:
            _on_unseen(Release.open(Path(folder) / "release"), chosen, task, unseen)


def _on_sources(recipe: Recipe, task: Task) -> None:
    """Print the accuracy of each source on cases of both settings, of samples that both have."""
    n_hurt = n_degrees = 0
    learned = associations.learn(task.train, len(task.info.labels))
    names = recipe.sources_of("score")
    sources = {
        job.recipe.name: surrogate_of(cache_path(), prepare(job, cache_path()).weights_sha256)
        for job in training_jobs(recipe, [task])
        if job.recipe.name in names
    }
    click.echo(f"{task.info.name}: accuracy of the source on rule and score cases, before any filter")
    for part in recipe.dimensions:
        dimension = DIMENSIONS[part.name]
        if not isinstance(dimension, Dimension):
            continue
        for name, source in sources.items():
            found = {
                setting: _right(
                    recipe,
                    task,
                    dimension,
                    Victim(name=name, inference=source),
                    setting=setting,
                    learned=learned,
                )
                for setting in ("rule", "score")
            }
            cells = []
            for degree in part.chosen_degrees:
                both = sorted(found["rule"][degree].keys() & found["score"][degree].keys())
                if not both:
                    continue
                rule, score = (
                    fmean(found[setting][degree][one] for one in both) for setting in ("rule", "score")
                )
                n_degrees += 1
                n_hurt += score < rule
                cells.append(f"{degree:g} {rule:.2f}→{score:.2f}")
            click.echo(f"  {part.name:20s} {name:12s} " + "  ".join(cells))
    click.echo(f"  score hurts more than rule at {n_hurt} of {n_degrees} (dimension, source, degree)")


def _right(
    recipe: Recipe, task: Task, dimension: Dimension, victim: Victim, *, setting: str, learned: dict[str, int]
) -> dict[float, dict[str, float]]:
    """Return for each degree and sample the share of its cases that the source gets right."""
    # The same samples for both: those that the source gets right when they are clean.
    votes = victim.inference.votes([(sample.text, sample.text_pair) for sample in task.samples])
    samples = [sample for sample, vote in zip(task.samples, votes, strict=True) if vote == sample.label]
    request = SearchRequest(
        task=task.info.name,
        perturbed=task.info.perturbed,
        samples=samples,
        dimension=dimension,
        degrees=dimension.degrees,
        n_cases=3,
        seed=recipe.seed,
        resources=replace(recipe.resources, associations=learned),
        attacked=victim,
    )
    records = SEARCHES[setting].run(request).records
    return _by_sample(records, victim.inference)


def _by_sample(records: Sequence[Record], model: Inference) -> dict[float, dict[str, float]]:
    votes = model.votes([(record.text, record.text_pair) for record in records])
    right: dict[float, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for record, vote in zip(records, votes, strict=True):
        right[record.degree or 0.0][record.sample_id].append(vote == record.label)
    found: dict[float, dict[str, float]] = defaultdict(dict)
    for degree, of_degree in right.items():
        found[degree] = {sample: fmean(own) for sample, own in of_degree.items()}
    return found


def _on_unseen(release: Release, recipe: Recipe, task: Task, unseen: str) -> None:
    """Print how far a model falls that the build did not know, on the samples of both settings."""
    job = training_jobs(recipe.model_copy(update={"surrogates": ()}).with_surrogates([unseen]), [task])[0]
    model = surrogate_of(cache_path(), prepare(job, cache_path()).weights_sha256)
    clean = model.votes([(sample.text, sample.text_pair) for sample in task.samples])
    accuracy = fmean(vote == sample.label for vote, sample in zip(clean, task.samples, strict=True))
    falls: dict[str, dict[tuple[str, float, str], float]] = {}
    for setting in ("rule", "score"):
        splits = release.splits(task=task.info.name, setting=setting)
        records = [record for split in splits for record in records_of(release.table(split))]
        by_dimension: dict[str, list[Record]] = defaultdict(list)
        for record in records:
            by_dimension[record.dimension].append(record)
        falls[setting] = {
            (name, degree, sample): share
            for name, own in by_dimension.items()
            for degree, of_degree in _by_sample(own, model).items()
            for sample, share in of_degree.items()
        }
    both = sorted(falls["rule"].keys() & falls["score"].keys())
    by_sample: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for key in both:
        by_sample[key[2]].append((falls["rule"][key], falls["score"][key]))
    pairs = np.array([np.mean(own, axis=0) for own in by_sample.values()])
    draws = np.random.default_rng(0).integers(len(pairs), size=(N_RESAMPLES, len(pairs)))
    gaps = (pairs[:, 0] - pairs[:, 1])[draws].mean(axis=1)
    low, high = np.quantile(gaps, [0.025, 0.975])
    rule, score = pairs.mean(axis=0)
    click.echo(
        f"{task.info.name}: unseen {unseen}, clean {accuracy:.3f}; on the {len(pairs)} samples with cases of"
        f" both settings at the same dimension and degree: rule {rule:.3f}, score {score:.3f},"
        f" difference {rule - score:.3f} [{low:.3f}, {high:.3f}]"
    )


if __name__ == "__main__":
    main()
