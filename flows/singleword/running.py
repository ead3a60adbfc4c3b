"""Runs the measurement: the builder searches, the leaderboard writes the page."""

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from contract.machine.progress import Progress
from contract.machine.whole_files import write_text
from contract.schema.single_words import SingleWordReport, WordFlips

if TYPE_CHECKING:
    from builder.live.single_words import SingleWordFigures
    from builder.singleword.euba import Variant

FIGURES, WORDS, PAGE, CASES = "singleword.json", "kappa.csv", "singleword.html", "attacks.jsonl"
COLUMNS = ("word", "kappa", "low", "high", "upper_bound", "part_of_speech")
# Names of the figures among the measurements of a result.
RHO, RHO_STAR, KAPPA_MOST = "single-word rho", "single-word rho*", "single-word highest kappa"


@dataclass(frozen=True, kw_only=True)
class SingleWordRequest:
    """What is measured and how."""

    model: str
    data: Path
    train: Path | None = None
    text: str | None = None
    text_pair: str | None = None
    label: str | None = None
    labels: tuple[str, ...] = ()
    limit: int = 200
    m: float = 512
    is_exact: bool = False
    variant: "Variant" = "euba"
    vocabulary: Path | None = None
    max_questions: int | None = None
    is_attack: bool = False
    budget_seconds: float | None = None
    seed: int = 0
    is_trusted: bool = False
    device: str | None = None
    batch_size: int | None = None
    python_path: Path | None = None
    # A result whose measurements get the figures.
    result: Path | None = None


@dataclass(frozen=True, kw_only=True)
class SingleWords:
    """Finished figures; without a folder nothing was written."""

    report: SingleWordReport
    words: tuple[WordFlips, ...]
    folder: Path | None = None


def run_singleword(
    request: SingleWordRequest,
    folder: Path | None,
    *,
    progress: Progress,
    say: Callable[[str], None],
    started: float,
) -> SingleWords:
    """Measure a model and write figures, words and page into a folder."""
    from builder.live.clock import Clock
    from builder.live.model import ModelChoice
    from builder.live.samples import DataChoice
    from builder.live.single_word_rows import SingleWordChoice
    from builder.live.single_words import measure_single_words
    from builder.singleword.search import SearchChoice
    from builder.tasks.columns import Wish, find_columns
    from classifiers.machinery.classifier import ModelOptions
    from contract.schema.results import Result
    from flows.audit.running import AuditRequest, model_options

    # Read before anything is measured: a wrong path should not cost the work.
    result = None if request.result is None else Result.read(request.result)
    wish = Wish(text=request.text, text_pair=request.text_pair, label=request.label)
    columns = find_columns(request.data, wish)
    say(columns.said)
    given = ModelOptions(
        device=request.device, batch_size=request.batch_size, python_path=request.python_path
    )
    asked = AuditRequest(model=request.model, data=request.data, labels=request.labels, options=given)
    found = measure_single_words(
        DataChoice(
            path=request.data,
            options=columns.options,
            train_path=request.train,
            labels=request.labels,
            n_samples=request.limit,
            seed=request.seed,
        ),
        ModelChoice(
            spec=request.model,
            is_trusted=request.is_trusted,
            options=model_options(asked, columns),
            say=say,
        ),
        SingleWordChoice(
            search=SearchChoice(m=request.m, is_exact=request.is_exact, variant=request.variant),
            vocabulary_path=request.vocabulary,
            max_questions=request.max_questions,
            is_attack=request.is_attack,
            seed=request.seed,
        ),
        clock=Clock(budget_seconds=request.budget_seconds, started=started),
        progress=progress,
        say=say,
    )
    if folder is not None:
        _write(folder, found)
    if result is not None and request.result is not None:
        measured = {**result.measurements, **measurements_of(found.report)}
        result.model_copy(update={"measurements": measured}).write(request.result)
    return SingleWords(report=found.report, words=found.words, folder=folder)


def measurements_of(report: SingleWordReport) -> dict[str, float | str | None]:
    """Return the figures as measurements of a result."""
    found: dict[str, float | str | None] = {}
    if report.train is not None:
        found[RHO] = report.train.rho
    if report.test is not None:
        found[RHO_STAR] = report.test.rho
    if report.words:
        found[KAPPA_MOST] = report.words[0].kappa
    return found


def _write(folder: Path, found: "SingleWordFigures") -> None:
    from leaderboard.pages.single_words import write_page

    folder.mkdir(parents=True, exist_ok=True)
    found.report.write(folder / FIGURES)
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(COLUMNS)
    for own in found.words:
        shares = (f"{share:.6f}" for share in (own.kappa, own.low, own.high, own.upper_bound))
        writer.writerow([own.word, *shares, own.part_of_speech])
    write_text(folder / WORDS, table.getvalue())
    if found.report.attack is not None:
        labels = found.report.labels
        lines = [
            json.dumps(
                {
                    "original": case.sentence.sample.field(case.sentence.field),
                    "text": case.text,
                    "label": labels[case.sentence.label],
                    "word": case.word,
                    "similarity": case.similarity,
                    "perplexity_ratio": case.perplexity_ratio,
                },
                ensure_ascii=False,
            )
            for case in found.cases
        ]
        write_text(folder / CASES, "".join(f"{line}\n" for line in lines))
    write_page(folder / FIGURES, folder / PAGE)
