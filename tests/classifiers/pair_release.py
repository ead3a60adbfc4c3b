"""A small release of a pair task, with its texts in both orders."""

from pathlib import Path

from synthetic import SplitKey, write_splits

from contract.schema.manifest import DimensionInfo, TaskInfo
from contract.schema.names import CLEAN, case_id, clean_id, sample_id
from contract.schema.records import Record

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
    dimension = DimensionInfo(name="typo-general", degree_kind="budget", degrees=(0.1,), order=0)
    keys: list[SplitKey] = [(TASK.name, CLEAN, None, 0.0), (TASK.name, dimension.name, "rule", 0.1)]
    splits = {key: [_record(sample, key) for sample in range(8)] for key in keys}
    return write_splits(path, [TASK], [dimension], splits, name="pairs")


def _record(sample: int, key: SplitKey) -> Record:
    task, dimension, setting, degree = key
    name = sample_id(task, sample)
    texts = (f"a good film {sample // 2}", f"a very bad film {degree}")
    text, pair = texts if sample % 2 else texts[::-1]
    return Record(
        id=clean_id(name) if setting is None else case_id(name, dimension, setting, degree, 0),
        sample_id=name,
        text=text,
        text_pair=pair,
        original_text=None if setting is None else text,
        label=sample % 2,
        task=task,
        dimension=dimension,
        setting=setting,
        degree=degree,
        realised_degree=degree,
    )
