"""The command `submit`: scores predictions with the evaluator and stores them with the leaderboard."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from contract.machine.json_option import as_json_option, echo_json
from contract.machine.problems import ProblemsError
from contract.machine.terminal import echo
from evaluator.commands.model_options import model_of, model_options


@click.command()
@click.argument("release", metavar="DIR", type=click.Path(path_type=Path))
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@model_options
@click.option(
    "--results",
    required=True,
    metavar="RESULTS_DIR",
    type=click.Path(path_type=Path),
    help="The folder of all results.",
)
@click.option(
    "--labels", metavar="FILE", type=click.Path(path_type=Path), help="Withheld labels, keyed by id."
)
@click.option("--replace", is_flag=True, help="Replace a different result of the same revision.")
@as_json_option
def submit(
    release: Path,
    file: Path,
    *,
    results: Path,
    labels: Path | None,
    replace: bool,
    as_json: bool,
    **model: str | int | None,
) -> None:
    """Score a predictions file and add it to a folder of results, ready for a pull request.

    Writes {organisation}__{model}/{revision}/result.json and the predictions, compressed, into RESULTS_DIR.
    Prints the text for the pull request: a title, an empty line, and Markdown.

    With --json: what was scored, where it was written, its overall scores, and the text for the pull request.
    Problems of FILE are listed as `check --json` lists them.
    """
    from evaluator.scoring.score import score
    from leaderboard.commands.json_reports import report_on_submission
    from leaderboard.submissions.pull_requests import pull_request_text
    from leaderboard.submissions.submissions import write_submission

    with _problems_listed(release, as_json=as_json):
        result = score(
            release, file, model_of(**model), labels_path=labels, say=lambda note: echo(note, err=True)
        )
    submission = write_submission(result, file, results, may_replace=replace)
    for path in (submission.result_path, submission.predictions_path):
        echo(f"{path}: written", err=True)
    if as_json:
        echo_json(report_on_submission(submission))
    else:
        echo(pull_request_text(submission), nl=False)


@contextlib.contextmanager
def _problems_listed(release: Path, *, as_json: bool) -> Iterator[None]:
    """With --json, print the problems of a predictions file as a list and exit."""
    try:
        yield
    except ProblemsError as error:
        if not as_json:
            raise
        from contract.release.release import Release
        from evaluator.commands.problem_lists import listed_problems

        manifest = Release.open(release).manifest
        echo_json(listed_problems(f"{manifest.name}@{manifest.version}", error))
        sys.exit(error.exit_code)
