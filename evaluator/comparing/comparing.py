"""Compares two predictions files on one release, in pairs: the same samples, the same draws."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from contract.machine.errors import ExitCode, UserError, bad_input
from contract.predictions.reading import Predictions, read_predictions
from contract.release.release import Release
from contract.schema.documents import Count, Fraction, Sha256, Value
from contract.schema.estimates import ESTIMATES, estimate_of
from contract.schema.results import BenchmarkInfo, ModelInfo, ScoreSettings
from evaluator.comparing.significance import holm, mcnemar, paired_bootstrap
from evaluator.metrics.inputs import CellOutcomes, TaskOutcomes
from evaluator.metrics.ratio import Booleans, Numbers
from evaluator.scoring.draws import interval
from evaluator.scoring.labelled_rows import read_labelled_rows
from evaluator.scoring.limited import limited
from evaluator.scoring.outcomes import outcomes_of
from evaluator.scoring.rounding import fraction, rounded
from evaluator.scoring.score import ScoreOptions, Scores, score_predictions

# What the headline is called among the differences.
OVERALL = "overall"


class ComparedFile(Value):
    """One of the two files."""

    name: str
    sha256: Sha256
    absent: tuple[str, ...]


class Difference(Value):
    """A score of both models and their difference, first minus second, with its interval and p."""

    what: str
    figure: str
    first: Fraction
    second: Fraction
    difference: float
    ci: tuple[float, float]
    p: Fraction
    p_holm: Fraction | None = None


class OutcomeTest(Value):
    """McNemar's test on one outcome a sample."""

    what: str
    outcome: str
    n_both: Count
    n_only_first: Count
    n_only_second: Count
    n_neither: Count
    p: Fraction


class Comparison(Value):
    """The differences of two models on one release, with their tests."""

    benchmark: BenchmarkInfo
    settings: ScoreSettings
    first: ComparedFile
    second: ComparedFile
    differences: tuple[Difference, ...]
    outcomes: tuple[OutcomeTest, ...]


def compare(
    release_path: Path,
    first_path: Path,
    second_path: Path,
    *,
    options: ScoreOptions | None = None,
    labels_path: Path | None = None,
    say: Callable[[str], None] | None = None,
) -> Comparison:
    """Return the paired tests of two predictions files."""
    options = options or ScoreOptions()
    if not options.resamples:
        raise UserError("a comparison needs draws; give --resamples 1 or more", exit_code=ExitCode.WRONG_USE)
    labelled = read_labelled_rows(Release.open(release_path), labels_path)
    files = [read_predictions(path, labelled.rows, may_be_limited=True) for path in (first_path, second_path)]
    sizes = [None if file.limited is None else file.limited.limit for file in files]
    if sizes[0] != sizes[1]:
        words = ["all samples" if size is None else f"{size:,} samples a task" for size in sizes]
        raise bad_input(
            f"{first_path} is about {words[0]}, {second_path} about {words[1]};"
            " predict both with the same --limit"
        )
    for file in files:
        if say is not None and file.note:
            say(file.note)
    labelled, files = limited(labelled, files[0]).labelled, [limited(labelled, file)[1] for file in files]
    first, second = (
        score_predictions(labelled, file, ModelInfo(name=file.path.name), options) for file in files
    )
    tests = [
        test
        for one, other in zip(outcomes_of(labelled, files[0]), outcomes_of(labelled, files[1]), strict=True)
        for test in _outcome_tests(one, other)
    ]
    return Comparison(
        benchmark=first.result.needed_benchmark,
        settings=first.result.settings,
        first=_compared(files[0]),
        second=_compared(files[1]),
        differences=tuple(_differences(first, second)),
        outcomes=tuple(tests),
    )


def _compared(file: Predictions) -> ComparedFile:
    return ComparedFile(name=file.path.name, sha256=file.sha256, absent=file.absent)


def _differences(first: Scores, second: Scores) -> Iterator[Difference]:
    """Yield the overall scores where both have one, then clean, then every cell that both have."""
    settings = first.result.settings
    if first.summary is not None and second.summary is not None:
        for estimate in ESTIMATES:
            one, other = (estimate_of(summary, estimate) for summary in (first.summary, second.summary))
            yield _difference(OVERALL, estimate, one, other, settings)
    for task, drawn in first.clean.items():
        if task in second.clean:
            yield _difference(f"{task}/clean", "clean score", drawn, second.clean[task], settings)
    shared = [cell for cell in first.cells if cell in second.cells]
    for estimate in ESTIMATES:
        rows = [
            _difference(
                "/".join(cell),
                estimate,
                estimate_of(first.cells[cell], estimate),
                estimate_of(second.cells[cell], estimate),
                settings,
            )
            for cell in shared
        ]
        corrected = holm([row.p for row in rows])
        yield from (row.model_copy(update={"p_holm": p}) for row, p in zip(rows, corrected, strict=True))


def _difference(
    what: str, figure: str, first: Numbers, second: Numbers, settings: ScoreSettings
) -> Difference:
    rows = slice(1, settings.resamples + 1)
    low, high = interval(first[rows] - second[rows], settings.confidence)
    return Difference(
        what=what,
        figure=figure,
        first=fraction(first[0]),
        second=fraction(second[0]),
        difference=rounded(float(first[0] - second[0])) or 0.0,
        ci=(rounded(low) or 0.0, rounded(high) or 0.0),
        p=paired_bootstrap(np.round(first[rows], 12), np.round(second[rows], 12)),
    )


def _outcome_tests(first: TaskOutcomes, second: TaskOutcomes) -> Iterator[OutcomeTest]:
    """Yield the tests of a task: clean, then each cell, on the samples that have a case there."""
    has_clean = first.clean.has_clean & second.clean.has_clean
    if has_clean.any():
        rights = [outcomes.clean.is_right[has_clean] for outcomes in (first, second)]
        yield _outcome_test(f"{first.task.name}/clean", "right when clean", rights[0], rights[1])
    for cell, outcomes in first.cells.items():
        if cell in second.cells:
            has_case = outcomes.n_cases.sum(axis=1) > 0
            rights = [_right_on_all(of_cell)[has_case] for of_cell in (outcomes, second.cells[cell])]
            yield _outcome_test("/".join(cell), "right on all cases", rights[0], rights[1])


def _right_on_all(outcomes: CellOutcomes) -> Booleans:
    return np.asarray((outcomes.n_right == outcomes.n_cases).all(axis=1))


def _outcome_test(what: str, outcome: str, first: Booleans, second: Booleans) -> OutcomeTest:
    test = mcnemar(first, second)
    return OutcomeTest(
        what=what,
        outcome=outcome,
        n_both=test.n_both,
        n_only_first=test.n_only_first,
        n_only_second=test.n_only_second,
        n_neither=test.n_neither,
        p=round(test.p, 9),
    )
