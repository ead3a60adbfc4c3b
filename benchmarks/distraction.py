"""Measure how often distraction fools its source, and how often a higher degree gives a weaker attempt.

Run it as `python -m benchmarks.distraction FOLDER`: the folder has `sst2/`, `agnews/`, `jigsaw/`, `rte/` and
`qqp/` with the public files of these data sets. With `--read N` it prints attempts, for people to read.
"""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from benchmarks.weaker import NAMES_OF_CLASSES, trained
from builder.dimensions.distraction import DISTRACTION
from builder.models.resources import Resources
from builder.searches import SEARCHES
from builder.searches.search import SearchRequest, SearchResult, Source
from builder.tasks.task import Task, load_tasks
from builder.tasks.task_recipe import TaskRecipe

TRAINING_ROWS = 10_000
HIGHEST = 0.3


def _raw_recipes(folder: Path) -> dict[str, dict[str, Any]]:
    return {
        "sst2": {
            "source": f"file:{folder / 'sst2' / 'dev.tsv'}",
            "train": f"file:{folder / 'sst2' / 'train.tsv'}",
            "read": {"columns": {"text": "sentence", "label": "label"}},
            "labels": ["negative", "positive"],
            "label_map": {"0": "negative", "1": "positive"},
        },
        "agnews": {
            "source": f"file:{folder / 'agnews' / 'test.csv'}",
            "train": f"file:{folder / 'agnews' / 'train_10k.tsv'}",
            "read": {"header": False, "columns": {"text": 2, "label": 0}},
            "read_train": {"header": False, "columns": {"text": 0, "label": 1}},
            "labels": [*NAMES_OF_CLASSES.values()],
            "label_map": NAMES_OF_CLASSES,
        },
        "jigsaw": {
            "source": f"file:{folder / 'jigsaw' / 'comments.csv'}",
            "read": {"header": False, "columns": {"text": 0, "label": 1}},
            "labels": ["clean", "toxic"],
            "label_map": {"0": "clean", "1": "toxic"},
        },
        "rte": {
            "source": f"file:{folder / 'rte' / 'dev.tsv'}",
            "train": f"file:{folder / 'rte' / 'train.tsv'}",
            "read": {"columns": {"text": "sentence1", "text_pair": "sentence2", "label": "label"}},
            "labels": ["entailment", "not_entailment"],
            "label_map": {"0": "entailment", "1": "not_entailment"},
        },
        "qqp": {
            "source": f"file:{folder / 'qqp' / 'test_10k.txt'}",
            "read": {"header": False, "format": "tsv", "columns": {"text": 0, "text_pair": 1, "label": 2}},
            "labels": ["different", "duplicate"],
            "label_map": {"0": "different", "1": "duplicate"},
        },
    }


TASKS = tuple(_raw_recipes(Path()))


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--task", "names", type=click.Choice(TASKS), multiple=True, default=TASKS[:3], show_default=True
)
@click.option("--samples", default=100, show_default=True, help="Samples of each task.")
@click.option("--source", "sources", multiple=True, default=["word-tfidf", "cnn"], show_default=True)
@click.option("--read", "n_read", default=0, help="Print the attempts of so many samples.")
def main(folder: Path, names: Sequence[str], samples: int, sources: Sequence[str], n_read: int) -> None:
    """Print a line for each task and source: attempts, samples fooled at or below 0.3, weaker attempts."""
    raw = _raw_recipes(folder)
    sizes = {"samples": samples, "train_rows": TRAINING_ROWS}
    recipes = [TaskRecipe.model_validate(raw[name] | sizes | {"name": name}) for name in names]
    for task in load_tasks(tuple(recipes)):
        for kind in sources:
            _attack(task, kind, n_read)


def _attack(task: Task, kind: str, n_read: int) -> None:
    inference = trained(task, kind)
    request = SearchRequest(
        task=task.info.name,
        perturbed=task.info.perturbed,
        samples=task.samples,
        dimension=DISTRACTION,
        degrees=DISTRACTION.degrees,
        n_cases=1,
        seed=1,
        resources=Resources(associations=task.associations),
        source=Source(name=kind, inference=inference),
    )
    start = time.process_time()
    result = SEARCHES["score"].run(request)
    seconds = time.process_time() - start
    votes = inference.votes([(sample.text, sample.text_pair) for sample in task.samples])
    n_right = sum(vote == sample.label for vote, sample in zip(votes, task.samples, strict=True))
    fooled = {
        record.sample_id
        for record in result.records
        if record.source_fooled and (record.degree or 0.0) <= HIGHEST
    }
    counts = result.counts.values()
    n_attacked = sum(of_degree.n_attacked for of_degree in counts)
    n_weaker = sum(of_degree.n_weaker for of_degree in counts)
    click.echo(
        f"{task.info.name} {kind}: right {n_right}/{len(votes)}; fooled at or below {HIGHEST:g}"
        f" {len(fooled)} ({len(fooled) / max(1, n_right):.2f}); weaker {n_weaker} of {n_attacked}"
        f" ({n_weaker / max(1, n_attacked):.2f}); {_by_degree(result)}; {seconds:.0f} s"
    )
    _print_some(result, n_read)


def _by_degree(result: SearchResult) -> Mapping[str, str]:
    return {
        f"{degree:g}": f"{counts.n_fooled}/{counts.n_attacked}" for degree, counts in result.counts.items()
    }


def _print_some(result: SearchResult, n_samples: int) -> None:
    """Print the strongest attempts of the first samples."""
    some = list(dict.fromkeys(record.sample_id for record in result.records))[:n_samples]
    for record in result.records:
        if record.sample_id in some and record.case == 0:
            both = record.text if record.text_pair is None else f"{record.text} || {record.text_pair}"
            click.echo(
                f"    {record.degree:<4g} {record.label} {record.source_fooled} {record.method}: {both}"
            )


if __name__ == "__main__":
    main()
