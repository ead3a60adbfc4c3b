"""attack success rate: how often an attacker with this budget turns a right answer into a wrong one."""

from evaluator.metrics.metric import Booleans, Counts, Metric, Numbers, Terms
from evaluator.metrics.worst import worst_terms

ATTACK_SUCCESS_RATE = Metric(
    name="attack-success-rate",
    summary="share of samples wrong on some case up to a degree, among those right when clean (n_attacked)",
    scope="degree",
)


def attack_success_rate(n_right: Counts, n_cases: Counts, clean_right: Booleans) -> Numbers:
    """Return the rate for each degree, low degrees first."""
    return attack_success_terms(n_right, n_cases, clean_right).value()


def attack_success_terms(n_right: Counts, n_cases: Counts, clean_right: Booleans) -> Terms:
    """Return 1 for a sample lost up to a degree, over 1 if it was right and has a case up to there."""
    survived = worst_terms(n_right, n_cases)
    was_right = clean_right.astype(float)[:, None]
    return Terms(above=(survived.below - survived.above) * was_right, below=survived.below * was_right)
