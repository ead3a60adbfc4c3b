"""Measure how often a larger budget gives a weaker attempt, and how fast attempts are made.

Run it as `python -m benchmarks.weaker FOLDER`: the folder has `sst2/` (dev.tsv and train.tsv of GLUE) and
`agnews/` (test.csv: class, title, text; train_10k.tsv: text, name of the class). With `--read N` it prints
attempts instead, for people to read.
"""

import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click

from builder.dimensions import DIMENSIONS
from builder.operations.dimension import Dimension
from builder.searches import SEARCHES
from builder.searches.machinery.attempts import SAME
from builder.searches.machinery.editable_texts import editable_texts
from builder.searches.search import SearchRequest, SearchResult, Source
from builder.tasks.task import Task, load_tasks
from builder.tasks.task_recipe import TaskRecipe
from classifiers.machinery.classifier import TrainingSet
from classifiers.machinery.inference import Inference
from classifiers.trained import TRAINABLE_KINDS

TRAINING_ROWS = 20_000
# Of what can be edited in a text, the part above which a budget leaves little to choose.
NARROW = 0.6
NAMES_OF_CLASSES = {"1": "World", "2": "Sports", "3": "Business", "4": "Sci/Tech"}


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--task", "names", type=click.Choice(["sst2", "agnews"]), multiple=True, help="Only these.")
@click.option("--samples", default=100, show_default=True, help="Samples of each task.")
@click.option("--source", "sources", multiple=True, default=["word-tfidf", "char-tfidf"], show_default=True)
@click.option("--dimension", "dimensions", multiple=True, type=click.Choice(list(DIMENSIONS)))
@click.option("--setting", default="score", show_default=True, type=click.Choice(["score", "gradient"]))
@click.option("--cases", default=1, show_default=True, help="Attempts wanted of each sample and degree.")
@click.option("--spare", default=1, show_default=True, help="Attempts beyond these.")
@click.option("--read", "n_read", default=0, help="Print the attempts of so many samples.")
def main(  # noqa: PLR0917
    folder: Path,
    names: Sequence[str],
    samples: int,
    sources: Sequence[str],
    dimensions: Sequence[str],
    setting: str,
    cases: int,
    spare: int,
    n_read: int,
) -> None:
    """Print a line for each task, source and dimension: shares of weaker attempts by degree."""
    chosen = dimensions or [name for name, part in DIMENSIONS.items() if isinstance(part, Dimension)]
    recipes = (recipe for recipe in _recipes(folder, samples) if not names or recipe.name in names)
    for task in load_tasks(tuple(recipes)):
        for kind in sources:
            inference = trained(task, kind)
            total = Shares()
            for name in chosen:
                request = SearchRequest(
                    task=task.info.name,
                    perturbed="text",
                    samples=task.samples,
                    dimension=DIMENSIONS[name],
                    degrees=DIMENSIONS[name].degrees,
                    n_cases=cases,
                    n_spare=spare,
                    seed=1,
                    source=Source(name=kind, inference=inference),
                )
                result = _attack(request, setting)
                total.add(request, result)
                _print_some(result, n_read)
            click.echo(f"{task.info.name} {kind} all: {total}")


@dataclass
class Shares:
    """Attempts of the first rank, and those weaker than one of a lower degree, by the room that they had.

    The room is narrow where a budget takes more than a part of all that can be edited in the text: then there
    is little to choose, and words must be edited that speak for other labels.
    """

    n: Counter[bool] = field(default_factory=Counter)
    n_weaker: Counter[bool] = field(default_factory=Counter)

    def add(self, request: SearchRequest, result: SearchResult) -> None:
        """Count the attempts of a dimension with budgets."""
        if not isinstance(request.dimension, Dimension):
            return
        is_narrow = {
            (text.sample.id, budget.degree): budget.amount > NARROW * text.available_units
            for text in editable_texts(request, request.dimension)
            for budget in text.budgets
        }
        strongest = [record for record in result.records if record.case == 0]
        rows = request.attacked_source.inference.ask([(record.text, None) for record in strongest])
        lowest: dict[str, float] = {}
        for record, row in zip(strongest, rows, strict=True):
            narrow = is_narrow[record.sample_id, record.degree or 0.0]
            below = lowest.get(record.sample_id, 1.0)
            self.n[narrow] += 1
            self.n_weaker[narrow] += row[record.label] > below + SAME
            lowest[record.sample_id] = min(below, float(row[record.label]))

    def __str__(self) -> str:
        parts = {"room": [False], "narrow": [True], "both": [False, True]}
        return ", ".join(self._share(name, keys) for name, keys in parts.items())

    def _share(self, name: str, keys: Sequence[bool]) -> str:
        n, n_weaker = (sum(counts[key] for key in keys) for counts in (self.n, self.n_weaker))
        return f"{name} {n_weaker} weaker of {n}" + (f" ({n_weaker / n:.3f})" if n else "")


def _attack(request: SearchRequest, setting: str) -> SearchResult:
    """Attack, and print how strong, how often weaker, how fast."""
    source = request.attacked_source
    n_before = source.inference.counts.n_distinct
    start = time.process_time()
    result = SEARCHES[setting].run(request)
    seconds = time.process_time() - start
    n_asked = source.inference.counts.n_distinct - n_before
    shares = "  ".join(
        f"{degree:g} {counts.n_attacked}/{counts.n_attackable} fooled {counts.n_fooled}"
        f" weaker {counts.n_weaker}"
        for degree, counts in result.counts.items()
    )
    click.echo(
        f"{request.task} {source.name} {request.dimension.name:18s} {shares};"
        f" {len(result.records) / seconds:.0f} attempts/s,"
        f" {n_asked / max(1, len(result.records)):.1f} questions each"
    )
    return result


def _print_some(result: SearchResult, n_samples: int) -> None:
    """Print the attempts of the first samples."""
    some = list(dict.fromkeys(record.sample_id for record in result.records))[:n_samples]
    for sample in some:
        for record in result.records:
            if record.sample_id == sample:
                click.echo(f"    {record.degree:<4g} {record.case} {record.method}: {record.text}")


def trained(task: Task, kind: str) -> Inference:
    """Train a classifier on a task's training rows."""
    training_set = TrainingSet(
        texts=[(sample.text, sample.text_pair) for sample in task.train],
        labels=[sample.label for sample in task.train],
        n_labels=len(task.info.labels),
        seed=1,
    )
    with tempfile.TemporaryDirectory() as folder:
        TRAINABLE_KINDS[kind].train(training_set, Path(folder))
        return Inference(TRAINABLE_KINDS[kind].load(Path(folder)), "0" * 64, None)


def _recipes(folder: Path, n_samples: int) -> list[TaskRecipe]:
    sst2 = {
        "name": "sst2",
        "source": f"file:{folder / 'sst2' / 'dev.tsv'}",
        "train": f"file:{folder / 'sst2' / 'train.tsv'}",
        "read": {"columns": {"text": "sentence", "label": "label"}},
        "labels": ["negative", "positive"],
        "label_map": {"0": "negative", "1": "positive"},
    }
    agnews = {
        "name": "agnews",
        "source": f"file:{folder / 'agnews' / 'test.csv'}",
        "train": f"file:{folder / 'agnews' / 'train_10k.tsv'}",
        "read": {"header": False, "columns": {"text": 2, "label": 0}},
        "read_train": {"header": False, "columns": {"text": 0, "label": 1}},
        "labels": [*NAMES_OF_CLASSES.values()],
        "label_map": NAMES_OF_CLASSES,
    }
    sizes = {"samples": n_samples, "train_rows": TRAINING_ROWS}
    return [TaskRecipe.model_validate(raw | sizes) for raw in (sst2, agnews)]


if __name__ == "__main__":
    main()
