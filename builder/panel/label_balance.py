"""Balance: of the samples that an attack leaves in a split, no label has much more than of the clean ones.

Whoever garbles a text robs it of its evidence, and surrogates left without evidence say the same label of
all. What fools them is then mostly of one label, and a model that always says that label would lead.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

LEANING = "label-leaning"
# Whoever was not heard need not have passed.
ENOUGH_SAMPLES = "enough-samples"

# What is known of a sample: it has no case that might pass, or one that nobody has heard, or it was heard.
NOTHING, WAITING, FAILED, PASSED = range(4)
# Of what each label may need, how much is heard first, to see how often its samples pass.
FIRST_SHARE = Fraction(1, 4)


def balanced(labels: Mapping[str, int], clean_labels: Sequence[int], max_lean: float) -> set[str]:
    """Return the samples to keep: of each label the first, up to its clean share and the lean above it."""
    left = _quotas(Counter(labels.values()), Counter(clean_labels), max_lean)
    found = set()
    for sample, label in labels.items():
        if left[label]:
            left[label] -= 1
            found.add(sample)
    return found


def next_to_hear(labels: NDArray[np.int32], known: NDArray[np.int8], max_lean: float) -> list[int]:
    """Return the places of the samples to hear next, in their order; none when it is decided who stays.

    As long as samples wait, a label may have as many as passed and wait. When so many of each have passed as
    may stay then, others can change nothing: the first of each label that pass were all heard.
    """
    waiting: dict[int, list[int]] = {}
    n_passed: dict[int, int] = {}
    n_heard: dict[int, int] = {}
    n_clean = Counter(labels.tolist())
    for label in n_clean:
        own = labels == label
        waiting[label] = np.flatnonzero(own & (known == WAITING)).tolist()
        n_passed[label] = int((own & (known == PASSED)).sum())
        n_heard[label] = n_passed[label] + int((own & (known == FAILED)).sum())
    most = {label: n_passed[label] + len(places) for label, places in waiting.items()}
    quotas = _quotas(most, n_clean, max_lean)
    needs = {label: quotas[label] - n for label, n in n_passed.items() if quotas[label] > n}
    if not any(n_heard.values()):
        return sorted(
            place
            for label, need in needs.items()
            for place in waiting[label][: math.ceil(need * FIRST_SHARE)]
        )
    if not needs:
        return []
    rates = {label: Fraction(n_passed[label] + 1, n_heard[label] + 2) for label in needs}
    # Whichever label will have the fewest decides how many the others may have.
    label = min(needs, key=lambda each: (n_passed[each] + len(waiting[each]) * rates[each], each))
    return waiting[label][: math.ceil(needs[label] / rates[label])]


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
