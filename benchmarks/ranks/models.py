"""The models whose ranks are checked: of every family, none with a surrogate's weights, some defended.

Each is trained on the training rows of the release alone, with settings that nobody chose by their ranks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.ranks import linear, networks
from benchmarks.ranks.defences import Cleaning, Speller, fold
from benchmarks.ranks.estimators import Forest, LabelWords, Probe
from benchmarks.ranks.training import SEED, Training
from builder.models.encoder import encode
from builder.values.associations import learn
from builder.values.samples import Sample
from classifiers import TRAINABLE_KINDS
from classifiers.machinery.classifier import Classifier
from classifiers.machinery.ensemble import Ensemble
from contract.schema.manifest import TaskInfo

ENCODER = "encoder"
GLYPHS = ("glyph-malicious", "glyph-general")
TYPOS = ("typo-malicious", "typo-general")


@dataclass(frozen=True, kw_only=True)
class Model:
    """A model: how it reads a text, how it is made, and what it defends better than its twin."""

    name: str
    family: str
    make: Callable[[Training], Classifier]
    # The kind of surrogate that it is, with other weights.
    kind: str | None = None
    is_trained: bool = True
    twin: str | None = None
    defends: tuple[str, ...] = ()


def models_of(info: TaskInfo) -> list[Model]:
    """Return the models of a task; those of a kind that is not there are left out."""
    is_sentiment = sorted(info.labels) == ["negative", "positive"]
    lexicons = [_VADER, _TEXTBLOB] if is_sentiment else [_LABEL_WORDS]
    found = [*_PLAIN, *lexicons, *_DEFENDED]
    return [model for model in found if model.kind is None or model.kind in TRAINABLE_KINDS]


def made(name: str, training: Training) -> Classifier:
    """Return a model by its name, trained."""
    (model,) = (
        model for model in [*_PLAIN, _VADER, _TEXTBLOB, _LABEL_WORDS, *_DEFENDED] if model.name == name
    )
    return model.make(training)


def _regression(rows: Sequence[Sample], options: dict[str, Any]) -> Classifier:
    from sklearn.linear_model import LogisticRegression

    return linear.train_linear(rows, options, LogisticRegression(C=3, max_iter=1000, random_state=SEED))


def _svm(rows: Sequence[Sample], options: dict[str, Any]) -> Classifier:
    from sklearn.svm import LinearSVC

    return linear.train_linear(rows, options, LinearSVC(C=0.3, random_state=SEED))


def _ridge(training: Training) -> Classifier:
    from sklearn.linear_model import RidgeClassifier

    estimator = RidgeClassifier(alpha=3, random_state=SEED)
    return linear.train_linear(training.some(0.6), linear.PAIRS, estimator)


def _forest(training: Training) -> Classifier:
    from sklearn.ensemble import ExtraTreesClassifier
    from sklearn.feature_extraction.text import CountVectorizer

    vectorizer = CountVectorizer(binary=True, min_df=3, max_features=5000)
    features = vectorizer.fit_transform([row.text for row in training.rows])
    forest = ExtraTreesClassifier(n_estimators=50, min_samples_leaf=2, random_state=SEED)
    return Forest(vectorizer, forest.fit(features, [row.label for row in training.rows]))


def _probe(training: Training) -> Classifier:
    from sklearn.linear_model import LogisticRegression

    rows = training.some(0.5)
    model = LogisticRegression(C=10, max_iter=2000, random_state=SEED)
    return Probe(model.fit(encode([row.text for row in rows]), [row.label for row in rows]))


def _ensemble(training: Training) -> Classifier:
    return Ensemble(
        (
            linear.train_naive_bayes(training.rows, linear.PAIRS),
            _svm(training.rows, linear.CHARACTERS),
            networks.train_averaged(training.rows, training.n_labels, SEED + 1, training.weights("ensemble")),
        )
    )


def _fasttext(rows: Sequence[Sample], training: Training, name: str) -> Classifier:
    return networks.train_averaged(rows, training.n_labels, SEED, training.weights(name))


def _gru(training: Training) -> Classifier:
    return networks.train_recurrent(training.rows, training.n_labels, SEED, training.weights("gru"))


def _spelled(training: Training, make: Callable[[Training], Classifier]) -> Classifier:
    return Cleaning(make(training), Speller(row.text for row in training.rows).correct)


_PLAIN = (
    Model(
        name="word-tfidf*",
        family="words",
        kind="word-tfidf",
        make=lambda own: own.kind("word-tfidf", own.some(0.7)),
    ),
    Model(name="regression", family="words", make=lambda own: _regression(own.rows, linear.WORDS)),
    Model(name="svm", family="words", make=lambda own: _svm(own.rows, linear.PAIRS)),
    Model(name="bayes", family="words", make=lambda own: linear.train_naive_bayes(own.rows, linear.PAIRS)),
    Model(name="ridge", family="words", make=_ridge),
    Model(name="forest", family="trees", make=_forest),
    Model(
        name="char-tfidf*",
        family="characters",
        kind="char-tfidf",
        make=lambda own: own.kind("char-tfidf", own.some(0.7)),
    ),
    Model(name="char-svm", family="characters", make=lambda own: _svm(own.rows, linear.CHARACTERS)),
    Model(name="cnn*", family="sequence", kind="cnn", make=lambda own: own.kind("cnn", own.some(0.8))),
    Model(name="gru", family="sequence", make=_gru),
    Model(
        name="lstm",
        family="sequence",
        make=lambda own: networks.train_recurrent(
            own.some(0.7), own.n_labels, SEED + 2, own.weights("lstm"), cell="lstm", size=40
        ),
    ),
    Model(
        name="subword*",
        family="subwords",
        kind="subword",
        make=lambda own: own.kind("subword", own.some(0.8)),
    ),
    Model(name="fasttext", family="subwords", make=lambda own: _fasttext(own.rows, own, "fasttext")),
    Model(
        name="minilm*",
        family=ENCODER,
        kind="minilm",
        make=lambda own: own.kind("minilm", own.rows[-1200:]),
    ),
    Model(name="probe", family=ENCODER, make=_probe),
    Model(name="ensemble", family="ensemble", make=_ensemble),
)
_VADER = Model(name="vader", family="lexicon", is_trained=False, make=lambda own: own.lexicon("vader"))
_TEXTBLOB = Model(
    name="textblob", family="lexicon", is_trained=False, make=lambda own: own.lexicon("textblob")
)
_LABEL_WORDS = Model(
    name="label-words",
    family="lexicon",
    is_trained=False,
    make=lambda own: LabelWords(learn(own.rows, own.n_labels), own.n_labels),
)
_DEFENDED = (
    Model(
        name="regression+fold",
        family="words",
        twin="regression",
        defends=GLYPHS,
        make=lambda own: Cleaning(_regression(own.rows, linear.WORDS), fold),
    ),
    Model(
        name="char-svm+fold",
        family="characters",
        twin="char-svm",
        defends=GLYPHS,
        make=lambda own: Cleaning(_svm(own.rows, linear.CHARACTERS), fold),
    ),
    Model(
        name="cnn*+fold",
        family="sequence",
        kind="cnn",
        twin="cnn*",
        defends=GLYPHS,
        make=lambda own: Cleaning(own.kind("cnn", own.some(0.8)), fold),
    ),
    Model(
        name="char-svm+typos",
        family="characters",
        twin="char-svm",
        defends=TYPOS,
        make=lambda own: _svm(own.with_typos, linear.CHARACTERS),
    ),
    Model(
        name="fasttext+typos",
        family="subwords",
        twin="fasttext",
        defends=TYPOS,
        make=lambda own: _fasttext(own.with_typos, own, "fasttext+typos"),
    ),
    Model(
        name="svm+speller",
        family="words",
        twin="svm",
        defends=TYPOS,
        make=lambda own: _spelled(own, lambda plain: _svm(plain.rows, linear.PAIRS)),
    ),
    Model(
        name="gru+speller",
        family="sequence",
        twin="gru",
        defends=TYPOS,
        make=lambda own: _spelled(own, _gru),
    ),
    Model(
        name="regression+synonyms",
        family="words",
        twin="regression",
        defends=("synonym",),
        make=lambda own: _regression(own.with_synonyms, linear.WORDS),
    ),
    Model(
        name="svm+distraction",
        family="words",
        twin="svm",
        defends=("distraction",),
        make=lambda own: _svm(own.with_distraction, linear.PAIRS),
    ),
)
