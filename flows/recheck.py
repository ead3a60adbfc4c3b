"""The command `recheck`: scores submissions again with the evaluator and compares the results."""

from pathlib import Path, PurePosixPath

import click

from contract.machine.errors import ExitCode, UserError
from contract.machine.json_option import as_json_option, echo_json
from contract.machine.terminal import echo


def _print_workflow(ctx: click.Context, _option: click.Parameter, is_wanted: bool) -> None:  # noqa: FBT001
    from leaderboard.submissions.rechecking import WORKFLOW_PATH

    if is_wanted:
        echo(WORKFLOW_PATH.read_text(encoding="utf-8"), nl=False)
        ctx.exit()


@click.command()
@click.argument("results_dir", metavar="RESULTS_DIR", type=click.Path(path_type=Path, file_okay=False))
@click.argument("paths", metavar="[SUBMISSION]...", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--release",
    required=True,
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="The release that they were scored on.",
)
@click.option("--since", metavar="REVISION", help="Only what changed since this Git revision.")
@click.option(
    "--labels", metavar="FILE", type=click.Path(path_type=Path), help="Withheld labels, keyed by id."
)
@click.option(
    "--workflow",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_workflow,
    help="Print a GitHub workflow that checks every pull request in this way and deploys the site.",
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
    """Score submissions again from their predictions and refuse every result that differs.

    Checks all submissions under RESULTS_DIR, or only those given as SUBMISSION or changed --since a revision.

    With --json: for every submission whether its result is the same, and what differs. The exit code is 4 if
    one is refused, as without --json.
    """
    from contract.predictions.reading import read_predictions
    from contract.release.release import Release
    from contract.schema.results import Result
    from evaluator.scoring.labelled_rows import read_labelled_rows
    from evaluator.scoring.score import ScoreOptions, score_predictions
    from leaderboard.commands.json_reports import report_on_rechecks
    from leaderboard.submissions import rechecking
    from leaderboard.text.untrusted_text import visible

    if since is not None:
        files = rechecking.changed_since(results_dir, since)
    else:
        files = rechecking.named(results_dir, paths) if paths else rechecking.all_files(results_dir)
    labelled = read_labelled_rows(Release.open(release), labels)

    def score_again(path: Path, claimed: Result) -> Result:
        predictions = read_predictions(path, labelled.rows, may_be_limited=True)
        return score_predictions(
            labelled, predictions, claimed.model, ScoreOptions.like(claimed.settings)
        ).result

    problems_of: dict[str, list[str]] = {}

    def note(place: PurePosixPath, problems: list[str]) -> None:
        name, words = visible(str(place)), [visible(problem) for problem in problems]
        problems_of[name] = words
        if not as_json:
            echo("\n  ".join([f"{name}: {'REFUSED' if words else 'as scored anew'}", *words]))

    for path, problems in rechecking.misplaced(results_dir, files).items():
        note(path, problems)
    for folder in rechecking.submissions_of(files):
        note(folder, rechecking.recheck(results_dir, folder, score_again))
    if as_json:
        echo_json(report_on_rechecks(labelled.rows.benchmark, problems_of))
    n_refused = sum(map(bool, problems_of.values()))
    if n_refused:
        raise UserError(f"{n_refused} submissions refused", exit_code=ExitCode.MISMATCH)
