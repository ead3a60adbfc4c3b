"""Freezes the next version of a release: cases with their annotation, without those found invalid."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from builder.curation.collecting import KINDS
from builder.curation.outcome import JudgedCase, Outcome
from builder.panel.funnel import attack_titles
from builder.panel.method_counts import MethodCounts
from builder.release.documents import documents_of
from contract.machine.errors import ExitCode, UserError, bad_input
from contract.release.release import Release, writing_release
from contract.schema.annotations import AnnotationInfo
from contract.schema.manifest import FunnelInfo, Manifest, Setting, SplitInfo
from contract.schema.names import degree_key, version_order
from contract.schema.records import Record, records_of, table_of
from contract.schema.validity_weights import ValidityWeights

HASHES = ("sha256", "rows_sha256", "texts_sha256")
# Of the release's name in that of its weights.
LONGEST_NAME = 50
# Task, dimension, setting and degree.
Cell = tuple[str, str, Setting | None, float | None]


@dataclass(frozen=True, kw_only=True)
class Applied:
    """The next version, and the weights that its annotation gives."""

    manifest: Manifest
    weights: ValidityWeights | None
    n_dropped: Mapping[str, int]


@dataclass(kw_only=True)
class _CellCounts:
    """What is counted of the rows of one task, dimension, setting and degree, both tiers together."""

    n_before: int = 0
    n_dropped: Counter[str] = field(default_factory=Counter)
    n_valid: int = 0
    samples: set[str] = field(default_factory=set)
    samples_before: set[str] = field(default_factory=set)
    samples_in_tier: set[str] = field(default_factory=set)
    n_frozen: int = 0
    n_fooled: int = 0
    n_in_tier: int = 0
    attacks: Counter[str] = field(default_factory=Counter)
    # By the method of the row; only those that the funnel names are shown.
    methods: dict[str, MethodCounts] = field(default_factory=dict)

    def of_method(self, record: Record) -> MethodCounts:
        """Return the counts of the method that made a row."""
        return self.methods.setdefault(record.method or "", MethodCounts())


def apply_outcome(release: Release, outcome: Outcome, out: Path, *, version: str | None = None) -> Applied:
    """Write the next version of a release that was judged, and return it with its validity weights."""
    manifest = release.manifest
    _check(release, outcome, out)
    version = _later_version(manifest.version, version)
    cases = {case.id: case for case in outcome.cases if case.n}
    counts: dict[Cell, _CellCounts] = {}
    met: set[str] = set()
    with writing_release(out) as writer:
        splits = []
        for split in manifest.splits:
            cell = (split.task, split.dimension, split.setting, split.degree)
            of_cell = counts.setdefault(cell, _CellCounts())
            records = _annotated(records_of(release.table(split)), split, cases, of_cell, met)
            entry = split.model_copy(
                update=dict.fromkeys(HASHES) | {"bytes": 0, "mean_realised_degree": None}
            )
            splits.append(
                writer.write_split(
                    entry,
                    records,
                    manifest.task(split.task).labels,
                    with_distance=split.mean_edit_distance is not None,
                )
            )
        unknown = sorted(cases.keys() - met)
        if unknown:
            raise bad_input(
                f"the outcome judges {len(unknown)} cases that {release.path} does not have, such as"
                f" {unknown[0]!r}; is it the release that the plan was drawn from?"
            )
        funnel = tuple(_funnel(manifest, counts))
        update = {
            "version": version,
            "funnel": funnel,
            "splits": tuple(splits),
            "annotation": _info(outcome, release.manifest_sha256),
        }
        new = manifest.model_copy(update=update)
        writer.write_manifest(new)
        writer.write_documents(documents_of(Release.open(writer.folder)))
    n_dropped: Counter[str] = Counter()
    for of_cell in counts.values():
        n_dropped.update(of_cell.n_dropped)
    return Applied(manifest=new, weights=_weights(outcome, manifest, counts), n_dropped=n_dropped)


def _check(release: Release, outcome: Outcome, out: Path) -> None:
    if outcome.release.manifest_sha256 != release.manifest_sha256:
        raise bad_input(
            f"{release.path}: the outcome is of {outcome.release.name} {outcome.release.version} with the"
            f" manifest {outcome.release.manifest_sha256[:12]}…, not of this one"
            f" ({release.manifest_sha256[:12]}…); give the release that the plan was drawn from"
        )
    if out.exists() and out.resolve() == release.path.resolve():
        raise UserError(
            f"{out}: is the release itself; a version that was frozen is never changed, give another folder",
            exit_code=ExitCode.WRONG_USE,
        )
    if not any(case.n for case in outcome.cases):
        raise bad_input("the outcome holds no vote on any case; collect answers first")


def _later_version(before: str, version: str | None) -> str:
    """Return the version that was asked for, or the next one: 1.0 gives 1.1."""
    if version is None:
        *first, last = version_order(before)
        return ".".join(map(str, [*first, last + 1]))
    if version_order(version) <= version_order(before):
        raise UserError(
            f"--version {version}: the release is {before} already; give a later one",
            exit_code=ExitCode.WRONG_USE,
        )
    return version


def _annotated(
    records: Iterable[Record],
    split: SplitInfo,
    cases: Mapping[str, JudgedCase],
    counts: _CellCounts,
    met: set[str],
) -> Iterator[Record]:
    """Yield the rows that stay, with what annotators said of them, and count the others by reason."""
    for record in records:
        case = cases.get(record.id) if split.is_adversarial else None
        counts.n_before += 1
        counts.samples_before.add(record.sample_id)
        if case is not None:
            met.add(record.id)
            if case.verdict not in {"valid", "undecided"}:
                counts.n_dropped[case.verdict] += 1
                counts.of_method(record).n_dropped[case.verdict] += 1
                continue
            counts.n_valid += case.verdict == "valid"
            record = replace(record, annotation=_annotation(case))  # noqa: PLW2901
        counts.n_frozen += 1
        counts.n_fooled += record.source_fooled is True
        counts.samples.add(record.sample_id)
        counts.of_method(record).add_samples([record.sample_id], is_in_tier=split.tier is not None)
        if split.tier is not None:
            counts.n_in_tier += 1
            counts.samples_in_tier.add(record.sample_id)
        if record.source is not None:
            counts.attacks.update(attack_titles(table_of([record])))
        yield record


def _annotation(case: JudgedCase) -> dict[str, object]:
    return {
        "n": case.n,
        "votes": list(case.votes),
        "agreement": case.agreement,
        # Null where too few votes count.
        "valid": True if case.verdict == "valid" else None,
    }


def _funnel(manifest: Manifest, counts: Mapping[Cell, _CellCounts]) -> Iterator[FunnelInfo]:
    """Yield the funnel with what people dropped; a cell that had none, as in imports, gets one."""
    known = set()
    for row in manifest.funnel:
        cell = (row.task, row.dimension, row.setting, row.degree)
        known.add(cell)
        yield row.model_copy(update=_counted(row, counts[cell])) if cell in counts else row
    for (task, dimension, setting, degree), of_cell in counts.items():
        if setting is None or (task, dimension, setting, degree) in known:
            continue
        row = FunnelInfo(
            task=task,
            dimension=dimension,
            setting=setting,
            degree=degree,
            n_samples=len(of_cell.samples_before),
            n_carrying=len(of_cell.samples_before),
            n_candidates=of_cell.n_before,
            n_dropped={},
            n_frozen=0,
            n_samples_frozen=0,
        )
        yield row.model_copy(update=_counted(row, of_cell))


def _counted(row: FunnelInfo, counts: _CellCounts) -> dict[str, object]:
    n_dropped = Counter(row.n_dropped) + counts.n_dropped
    return {
        "n_dropped": dict(sorted(n_dropped.items())),
        "n_frozen": counts.n_frozen,
        "n_samples_frozen": len(counts.samples),
        "n_source_fooled": counts.n_fooled,
        "n_transferable": counts.n_in_tier,
        "n_samples_transferable": len(counts.samples_in_tier),
        "methods": {
            name: counts.methods.get(name, MethodCounts()).written(info) for name, info in row.methods.items()
        },
        "attacks": {
            title: attack.model_copy(update={"n_frozen": counts.attacks[title]})
            for title, attack in row.attacks.items()
        },
    }


def _info(outcome: Outcome, manifest_sha256: str) -> AnnotationInfo:
    judged = [case for case in outcome.cases if case.n]
    return AnnotationInfo(
        counted=outcome.counted,
        judges=tuple(annotator.name for annotator in outcome.annotators if annotator.kind == "model"),
        min_votes=outcome.min_votes,
        min_agreement=outcome.min_agreement,
        tasks=outcome.agreement,
        n_judged=len(judged),
        n_undecided=sum(case.verdict == "undecided" for case in judged),
        plan_sha256=outcome.plan_sha256,
        previous_manifest_sha256=manifest_sha256,
    )


def _weights(
    outcome: Outcome, manifest: Manifest, counts: Mapping[Cell, _CellCounts]
) -> ValidityWeights | None:
    """Return the share of decided cases that are valid, by dimension and degree; none without degrees."""
    totals: Counter[tuple[str, float]] = Counter()
    valid: Counter[tuple[str, float]] = Counter()
    for (_, dimension, _, degree), of_cell in counts.items():
        if degree is not None:
            totals[dimension, degree] += of_cell.n_valid + of_cell.n_dropped.total()
            valid[dimension, degree] += of_cell.n_valid
    dimensions: dict[str, dict[str, float]] = {}
    for (dimension, degree), n in sorted(totals.items()):
        if n:
            share = round(valid[dimension, degree] / n, 6)
            dimensions.setdefault(dimension, {})[degree_key(degree)] = share
    if not dimensions:
        return None
    kinds = KINDS[outcome.counted]
    n_annotators = sum(one.kind in kinds and not one.unreliable for one in outcome.annotators)
    return ValidityWeights(
        name=f"{manifest.name[:LONGEST_NAME].strip('-')}-{outcome.counted}",
        source=f"{totals.total()} cases of {manifest.name} {manifest.version}, judged by {n_annotators}"
        f" annotators; the votes of {outcome.counted} count",
        dimensions=dimensions,
    )
