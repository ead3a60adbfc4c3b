"""The commands by which people judge cases: annotate plan, page, collect and apply."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from contract.machine.errors import bad_input
from contract.machine.json_option import as_json_option, echo_json
from contract.machine.terminal import echo

if TYPE_CHECKING:
    from builder.curation.answers import AnswerFile
    from builder.curation.plan import Plan

FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)


@click.group()
def annotate() -> None:
    """Let people judge cases: plan, page, collect, then apply."""


@annotate.command()
@click.argument("release", type=FOLDER)
@click.option("-o", "--output", required=True, type=FILE, help="File for the plan.")
@click.option("--seed", default=1, type=int, help="Decides what is drawn and in which order.")
@click.option("--per-cell", default=50, type=click.IntRange(1, 1_000_000), help="Cases of each split.")
@click.option(
    "--annotators", "n_annotators", default=5, type=click.IntRange(1, 1_000), help="How many people."
)
@click.option(
    "--overlap", type=click.IntRange(1, 1_000), show_default="all", help="How many of them judge each case."
)
@click.option("--controls", "n_controls", default=10, type=click.IntRange(0), help="Untouched texts a task.")
@click.option(
    "--known", "n_known", default=10, type=click.IntRange(0), help="Texts that match no original, a task."
)
@click.option(
    "--training", "n_training", default=6, type=click.IntRange(0), help="Texts with answers a task."
)
@click.option(
    "--qualification",
    "n_qualification",
    default=10,
    type=click.IntRange(0),
    help="Texts before the work a task.",
)
@click.option(
    "--min-qualification", default=0.8, type=click.FloatRange(0, 1), help="Share of them that must be right."
)
@click.option("--any-outcome", "is_any_outcome", is_flag=True, help="Also draw cases that fool no surrogate.")
@click.option("--task", "tasks", multiple=True, metavar="NAME", help="Only this task; may be repeated.")
@click.option(
    "--dimension", "dimensions", multiple=True, metavar="NAME", help="Only this dimension; may be repeated."
)
@click.option(
    "--setting", "settings", multiple=True, metavar="NAME", help="Only this setting; may be repeated."
)
@click.option("--degree", "degrees", multiple=True, type=float, help="Only this degree; may be repeated.")
def plan(release: Path, output: Path, **options: Any) -> None:
    """Draw cases of RELEASE for people to judge.

    Draws cases that fool a surrogate, as many of each task, dimension, setting and degree. Untouched samples,
    and samples that are shown with an original that is not theirs, are mixed in: their answers are known.
    The plan holds all answers, so annotators must not see it.
    """
    from builder.curation.drawing import draw_plan
    from builder.curation.known_texts import DrawOptions
    from contract.release.release import Release

    drawn = draw_plan(Release.open(release), DrawOptions(**options))
    drawn.write(output)
    n_cases = len(drawn.of_part("case"))
    most = max(len(annotator.work) for annotator in drawn.annotators)
    echo(
        f"{output}: {n_cases:,} cases, splits: {len(drawn.cells)}, each case for {drawn.overlap} of"
        f" {len(drawn.annotators)} annotators; up to {most:,} texts a person"
    )
    lacking = [cell for cell in drawn.cells if cell.n_drawn < drawn.per_cell]
    if lacking:
        echo(
            f"splits with fewer than {drawn.per_cell} such cases: {len(lacking)}; all of theirs were drawn",
            err=True,
        )
    if not drawn.of_part("control"):
        echo("the release has no untouched texts, so annotators cannot be checked by known answers", err=True)
    echo(f"next: hardfrost annotate page {output} -o pages", err=True)


@annotate.command()
@click.argument("plan_file", metavar="PLAN", type=FILE)
@click.option("-o", "--output", required=True, type=FOLDER, help="Folder for the pages.")
@click.option(
    "--annotator", "names", multiple=True, metavar="NAME", help="Only for this one; may be repeated."
)
def page(plan_file: Path, output: Path, names: tuple[str, ...]) -> None:
    """Write one offline page for each annotator of PLAN.

    An annotator opens the file in any browser, also on a phone, and sends back the file that it saves.
    """
    from builder.curation.pages import write_pages
    from builder.curation.plan import read_plan
    from contract.machine.registry import unknown_name

    opened = read_plan(plan_file)
    known = [annotator.name for annotator in opened.annotators]
    for name in names:
        if name not in known:
            raise unknown_name("annotator", name, known)
    for path in write_pages(opened, output, names):
        echo(str(path))
    echo("send each annotator one page; they send back the file that it saves", err=True)


@annotate.command()
@click.argument("plan_file", metavar="PLAN", type=FILE)
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=FILE, help="File for the outcome.")
@click.option(
    "--judge", "judges", multiple=True, metavar="api:MODEL", help="Ask this model too; may be repeated."
)
@click.option("--base-url", metavar="URL", help="Where the endpoint of judges is.")
@click.option(
    "--count",
    "counted",
    type=click.Choice(["people", "models", "both"]),
    default="people",
    help="Whose votes decide.",
)
@click.option("--min-votes", default=3, type=click.IntRange(1), help="Votes that a verdict needs.")
@click.option(
    "--min-agreement", default=0.6, type=click.FloatRange(0, 1), help="Share of votes that a label needs."
)
@click.option(
    "--min-accuracy",
    default=0.7,
    type=click.FloatRange(0, 1),
    help="Share of known answers that must be right.",
)
@click.option("--min-kappa", default=0.2, type=click.FloatRange(-1, 1), help="Agreement with the others.")
@click.option(
    "--keep-unreliable", "is_everybody_counted", is_flag=True, help="Count unreliable annotators, too."
)
@as_json_option
def collect(
    plan_file: Path,
    files: tuple[Path, ...],
    output: Path,
    judges: tuple[str, ...],
    base_url: str | None,
    *,
    as_json: bool,
    **options: Any,
) -> None:
    """Check annotators' FILEs, and say how far they agree and which cases are valid.

    Models that are judges are annotators of their own kind: their answers and agreement stand apart, and
    count only with --count models or --count both. Their answers are kept in a file beside the outcome.
    """
    from builder.curation.answers import read_all
    from builder.curation.collecting import CollectOptions
    from builder.curation.collecting import collect as collected
    from builder.curation.plan import read_plan
    from builder.curation.reliability import ReliabilityRules
    from builder.curation.report import print_outcome

    opened = read_plan(plan_file)
    if not files and not judges:
        raise bad_input(
            "no answers to collect; give the files that annotators sent back, or --judge api:MODEL"
        )
    answers = read_all(files, opened)
    answers += [_judged(opened, spec, output, base_url) for spec in judges]
    rules = ReliabilityRules(min_accuracy=options.pop("min_accuracy"), min_kappa=options.pop("min_kappa"))
    outcome = collected(opened, answers, CollectOptions(rules=rules, **options))
    outcome.write(output)
    if as_json:
        echo_json(outcome.to_json())
        return
    print_outcome(outcome)
    echo(
        f"{output}: {len(outcome.cases):,} cases; next: hardfrost annotate apply RELEASE {output} -o NEXT",
        err=True,
    )


def _judged(plan: "Plan", spec: str, output: Path, base_url: str | None) -> "AnswerFile":
    """Return a judge's answers: from the file that an earlier call kept, or asked for now."""
    from builder.curation.answers import read_answers
    from builder.curation.judging import ask_judge
    from classifiers.machinery.classifier import EndpointOptions
    from contract.machine.progress import Bars

    name = re.sub(r"[^a-z0-9]+", "-", spec.lower()).strip("-")
    path = output.with_name(f"{output.stem}.{name}.json")
    if path.exists():
        echo(f"{spec}: answers as {path} keeps them; delete it to ask again", err=True)
        return read_answers(path, plan)
    with Bars() as progress:
        file = ask_judge(plan, spec, EndpointOptions(base_url=base_url), progress)
    file.write(path)
    echo(f"{path}: {len(file.answers):,} answers of {spec}", err=True)
    return file


@annotate.command()
@click.argument("release", type=FOLDER)
@click.argument("outcome_file", metavar="OUTCOME", type=FILE)
@click.option("-o", "--output", required=True, type=FOLDER, help="Folder for the next version.")
@click.option("--version", metavar="N.N", show_default="the next one", help="Version of the new release.")
@click.option(
    "--weights",
    "weights_path",
    type=FILE,
    show_default="OUTPUT.weights.json",
    help="File for validity weights.",
)
@as_json_option
def apply(
    release: Path,
    outcome_file: Path,
    output: Path,
    version: str | None,
    weights_path: Path | None,
    *,
    as_json: bool,
) -> None:
    """Freeze the next version of RELEASE by the verdicts of OUTCOME.

    Judged cases get their `annotation`. Cases on which annotators do not agree (human-consensus), or whose
    label or meaning changed (utility), are dropped, and counted in the funnel.
    """
    from builder.curation.applying import apply_outcome
    from builder.curation.outcome import Outcome
    from contract.release.release import Release

    applied = apply_outcome(Release.open(release), Outcome.read(outcome_file), output, version=version)
    manifest = applied.manifest
    path = weights_path or output.with_name(f"{output.name}.weights.json")
    if applied.weights is not None:
        applied.weights.write(path)
    if as_json:
        echo_json(manifest.to_json())
        return
    dropped = ", ".join(f"{n} by {reason}" for reason, n in sorted(applied.n_dropped.items())) or "none"
    echo(f"{output}: {manifest.name} {manifest.version}; dropped: {dropped}")
    if applied.weights is not None:
        echo(f"{path}: validity weights; use them by `hardfrost score … --weights {path}`")
