"""The metrics, one file each: whatever is registered here is computed, shown and documented."""

from contract.machine.registry import Registry
from evaluator.metrics.accuracy_cases import ACCURACY_CASES
from evaluator.metrics.advglue_average import ADVGLUE_AVERAGE
from evaluator.metrics.attack_success_rate import ATTACK_SUCCESS_RATE
from evaluator.metrics.auroc import AUROC
from evaluator.metrics.auroc_by_label import AUROC_BY_LABEL
from evaluator.metrics.average import AVERAGE
from evaluator.metrics.balanced_accuracy import BALANCED_ACCURACY
from evaluator.metrics.clean_accuracy import CLEAN_ACCURACY
from evaluator.metrics.clean_score import CLEAN_SCORE
from evaluator.metrics.ewma import EWMA
from evaluator.metrics.exact_match import EXACT_MATCH
from evaluator.metrics.f1 import F1
from evaluator.metrics.group_mean import GROUP_MEAN
from evaluator.metrics.metric import Metric
from evaluator.metrics.overall import OVERALL
from evaluator.metrics.relative_average import RELATIVE_AVERAGE
from evaluator.metrics.relative_worst import RELATIVE_WORST
from evaluator.metrics.validity_weighted import VALIDITY_WEIGHTED
from evaluator.metrics.worst import WORST
from evaluator.metrics.worst_at import WORST_AT
from evaluator.metrics.worst_at_k import WORST_AT_K

__all__ = ["METRICS", "Metric"]

METRICS: Registry[Metric] = Registry(
    "metric",
    [
        CLEAN_SCORE,
        CLEAN_ACCURACY,
        BALANCED_ACCURACY,
        AVERAGE,
        WORST,
        WORST_AT,
        WORST_AT_K,
        ACCURACY_CASES,
        RELATIVE_AVERAGE,
        RELATIVE_WORST,
        ATTACK_SUCCESS_RATE,
        F1,
        AUROC,
        AUROC_BY_LABEL,
        EXACT_MATCH,
        EWMA,
        VALIDITY_WEIGHTED,
        OVERALL,
        GROUP_MEAN,
        ADVGLUE_AVERAGE,
    ],
)
