"""The commands `submit` and `recheck`: they score and store, which two packages do that are strangers."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from contract.machine.errors import ExitCode, UserError
from contract.machine.json_option import as_json_option, echo_json
from contract.machine.problems import ProblemsError
from evaluator.commands.model_options import model_of, model_options

_LABELS = click.option(
    "--labels", metavar="FILE", type=click.Path(path_type=Path), help="Withheld labels, keyed by id."
)


@click.command()
@click.argument("release", metavar="DIR", type=click.Path(path_type=Path))
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@model_options
@click.option(
    "--results",
    required=True,
    metavar="RESULTS_DIR",
    type=click.Path(path_type=Path),
    help="Where results are kept.",
)
@_LABELS
@click.option("--replace", is_flag=True, help="Take the place of another result of the same revision.")
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
    Prints what the pull request should say: a title, an empty line, and Markdown.

    With --json: what was checked, where it is, its overall scores, and the pull request's words. Problems of
    FILE are listed as `check --json` lists them.
    """
    from evaluator.scoring.score import score
    from leaderboard.commands.json_reports import account_of_submission
    from leaderboard.submissions.pull_requests import pull_request_text
    from leaderboard.submissions.submissions import write_submission

    with _problems_listed(release, as_json=as_json):
        result = score(
            release, file, model_of(**model), labels_path=labels, say=lambda note: click.echo(note, err=True)
        )
    submission = write_submission(result, file, results, may_replace=replace)
    for path in (submission.result_path, submission.predictions_path):
        click.echo(f"{path}: written", err=True)
    if as_json:
        echo_json(account_of_submission(submission))
    else:
        click.echo(pull_request_text(submission), nl=False)


@contextlib.contextmanager
def _problems_listed(release: Path, *, as_json: bool) -> Iterator[None]:
    """Let scripts read what is wrong with a predictions file one by one."""
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


def _print_workflow(ctx: click.Context, _option: click.Parameter, is_wanted: bool) -> None:  # noqa: FBT001
    from leaderboard.submissions.rechecking import WORKFLOW_PATH

    if is_wanted:
        click.echo(WORKFLOW_PATH.read_text(encoding="utf-8"), nl=False)
        ctx.exit()


@click.command()
@click.argument("results_dir", metavar="RESULTS_DIR", type=click.Path(path_type=Path, file_okay=False))
@click.argument("paths", metavar="[SUBMISSION]...", nargs=-1, type=click.Path(path_type=Path))
@click.option("--release", required=True, metavar="DIR", type=click.Path(path_type=Path), help="Theirs.")
@click.option("--since", metavar="REVISION", help="Only what changed since this Git revision.")
@_LABELS
@click.option(
    "--workflow",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_workflow,
    help="Print a GitHub workflow that checks every pull request in this way.",
)
@as_json_option
def recheck(
    results_dir: Path,
    paths: tuple[Path, ...],
    *,
    release: Path,
    since: str | None,
    labels: Path | None,
    as_json: bool,
) -> None:
    """Score submissions again from their predictions and refuse any result that is not what this gives.

    All under RESULTS_DIR are checked unless SUBMISSION names some, or --since tells which changed.

    With --json: for every submission whether it is as scored anew, and what differs; the exit code is still 4
    where one is refused.
    """
    from contract.predictions.reading import read_predictions
    from contract.release.release import Release
    from contract.schema.results import Result
    from evaluator.scoring.outcomes import read_labelled_rows
    from evaluator.scoring.score import ScoreOptions, score_predictions
    from leaderboard.commands.json_reports import account_of_rechecks
    from leaderboard.submissions import rechecking

    if since is not None:
        files = rechecking.changed_since(results_dir, since)
    else:
        files = rechecking.named(results_dir, paths) if paths else rechecking.all_files(results_dir)
    labelled = read_labelled_rows(Release.open(release), labels)

    def score_again(path: Path, claimed: Result) -> Result:
        predictions = read_predictions(path, labelled.rows)
        return score_predictions(
            labelled, predictions, claimed.model, ScoreOptions.like(claimed.settings)
        ).result

    found: dict[str, list[str]] = {}
    for place in rechecking.submissions_of(results_dir, files):
        problems = rechecking.recheck(results_dir, place, score_again)
        found[str(place)] = problems
        if not as_json:
            click.echo("\n  ".join([f"{place}: {'REFUSED' if problems else 'as scored anew'}", *problems]))
    if as_json:
        echo_json(account_of_rechecks(labelled.rows.benchmark, found))
    n_wrong = sum(map(bool, found.values()))
    if n_wrong:
        raise UserError(f"{n_wrong} submissions refused", exit_code=ExitCode.MISMATCH)
