"""The text of a pull request that adds a submission: a title, an empty line, and Markdown."""

from collections.abc import Iterator

from contract.schema.estimates import ESTIMATES
from contract.schema.results import Aggregate, Pair, Result
from leaderboard.submissions.submissions import Submission
from leaderboard.text.formatting import NO_FIGURE, interval_text, percent
from leaderboard.text.untrusted_text import visible
from leaderboard.text.validity import weighted_text

# Only the submitter can know whether these are true.
PROMISES = (
    "The model was not trained on the benchmark's texts, nor on the data they were made from beyond `train`.",
    "The frozen cases were not used to choose the model or its settings.",
    "The predictions may be published with the leaderboard.",
    "If the model is related to a surrogate of the release, `--surrogate-family` says so.",
)


def pull_request_text(submission: Submission) -> str:
    """Return title and text in the form that `git commit -F -` and code forges take."""
    result = submission.result
    benchmark = result.needed_benchmark
    title = f"Add {_inline(result.model.name, 60)} to {benchmark.name} {benchmark.version}"
    return "\n".join([title, "", *_body(submission), ""])


def _body(submission: Submission) -> Iterator[str]:
    result = submission.result
    model = result.model
    about = {
        "model": model.name,
        "organisation": model.organisation,
        "revision": model.revision,
        "address": model.url,
        "parameters": None if model.n_parameters is None else f"{model.n_parameters:,}",
        "licence": model.licence,
        "related surrogate": model.surrogate,
        "notes": model.notes,
    }
    yield from (f"- {name}: {_code(value)}" for name, value in about.items() if value)
    yield f"- signature: {_code(result.signature)}"
    yield f"- predictions: {result.predictions.rows:,} rows, sha256 `{result.predictions.sha256}`"
    yield ""
    yield from _figures(result)
    yield ""
    yield "## Checklist"
    yield ""
    yield f"- [x] `hardfrost check` finds no problem in `{submission.predictions_path.name}`."
    yield f"- [x] `result.json` was written by `hardfrost submit`, version {result.evaluator_version}."
    yield from (f"- [ ] {promise}" for promise in PROMISES)


def _figures(result: Result) -> Iterator[str]:
    """Yield the overall scores and those of each dimension as one Markdown table."""
    overall = result.overall
    if overall is None:
        left_out = f"; left out: {_code(', '.join(result.absent))}" if result.absent else ""
        yield f"A result without overall figures{left_out}"
        return
    yield "| per cent | worst | average |"
    yield "| --- | ---: | ---: |"
    yield f"| clean | {percent(overall.clean)} | |"
    yield f"| clean accuracy | {percent(overall.clean_accuracy)} | |"
    yield _row(
        f"**robustness** ({' and '.join(overall.covers)})",
        Pair(average=overall.average, worst=overall.worst),
    )
    weights = [weighted_text(overall, estimate) for estimate in ESTIMATES]
    if any(weights):
        yield f"| by validity | {' | '.join(weights)} |"
    for family, without in result.without_families.items():
        name = f"without {without.n_dropped:,} attempts against {_cell(family)}"
        yield f"| {name} | {percent(without.worst)} | {percent(without.average)} |"
    for setting, pair in overall.settings.items():
        yield _row(_cell(setting), pair)
        for dimension, by_setting in overall.dimensions.items():
            if setting in by_setting:
                yield _row(f"{_cell(setting)} {_cell(dimension)}", by_setting[setting])


def _cell(text: str) -> str:
    """Return the text as code that does not end a table's cell."""
    return _code(text).replace("|", "¦")


def _row(name: str, pair: Pair) -> str:
    return f"| {name} | {_figure(pair.worst)} | {_figure(pair.average)} |"


def _figure(aggregate: Aggregate | None) -> str:
    if aggregate is None:
        return NO_FIGURE
    interval = interval_text(aggregate.ci)
    return percent(aggregate.ewma) + ("" if interval is None else f" ({interval})")


def _code(text: str) -> str:
    """Return the submitter's text as code, in which Markdown makes no formats, links or mentions."""
    return f"`{_inline(text, 200)}`"


def _inline(text: str, most_characters: int) -> str:
    """Return the text on one line without backquotes, which would end the code."""
    return " ".join(visible(text, most_characters).replace("`", "'").split()) or "?"
