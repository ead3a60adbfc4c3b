"""relative score: what is left of the clean score, which parts robustness from plain accuracy."""

import numpy as np

from evaluator.metrics.metric import Booleans, Metric, Numbers, Terms

RELATIVE = Metric(
    name="relative",
    summary="score at a degree over the clean accuracy of the same samples",
    scope="degree",
)


def relative(terms: Terms, clean_right: Booleans, has_clean: Booleans | None = None) -> list[float | None]:
    """Return a score over the clean accuracy of the samples it counts, None where none of them is right.

    Samples without a clean row are left out on both sides.
    """
    # Terms have 1 below the line for a sample that has a case, which is the sample set of the definition.
    clean = (terms.below * clean_right[:, None]).sum(axis=0)
    above = terms.above if has_clean is None else terms.above * has_clean[:, None]
    scores: Numbers = above.sum(axis=0)
    return [
        float(score / base) if base else None for score, base in zip(scores, np.asarray(clean), strict=True)
    ]
