"""What models are trained with: the training rows of a release, more rows for defences, a folder."""

import contextlib
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from benchmarks.ranks.defences import random_cases
from builder.values.samples import Sample
from classifiers import KINDS, TRAINABLE_KINDS, TrainingSet
from classifiers.machinery.classifier import Classifier, LoadRequest
from contract.schema.manifest import TaskInfo

# Not the seed of any surrogate.
SEED = 7
# Synonyms need the encoder, so few rows get them.
SYNONYM_ROWS = 1500


@dataclass(frozen=True)
class Training:
    """What a model is trained with: rows, and a folder for the weights that take long."""

    rows: Sequence[Sample]
    n_labels: int
    folder: Path
    # Lexicons read the names of the labels.
    info: TaskInfo | None = None

    def some(self, share: float) -> Sequence[Sample]:
        """Return the last part of the training rows: surrogates with few rows have the first."""
        return self.rows[-int(share * len(self.rows)) :]

    @cached_property
    def with_typos(self) -> list[Sample]:
        """The training rows, and a case with typing errors of each."""
        half = len(self.rows) // 2
        return [
            *self.rows,
            *random_cases(self.rows[:half], "typo-general", 0.3),
            *random_cases(self.rows[half:], "typo-malicious", 0.1),
        ]

    @cached_property
    def with_synonyms(self) -> list[Sample]:
        """The training rows, and for some of them a case with synonyms."""
        return [*self.rows, *random_cases(self.some(1.0)[:SYNONYM_ROWS], "synonym", 0.3)]

    @cached_property
    def with_distraction(self) -> list[Sample]:
        """The training rows, and each with text behind it that says nothing."""
        return [*self.rows, *random_cases(self.rows, "distraction", 0.3)]

    def kind(self, name: str, rows: Sequence[Sample]) -> Classifier:
        """Return a kind of surrogate, trained with another seed on other rows; kept in the folder."""
        folder = self.folder / name
        if not folder.is_dir():
            training = TrainingSet(
                texts=[(row.text, None) for row in rows],
                labels=[row.label for row in rows],
                n_labels=self.n_labels,
                seed=SEED,
            )
            self.folder.mkdir(parents=True, exist_ok=True)
            unfinished = Path(tempfile.mkdtemp(dir=self.folder, prefix=f".{name}-"))
            TRAINABLE_KINDS[name].train(training, unfinished)
            # Another process may have been faster; its weights are the same.
            with contextlib.suppress(OSError):
                unfinished.rename(folder)
        return TRAINABLE_KINDS[name].load(folder)

    def weights(self, name: str) -> Path:
        """Return where the weights of a network are kept."""
        return self.folder / f"{name}.safetensors"

    def lexicon(self, name: str) -> Classifier:
        """Return a lexicon of the registry."""
        if self.info is None:
            raise ValueError(f"{name} needs to know what the labels are called")
        request = LoadRequest(argument="", task=self.info, release=None, cache_path=self.folder)
        classifier: Classifier = KINDS[name].load(request)
        return classifier
