"""Makes reports, and the results and predictions that they are about."""

import json
from collections.abc import Sequence
from pathlib import Path

from made_releases import TASK, TRUE_LABELS
from made_results import make_result
from read_pages import Page

from contract.machine.hashes import hash_of_file
from contract.release.release import Release
from contract.schema.names import case_id, clean_id, sample_id
from contract.schema.results import BenchmarkInfo, PredictionsInfo, Result
from leaderboard.pages.reports import write_report

STRENGTHS = {"strong": 0.72, "close": 0.716, "weak": 0.5}
# A model that is right when clean and at 0.05, and a model that falls at once.
STEADY = {"0.05": "positive", "0.1": "negative"}
WEAK = {"0.05": "negative", "0.1": "negative"}


def report_page(
    folder: Path, results: Sequence[Result], *, release_dir: Path | None = None, files: Sequence[Path] = ()
) -> Page:
    """Write the results and return the page about them."""
    paths = [folder / "results" / f"{place}.json" for place in range(len(results))]
    for path, result in zip(paths, results, strict=True):
        result.write(path)
    output = folder / "report.html"
    return Page(write_report(paths, output, release_dir=release_dir, predictions_paths=files))


def section_of(page: Page, name: str) -> str:
    """Return the part of a page that is about one dimension."""
    start = page.source.index(f'<section class="dimension" id="{name}-')
    return page.source[start:].partition("</section>")[0]


def changed_result(
    result: Result, dimension: str, *, is_scored: bool = True, has_degrees: bool = True
) -> Result:
    """Return the result with a dimension that was not scored, or has no degrees; intervals go with them."""
    task, overall = result.tasks["mr"], result.overall
    assert overall is not None
    score = task.dimensions[dimension]["rule"]
    pair = overall.dimensions
    if not is_scored:
        why = {
            "average": None,
            "worst": None,
            "degrees_used": (),
            "most_hurt_label": None,
            "not_scored": "no degree has 20 samples",
        }
        score = score.model_copy(update=why)
        pair = {name: value for name, value in pair.items() if name != dimension}
    if not has_degrees:
        only = score.degrees["0.05"].model_copy(update={"average_ci": None, "worst_ci": None})
        score = score.model_copy(update={"degrees": {"any": only}, "degrees_used": ("any",)})
    dimensions = task.dimensions | {dimension: {"rule": score}}
    return result.model_copy(
        update={
            "tasks": {"mr": task.model_copy(update={"dimensions": dimensions})},
            "overall": overall.model_copy(update={"dimensions": pair}),
        }
    )


def result_on(release_dir: Path, name: str, predictions: Path | None = None) -> Result:
    """Return a result on the made release, of these predictions if any."""
    release = Release.open(release_dir)
    benchmark = BenchmarkInfo(name="robust-reviews", version="1.0.0", manifest_sha256=release.manifest_sha256)
    result = make_result(name, dimensions=("novel", "typo-malicious"), benchmark=benchmark)
    if predictions is None:
        return result
    info = PredictionsInfo(sha256=hash_of_file(predictions), rows=5)
    return result.model_copy(update={"predictions": info})


def write_predictions(path: Path, cases: dict[str, str]) -> Path:
    """Write predictions that are right on clean texts and say this of the cases."""
    samples = [sample_id("mr", row) for row in range(3)]
    answers = {
        clean_id(sample): TASK.labels[label] for sample, label in zip(samples, TRUE_LABELS, strict=True)
    }
    for degree, answer in cases.items():
        answers[case_id(samples[0], "typo-malicious", "rule", float(degree), 0)] = answer
    rows = [
        {
            "id": name,
            "prediction": answer,
            "probabilities": [0.1, 0.9] if answer == "positive" else [0.9, 0.1],
        }
        for name, answer in answers.items()
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path
