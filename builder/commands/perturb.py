"""The commands `perturb` and `augment`: people's own texts through the generators of the dimensions."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from contract.machine.json_option import as_json_option, echo_json
from contract.machine.terminal import echo, echo_data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from builder.tasks.columns import ColumnNames

FILE = click.Path(path_type=Path, dir_okay=False)
DATA = click.argument("file", metavar="FILE", type=FILE)
SEED = click.option("--seed", type=int, default=0, show_default=True, help="Seed of all random choices.")
TEXT = click.option("--text", metavar="COLUMN", help="The column to perturb; without it, the likeliest.")
LABEL = click.option(
    "--label",
    metavar="COLUMN",
    help="The column with the labels, from which words that speak for one are learned.",
)
EDITS = click.option(
    "--edits", "has_notes", is_flag=True, help="Add columns: dimension, degree, realised degree and edits."
)


@click.command()
@DATA
@click.option("--dimension", required=True, metavar="NAME", help="See `hardfrost list dimensions`.")
@click.option("--degree", type=float, required=True, help="How much to change, above 0 and at most 0.8.")
@click.option("-o", "--output", type=FILE, help="File to write; without it, the texts are printed.")
@SEED
@TEXT
@LABEL
@EDITS
@as_json_option
def perturb(
    file: Path,
    *,
    dimension: str,
    degree: float,
    output: Path | None,
    seed: int,
    text: str | None,
    label: str | None,
    has_notes: bool,
    as_json: bool,
) -> None:
    """Perturb the texts of FILE at random (.csv, .tsv, .jsonl or .parquet), all other columns kept.

    A text that cannot carry the degree, since it is too short or has nothing to change, stays as it is.
    The same text and seed give the same case.
    """
    from builder.augmenting.augmenting import NOTES, notes_of
    from builder.augmenting.labels import learned
    from builder.augmenting.perturbing import LabelledText, perturb_texts
    from builder.augmenting.tables import check_format, read_table, write_table
    from builder.tasks.columns import Wish, columns_in_rows

    if output is not None:
        check_format(output)
    table = read_table(file)
    columns = columns_in_rows(table.rows, file, Wish(text=text, label=label), needs_label=False)
    _say_columns(file, columns)
    texts = [str(row[columns.text] or "") for row in table.rows]
    known = None if label is None else learned(texts, [str(row[label]) for row in table.rows])
    indices: Sequence[int | None] = [None] * len(texts) if known is None else known.indices
    cases = perturb_texts(
        [LabelledText(text=each, label=index) for each, index in zip(texts, indices, strict=True)],
        dimension,
        degree,
        seed,
        associations=None if known is None else known.associations,
    )
    n_changed = sum(case is not None for case in cases)
    changed = [old if case is None else case.text for old, case in zip(texts, cases, strict=True)]
    if output is not None:
        notes = NOTES[1:] if has_notes else ()
        rows = [
            row | {columns.text: new} | {name: notes_of(case)[name] for name in notes}
            for row, new, case in zip(table.rows, changed, cases, strict=True)
        ]
        write_table(output, table.with_rows(rows, notes))
    elif not as_json:
        for each in changed:
            echo_data(each)
    if as_json:
        path = None if output is None else str(output)
        said = {"path": path, "rows": len(texts), "perturbed": n_changed, "text": columns.text}
        echo_json(said if output is not None else {**said, "texts": changed})
    else:
        echo(f"{output or file}: {n_changed:,} of {len(texts):,} texts perturbed", err=True)


@click.command()
@DATA
@click.option(
    "--dimension", "dimensions", required=True, multiple=True, metavar="NAME", help="Repeatable: mixed."
)
@click.option("--degree", "degrees", type=float, required=True, multiple=True, help="Repeatable: mixed.")
@click.option(
    "--share",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.5,
    show_default=True,
    help="How many rows are added, as a share of those that are there.",
)
@click.option("-o", "--output", type=FILE, required=True, help="File to write.")
@click.option(
    "--without",
    multiple=True,
    metavar="RELEASE",
    type=click.Path(path_type=Path, file_okay=False),
    help="Leave out every row with the text of a sample or case of this release; repeatable.",
)
@SEED
@TEXT
@click.option("--text-pair", metavar="COLUMN", help="The column with the second text, in tasks about pairs.")
@LABEL
@EDITS
@as_json_option
def augment(
    file: Path,
    *,
    dimensions: tuple[str, ...],
    degrees: tuple[float, ...],
    share: float,
    output: Path,
    without: tuple[Path, ...],
    seed: int,
    text: str | None,
    text_pair: str | None,
    label: str | None,
    has_notes: bool,
    as_json: bool,
) -> None:
    """Add perturbed copies of training rows to those of FILE, with their labels and all other columns.

    The copies are random cases of the dimensions, as a release has them, drawn anew: none is drawn like a
    case of a release. Cases that read as another label, by words learned from FILE, are not made.
    """
    from builder.augmenting.augmenting import Way
    from builder.augmenting.augmenting import augment as augment_table
    from builder.augmenting.tables import check_format, read_table, write_table
    from builder.tasks.columns import Wish, columns_in_rows

    check_format(output)
    table = read_table(file)
    columns = columns_in_rows(table.rows, file, Wish(text=text, text_pair=text_pair, label=label))
    _say_columns(file, columns)
    ways = [Way(dimension=dimension, degree=degree) for dimension in dimensions for degree in degrees]
    done = augment_table(table, columns, ways, share=share, seed=seed, without=without, has_notes=has_notes)
    write_table(output, done.table)
    if as_json:
        said = {"path": str(output), "rows": done.n_rows, "made": done.n_made, "wanted": done.n_wanted}
        echo_json({**said, "left_out": done.n_in_release, "text": columns.text, "label": columns.label})
        return
    if without:
        echo(f"{done.n_in_release:,} rows or cases left out: they stand in a release", err=True)
    if done.n_made < done.n_wanted:
        echo(f"{done.n_wanted:,} wanted; no other row can carry the degree", err=True)
    echo(f"{output}: {done.n_rows:,} rows and {done.n_made:,} made of them", err=True)


def _say_columns(file: Path, columns: "ColumnNames") -> None:
    """Say which columns are used."""
    parts = {"text": columns.text, "text pair": columns.text_pair, "label": columns.label}
    named = ", ".join(f"{what} {name!r}" for what, name in parts.items() if name is not None)
    echo(f"{file}: {named}", err=True)
