"""Balance: of the samples that an attack leaves in a split, no label has much more than of the clean ones.

Whoever garbles a text robs it of its evidence, and surrogates left without evidence say the same label of
all. What fools them is then mostly of one label, and a model that always says that label would lead.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

LEANING = "label-leaning"


def balanced(labels: Mapping[str, int], clean_labels: Sequence[int], max_lean: float) -> set[str]:
    """Return the samples to keep: of each label the first, up to its clean share and the lean above it."""
    n_of_label = Counter(labels.values())
    lean = Fraction(repr(max_lean))
    shares = {
        label: Fraction(n, len(clean_labels)) + lean for label, n in sorted(Counter(clean_labels).items())
    }
    total = sum(n_of_label.values())
    while True:
        kept = {label: min(n_of_label[label], int(share * total)) for label, share in shares.items()}
        if sum(kept.values()) == total:
            break
        total = sum(kept.values())
    found = set()
    for sample, label in labels.items():
        if kept[label]:
            kept[label] -= 1
            found.add(sample)
    return found
