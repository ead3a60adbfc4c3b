"""How things of a release are called: degrees, ids, configs and paths, each derived in one place."""

import re
from decimal import Decimal
from pathlib import Path
from typing import Final

from contract.machine.errors import bad_input

CLEAN = "clean"
TRAIN = "train"
# The tier of attacked cases that fool their source and enough of the other families.
TRANSFERABLE: Final = "transferable"
SPLIT_WITHOUT_DEGREES = "test"
# How eval.yaml and files for the Hub call the score of a whole release.
OVERALL = "overall"
# How the names of decoys end: of the folder, and of the release that they are frozen as.
DECOYS = "-decoys"
# As results and ids call the degree of a split that has none.
KEY_WITHOUT_DEGREE = "any"
# Its presence says that a folder is a site that was written here, and may be replaced whole.
SITE_MARKER = ".hardfrost-site"

MOST_CHARACTERS_OF_A_NAME = 60
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def check_name(name: str, what: str) -> str:
    """Return the name if it is kebab-case, since it becomes part of paths, ids and configs."""
    if not _NAME.fullmatch(name) or len(name) > MOST_CHARACTERS_OF_A_NAME:
        raise bad_input(
            f"{what} {name!r} is not a name: use small letters, digits and single dashes, at most 60 of them"
        )
    return name


def degree_key(degree: float | None) -> str:
    """Return the degree as results write it: 0.05 gives "0.05", 0.1 gives "0.1", none gives "any"."""
    return KEY_WITHOUT_DEGREE if degree is None else format(Decimal(repr(degree)).normalize(), "f")


def degree_digits(degree: float) -> str:
    """Return the degree as ids and files write it: 0.05 gives "05", 0.1 gives "10", 1 gives "100"."""
    whole, _, digits = degree_key(degree).partition(".")
    return ("" if whole == "0" else whole) + digits.ljust(2, "0")


def split_name(degree: float | None) -> str:
    """Return the split's name inside its config; `degree_05` for 0.05."""
    return SPLIT_WITHOUT_DEGREES if degree is None else f"degree_{degree_digits(degree)}"


def sample_id(task: str, row: int) -> str:
    """Return the id of the sample that stands at this row of the task's source."""
    return f"{task}-{row:05d}"


def clean_id(sample: str) -> str:
    """Return the id of a sample's unperturbed row."""
    return f"{sample}.{CLEAN}"


def train_id(sample: str) -> str:
    """Return the id of a training row."""
    return f"{sample}.{TRAIN}"


def case_id(sample: str, dimension: str, setting: str, degree: float | None, case: int) -> str:
    """Return a case's id, which says where it comes from."""
    digits = KEY_WITHOUT_DEGREE if degree is None else degree_digits(degree)
    return f"{sample}.{dimension}.{setting}.{digits}.{case}"


def config_name(task: str, dimension: str, setting: str | None, tier: str | None = None) -> str:
    """Return the Hub config that holds a split, or only the rows of a tier."""
    return "__".join(part for part in (task, dimension, setting, tier) if part is not None)


def split_path(
    task: str, dimension: str, setting: str | None, degree: float | None, tier: str | None = None
) -> str:
    """Return the split's file inside the release, with forward slashes; a tier has a file of its own."""
    if setting is None:
        return f"data/{task}/{dimension}.parquet"
    name = split_name(degree) if tier is None else f"{split_name(degree)}_{tier}"
    return f"data/{task}/{dimension}/{setting}/{name}.parquet"


def decoys_path(release_path: Path) -> Path:
    """Return where a build keeps the decoys of a release: beside it, never in it."""
    return release_path.with_name(f"{release_path.name}{DECOYS}")


def decoy_sample(sample: str, label: int) -> str:
    """Return the id of a sample that is treated as if another label were right."""
    return f"{sample}~{label}"


def sample_of_decoy(decoy: str) -> str:
    """Return the id of the sample that a decoy was made of."""
    return decoy.rpartition("~")[0] or decoy


def tag_of(version: str) -> str:
    """Return the tag under which the Hub keeps a version; "1.0" gives "v1.0"."""
    return f"v{version.removeprefix('v')}"


def version_order(version: str) -> tuple[int, ...]:
    """Return what sorts versions and tags: 1.10 after 1.9; what is no version comes first."""
    parts = version.removeprefix("v").split(".")
    return tuple(map(int, parts)) if all(part.isdecimal() for part in parts) else ()
