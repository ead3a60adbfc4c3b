"""Writes the cases of an audit as a release of their own, which the evaluator reads like any other."""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from platform import python_version

from builder.dimensions import DIMENSIONS
from builder.live.attacking import LIVE, AttackPlan
from builder.live.rounds import MadeRounds
from builder.searches.search import DegreeCounts
from builder.tasks.task import Task
from builder.units.store import UnitStore
from builder.units.units import CaseUnit
from contract.machine.hashes import hash_of
from contract.release.release import ReleaseWriter, writing_release
from contract.schema.audits import AuditInfo
from contract.schema.manifest import AttackInfo, DimensionInfo, FunnelInfo, Manifest, Setting, SplitInfo
from contract.schema.names import CLEAN, case_id, clean_id, split_path
from contract.schema.records import COLUMNS, Record, records_of

VERSION = "1"
MIN_SAMPLES = 20
README = """# Cases of an audit

Cases made from {n} samples of {data} for the audit of one model, {model}. Those of the setting `live` were
searched against that model: they are no benchmark, and say nothing about other models.
"""


def write_cases(
    out: Path, task: Task, plan: AttackPlan, made: MadeRounds, *, info: AuditInfo, store: UnitStore
) -> Manifest:
    """Write the clean rows of the samples and all their cases; the folder is replaced whole."""
    settings = {
        "dimensions": {name: list(degrees) for name, degrees in plan.dimensions.items()},
        "settings": list(plan.settings),
        "n_rule_cases": plan.n_rule_cases,
        "audit": info.model_dump(mode="json"),
    }
    with writing_release(out) as writer:
        splits = [_write_clean(writer, task, made)]
        funnel = []
        for (dimension, setting), units in made.units.items():
            for degree in plan.dimensions[dimension]:
                records = [record for unit in units for record in records_of(store.cases(unit, degree))]
                split = _empty_split(task.info.name, dimension, setting, degree)
                split = _write_split(writer, task, split, records)
                splits.append(split)
                funnel.append(_funnel(task, split, units, store))
        dimensions = dict.fromkeys(dimension for dimension, _ in made.units)
        manifest = Manifest(
            name=task.info.name,
            version=VERSION,
            seed=plan.seed,
            min_samples=MIN_SAMPLES,
            recipe=settings,
            recipe_sha256=hash_of(settings),
            columns=COLUMNS,
            tasks=(task.info.model_copy(update={"n_samples": len(made.samples), "n_train": 0}),),
            dimensions=tuple(
                _dimension(order, name, plan.dimensions[name]) for order, name in enumerate(dimensions)
            ),
            surrogates=(),
            funnel=tuple(funnel),
            overlap=(task.overlap,),
            libraries={"python": python_version(), "hardfrost": version("hardfrost")},
            canary=f"hardfrost:canary:{uuid.uuid5(uuid.NAMESPACE_OID, hash_of(settings))}",
            audit=info,
            splits=tuple(splits),
        )
        writer.write_manifest(manifest)
        text = README.format(n=len(made.samples), data=info.data, model=info.model)
        writer.write_documents({"README.md": text})
    return manifest


def _write_clean(writer: ReleaseWriter, task: Task, made: MadeRounds) -> SplitInfo:
    name = task.info.name
    rows = (
        Record(
            id=clean_id(sample.id),
            sample_id=sample.id,
            text=sample.text,
            text_pair=sample.text_pair,
            original_text=sample.text,
            original_text_pair=sample.text_pair,
            label=sample.label,
            task=name,
            dimension=CLEAN,
            degree=0.0,
            realised_degree=0.0,
        )
        for sample in sorted(made.samples, key=lambda sample: sample.id)
    )
    return writer.write_split(_empty_split(name, CLEAN, None, 0.0), rows, task.info.labels)


def _empty_split(task: str, dimension: str, setting: Setting | None, degree: float) -> SplitInfo:
    path = split_path(task, dimension, setting, None if setting is None else degree)
    return SplitInfo(
        task=task, dimension=dimension, setting=setting, degree=degree, path=path, rows=0, samples=0
    )


def _write_split(writer: ReleaseWriter, task: Task, split: SplitInfo, records: Sequence[Record]) -> SplitInfo:
    """Write the cases of a dimension, setting and degree; of an attack, the strongest of each sample."""
    rows = _strongest(records) if split.setting == LIVE else records
    return writer.write_split(
        split,
        sorted(rows, key=lambda record: record.id),
        task.info.labels,
        with_distance=DIMENSIONS[split.dimension].degree_kind == "probability",
    )


def _strongest(records: Sequence[Record]) -> Iterator[Record]:
    """Yield the strongest attempt of each sample that the filters kept, as a case of the live setting."""
    first: dict[str, Record] = {}
    for record in records:
        known = first.setdefault(record.sample_id, record)
        if record.case < known.case:
            first[record.sample_id] = record
    for record in first.values():
        name = case_id(record.sample_id, record.dimension, LIVE, record.degree, 0)
        yield replace(record, id=name, case=0, setting=LIVE, source=None)


def _funnel(task: Task, split: SplitInfo, units: Sequence[CaseUnit], store: UnitStore) -> FunnelInfo:
    """Return what became of the candidates of a split."""
    degree = split.degree or 0.0
    total = DegreeCounts()
    for unit in units:
        total.add(store.counts(unit)[degree])
    attack = AttackInfo(
        n_attackable=total.n_attackable,
        n_attacked=total.n_attacked,
        n_fooled=total.n_fooled,
        n_weaker=total.n_weaker,
        n_frozen=split.rows,
    )
    attacks: Mapping[str, AttackInfo] = {"model": attack} if split.setting == LIVE else {}
    return FunnelInfo(
        task=task.info.name,
        dimension=split.dimension,
        setting=split.setting or "rule",
        degree=degree,
        n_samples=total.n_samples,
        n_carrying=total.n_carrying,
        n_candidates=total.n_candidates,
        n_dropped=dict(sorted(total.n_dropped.items())),
        n_proposed=total.n_proposed,
        n_refused=dict(sorted(total.n_refused.items())),
        n_frozen=split.rows,
        n_samples_frozen=split.samples,
        attacks=dict(attacks),
    )


def _dimension(order: int, name: str, degrees: tuple[float, ...]) -> DimensionInfo:
    dimension = DIMENSIONS[name]
    return DimensionInfo(
        name=name,
        level=dimension.level,
        tag=dimension.tag,
        measure=dimension.measure,
        degree_kind=dimension.degree_kind,
        degrees=degrees,
        order=order,
        summary=dimension.summary,
        stands_for=dimension.stands_for,
    )
