"""The long tables of a release: every split, the funnel, the attempts, and a case of each split."""

from collections.abc import Iterator

from builder.release.documents.attempts import attempts_lines
from builder.release.documents.examples import examples_lines
from builder.release.documents.facts import Facts
from builder.release.documents.markdown import cell, number, table
from builder.release.documents.people import filter_lines


def table_lines(facts: Facts, *, has_examples: bool) -> Iterator[str]:
    """Yield the tables, which are too long for the card."""
    yield from _splits(facts)
    if has_examples:
        yield from examples_lines(facts)
    yield from _funnel(facts)
    yield from attempts_lines(facts)
    yield from filter_lines(facts)


def _splits(facts: Facts) -> Iterator[str]:
    yield "## Splits"
    yield ""
    rows = [
        [
            split.config,
            split.name,
            split.tier or "",
            "" if split.degree is None else f"{split.degree:g}",
            number(split.mean_realised_degree),
            str(split.rows),
            str(split.samples),
        ]
        for split in facts.manifest.splits
    ]
    names = ["config", "split", "tier", "degree", "mean realised", "rows", "samples"]
    yield from table(names, rows, n_texts=3)
    yield ""


def _funnel(facts: Facts) -> Iterator[str]:
    if not facts.manifest.funnel:
        return
    yield "## Funnel"
    yield ""
    yield "What became of every candidate: `carry` are samples that can show the degree at all."
    yield ""
    rows = [
        [
            row.task,
            row.dimension,
            row.setting,
            ", ".join(f"{n} {cell(reason)}" for reason, n in sorted(row.n_dropped.items())),
            "" if row.degree is None else f"{row.degree:g}",
            str(row.n_samples),
            str(row.n_carrying),
            str(row.n_candidates),
            str(row.n_frozen),
        ]
        for row in facts.manifest.funnel
    ]
    names = ["task", "dimension", "setting", "dropped", "degree", "samples", "carry", "candidates", "frozen"]
    yield from table(names, rows, n_texts=4)
    yield ""
