"""Balance: of the samples that an attack leaves in a split, no label has many more than of the clean ones.

Surrogates that are robbed of their evidence tend to give one and the same label. A split of cases that fool
them is then mostly of one label, and a model that always gives the other one would lead.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction


def balanced(labels: Mapping[str, int], clean_labels: Sequence[int], max_lean: float) -> set[str]:
    """Return the samples to keep: of each label the first, up to its clean share and the lean above it."""
    left = _quotas(Counter(labels.values()), Counter(clean_labels), max_lean)
    kept = set()
    for sample, label in labels.items():
        if left[label]:
            left[label] -= 1
            kept.add(sample)
    return kept


def _quotas(n_of_label: Mapping[int, int], n_clean: Mapping[int, int], max_lean: float) -> dict[int, int]:
    """Return how many samples of each label may stay; more samples of a label never lower any of them."""
    lean = Fraction(repr(max_lean))
    n_all = sum(n_clean.values())
    shares = {label: Fraction(n, n_all) + lean for label, n in sorted(n_clean.items())}
    total = sum(n_of_label.values())
    while True:
        kept = {label: min(n_of_label.get(label, 0), int(share * total)) for label, share in shares.items()}
        if sum(kept.values()) == total:
            return kept
        total = sum(kept.values())
