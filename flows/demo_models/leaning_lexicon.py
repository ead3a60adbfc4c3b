"""VADER's lexicon as a careless reader uses it."""

from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

ANALYZER = SentimentIntensityAnalyzer()


def predict(texts: list[str]) -> list[str]:
    """Return negative or positive; a text without any known word is positive."""
    return ["negative" if ANALYZER.polarity_scores(text)["compound"] < 0 else "positive" for text in texts]
