"""The command `template`."""

from pathlib import Path

import click

from contract.machine.json_option import as_json_option
from evaluator.commands.arguments import RELEASE, output_option, say_written


@click.command()
@RELEASE
@output_option("File to write: .jsonl, .csv or .parquet, also .gz.")
@click.option("--texts/--no-texts", "has_texts", default=True, show_default=True, help="Include the texts.")
@as_json_option
def template(release: Path, output: Path, *, has_texts: bool, as_json: bool) -> None:
    """Write a predictions file to fill in: one row an id, `prediction` left empty."""
    from evaluator.predicting.predicting import write_template

    written = write_template(release, output, has_texts=has_texts)
    words = f"{written.n_rows:,} rows to predict; {written.asked}"
    say_written(output, written.n_rows, words, as_json=as_json)
