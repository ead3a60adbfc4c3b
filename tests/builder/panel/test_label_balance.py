"""What an attack leaves in a split leans to no label."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from builder.panel.label_balance import FAILED, NOTHING, PASSED, WAITING, balanced, next_to_hear

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


@st.composite
def splits(draw: st.DrawFn) -> list[tuple[int, bool | None]]:
    """Return samples of two to four labels: passes, fails, or has nothing that might pass."""
    n_labels = draw(st.integers(2, 4))
    # Some labels pass often, others hardly ever.
    rates = draw(st.lists(st.sampled_from([0.0, 0.1, 0.5, 1.0]), min_size=n_labels, max_size=n_labels))
    draws = st.tuples(st.integers(0, n_labels - 1), st.floats(0, 0.99), st.booleans())
    found = draw(st.lists(draws, min_size=1, max_size=80))
    return [(label, (chance < rates[label]) if waits else None) for label, chance, waits in found]


@given(splits(), st.sampled_from([0.0, 0.05, 0.1, 0.3, 1.0]))
def test_who_is_heard_bit_by_bit_stays_as_if_all_had_been_heard(
    samples: list[tuple[int, bool | None]], lean: float
) -> None:
    """Nobody is heard twice, of each label the first are heard, and it ends."""
    labels = np.array([label for label, _ in samples], np.int32)
    known = np.array([NOTHING if passes is None else WAITING for _, passes in samples], np.int8)
    while asked := next_to_hear(labels, known, lean):
        assert asked == sorted(set(asked))
        assert (known[asked] == WAITING).all()
        known[asked] = [PASSED if samples[place][1] else FAILED for place in asked]
    for label in set(labels.tolist()):
        states = [state for state in known[labels == label].tolist() if state != NOTHING]
        assert WAITING not in states[: len(states) - states.count(WAITING)]

    def kept(places: list[int]) -> set[str]:
        return balanced({str(place): samples[place][0] for place in places}, labels.tolist(), lean)

    passing = [place for place, (_, passes) in enumerate(samples) if passes]
    assert kept(np.flatnonzero(known == PASSED).tolist()) == kept(passing)


def test_few_are_heard_where_one_label_hardly_passes() -> None:
    """Ten in a hundred of label 0 pass, and all of label 1, of which a few more than ten may stay."""
    labels = np.array([0, 1] * 100, np.int32)
    known = np.full(200, WAITING, np.int8)
    n_waves = 0
    while asked := next_to_hear(labels, known, 0.1):
        known[asked] = [PASSED if place % 2 or place % 20 == 0 else FAILED for place in asked]
        n_waves += 1
    assert int((known != WAITING).sum()) < 140
    assert n_waves <= 4
