"""The share of samples that get a valid `rule` case, by degree, for any dimension and data set.

Run: python -m benchmarks.reach --data FOLDER [--only DATASET …] [--dimensions NAME …] [--degrees 0.1 0.3]
FOLDER holds a folder a data set (sst2/dev.tsv, agnews/test.csv, jigsaw/comments.csv, qnli/dev.tsv,
rte/dev.tsv, qqp/test_10k.txt, mnli/dev_matched.jsonl). `--file PATH` takes any file with the columns text
and label instead. `--show N` prints N cases of each data set, dimension and degree, edits marked.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from builder.dimensions import DIMENSIONS
from builder.filters import FILTERS
from builder.models.resources import Resources
from builder.recipe.recipe import DEFAULT_FILTERS
from builder.run.make_cases import make_cases_with
from builder.tasks.task import Task, load_tasks
from builder.tasks.task_recipe import Columns, ReadOptions, TaskRecipe
from builder.units.units import CaseUnit
from contract.schema.records import Record

N_CASES = 5


class DataSet(NamedTuple):
    """Where the rows of a data set are, and how they are read."""

    path: str
    columns: Columns
    has_header: bool = True


DATA_SETS = {
    "sst2": DataSet("sst2/dev.tsv", Columns(text="sentence")),
    "agnews": DataSet("agnews/test.csv", Columns(text=2, label=0), has_header=False),
    "jigsaw": DataSet("jigsaw/comments.csv", Columns(text=0, label=1), has_header=False),
    "qnli": DataSet("qnli/dev.tsv", Columns(text="question", text_pair="sentence")),
    "rte": DataSet("rte/dev.tsv", Columns(text="sentence1", text_pair="sentence2")),
    "qqp": DataSet("qqp/test_10k.txt", Columns(text=0, text_pair=1, label=2), has_header=False),
    "mnli": DataSet("mnli/dev_matched.jsonl", Columns(text="premise", text_pair="hypothesis")),
}


class Reach(NamedTuple):
    """What became of the samples of a data set at one degree."""

    n_samples: int
    n_carrying: int
    cases: list[Record]
    dropped: dict[str, int]

    @property
    def share(self) -> float:
        """The share of samples that have a case."""
        return len({case.sample_id for case in self.cases}) / self.n_samples


def main() -> None:
    """Print one line a data set and dimension: the share of samples with a case at each degree."""
    options = _options()
    names = options.only or list(DATA_SETS)
    print(f"{'data set':<10}{'dimension':<20}" + "".join(f"{degree:>8g}" for degree in options.degrees))
    for task in _tasks(options, names):
        for name in options.dimensions:
            start = time.perf_counter()
            reached = reach_of(task, name, options.degrees, options.lexicon)
            shares = "".join(f"{reached[degree].share:>8.0%}" for degree in options.degrees)
            n_cases = sum(len(at_degree.cases) for at_degree in reached.values())
            rate = n_cases / (time.perf_counter() - start)
            reasons = ", ".join(
                f"{degree:g}: {reason} {n}"
                for degree, at_degree in reached.items()
                for reason, n in sorted(at_degree.dropped.items())
            )
            print(f"{task.info.name:<10}{name:<20}{shares}  {rate:,.0f} cases/s  dropped {reasons or 'none'}")
            for degree in options.degrees:
                for case in _first_of_each(reached[degree].cases)[: options.show]:
                    print(f"  [{degree:g}] {marked(case)}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="the folder of the data sets")
    parser.add_argument("--file", type=Path, help="a file with the columns text and label instead")
    parser.add_argument("--only", nargs="*", choices=list(DATA_SETS))
    parser.add_argument("--dimensions", nargs="*", choices=list(DIMENSIONS), default=["synonym"])
    parser.add_argument("--degrees", nargs="*", type=float, default=[0.1, 0.3])
    parser.add_argument("--samples", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0, help="by which samples are drawn")
    parser.add_argument("--perturb", choices=["text", "text_pair"], default="text")
    parser.add_argument("--lexicon", action="append", default=[], help="file:PATH of more synonyms")
    parser.add_argument("--show", type=int, default=0, help="how many cases to print, edits marked")
    options = parser.parse_args()
    if (options.data is None) == (options.file is None):
        parser.error("give --data FOLDER or --file PATH")
    return options


def _tasks(options: argparse.Namespace, names: Sequence[str]) -> Iterator[Task]:
    if options.file is not None:
        source = f"file:{options.file}"
        yield from load_tasks(
            (TaskRecipe(name="file", source=source, samples=options.samples, sampling_seed=options.seed),)
        )
        return
    for name in names:
        columns = DATA_SETS[name].columns
        read = ReadOptions(
            columns=columns,
            header=DATA_SETS[name].has_header,
            unlabelled="drop",
        )
        yield from load_tasks(
            (
                TaskRecipe(
                    name=name,
                    source=f"file:{options.data / DATA_SETS[name].path}",
                    read=read,
                    perturb="text" if columns.text_pair is None else options.perturb,
                    samples=options.samples,
                    sampling_seed=options.seed,
                ),
            )
        )


def reach_of(
    task: Task, dimension: str, degrees: Sequence[float], lexicons: Sequence[str] = ()
) -> dict[float, Reach]:
    """Return by degree what the setting `rule` makes of a task's samples, all filters applied."""
    own = DIMENSIONS[dimension].degrees
    unit = CaseUnit(
        task=task.info.name,
        perturbed=task.info.perturbed,
        samples=tuple(task.samples),
        dimension=dimension,
        # A sample carries a degree up to the next one.
        degrees=tuple(sorted({*own, *degrees})),
        setting="rule",
        n_cases=N_CASES,
        seed=1,
        filters=tuple((name, tuple(FILTERS[name].thresholds.items())) for name in DEFAULT_FILTERS),
        associations="",
        resources=Resources(),
    )
    resources = Resources(associations=task.associations, lexicons=tuple(lexicons))
    made = make_cases_with(unit, resources, None)
    return {
        degree: Reach(
            len(task.samples),
            made.counts[degree].n_carrying,
            [record for record in made.records if record.degree == degree],
            dict(made.counts[degree].n_dropped),
        )
        for degree in degrees
    }


def _first_of_each(cases: Sequence[Record]) -> list[Record]:
    """Return the first case of each sample."""
    first: dict[str, Record] = {}
    for case in cases:
        first.setdefault(case.sample_id, case)
    return list(first.values())


def marked(case: Record) -> str:
    """Return the original text with every edit in it as [original > replacement]."""
    text, position, pieces = case.unperturbed_text, 0, []
    for _, edit in sorted(case.edits):
        pieces += [text[position : edit.start], f"[{edit.original} > {edit.replacement}]"]
        position = edit.end
    return " ".join("".join([*pieces, text[position:]]).split())


if __name__ == "__main__":
    main()
