"""The commands that write a release as tasks of other harnesses, and results as others record them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from contract.machine.json_option import as_json_option, echo_json
from contract.machine.terminal import echo

if TYPE_CHECKING:
    from evaluator.exporting.every_eval_ever import Relationship

_RELEASE = click.argument("release", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
_OUTPUT = click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path, file_okay=False), help="Folder to write."
)


@click.group()
def export() -> None:
    """Write a release as tasks for another evaluation harness, or results as others record them."""


@export.command("lm-eval")
@_RELEASE
@_OUTPUT
@click.option("--repo", metavar="ORG/NAME", help="Load the published version instead of this folder's files.")
@as_json_option
def lm_eval(release: Path, output: Path, repo: str | None, *, as_json: bool) -> None:
    """Write tasks and a group for lm-evaluation-harness.

    Run them with `lm_eval --include_path FOLDER --tasks hardfrost_NAME`. The accuracy of each task is the
    plain accuracy of its split; average, worst and EWMA scores need `hardfrost score`.

    With --json: the folder, every file written, and the group's file.
    """
    from contract.release.release import Release
    from contract.transport.hub import check_repo_id
    from evaluator.exporting.lm_eval import export_lm_eval

    if repo is not None:
        check_repo_id(repo)
    written = export_lm_eval(Release.open(release), output, repo=repo)
    if as_json:
        _echo_written(output, written, "group")
        return
    echo(f"{written[-1]}: a group of {len(written) - 1} files", err=True)
    echo(output)


@export.command("inspect")
@_RELEASE
@_OUTPUT
@as_json_option
def inspect(release: Path, output: Path, *, as_json: bool) -> None:
    """Write samples and a task file for Inspect.

    Run it with `inspect eval FOLDER/hardfrost_tasks.py -T split=NAME --model MODEL`.

    With --json: the folder, every file written, and the one that Inspect runs.
    """
    from contract.release.release import Release
    from evaluator.exporting.inspect import export_inspect

    written = export_inspect(Release.open(release), output)
    if as_json:
        _echo_written(output, written, "tasks")
        return
    echo(f"{output}: {len(written) - 1} splits", err=True)
    echo(written[-1])


def _echo_written(output: Path, written: Sequence[Path], last: str) -> None:
    """Print for scripts what was written; the last file, under a name of its own, is the one to run."""
    echo_json({"output": str(output), "files": [str(path) for path in written], last: str(written[-1])})


@export.command("every-eval-ever")
@click.argument(
    "results", metavar="RESULT...", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False)
)
@_OUTPUT
@click.option("--source", required=True, metavar="NAME", help="The organisation that gives the results.")
@click.option(
    "--relationship",
    type=click.Choice(["first_party", "third_party", "collaborative", "other"]),
    default="third_party",
    show_default=True,
    help="Of whoever evaluated to the model.",
)
@click.option("--dataset", metavar="ORG/NAME", help="The release's data set on the Hub.")
@click.option("--timestamp", type=click.IntRange(0), help="Unix time of the records; without it, now.")
@as_json_option
def every_eval_ever(
    results: tuple[Path, ...],
    output: Path,
    *,
    source: str,
    relationship: "Relationship",
    dataset: str | None,
    timestamp: int | None,
    as_json: bool,
) -> None:
    """Write results as records of Every Eval Ever, the shared database of the EvalEval Coalition.

    A file for each RESULT, at data/BENCHMARK/DEVELOPER/MODEL/ as the database has them: all overall scores,
    and average and worst of each task, dimension and setting, with their intervals.
    """
    import time

    from contract.schema.results import Result
    from contract.transport.hub import check_repo_id
    from evaluator.exporting.every_eval_ever import record_of, write_record

    if dataset is not None:
        check_repo_id(dataset)
    now = int(time.time()) if timestamp is None else timestamp
    written = []
    for path in results:
        result = Result.read(path)
        record = record_of(result, source=source, relationship=relationship, timestamp=now, dataset=dataset)
        written.append(write_record(output, record, result.needed_benchmark.name))
    if as_json:
        echo_json({"output": str(output), "files": [str(path) for path in written]})
        return
    for path in written:
        echo(path)
