"""The command `audit`."""

import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from contract.machine.errors import ExitCode, UserError
from contract.machine.json_option import as_json_option, echo_json
from contract.machine.terminal import echo

if TYPE_CHECKING:
    from contract.schema.manifest import Setting
    from flows.audit.running import AuditRequest

_DURATION = re.compile(r"(?P<number>[0-9]+(?:\.[0-9]+)?)(?P<unit>s|m|h|)")
_SECONDS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}
SETTINGS: "tuple[Setting, ...]" = ("rule", "live")
# Options that the request takes as they are.
_AS_GIVEN = ("text", "text_pair", "label", "train", "limit", "max_queries", "seed", "positive", "name")
RESUME_HINT = "finished work is kept; run the same command again to go on"


def seconds_of(text: str) -> float | None:
    """Return the seconds of a duration such as 90s, 10m or 1h; `none` stands for no limit."""
    if text == "none":
        return None
    found = _DURATION.fullmatch(text)
    if found is None or not float(found["number"]):
        raise UserError(
            f"--time-budget {text}: expected a duration such as 90s, 10m or 1h, or none",
            exit_code=ExitCode.WRONG_USE,
        )
    return float(found["number"]) * _SECONDS[found["unit"]]


def _listed(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())


@click.command()
@click.option("--model", required=True, metavar="SPEC", help="A classifier, as `predict` takes it.")
@click.option(
    "--data",
    required=True,
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Labelled texts: .csv, .tsv, .jsonl or .parquet.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("audit"),
    show_default=True,
    help="The folder for cases, predictions, result and report.",
)
@click.option("--text", metavar="COLUMN", help="The column of the text; without it, it is found.")
@click.option("--text-pair", metavar="COLUMN", help="The column of the second text, for pairs.")
@click.option("--label", metavar="COLUMN", help="The column of the label; without it, it is found.")
@click.option("--labels", metavar="A,B", help="The labels in the order of their numbers, in data and model.")
@click.option(
    "--train",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Rows to learn words typical of a label from; without it, the rest of FILE.",
)
@click.option(
    "--limit", type=click.IntRange(4), default=200, show_default=True, help="Samples, balanced by label."
)
@click.option(
    "--dimensions",
    metavar="A,B",
    default="quick",
    show_default=True,
    help="Names, `quick` (typos and look-alikes) or `all`.",
)
@click.option(
    "--degrees", metavar="X,Y", help="Rising degrees; without it, 0.05,0.1 and, where words count, 0.2."
)
@click.option(
    "--settings", metavar="A,B", help="rule, live or both; without it both, and rule for a paid model."
)
@click.option(
    "--max-queries", type=click.IntRange(1), help="Texts that the model is shown along a path of changes."
)
@click.option(
    "--time-budget",
    metavar="10m",
    default="10m",
    show_default=True,
    help="When the audit ends with what it has: 90s, 10m, 1h or none.",
)
@click.option("--positive", metavar="LABEL", help="Score the model as a detector of this label, too.")
@click.option(
    "--fail-under",
    "conditions",
    multiple=True,
    metavar="FIGURE",
    help="Exit with 1 below this: 0.6, or LABEL:DIMENSION@DEGREE=0.5.",
)
@click.option("--junit", metavar="FILE", type=click.Path(path_type=Path), help="Write JUnit XML.")
@click.option("--name", help="What report and result call the model; without it, its SPEC.")
@click.option(
    "--python",
    "python_path",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="python: the interpreter, or the virtual environment, in which your function runs.",
)
@click.option("--device", metavar="NAME", help="hf, onnx: cpu, cuda, mps …; the fastest if not given.")
@click.option(
    "--batch-size", type=click.IntRange(1, 100_000), help="How many texts the model gets at a time."
)
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of all random choices.")
@click.option("--trust", is_flag=True, help="Load files that can run code when loaded (joblib).")
@as_json_option
def audit(*, model: str, data: Path, output: Path, as_json: bool, **given: Any) -> None:
    """Attack a model of your own on your own data and report where it breaks.

    Takes samples of FILE, changes them at random (`rule`) and by attacks on the model itself (`live`), and
    writes cases, predictions, result.json and report.html into a folder. Prints the label and the dimension
    that suffer most first.

    When the time budget ends, figures are about the samples that are finished, and say how many these are.
    The same command goes on where an earlier one ended.

    With --json: the result, the conditions and the paths of all files. The exit code is 1 if a figure is
    under its --fail-under.
    """
    started = time.monotonic()
    from contract.machine.interruption import interruptible
    from contract.machine.progress import Bars
    from flows.audit.conditions import Condition, judge
    from flows.audit.junit import write_junit
    from flows.audit.running import run_audit
    from flows.audit.summary import summary_lines

    conditions = [Condition.parse(text) for text in given["conditions"]]
    request = _request(model, data, started, given)
    with interruptible(hint=RESUME_HINT), Bars() as progress:
        done = run_audit(request, output, progress=progress, say=progress.say)
    verdicts = [judge(condition, done.result) for condition in conditions]
    if given["junit"] is not None:
        write_junit(given["junit"], done.result, verdicts)
    if as_json:
        files = {name: str(output / name) for name in ("release", "predictions.jsonl", "report.html")}
        passed = [
            {"condition": verdict.condition.text, "figure": verdict.figure, "is_met": verdict.is_met}
            for verdict in verdicts
        ]
        echo_json({"result": done.result.to_json(), "files": files, "conditions": passed})
    else:
        for line in summary_lines(done.result):
            echo(line)
        for verdict in verdicts:
            echo(verdict.line)
        echo(f"\nOpen {done.report_path}")
    failed = [verdict.line for verdict in verdicts if not verdict.is_met]
    if failed:
        if as_json:
            echo("\n".join(failed), err=True)
        sys.exit(ExitCode.FAILURE)


def _request(model: str, data: Path, started: float, given: dict[str, Any]) -> "AuditRequest":
    """Return the request that the options stand for."""
    from classifiers import parse_spec
    from classifiers.machinery.classifier import ModelOptions
    from flows.audit.running import AuditRequest

    is_paid = parse_spec(model).kind.is_remote
    settings = _listed(given["settings"]) or (SETTINGS[:1] if is_paid else SETTINGS)
    unknown = [name for name in settings if name not in SETTINGS]
    try:
        degrees = tuple(float(part) for part in _listed(given["degrees"]))
    except ValueError:
        unknown, degrees = [given["degrees"]], ()
    if unknown:
        raise UserError(
            f"{', '.join(unknown)}: expected settings such as rule,live and degrees such as 0.05,0.1",
            exit_code=ExitCode.WRONG_USE,
        )
    return AuditRequest(
        model=model,
        data=data,
        labels=_listed(given["labels"]),
        dimensions=_listed(given["dimensions"]),
        degrees=degrees,
        settings=tuple(name for name in SETTINGS if name in settings),
        budget_seconds=seconds_of(given["time_budget"]),
        is_trusted=given["trust"],
        options=ModelOptions(**{name: given[name] for name in ("device", "batch_size", "python_path")}),
        started=started,
        **{name: given[name] for name in _AS_GIVEN},
    )
