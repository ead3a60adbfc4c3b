"""The kinds of classifiers that a build trains. One file a kind."""

from classifiers.machinery.classifier import TrainableKind
from classifiers.trained.char_tfidf import CHAR_TFIDF
from classifiers.trained.cnn import CNN
from classifiers.trained.minilm import MINILM
from classifiers.trained.nbsvm import NBSVM
from classifiers.trained.subword import SUBWORD
from classifiers.trained.word_tfidf import WORD_TFIDF
from contract.machine.registry import Registry

TRAINABLE_KINDS: Registry[TrainableKind] = Registry(
    "surrogate", [WORD_TFIDF, CHAR_TFIDF, NBSVM, CNN, SUBWORD, MINILM]
)
