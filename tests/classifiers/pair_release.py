"""A small release of a pair task, with its texts in both orders."""

from pathlib import Path

from contract.release.release import writing_release
from contract.schema.manifest import DimensionInfo, Manifest, SplitInfo, TaskInfo
from contract.schema.names import CLEAN, case_id, clean_id, sample_id, split_path
from contract.schema.records import COLUMNS, Record

TASK = TaskInfo(
    name="nli",
    labels=("entailment", "not_entailment"),
    fields=("premise", "hypothesis"),
    source="made up",
    licence="none",
    n_samples=8,
    n_train=0,
)


def write_pair_release(path: Path) -> Path:
    """Write 8 samples, each clean and with one case; every other sample swaps premise and hypothesis."""
    with writing_release(path) as writer:
        splits = []
        for dimension, setting, degree in ((CLEAN, None, 0.0), ("typo-general", "rule", 0.1)):
            place = split_path(TASK.name, dimension, setting, degree)
            split = SplitInfo(
                task=TASK.name,
                dimension=dimension,
                setting=setting,
                degree=degree,
                path=place,
                rows=0,
                samples=0,
            )
            records = [_record(sample, split) for sample in range(8)]
            splits.append(writer.write_split(split, records, TASK.labels))
        writer.write_manifest(_manifest(splits))
    return path


def _record(sample: int, split: SplitInfo) -> Record:
    name = sample_id(TASK.name, sample)
    texts = (f"a good film {sample // 2}", f"a very bad film {split.degree}")
    text, pair = texts if sample % 2 else texts[::-1]
    is_clean = split.setting is None
    return Record(
        id=clean_id(name) if is_clean else case_id(name, split.dimension, split.setting, split.degree, 0),
        sample_id=name,
        text=text,
        text_pair=pair,
        original_text=None if is_clean else text,
        label=sample % 2,
        task=TASK.name,
        dimension=split.dimension,
        setting=split.setting,
        degree=split.degree,
        realised_degree=split.degree,
    )


def _manifest(splits: list[SplitInfo]) -> Manifest:
    return Manifest(
        name="pairs",
        version="1.0.0",
        seed=0,
        min_samples=1,
        recipe={},
        recipe_sha256="0" * 64,
        columns=COLUMNS,
        tasks=(TASK,),
        dimensions=(DimensionInfo(name="typo-general", degree_kind="budget", degrees=(0.1,), order=0),),
        surrogates=(),
        funnel=(),
        overlap=(),
        libraries={},
        canary="canary",
        splits=tuple(splits),
    )
