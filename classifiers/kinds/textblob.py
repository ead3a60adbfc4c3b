"""TextBlob: a pattern-based sentiment lexicon."""

from importlib.metadata import version

from classifiers.machinery.classifier import Classifier, ClassifierKind, LoadRequest
from classifiers.machinery.needs import needs
from classifiers.machinery.polarity import polarity_for


def load(request: LoadRequest) -> Classifier:
    """Return TextBlob's polarity as a classifier."""
    with needs("textblob"):
        from textblob import TextBlob

    return polarity_for(request.task, "textblob", lambda text: float(TextBlob(text).sentiment.polarity))


TEXTBLOB = ClassifierKind(
    name="textblob",
    summary="TextBlob's sentiment lexicon, for negative and positive",
    argument=None,
    load=load,
    family="lexicon",
    content=lambda _request: version("textblob"),
)
