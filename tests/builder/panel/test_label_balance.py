"""What an attack leaves in a split leans to no label."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from builder.panel.label_balance import balanced

LABELS = st.lists(st.integers(0, 3), max_size=60)


@given(LABELS, st.lists(st.integers(0, 3), min_size=1, max_size=60), st.sampled_from([0.0, 0.05, 0.2, 1.0]))
def test_no_label_has_more_than_its_clean_share_and_the_lean(
    labels: list[int], others: list[int], lean: float
) -> None:
    """Whatever an attack leaves, of however many labels; of each label the first samples stay."""
    clean = labels + others
    found = balanced({str(place): label for place, label in enumerate(labels)}, clean, lean)
    kept = [label for place, label in enumerate(labels) if str(place) in found]
    for label, n in Counter(kept).items():
        assert n <= (clean.count(label) / len(clean) + lean) * len(kept) + 1e-9
        of_label = [str(place) for place, each in enumerate(labels) if each == label]
        assert set(of_label[:n]) <= found


def test_as_many_stay_as_can() -> None:
    """Nine of label 1 beside five of label 0 are one in two and a bit more: six stay."""
    labels = {f"a{n}": 0 for n in range(5)} | {f"b{n}": 1 for n in range(9)}
    kept = balanced(labels, [0, 1], 0.05)
    assert kept == {f"a{n}" for n in range(5)} | {f"b{n}" for n in range(6)}


def test_nothing_is_left_out_where_nothing_leans() -> None:
    """Nor where the recipe allows any lean."""
    even = {"a": 0, "b": 1}
    assert balanced(even, [0, 1], 0.0) == {"a", "b"}
    assert balanced({"a": 0, "b": 0}, [0, 1], 1.0) == {"a", "b"}
    assert balanced({"a": 0, "b": 0}, [0, 1], 0.05) == set()
