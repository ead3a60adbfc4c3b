"""The command `trace`: what became of a sample in a build."""

import textwrap
from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from contract.machine.json_option import as_json_option, echo_json
from contract.machine.terminal import echo
from contract.schema.drop_reasons import REASONS

if TYPE_CHECKING:
    from builder.run.tracing import SampleTrace, TracedCase

WIDTH = 80


@click.command()
@click.argument("release", metavar="RELEASE", type=click.Path(path_type=Path))
@click.argument("sample", metavar="SAMPLE")
@click.option("--dimension", metavar="NAME", help="Only this dimension.")
@click.option("--setting", metavar="NAME", help="Only this setting: rule, score or gradient.")
@as_json_option
def trace(release: Path, sample: str, *, dimension: str | None, setting: str | None, as_json: bool) -> None:
    """Tell what became of SAMPLE: every candidate, the votes on it, and why it was kept or dropped.

    Reads the records that the build of RELEASE left on this machine; they are not published.
    """
    from builder.run.tracing import trace_sample

    traced = trace_sample(release, sample, dimension=dimension, setting=setting)
    if as_json:
        echo_json(asdict(traced))
    else:
        echo("\n".join(_lines(traced)))


def _lines(traced: "SampleTrace") -> Iterator[str]:
    yield f"{traced.sample_id} of task {traced.task}, label {traced.label}"
    yield from _quoted(traced.text, traced.text_pair, indent="  ")
    for (dimension, setting, degree), cases in groupby(
        traced.cases, key=lambda case: (case.dimension, case.setting, case.degree)
    ):
        yield ""
        yield f"{dimension}, {setting}, degree {degree:g}"
        for case in cases:
            yield from _case_lines(case, traced)
    if not traced.cases:
        yield "no candidates: no degree that was asked for can be shown on this text"


def _case_lines(case: "TracedCase", traced: "SampleTrace") -> Iterator[str]:
    decision = "KEPT" if case.reason is None else f"dropped: {case.reason}"
    if case.reason is None and case.is_transferable:
        decision = "KEPT, transferable"
    if case.text is None:
        yield f"  {case.n} × {decision}"
        yield from _why(case)
        return
    against = f" against {case.source}" if case.source else ""
    yield f"  case {case.case}{against}: {decision}"
    yield from _why(case)
    yield from _quoted(case.text, case.text_pair, indent="    ")
    if case.votes:
        votes = ", ".join(
            f"{name} {label}{'' if label == traced.label else ' (fooled)'}"
            for name, label in case.votes.items()
        )
        yield from textwrap.wrap(f"votes: {votes}", WIDTH, initial_indent="    ", subsequent_indent="      ")
    if case.reason is None and case.source_fooled is not None:
        fooled = "fooled" if case.source_fooled else "not fooled"
        share = "unknown" if case.transfer is None else f"{case.transfer:.2f}"
        yield f"    source {fooled}; transfer {share}"


def _why(case: "TracedCase") -> Iterator[str]:
    if case.reason is not None and case.reason in REASONS:
        yield from textwrap.wrap(
            f"({REASONS[case.reason].summary})", WIDTH, initial_indent="    ", subsequent_indent="     "
        )


def _quoted(text: str, text_pair: str | None, *, indent: str) -> Iterator[str]:
    for part in filter(None, [text, text_pair]):
        yield from textwrap.wrap(
            f"“{part}”", WIDTH, initial_indent=indent, subsequent_indent=f"{indent} ", drop_whitespace=False
        )
