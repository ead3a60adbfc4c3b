"""The command `init`: a first recipe for a data file, and a card to fill in."""

import os
from collections import Counter
from pathlib import Path

import click

from contract.machine.errors import ExitCode, UserError
from contract.machine.json_option import as_json_option, echo_json
from contract.machine.terminal import echo


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The recipe to write; without it, NAME.yaml in this folder.",
)
@click.option("--name", help="The name of release and task; without it, made of the file's name.")
@click.option("--text", metavar="COLUMN", help="The column with the text; without it, the likeliest.")
@click.option("--text-pair", metavar="COLUMN", help="The column with the second text, in tasks about pairs.")
@click.option("--label", metavar="COLUMN", help="The column with the label; without it, the likeliest.")
@click.option("--replace", is_flag=True, help="Write over files that are there.")
@as_json_option
def init(
    file: Path,
    *,
    output: Path | None,
    name: str | None,
    text: str | None,
    text_pair: str | None,
    label: str | None,
    replace: bool,
    as_json: bool,
) -> None:
    """Write a commented recipe for FILE (.csv, .tsv, .jsonl or .parquet) and a card of its data to fill in.

    The recipe builds as it is. It takes random cases of eight dimensions; its comments say how to get more.
    """
    from builder.augmenting.tables import read_table
    from builder.recipe.starting import FirstRecipe, card_text, name_for, recipe_text
    from builder.tasks.columns import Wish, columns_in_rows
    from builder.values.samples import letters_and_digits
    from contract.machine.whole_files import write_text
    from contract.schema.names import check_name

    table = read_table(file)
    columns = columns_in_rows(table.rows, file, Wish(text=text, text_pair=text_pair, label=label))
    chosen = name_for(file) if name is None else check_name(name, "release")
    recipe_path = output or Path(f"{chosen}.yaml")
    card_path = recipe_path.parent / "cards" / f"{chosen}.yaml"
    there = [path for path in (recipe_path, card_path) if path.exists()]
    if there and not replace:
        raise UserError(
            f"{there[0]}: is there already; give --replace to write over it, or another -o",
            exit_code=ExitCode.WRONG_USE,
        )
    labels = [_label(row[columns.label or ""]) for row in table.rows]
    texts = {
        letters_and_digits(str(row[columns.text]), row[columns.text_pair] if columns.text_pair else None)
        for row, of_row in zip(table.rows, labels, strict=True)
        if of_row
    }
    first = FirstRecipe(
        path=file,
        name=chosen,
        columns=columns,
        labels=Counter(filter(None, labels)),
        has_header=table.has_header,
        n_rows=len(table.rows),
        n_distinct=len(texts - {""}),
        n_unlabelled=sum(not of_row for of_row in labels),
    )
    data = Path(os.path.relpath(file.resolve(), recipe_path.resolve().parent)).as_posix()
    write_text(recipe_path, recipe_text(first, data))
    write_text(card_path, card_text(first.labels))
    if as_json:
        written = {"recipe": str(recipe_path), "card": str(card_path), "samples": first.n_samples}
        echo_json({**written, "text": columns.text, "label": columns.label, "labels": dict(first.labels)})
        return
    pair = "" if columns.text_pair is None else f" and {columns.text_pair!r}"
    echo(f"{file}: texts in {columns.text!r}{pair}, labels in {columns.label!r}", err=True)
    echo(f"{recipe_path}: {first.n_samples} samples of {first.n_rows:,} rows", err=True)
    echo(f"{card_path}: to fill in before you publish", err=True)
    echo(f"hardfrost build {recipe_path} -o release")


def _label(value: object) -> str:
    """Return a label as a build reads it."""
    if isinstance(value, bool):
        return str(int(value))
    return "" if value is None else str(value).strip().removesuffix(".0")
