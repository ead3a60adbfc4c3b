"""VADER: a rule-based sentiment lexicon."""

from importlib.metadata import version

from classifiers.machinery.classifier import Classifier, ClassifierKind, LoadRequest
from classifiers.machinery.needs import needs
from classifiers.machinery.polarity import polarity_for


def load(request: LoadRequest) -> Classifier:
    """Return VADER's compound score as a classifier."""
    with needs("vaderSentiment"):
        from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    analyzer = SentimentIntensityAnalyzer()
    return polarity_for(request.task, "vader", lambda text: analyzer.polarity_scores(text)["compound"])


VADER = ClassifierKind(
    name="vader",
    summary="VADER's sentiment lexicon, for negative and positive",
    argument=None,
    load=load,
    family="lexicon",
    content=lambda _request: version("vaderSentiment"),
)
