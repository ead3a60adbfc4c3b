"""Measure whether ranks mean robustness: whether models that hold under live attacks lead the benchmark.

Run it as `python -m benchmarks.ranks --out FOLDER [--data FOLDER]`. Every finished part stays in the
folder, so that a killed run continues; after a change of code give another folder.
"""

import sys
import time
from collections.abc import Sequence
from pathlib import Path

import click

from benchmarks.ranks.checks import checks_of
from benchmarks.ranks.findings import findings_of
from benchmarks.ranks.jobs import Workspace, do_jobs
from benchmarks.ranks.kin import choose_bound
from benchmarks.ranks.outcomes import read_outcomes
from benchmarks.ranks.report import lines_of, to_json
from benchmarks.ranks.summary import summary_of
from benchmarks.ranks.tasks import TASKS
from builder.run.options import ExecutionOptions
from builder.run.pipeline import build
from contract.machine.json_text import pretty_json
from contract.machine.progress import Silence
from contract.machine.whole_files import write_text
from contract.release.release import MANIFEST
from leaderboard.view.rank_check import KEPT_PATH

REPORT = "ranks.json"


@click.command()
@click.option("--task", "tasks", type=click.Choice(TASKS), multiple=True, default=("mr", "agnews"))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Where finished parts are kept.")
@click.option("--data", type=click.Path(path_type=Path, exists=True), help="Folder with sst2/ and agnews/.")
@click.option("--samples", default=150, show_default=True, help="Samples of each task.")
@click.option("--model", "names", multiple=True, help="Only these models, to try things out.")
@click.option("--workers", default=2, show_default=True, help="Processes.")
@click.option("--surrogate", "panel", multiple=True, help="Another panel: kinds of surrogates.")
@click.option("--samples-of", "own_samples", type=(str, int), multiple=True, help="A task, and its samples.")
@click.option("--quick", multiple=True, help="Tasks whose encoders only vote: no sources, no models.")
@click.option("--keep", "is_kept", is_flag=True, help="Write what documentation and site show.")
def main(  # noqa: PLR0917
    tasks: Sequence[str],
    out: Path,
    data: Path | None,
    samples: int,
    names: tuple[str, ...],
    workers: int,
    panel: tuple[str, ...],
    own_samples: tuple[tuple[str, int], ...],
    quick: tuple[str, ...],
    is_kept: bool,  # noqa: FBT001
) -> None:
    """Build, train, attack and print the tables; exit 1 when a line that must hold does not."""
    start = time.perf_counter()

    def tell(text: str) -> None:
        click.echo(f"[{time.perf_counter() - start:6.0f} s] {text}", err=True)

    workspaces = [
        Workspace(
            out=out.absolute(),
            task_name=task,
            n_samples=n_samples,
            data=None if data is None else data.absolute(),
            panel=panel,
            names=names,
            is_quick=task in quick,
        )
        for task in tasks
        for n_samples in [dict(own_samples).get(task, samples)]
    ]
    for workspace in workspaces:
        if not (workspace.release_path / MANIFEST).is_file():
            options = ExecutionOptions.with_workers(workers)
            build(workspace.recipe, workspace.release_path, Silence(), options)
            tell(f"{workspace.task_name}: release built")
    do_jobs(workspaces, workers, tell)
    findings = [findings_of(read_outcomes(workspace), workspace.models) for workspace in workspaces]
    bound = choose_bound([relation for own in findings for relation in own.kin])
    checks = checks_of(findings)
    for line in lines_of(findings, bound, checks):
        click.echo(line)
    write_text(out / REPORT, pretty_json(to_json(findings, bound, checks)))
    if is_kept:
        write_text(KEPT_PATH, pretty_json(summary_of(findings, bound)))
    tell(f"all figures: {out / REPORT}")
    sys.exit(0 if all(check.holds for check in checks) else 1)


if __name__ == "__main__":
    main()
