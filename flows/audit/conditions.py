"""Conditions that an audit must meet in CI: `--fail-under`, each a figure and its lowest value."""

import re
from dataclasses import dataclass

from contract.machine.errors import ExitCode, UserError
from contract.machine.registry import did_you_mean
from contract.schema.estimates import RANKED_BY
from contract.schema.names import degree_key
from contract.schema.results import Result, SettingScore

_CONDITION = re.compile(
    r"(?:(?:(?P<label>[^:@=/]+):)?(?P<dimension>[a-z0-9-]+)(?:/(?P<setting>[a-z]+))?"
    r"(?:@(?P<degree>[0-9.]+))?=)?(?P<bound>[0-9.]+)"
)
FORMS = '0.6, "typo-malicious=0.5" or "LABEL:DIMENSION/SETTING@DEGREE=0.5"'


@dataclass(frozen=True, kw_only=True)
class Condition:
    """A figure of an audit that must not be below a bound; without a dimension, its score as a whole."""

    text: str
    bound: float
    label: str | None = None
    dimension: str | None = None
    setting: str | None = None
    degree: float | None = None

    @classmethod
    def parse(cls, text: str) -> "Condition":
        """Return the condition that a text of the command line stands for."""
        found = _CONDITION.fullmatch(text.strip())
        if found is None:
            raise _wrong(text)
        bound, degree = _number(found["bound"]), _number(found["degree"] or "0")
        if bound is None or degree is None or not (0 <= bound <= 1 and 0 <= degree <= 1):
            raise _wrong(text)
        return cls(
            text=text.strip(),
            bound=bound,
            label=found["label"],
            dimension=found["dimension"],
            setting=found["setting"],
            degree=None if found["degree"] is None else degree,
        )


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What an audit says of a condition; without a figure it is not met."""

    condition: Condition
    figure: float | None
    # Which figure it is, or why there is none.
    words: str

    @property
    def is_met(self) -> bool:
        """Whether the figure was measured and is not below the bound."""
        return self.figure is not None and self.figure >= self.condition.bound

    @property
    def line(self) -> str:
        """The verdict in a line."""
        if self.figure is None:
            return f"FAILED {self.condition.text}: not measured; {self.words}"
        sign = ">=" if self.is_met else "<"
        start = "passed" if self.is_met else "FAILED"
        figure = f"{self.words} {self.figure:.3f} {sign} {self.condition.bound:g}"
        return f"{start} {self.condition.text}: {figure}"


def judge(condition: Condition, result: Result) -> Verdict:
    """Return whether a result meets a condition."""
    if condition.dimension is None:
        if result.overall is None:
            return Verdict(condition=condition, figure=None, words="there is no overall score")
        return Verdict(condition=condition, figure=result.overall.score.ewma, words="robustness")
    (task,) = result.tasks.values()
    settings = task.dimensions.get(condition.dimension)
    if settings is None:
        known = did_you_mean(condition.dimension, task.dimensions)
        return Verdict(
            condition=condition,
            figure=None,
            words=f"the audit has no {condition.dimension};{known} it has {', '.join(task.dimensions)}",
        )
    figures = [
        (figure, f"{condition.dimension}/{name}{words}")
        for name, score in settings.items()
        if condition.setting in {None, name}
        for figure, words in _figures(condition, score)
    ]
    if not figures:
        words = "no such setting, degree or label in the result"
        return Verdict(condition=condition, figure=None, words=words)
    figure, words = min(figures)
    return Verdict(condition=condition, figure=figure, words=words)


def _figures(condition: Condition, score: SettingScore) -> list[tuple[float, str]]:
    """Return the figure of a setting: over degrees or at one, of a label or of all together."""
    if condition.degree is None and condition.label is None:
        return [] if score.score is None else [(score.score.ewma, f" {RANKED_BY}")]
    keys = score.degrees_used if condition.degree is None else (degree_key(condition.degree),)
    found = []
    for key in keys:
        at_degree = score.degrees.get(key)
        if at_degree is None:
            continue
        if condition.label is None:
            if at_degree.score is not None:
                found.append((at_degree.score, f"@{key} {RANKED_BY}"))
        elif condition.label in at_degree.recall:
            found.append((at_degree.recall[condition.label].score, f"@{key} recall of {condition.label}"))
    return found


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _wrong(text: str) -> UserError:
    return UserError(f"--fail-under {text}: expected {FORMS}", exit_code=ExitCode.WRONG_USE)
