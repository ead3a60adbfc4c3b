"""The command `submit`: scores predictions with the evaluator and stores them with the leaderboard."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from contract.machine.json_option import as_json_option, echo_json
from contract.machine.problems import ProblemsError
from contract.machine.terminal import echo
from evaluator.commands.model_options import model_of, model_options

if TYPE_CHECKING:
    from leaderboard.submissions.submissions import Submission

# Where the data set of a leaderboard keeps its results, as the workflow of `recheck` expects them.
RESULTS = "results"


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
@click.option(
    "--hub",
    metavar="ORG/NAME",
    help="Also open a pull request in this data set of the Hub, where results lie under results/.",
)
@click.option("--replace", is_flag=True, help="Replace a different result of the same revision.")
@as_json_option
def submit(
    release: Path,
    file: Path,
    *,
    results: Path,
    labels: Path | None,
    hub: str | None,
    replace: bool,
    as_json: bool,
    **model: str | int | None,
) -> None:
    """Score a predictions file and add it to a folder of results, ready for a pull request.

    Writes {organisation}__{model}/{revision}/result.json and the predictions, compressed, into RESULTS_DIR.
    Prints the text for the pull request: a title, an empty line, and Markdown; with --hub it opens one, and
    prints its address.

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
    text = pull_request_text(submission)
    url = None if hub is None else _pull_request(hub, submission, results, text)
    if as_json:
        echo_json(report_on_submission(submission) | ({} if url is None else {"pull_request_url": url}))
    elif url is None:
        echo(text, nl=False)
    else:
        echo(url)


def _pull_request(hub: str, submission: "Submission", results: Path, text: str) -> str:
    """Open a pull request that adds the submission, and return its address."""
    from contract.transport.pull_requests import open_pull_request

    title, _, body = text.partition("\n")
    paths = (submission.result_path, submission.predictions_path)
    files = {f"{RESULTS}/{path.relative_to(results).as_posix()}": path for path in paths}
    return open_pull_request(hub, files, title=title, text=body.strip())


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
