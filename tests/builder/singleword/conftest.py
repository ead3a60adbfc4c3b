"""Lets the tests of this folder import `made_models`; the classifiers that they share."""

import sys
from pathlib import Path

import pytest

# Folders of tests are no packages.
sys.path.insert(0, str(Path(__file__).parent))

from made_models import trained

from classifiers.machinery.classifier import Classifier


@pytest.fixture(scope="session")
def cnn(tmp_path_factory: pytest.TempPathFactory) -> Classifier:
    """Return a convolutional network."""
    return trained("cnn", tmp_path_factory.mktemp("cnn"))


@pytest.fixture(scope="session")
def minilm(tmp_path_factory: pytest.TempPathFactory) -> Classifier:
    """Return a fine-tuned encoder."""
    return trained("minilm", tmp_path_factory.mktemp("minilm"), 80)
