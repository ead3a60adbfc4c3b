"""What every method freezes: its valid attempts on each data set, after all filters, against cheap sources.

Run: python -m benchmarks.methods --data FOLDER [--only DATASET …] [--methods NAME …] [--lexicon FILE]
FOLDER holds the data sets as for `benchmarks.reach`. Surrogates are trained on the rows that are not drawn.
`--rows FILE` also writes every frozen case with its original, for readers.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.reach import DATA_SETS
from builder.language.words.lexicons import load_lexicons
from builder.methods import METHODS
from builder.methods.neighbours import median_neighbours
from builder.recipe.recipe import ATTACKED, DEFAULT_FILTERS, Recipe
from builder.run.pipeline import build
from contract.machine.progress import Silence
from contract.release.release import Release
from contract.schema.records import Record, records_of

TASKS = ("sst2", "qqp", "mnli", "qnli", "rte")
DEGREES = (0.05, 0.1, 0.2)


def recipe_of(options: argparse.Namespace, name: str, methods: Sequence[str]) -> Recipe:
    """Return the recipe of one data set with some methods."""
    data = DATA_SETS[name]
    parts = [METHODS[method] for method in methods]
    settings = [s for s in ("rule", *ATTACKED) if any(s in part.settings for part in parts)]
    has_pair = data.columns.text_pair is not None
    task: dict[str, Any] = {
        "name": name,
        "source": f"file:{options.data / data.path}",
        "read": {"columns": data.columns.model_dump(), "header": data.has_header, "unlabelled": "drop"},
        "perturb": options.perturb if has_pair else "text",
        "samples": options.samples,
        "train_rows": options.train_rows,
    }
    lexicons = [f"file:{options.lexicon}"] if options.lexicon else []
    return Recipe.model_validate(
        {
            "name": "methods",
            "version": "1",
            "seed": 1,
            "tasks": [task],
            "dimensions": [
                {"name": dimension, "degrees": list(options.degrees)}
                for dimension in dict.fromkeys(part.dimension for part in parts)
            ],
            "settings": settings,
            "methods": list(methods),
            "cases": {"rule": 1, "score": 1, "gradient": 1},
            "surrogates": ["word-tfidf", "cnn"],
            "filters": [*DEFAULT_FILTERS],
            "lexicons": lexicons,
            "allow_weak": True,
            "min_samples": 1,
        }
    )


def apart(names: Sequence[str]) -> list[list[str]]:
    """Return the methods so that no two of a dimension stand together: a text is frozen only once."""
    groups: list[list[str]] = []
    for name in names:
        dimension = METHODS[name].dimension
        free = [g for g in groups if all(METHODS[other].dimension != dimension for other in g)]
        if free:
            free[0].append(name)
        else:
            groups.append([name])
    return groups


def cases_of(release: Release) -> Iterator[Record]:
    """Yield every case of a release."""
    for split in release.manifest.splits:
        if split.is_adversarial and split.rows:
            yield from records_of(release.table(split))


def main() -> None:
    """Print a table: attempts, samples with one, and those that fool their source, by method and data set."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", nargs="+", choices=TASKS, default=list(TASKS))
    parser.add_argument("--methods", nargs="+", choices=list(METHODS), default=list(METHODS))
    parser.add_argument("--samples", type=int, default=30)
    parser.add_argument("--train-rows", type=int, default=2000)
    parser.add_argument("--degrees", type=float, nargs="+", default=list(DEGREES))
    parser.add_argument("--perturb", choices=["text", "text_pair"], default="text")
    parser.add_argument("--lexicon", type=Path)
    parser.add_argument("--rows", type=Path)
    options = parser.parse_args()
    if options.lexicon:
        print(f"neighbours of a word, median: {median_neighbours(load_lexicons([str(options.lexicon)]))}\n")
    print("| data set | method | attempts | samples | fooled |\n| --- | --- | ---: | ---: | ---: |")
    kept: list[dict[str, Any]] = []
    for name in options.only:
        with tempfile.TemporaryDirectory() as folder:
            cases: list[Any] = []
            for number, methods in enumerate(apart(options.methods)):
                out = Path(folder) / f"release-{number}"
                build(recipe_of(options, name, methods), out, Silence())
                cases += cases_of(Release.open(out))
        for method in options.methods:
            of_method = [case for case in cases if case.method == method]
            n_samples = len({case.sample_id for case in of_method})
            n_fooled = sum(case.source_fooled is True for case in of_method)
            share = f"{n_fooled / len(of_method):.2f}" if of_method else ""
            print(f"| {name} | {method} | {len(of_method)} | {n_samples} | {share} |", flush=True)
        kept += [
            {
                "task": name,
                "method": case.method,
                "degree": case.degree,
                "sample": case.sample_id,
                "label": case.label,
                "field": case.field,
                "original": [case.original_text, case.original_text_pair],
                "changed": [case.text, case.text_pair],
                "fooled": case.source_fooled,
            }
            for case in cases
        ]
    if options.rows:
        options.rows.write_text("".join(json.dumps(row) + "\n" for row in kept), encoding="utf-8")


if __name__ == "__main__":
    main()
