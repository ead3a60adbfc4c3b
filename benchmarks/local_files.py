"""Local copies of well-known data sets: how a build reads the tasks of the ready recipes from them.

A folder holds one folder a data set, with files as they are found on the web: some without a header, some
with numbers for labels, some with empty cells. What is not there is left out.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class LocalFiles:
    """The files of one task below the folder of all data; how to read them, if not as the recipe says."""

    sources: tuple[str, ...]
    # A file, or nothing: then what is not benchmarked is trained on.
    train: str | None = None
    read: str | None = None


LOCAL_FILES = {
    "sst2": LocalFiles(sources=("sst2/dev.tsv",), train="sst2/train.tsv"),
    "agnews": LocalFiles(sources=("agnews/test.csv",)),
    "jigsaw": LocalFiles(
        sources=("jigsaw/comments.csv",), read="{header: false, columns: {text: 0, label: 1}, empty: drop}"
    ),
    "olid": LocalFiles(sources=("olid/olid-training-v1.0.tsv",)),
    "hatecheck": LocalFiles(sources=("guard/hatecheck_cases.csv",)),
    "spam": LocalFiles(sources=("spam/sms.tsv",)),
    "injection": LocalFiles(sources=("guard/piguard_valid.json",)),
    "trigger-words": LocalFiles(
        sources=(
            "guard/piguard_valid.json",
            "guard/piguard_NotInject_one.json",
            "guard/piguard_NotInject_two.json",
            "guard/piguard_NotInject_three.json",
        )
    ),
    "qqp": LocalFiles(
        sources=("qqp/train_like.csv",),
        read='{delimiter: "\\t", quoting: csv, empty: drop, unlabelled: drop,'
        " columns: {text: sentence1, text_pair: sentence2, label: is_duplicate}}",
    ),
    "snli": LocalFiles(sources=("snli/test.tsv",), train="snli/validation.tsv"),
    "mnli": LocalFiles(sources=("mnli/dev_matched.jsonl",)),
    "qnli": LocalFiles(sources=("qnli/dev.tsv",)),
    "rte": LocalFiles(sources=("rte/dev.tsv",), train="rte/train.tsv"),
}


def build_options(data: Path, tasks: Iterable[str]) -> list[str]:
    """Return the options by which `hardfrost build` reads tasks from the files that are in a folder."""
    options = []
    for task in tasks:
        files = LOCAL_FILES.get(task)
        if files is None or not all((data / name).is_file() for name in files.sources):
            continue
        for name in files.sources:
            options += ["--source", f"{task}=file:{data / name}"]
        train = files.train is not None and (data / files.train).is_file()
        options += ["--train", f"{task}=file:{data / str(files.train)}" if train else f"{task}=rest"]
        if files.read is not None:
            options += ["--read", f"{task}={files.read}"]
    return options
