"""relative score: what is left of the clean score, which parts robustness from plain accuracy."""

from evaluator.metrics.metric import Booleans, Metric, Terms

RELATIVE = Metric(
    name="relative",
    summary="score at a degree over the clean accuracy of the same samples",
    scope="degree",
)


def relative(terms: Terms, clean_right: Booleans, has_clean: Booleans | None = None) -> list[float | None]:
    """Return a score over the clean accuracy of the samples it counts, None where none of them is right.

    Samples without a clean row are left out on both sides.
    """
    return relative_terms(terms, clean_right, has_clean).values()


def relative_terms(terms: Terms, clean_right: Booleans, has_clean: Booleans | None = None) -> Terms:
    """Return what a sample adds to the score over whether it is right when clean."""
    # Terms have 1 below the line for a sample that has a case, which is the sample set of the definition.
    above = terms.above if has_clean is None else terms.above * has_clean[:, None]
    return Terms(above=above, below=terms.below * clean_right[:, None])
