"""attack success rate: how often an attacker with this budget turns a right answer into a wrong one."""

import numpy as np

from evaluator.metrics.inputs import CellOutcomes
from evaluator.metrics.metric import Metric
from evaluator.metrics.ratio import Booleans, Counts, Ratio
from evaluator.metrics.worst_at import worst_at


def attack_success_rate(n_right: Counts, n_cases: Counts, clean_right: Booleans) -> Ratio:
    """Return 1 for a sample lost up to a degree, over 1 if it was right and has a case up to there."""
    up_to = [np.cumsum(counts, axis=1, dtype=np.int32) for counts in (n_right, n_cases)]
    survived = worst_at(*up_to)
    was_right = clean_right.astype(float)[:, None]
    return Ratio(
        numerator=(survived.denominator - survived.numerator) * was_right,
        denominator=survived.denominator * was_right,
    )


def _at_degrees(cell: CellOutcomes) -> Ratio | None:
    if not cell.clean.labels:
        return None
    return attack_success_rate(cell.n_right, cell.n_cases, cell.clean.is_right)


ATTACK_SUCCESS_RATE = Metric(
    name="attack-success-rate",
    summary="share of samples wrong on some case up to a degree, among those right when clean (n_attacked)",
    heading="Success",
    better="lower",
    in_terminal=False,
    with_interval=False,
    degree=_at_degrees,
)
