"""The judge prefers words that mean the same, whatever else is asked."""

import numpy as np

from builder.language.substitution import Substitution, scores, scores_of
from builder.language.substitution.features import NAMES
from builder.language.substitution.trees import Trees, load_trees

TEXT = "The company said it would buy the smaller firm for two million dollars."
SAID = (TEXT.index("said"), TEXT.index("said") + 4)
FIRM = (TEXT.index("firm"), TEXT.index("firm") + 4)


def test_what_means_the_same_scores_above_what_does_not() -> None:
    """Sellers are not companies, and what is denied is not said."""
    stated, denied, company, apple = scores(
        TEXT, [(*SAID, "stated"), (*SAID, "denied"), (*FIRM, "business"), (*FIRM, "apple")]
    )
    assert stated > denied
    assert company > apple


def test_scores_are_probabilities_and_the_same_whatever_else_is_asked() -> None:
    """Another text in the batch, another order, or a second time."""
    swaps = [Substitution(*FIRM, "business"), Substitution(*SAID, "stated")]
    first = scores(TEXT, swaps)
    _, second, none = scores_of(["It rained all day.", TEXT, TEXT], [[(3, 9, "poured")], swaps[::-1], []])
    assert ((first >= 0) & (first <= 1)).all()
    assert second[::-1].tolist() == first.tolist()
    assert len(none) == 0


def test_words_that_no_table_knows_are_judged_too() -> None:
    """Expressions of two words, and what is no word."""
    assert scores(TEXT, [(*FIRM, "business house"), (*FIRM, "xqzzt")]).shape == (2,)


def test_trees_follow_their_thresholds() -> None:
    """One tree of one question: at most the threshold goes left."""
    trees = Trees(
        feature=np.array([1, 0, 0], dtype=np.int16),
        threshold=np.array([0.5, 0.0, 0.0]),
        left=np.array([1, 1, 2], dtype=np.int32),
        right=np.array([2, 1, 2], dtype=np.int32),
        value=np.array([0.0, -2.0, 2.0]),
        roots=np.array([0], dtype=np.int32),
        depth=np.array(1, dtype=np.int16),
        start=np.array(0.0),
    )
    rows = np.array([[9.0, 0.5], [9.0, 0.6]])
    assert trees.probabilities(rows).tolist() == [0.1192, 0.8808]


def test_the_shipped_trees_ask_about_features_that_exist() -> None:
    """A file made for other features would ask about columns that are not there."""
    trees = load_trees()
    assert 0 <= trees.feature.min() <= trees.feature.max() < len(NAMES)
