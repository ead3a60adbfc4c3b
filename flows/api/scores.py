"""Scores and comparisons from Python, to read, tabulate, plot and write."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from contract.machine.errors import UserError
from contract.schema.manifest import Mean
from contract.schema.results import Result
from evaluator.comparing.comparing import Comparison
from flows.api.predictions import Predictions, predictions_file
from flows.api.releases import AnyRelease, load
from flows.api.values import Place, Scratch, html_table, needed, path_of, percent

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from contract.schema.results import ModelInfo
    from evaluator.scoring.score import ScoreOptions

Plot = Literal["curves", "radar"]


class Score:
    """The result of one model on one release, or of its audit."""

    def __init__(self, result: Result, *, folder: Path | None = None, scratch: Scratch | None = None) -> None:
        self.result = result
        self._folder = folder
        # Kept as long as the score is used; deleted with it.
        self._scratch = scratch

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.result.model.name

    @property
    def robustness(self) -> float | None:
        """The headline, by which models are ranked: `worst`; None where the result is partial."""
        return None if self.result.overall is None else self.result.overall.score.ewma

    @property
    def worst(self) -> float | None:
        """Robust recall where one wrong case is enough to lose a sample, low degrees weighing most."""
        return None if self.result.overall is None else self.result.overall.worst.ewma

    @property
    def average(self) -> float | None:
        """The same where a sample counts with the share of its cases that are right."""
        return None if self.result.overall is None else self.result.overall.average.ewma

    @property
    def clean(self) -> float | None:
        """The same on the unperturbed samples."""
        return None if self.result.overall is None else self.result.overall.clean

    @property
    def folder(self) -> Path:
        """Of an audit: the folder with its cases, predictions, result and report."""
        if self._folder is None:
            raise UserError("this score is not that of an audit; only audits have a folder and a report")
        return self._folder

    @property
    def report_path(self) -> Path:
        """Of an audit: the report, to be opened in a browser."""
        return self.folder / "report.html"

    def to_pandas(self) -> "pd.DataFrame":
        """Return every figure, one row a task, dimension, setting and degree; the EWMA has no degree.

        The first rows have no task: the headline, then each setting.
        """
        from contract.schema.leaderboards import Entry
        from leaderboard.view.downloads import figures_of_entries

        needed("pandas", "pandas", "to_pandas()")
        entry = Entry(rank=None, status="ranked", path="", result=self.result)
        frame: pd.DataFrame = figures_of_entries([entry], {}).to_pandas()
        return frame.drop(columns=["status", "rank_best", "rank_worst", "tag"])

    def plot(self, kind: Plot = "curves", *, setting: str | None = None) -> "Figure":
        """Draw accuracy against degree in each dimension, or a radar of the dimensions, of one setting.

        Without a setting the first that the result has. Needs matplotlib.
        """
        from flows.api.plots import curves, radar

        return (radar if kind == "radar" else curves)([self.result], setting)

    def write(self, path: Place) -> Path:
        """Write the result as `hardfrost score` does; leaderboards collect such files."""
        self.result.write(path_of(path))
        return path_of(path)

    def __repr__(self) -> str:
        about = f"{self.name} on {_about(self.result)}"
        if self.result.overall is None:
            return f"<score of {about}: partial, no overall score>"
        figures = f"robustness {percent(self.robustness)}, average {percent(self.average)}"
        return f"<score of {about}: {figures}, clean {percent(self.clean)} %>"

    def _repr_html_(self) -> str:
        rows = []
        for task, score in self.result.tasks.items():
            clean = None if score.clean is None else score.clean.score
            for dimension, settings in score.dimensions.items():
                for setting, value in settings.items():
                    estimates = [
                        percent(None if each is None else each.ewma) for each in (value.worst, value.average)
                    ]
                    hurt = value.most_hurt_label
                    rows.append((task, dimension, setting, percent(clean), *estimates, hurt))
        columns = ("task", "dimension", "setting", "clean %", "worst %", "average %", "most hurt label")
        return html_table(repr(self)[1:-1], columns, rows)


class Compared:
    """The paired tests of two models on one release."""

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison

    def to_pandas(self) -> "pd.DataFrame":
        """Return one row a score: both models, their difference (first less second), its interval and p."""
        pandas = needed("pandas", "pandas", "to_pandas()")
        rows = [difference.model_dump() for difference in self.comparison.differences]
        frame = pandas.DataFrame(rows)
        bounds = pandas.DataFrame(frame.pop("ci").tolist(), columns=["low", "high"])
        joined: pd.DataFrame = pandas.concat([frame, bounds], axis=1)
        return joined

    def __repr__(self) -> str:
        first, second = self.comparison.first.name, self.comparison.second.name
        if not self.comparison.differences:
            return f"<{first} against {second}: nothing in common>"
        one = self.comparison.differences[0]
        interval = f"{100 * one.ci[0]:+.1f} to {100 * one.ci[1]:+.1f}"
        difference = f"{100 * one.difference:+.1f} points ({interval}), p = {one.p:.3g}"
        return f"<{first} against {second}: {one.what} {one.figure} {difference}>"

    def _repr_html_(self) -> str:
        rows = [
            (each.what, each.figure, percent(each.first), percent(each.second),
             f"{100 * each.difference:+.1f}", f"{each.p:.3g}")
            for each in self.comparison.differences
        ]  # fmt: skip
        columns = ("what", "figure", "first %", "second %", "difference", "p")
        return html_table(repr(self)[1:-1], columns, rows)


def score(
    release: AnyRelease,
    predictions: Any,
    *,
    name: str | None = None,
    about: Mapping[str, Any] | None = None,
    labels: Place | None = None,
    mean: Mean | None = None,
    resamples: int = 1_000,
    seed: int = 0,
    out: Place | None = None,
) -> Score:
    """Score predictions into a result: robust recall, worst cases, confidence intervals.

    Predictions are what `predict` returns, a file, a mapping from id to label, a data frame with `id` and
    `prediction`, or one answer (label, index or row of probabilities) for each row of `load(release).table`,
    in its order. `name` is the model's; `about` may hold revision, url, organisation, n_parameters, licence
    and notes. `labels` is a file with withheld labels. `mean` joins the recalls of labels in another way than
    the release says. `resamples=0` leaves out intervals. `out` also writes the result.
    """
    from evaluator.scoring.score import score as score_file

    opened = load(release)
    info = _model_info(name or getattr(predictions, "model", None) or "model", about)
    options = _options(mean, resamples, seed)
    labels_path = None if labels is None else path_of(labels)
    with predictions_file(opened, predictions) as path:
        scored = Score(score_file(opened.path, path, info, options=options, labels_path=labels_path))
    if out is not None:
        scored.write(out)
    return scored


def compare(
    release: AnyRelease,
    first: Any,
    second: Any,
    *,
    labels: Place | None = None,
    mean: Mean | None = None,
    resamples: int = 1_000,
    seed: int = 0,
) -> Compared:
    """Test whether two models differ, on predictions as `score` takes them: paired bootstrap and McNemar."""
    from evaluator.comparing.comparing import compare as compare_files

    opened = load(release)
    options = _options(mean, resamples, seed)
    labels_path = None if labels is None else path_of(labels)
    with predictions_file(opened, first) as one, predictions_file(opened, second) as other:
        found = compare_files(opened.path, one, other, options=options, labels_path=labels_path)
    names = {"first": _named(first, found.first.name), "second": _named(second, found.second.name)}
    update = {key: getattr(found, key).model_copy(update={"name": value}) for key, value in names.items()}
    return Compared(found.model_copy(update=update))


def _about(result: Result) -> str:
    """Return what was scored: a version of a benchmark, or so many samples of somebody's data."""
    if result.benchmark is not None:
        return f"{result.benchmark.name} {result.benchmark.version}"
    if result.audit is None:
        raise ValueError("a result without benchmark and audit")
    audit = result.audit
    of_planned = f" of {audit.n_planned:,}" if audit.n_samples < audit.n_planned else ""
    return f"{audit.n_samples:,}{of_planned} samples of {audit.data}"


def _named(predictions: Any, file_name: str) -> str:
    return predictions.model if isinstance(predictions, Predictions) else file_name


def _options(mean: Mean | None, resamples: int, seed: int) -> "ScoreOptions":
    from evaluator.scoring.score import ScoreOptions

    return ScoreOptions(mean=mean, resamples=resamples, seed=seed)


def _model_info(name: str, about: Mapping[str, Any] | None) -> "ModelInfo":
    from evaluator.commands.model_options import model_of

    return model_of(**{"surrogate": None, **(about or {}), "name": name})
