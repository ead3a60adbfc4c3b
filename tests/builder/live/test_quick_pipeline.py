"""Pipelines of scikit-learn answered quickly: the same answers, or the pipeline itself."""

from typing import Any

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from builder.live.quick_pipeline import quick_pipeline
from classifiers.kinds.sklearn import SklearnPipeline
from classifiers.machinery.classifier import TextPair

TEXTS = [
    f"the {word} film, told in {n} scenes; it's {word}-ish"
    for n in range(8)
    for word in ("good", "bad", "odd")
]
# Tokens that reach over a space.
PAIRS_ALONE = {"token_pattern": r"\w+ \w+"}
LABELS = [0, 1, 2] * 8
CHANGED: list[TextPair] = [(text.replace("o", "0", 1), None) for text in TEXTS] + [("", None), ("x", None)]


def fitted(*steps: Any) -> SklearnPipeline:
    """Return a pipeline that is trained on a few texts."""
    return SklearnPipeline(make_pipeline(*steps).fit(TEXTS, LABELS), [0, 1, 2], 3)


@pytest.mark.parametrize(
    "vectorizer",
    [
        TfidfVectorizer(),
        TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, min_df=2),
        TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), use_idf=False),
        CountVectorizer(binary=True),
    ],
)
def test_a_known_pipeline_gives_the_same_answers_quickly(vectorizer: Any) -> None:
    """To texts that it was not tried on, too."""
    pipeline = fitted(vectorizer, LogisticRegression())
    quick = quick_pipeline(pipeline, [(text, None) for text in TEXTS])
    assert quick is not None
    assert np.abs(quick.probabilities(CHANGED) - pipeline.probabilities(CHANGED)).max() < 1e-6


@pytest.mark.parametrize(
    "steps",
    [
        (TfidfVectorizer(), MultinomialNB()),
        (TfidfVectorizer(strip_accents="unicode"), LogisticRegression()),
        (TfidfVectorizer().set_params(**PAIRS_ALONE), LogisticRegression()),
        (TfidfVectorizer(ngram_range=(1, 3)), LogisticRegression()),
    ],
)
def test_any_other_pipeline_is_asked_itself(steps: tuple[Any, ...]) -> None:
    """Also where it looks known, but answers otherwise."""
    assert quick_pipeline(fitted(*steps), [(text, None) for text in TEXTS]) is None
