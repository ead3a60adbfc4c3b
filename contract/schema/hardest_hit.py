"""The label and dimension that an attack hurts most, from the figures of a result."""

from dataclasses import dataclass

from contract.schema.results import Result

RULE = "rule"


@dataclass(frozen=True, kw_only=True)
class HardestHit:
    """How far the recall of a label falls in a dimension and setting, at the highest degree that counts."""

    task: str
    label: str
    dimension: str
    setting: str
    # As results write it.
    degree: str
    # Recall when clean, then on average and in the worst case at the degree.
    before: float
    average: float
    worst: float
    # Clean samples of all labels, and those with a case at the degree.
    n_samples: int
    n_with_case: int

    @property
    def loss(self) -> float:
        """By how much the recall falls on average."""
        return self.before - self.average


def hardest_hits(result: Result) -> dict[str, HardestHit]:
    """Return for each setting the label and dimension that suffer most; attacked settings come first."""
    found: dict[str, HardestHit] = {}
    for hit in _all_hits(result):
        known = found.get(hit.setting)
        if known is None or (hit.loss, -hit.average) > (known.loss, -known.average):
            found[hit.setting] = hit
    return dict(sorted(found.items(), key=lambda item: (item[0] == RULE, item[0])))


def _all_hits(result: Result) -> list[HardestHit]:
    hits = []
    for task, scores in result.tasks.items():
        if scores.clean is None:
            continue
        for dimension, settings in scores.dimensions.items():
            for setting, score in settings.items():
                degree = max(score.degrees_used, key=_degree_of, default=None)
                if degree is None:
                    continue
                at_degree = score.degrees[degree]
                hits += [
                    HardestHit(
                        task=task,
                        label=label,
                        dimension=dimension,
                        setting=setting,
                        degree=degree,
                        before=scores.clean.recall[label],
                        average=recall.average,
                        worst=recall.worst,
                        n_samples=scores.clean.n_samples,
                        n_with_case=at_degree.n_samples,
                    )
                    for label, recall in at_degree.recall.items()
                    if label in scores.clean.recall
                ]
    return hits


def _degree_of(key: str) -> float:
    try:
        return float(key)
    except ValueError:
        return 0.0
