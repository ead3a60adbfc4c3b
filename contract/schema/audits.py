"""What a manifest and a result say of an audit: one model attacked on samples of somebody's own data."""

from contract.schema.checked_text import Line
from contract.schema.documents import Count, Fraction, Integer, Sha256, Value


class AuditInfo(Value):
    """Which model was audited on which rows, and how far the audit came."""

    # The spec without the folders of the machine.
    model: Line
    # The name of the data file without its folder, and the hash of its content.
    data: Line
    data_sha256: Sha256
    # Labelled rows of the file; samples that were to be audited; those that were.
    n_rows: Count
    n_planned: Count
    n_samples: Count
    # The rows that words typical of a label were learned from.
    n_train: Count
    seed: Integer
    # How many texts the model was shown for one case at most.
    max_queries: Count
    # Null: no limit was set.
    budget_seconds: float | None = None
    # Dimensions and settings that the time did not suffice for, as DIMENSION/SETTING.
    not_reached: tuple[Line, ...] = ()
    # How many texts the attacks asked the model about.
    n_queries: Count = 0

    @property
    def is_partial(self) -> bool:
        """Whether the time did not suffice for everything that was asked for."""
        return self.n_samples < self.n_planned or bool(self.not_reached)


class AuditedRelease(AuditInfo):
    """The audit that a result is about; it stands where other results have their benchmark."""

    manifest_sha256: Sha256


class DetectedCell(Value):
    """A detector at one threshold on the cases of one dimension, setting and degree.

    Over all clean samples, as all figures of a result: a sample without a case of the degree counts with
    those of the next lower one, and last with its clean text.
    """

    dimension: Line
    setting: Line
    degree: Fraction | None
    # Of the positive samples, the share that is found: on average over cases, and in all of them so far.
    recall: Fraction
    worst_recall: Fraction
    # Of the positive samples that are found when clean, the share that some case so far hides.
    flip_rate: Fraction | None
    # Of the benign samples, the share that is flagged, on average over cases.
    false_positive_rate: Fraction
    # Samples with a case of this degree.
    n_positive: Count
    n_benign: Count


class Threshold(Value):
    """A detector whose threshold lets through a share of false positives on the clean benign samples."""

    # The share that was aimed at.
    target: Fraction
    # A text is flagged when its probability of the positive label is above this.
    threshold: Fraction
    false_positive_rate: Fraction
    recall: Fraction
    cells: tuple[DetectedCell, ...]


class DetectorScore(Value):
    """A classifier used as a detector of one label, at a few thresholds."""

    positive: Line
    n_positive: Count
    n_benign: Count
    thresholds: tuple[Threshold, ...]
