"""What the report of an audit shows beside the figures of any result: its data, its limits, its detector."""

from dataclasses import dataclass

from contract.schema.audits import AuditedRelease, DetectedCell, DetectorScore, Threshold
from contract.schema.names import degree_key
from contract.schema.results import Result
from leaderboard.text.formatting import NO_FIGURE, percent
from leaderboard.text.untrusted_text import visible


@dataclass(frozen=True, kw_only=True)
class DetectorView:
    """A detector at one threshold: its figures when clean, and a row for each dimension and degree."""

    target: str
    clean: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, kw_only=True)
class AuditView:
    """The data of an audit, what its time did not suffice for, and its detectors."""

    facts: tuple[tuple[str, str], ...]
    partial: str
    detectors: tuple[DetectorView, ...]


def audit_view(result: Result) -> AuditView | None:
    """Return what the report says of an audit; None for results of a benchmark."""
    audit = result.audit
    if audit is None:
        return None
    detector = result.detector
    return AuditView(
        facts=tuple((name, visible(value, 200)) for name, value in _facts(audit)),
        partial=_partial(audit),
        detectors=()
        if detector is None
        else tuple(_detector(detector, threshold) for threshold in detector.thresholds),
    )


def _facts(audit: AuditedRelease) -> list[tuple[str, str]]:
    budget = "none" if audit.budget_seconds is None else f"{audit.budget_seconds:g} seconds"
    return [
        ("Model", audit.model),
        ("Data", f"{audit.data}, {audit.n_rows:,} labelled rows"),
        ("Samples", f"{audit.n_samples:,}, as many of each label as there are"),
        ("Rows for words typical of a label", f"{audit.n_train:,}"),
        ("Texts shown along a path", f"at most {audit.max_queries:,}"),
        ("Questions to the model", f"{audit.n_queries:,}"),
        ("Time budget", budget),
        ("Seed", str(audit.seed)),
    ]


def _partial(audit: AuditedRelease) -> str:
    """Return what is missing, or nothing."""
    if not audit.is_partial:
        return ""
    left_out = f" Not reached: {visible(', '.join(audit.not_reached), 400)}." if audit.not_reached else ""
    return (
        f"The time ended after {audit.n_samples:,} of {audit.n_planned:,} samples. All figures are about"
        f" these {audit.n_samples:,} alone, so their intervals are wide.{left_out}"
    )


def _detector(detector: DetectorScore, threshold: Threshold) -> DetectorView:
    return DetectorView(
        target=f"{100 * threshold.target:g} %",
        clean=f"label {visible(detector.positive, 60)}, threshold {threshold.threshold:.4f}:"
        f" recall {percent(threshold.recall)} on {detector.n_positive:,} positive samples, false positives"
        f" {percent(threshold.false_positive_rate)} on {detector.n_benign:,} benign ones, when clean",
        rows=tuple(map(_row, threshold.cells)),
    )


def _row(cell: DetectedCell) -> tuple[str, ...]:
    return (
        visible(cell.dimension, 40),
        visible(cell.setting, 20),
        degree_key(cell.degree),
        percent(cell.recall),
        percent(cell.worst_recall),
        NO_FIGURE if cell.flip_rate is None else percent(cell.flip_rate),
        percent(cell.false_positive_rate),
        f"{cell.n_positive:,} / {cell.n_benign:,}",
    )
