"""The commands that write a release as tasks of other harnesses."""

from pathlib import Path

import click

_RELEASE = click.argument("release", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
_OUTPUT = click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path, file_okay=False), help="Folder to write."
)


@click.group()
def export() -> None:
    """Write a release as tasks for another evaluation harness."""


@export.command("lm-eval")
@_RELEASE
@_OUTPUT
@click.option("--repo", metavar="ORG/NAME", help="Load the published version instead of this folder's files.")
def lm_eval(release: Path, output: Path, repo: str | None) -> None:
    """Write tasks and a group for lm-evaluation-harness.

    Run them with `lm_eval --include_path FOLDER --tasks hardfrost_NAME`. The accuracy of each task is the
    plain accuracy of its split; average, worst and EWMA scores need `hardfrost score`.
    """
    from contract.hub import check_repo_id  # noqa: PLC0415
    from contract.release import Release  # noqa: PLC0415
    from evaluator.exporting.lm_eval import export_lm_eval  # noqa: PLC0415

    if repo is not None:
        check_repo_id(repo)
    written = export_lm_eval(Release.open(release), output, repo=repo)
    click.echo(f"{written[-1]}: a group of {len(written) - 1} files", err=True)
    click.echo(output)


@export.command("inspect")
@_RELEASE
@_OUTPUT
def inspect(release: Path, output: Path) -> None:
    """Write samples and a task file for Inspect.

    Run it with `inspect eval FOLDER/hardfrost_tasks.py -T split=NAME --model MODEL`.
    """
    from contract.release import Release  # noqa: PLC0415
    from evaluator.exporting.inspect import export_inspect  # noqa: PLC0415

    written = export_inspect(Release.open(release), output)
    click.echo(f"{output}: {len(written) - 1} splits", err=True)
    click.echo(written[-1])
