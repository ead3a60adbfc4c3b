"""The command `check`."""

import sys
from pathlib import Path

import click

from contract.machine.errors import UserError
from contract.machine.json_option import as_json_option, echo_json
from contract.machine.terminal import echo
from evaluator.commands.arguments import FILE, RELEASE, say


@click.command()
@RELEASE
@FILE
@as_json_option
def check(release: Path, file: Path, *, as_json: bool) -> None:
    """Validate a predictions file and score nothing; all problems are listed together.

    With --json the problems are a list too, each with its kind, line and message; the exit code is still 3.
    """
    from contract.predictions.reading import ReleaseRows, read_predictions
    from contract.release.release import Release
    from evaluator.commands.problem_lists import listed_problems

    rows = ReleaseRows.read(Release.open(release))
    try:
        predictions = read_predictions(file, rows, may_be_limited=True)
    except UserError as error:
        if not as_json:
            raise
        echo_json(listed_problems(rows.benchmark, error))
        sys.exit(error.exit_code)
    if predictions.note:
        say(predictions.note)
    if as_json:
        checked = {
            "benchmark": rows.benchmark,
            "rows": predictions.n_rows,
            "sha256": predictions.sha256,
            "has_probabilities": predictions.probabilities is not None,
            "absent": list(predictions.absent),
            "problems": [],
        }
        echo_json(checked)
        return
    echo(f"{file}: {predictions.n_rows:,} predictions for {rows.benchmark}, no problems")
    for name in predictions.absent:
        echo(f"absent: {name} (the entry will be partial and unranked)")
