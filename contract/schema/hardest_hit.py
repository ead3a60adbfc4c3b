"""The label and dimension that an attack hurts most, from the figures of a result."""

from dataclasses import dataclass
from statistics import fmean

from contract.schema.results import Result

RULE = "rule"


@dataclass(frozen=True, kw_only=True)
class HardestHit:
    """How far the recall of a label falls in a dimension and setting, over the degrees that count."""

    task: str
    label: str
    dimension: str
    setting: str
    # The degrees that count and the highest of them, as results write them.
    degrees: tuple[str, ...]
    degree: str
    # Recall when clean; then the mean over degrees of its average.
    before: float
    after: float
    # On average and in the worst case at the highest degree.
    average: float
    worst: float
    # Clean samples of all labels, and those with a case at the highest degree.
    n_samples: int
    n_with_case: int

    @property
    def loss(self) -> float:
        """By how much the recall falls, as a mean over degrees."""
        return self.before - self.after


def hardest_hits(result: Result) -> dict[str, HardestHit]:
    """Return for each setting the label and dimension that suffer most; attacked settings come first."""
    found: dict[str, HardestHit] = {}
    for hit in _all_hits(result):
        known = found.get(hit.setting)
        if known is None or (hit.loss, -hit.worst) > (known.loss, -known.worst):
            found[hit.setting] = hit
    return dict(sorted(found.items(), key=lambda item: (item[0] == RULE, item[0])))


def _all_hits(result: Result) -> list[HardestHit]:
    hits = []
    for task, scores in result.tasks.items():
        if scores.clean is None:
            continue
        for dimension, settings in scores.dimensions.items():
            for setting, score in settings.items():
                degrees = tuple(sorted(score.degrees_used, key=_degree_of))
                if not degrees:
                    continue
                degree = degrees[-1]
                at_degree = score.degrees[degree]
                hits += [
                    HardestHit(
                        task=task,
                        label=label,
                        dimension=dimension,
                        setting=setting,
                        degrees=degrees,
                        degree=degree,
                        before=scores.clean.recall[label],
                        after=fmean(score.degrees[each].recall[label].average for each in degrees),
                        average=recall.average,
                        worst=recall.worst,
                        n_samples=scores.clean.n_samples,
                        n_with_case=at_degree.n_samples,
                    )
                    for label, recall in at_degree.recall.items()
                    if label in scores.clean.recall
                    and all(label in score.degrees[each].recall for each in degrees)
                ]
    return hits


def _degree_of(key: str) -> float:
    try:
        return float(key)
    except ValueError:
        return 0.0
