"""Makes a small release with a typo dimension and one that nobody has heard of."""

from pathlib import Path

from contract.machine.hashes import hash_of
from contract.release.release import writing_release
from contract.schema.edits import Edit, apply_edits
from contract.schema.manifest import DimensionInfo, Manifest, SplitInfo, TaskInfo
from contract.schema.names import case_id, clean_id, sample_id, split_path
from contract.schema.records import COLUMNS, Record

LABELS = ("negative", "positive")
TEXTS = (
    "a quiet, tender <b>film</b> 🎬 & a joy",
    "dull and far too long",
    "the best thing since sliced bread",
)


def make_release(path: Path) -> Path:
    """Write a release of three samples and return its folder."""
    with writing_release(path) as writer:
        splits = []
        for degree, edits in (
            (0.05, [Edit(2, 3, "q", "w")]),
            (0.1, [Edit(2, 3, "q", "w"), Edit(8, 8, "", "\u0430")]),
        ):
            records = [
                Record(
                    id=case_id(sample_id("mr", 0), "typo-malicious", "rule", degree, 0),
                    sample_id=sample_id("mr", 0),
                    text=apply_edits(TEXTS[0], edits),
                    original_text=TEXTS[0],
                    label=1,
                    task="mr",
                    dimension="typo-malicious",
                    setting="rule",
                    degree=degree,
                    realised_degree=degree,
                    field="text",
                    edits=tuple(("text", edit) for edit in edits),
                    surrogate_predictions=(0, 1),
                )
            ]
            splits.append(writer.write_split(_split("typo-malicious", "rule", degree), records, LABELS))
        clean = [
            Record(
                id=clean_id(sample_id("mr", row)),
                sample_id=sample_id("mr", row),
                text=text,
                original_text=text,
                label=1,
                task="mr",
                dimension="clean",
                degree=0.0,
                realised_degree=0.0,
            )
            for row, text in enumerate(TEXTS)
        ]
        splits.append(writer.write_split(_split("clean", None, 0.0), clean, LABELS))
        writer.write_manifest(_manifest(splits))
    return path


def _split(dimension: str, setting: str | None, degree: float) -> SplitInfo:
    path = split_path("mr", dimension, setting, degree)
    return SplitInfo.model_validate(
        {"task": "mr", "dimension": dimension, "setting": setting, "degree": degree, "path": path}
        | {"rows": 0, "samples": 0}
    )


def _manifest(splits: list[SplitInfo]) -> Manifest:
    return Manifest(
        name="robust-reviews",
        version="1.0.0",
        seed=7,
        min_samples=1,
        recipe={},
        recipe_sha256=hash_of({}),
        columns=COLUMNS,
        tasks=(
            TaskInfo(
                name="mr",
                labels=LABELS,
                fields=("text",),
                source="made up",
                licence="CC0-1.0",
                n_samples=3,
                n_train=0,
            ),
        ),
        dimensions=(
            DimensionInfo(
                name="novel",
                tag="general",
                degree_kind="budget",
                degrees=(0.1,),
                order=1,
                summary="Something new.",
            ),
            DimensionInfo(
                name="typo-malicious",
                level="char",
                tag="malicious",
                measure="edit",
                degree_kind="budget",
                degrees=(0.05, 0.1),
                order=0,
                summary="Keys missed on purpose.",
            ),
        ),
        surrogates=(),
        funnel=(),
        overlap=(),
        libraries={},
        canary="canary",
        splits=tuple(splits),
    )
