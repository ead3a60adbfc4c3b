"""The sets that people wrote to make models fail, each as tasks and rows. One function a set."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builder.release.importing.advsquad import read_advsquad
from builder.release.importing.imported_rows import (
    ImportedRow,
    ImportedTask,
    PublishedSet,
    write_import,
)
from builder.release.importing.published_files import Faults, PublishedLine, json_lines, table_lines
from contract.machine.errors import ExitCode, UserError, bad_input
from contract.schema.manifest import DimensionInfo, Manifest

MNLI = ImportedTask(
    name="mnli", fields=("premise", "hypothesis"), labels=("entailment", "neutral", "contradiction")
)
IMDB = ImportedTask(name="imdb", fields=("text",), labels=("negative", "positive"))
SENTIMENT = ImportedTask(name="sentiment", fields=("text",), labels=("negative", "positive"))
NLI_LABELS = {label: label for label in MNLI.labels}
REVIEW_LABELS = {"Negative": "negative", "Positive": "positive"}

Rows = dict[ImportedTask, list[ImportedRow]]


@dataclass(frozen=True, kw_only=True)
class HumanSet:
    """A set that people wrote: how its files are read, and what its dimensions stand for."""

    published: PublishedSet
    # What `hardfrost import` says of its files.
    files: str
    stands_for: str
    read: Callable[[Sequence[Path]], Rows]


def import_human_set(human_set: HumanSet, paths: Sequence[Path], out: Path) -> Manifest:
    """Write the release of a set's files, and return its manifest."""
    rows = {task: of_task for task, of_task in human_set.read(paths).items() if of_task}
    if not rows:
        raise bad_input(f"{', '.join(map(str, paths))}: no rows; give {human_set.files}")
    names = dict.fromkeys(row.dimension for of_task in rows.values() for row in of_task)
    dimensions = [
        DimensionInfo(
            name=name,
            degree_kind="none",
            degrees=(),
            order=order,
            summary=f"written by the authors of {human_set.published.name} or for them",
            stands_for=human_set.stands_for,
        )
        for order, name in enumerate(names)
    ]
    return write_import(human_set.published, rows, dimensions, paths, out)


def _row(
    rows: Sequence[ImportedRow], label: int, texts: Sequence[str], dimension: str, **others: Any
) -> ImportedRow:
    values = {"originals": None, "method": None, "construction": "human", **others}
    return ImportedRow(place=len(rows), label=label, texts=tuple(texts), dimension=dimension, **values)


def name_of(text: str, fallback: str) -> str:
    """Return words as a name: `Numerical Reasoning` gives `numerical-reasoning`."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:50].strip("-") or fallback


def _read_anli(paths: Sequence[Path]) -> Rows:
    """Return ANLI's rows; a file in a folder R1, R2 or R3 is of that round."""
    faults, rows = Faults(), list[ImportedRow]()
    for path in paths:
        round_name = path.resolve().parent.name
        dimension = f"anli-{round_name.lower()}" if re.fullmatch(r"R[123]", round_name) else "anli"
        for line in json_lines(path, faults):
            names = {"e": "entailment", "n": "neutral", "c": "contradiction"}
            label = faults.label(line, "label", names, MNLI)
            texts = [faults.text(line, field) for field in ("context", "hypothesis")]
            rows.append(_row(rows, label, texts, dimension))
    faults.check()
    return {MNLI: rows}


def _read_stress_test(paths: Sequence[Path]) -> Rows:
    """Return the rows of stress tests, which have MultiNLI's fields; a file is a dimension."""
    faults, rows = Faults(), list[ImportedRow]()
    for path in paths:
        dimension = name_of(re.sub(r"multinli_[0-9.]+_", "", path.stem), "stresstest")
        for line in json_lines(path, faults):
            label = faults.label(line, "gold_label", NLI_LABELS, MNLI)
            texts = [faults.text(line, field) for field in ("sentence1", "sentence2")]
            rows.append(_row(rows, label, texts, f"stress-{dimension}"))
    faults.check()
    return {MNLI: rows}


def _read_checklist(paths: Sequence[Path]) -> Rows:
    """Return the rows of CheckList's sentiment tests; neutral ones have no label of the task."""
    faults, rows = Faults(), list[ImportedRow]()
    names = {0: "negative", 1: "neutral", 2: "positive", "negative": "negative", "positive": "positive"}
    known = ImportedTask(name="known", fields=("text",), labels=("negative", "neutral", "positive"))
    for path in paths:
        for line in json_lines(path, faults):
            label = known.labels[faults.label(line, "label", {**names, "neutral": "neutral"}, known)]
            text, test = faults.text(line, "text"), faults.text(line, "test_name")
            if label != "neutral":
                capability = line.values.get("capability")
                method = capability if isinstance(capability, str) and capability.strip() else test
                dimension = f"checklist-{name_of(method, 'tests')}"
                rows.append(_row(rows, SENTIMENT.labels.index(label), [text], dimension, method=test))
    faults.check()
    return {SENTIMENT: rows}


def _read_counterfactual(paths: Sequence[Path]) -> Rows:
    """Return reviews that were revised so that their label turns, each with its original."""
    faults, rows = Faults(), list[ImportedRow]()
    for path in paths:
        pairs: dict[str, list[PublishedLine]] = {}
        for line in table_lines(path, ("Sentiment", "Text", "batch_id"), faults):
            pairs.setdefault(str(line.values["batch_id"]), []).append(line)
        for name, lines in pairs.items():
            if len(lines) == 2:
                rows.append(_revised(rows, lines[0], lines[1], "counterfactual", faults))
            else:
                faults.add(lines[0].where, f"batch_id {name[:40]!r} stands on {len(lines)} lines, expected 2")
    faults.check()
    return {IMDB: rows}


def _read_contrast(paths: Sequence[Path]) -> Rows:
    """Return reviews that experts changed, each with the original on the same line of the other file."""
    if len(paths) != 2:
        raise UserError(
            f"import contrast: {len(paths)} files; give two, test_original.tsv and test_contrast.tsv",
            exit_code=ExitCode.WRONG_USE,
        )
    faults, rows = Faults(), list[ImportedRow]()
    originals, changed = (list(table_lines(path, ("Sentiment", "Text"), faults)) for path in paths)
    if len(originals) != len(changed):
        faults.add(
            str(paths[1]), f"{len(changed)} rows, but {paths[0]} has {len(originals)}; they must be pairs"
        )
    for original, line in zip(originals, changed, strict=False):
        rows.append(_revised(rows, original, line, "contrast", faults))
    faults.check()
    return {IMDB: rows}


def _revised(
    rows: Sequence[ImportedRow], original: PublishedLine, line: PublishedLine, dimension: str, faults: Faults
) -> ImportedRow:
    label = faults.label(line, "Sentiment", REVIEW_LABELS, IMDB)
    texts = [faults.text(line, "Text")]
    return _row(rows, label, texts, dimension, originals=(faults.text(original, "Text"),))


def _human_sets() -> Iterator[HumanSet]:
    yield HumanSet(
        published=PublishedSet(
            name="anli",
            source="Adversarial NLI, https://github.com/facebookresearch/anli",
            licence="CC BY-NC 4.0",
        ),
        files="test.jsonl of R1, R2 or R3, as anli_v1.0.zip holds them",
        stands_for="statements that people wrote, round by round, until a model was wrong about them",
        read=_read_anli,
    )
    yield HumanSet(
        published=PublishedSet(
            name="advsquad",
            source="Adversarial SQuAD, https://github.com/robinjia/adversarial-squad",
            licence="MIT for the additions; SQuAD, whose questions these are, is CC BY-SA 4.0",
        ),
        files="sample1k-HCVerifyAll.json or sample1k-HCVerifySample.json",
        stands_for="sentences like an answer that do not answer the question",
        read=read_advsquad,
    )
    yield HumanSet(
        published=PublishedSet(
            name="checklist", source="CheckList, https://github.com/marcotcr/checklist", licence="MIT"
        ),
        files="sentiment tests as lines of JSON with test_name, text and label",
        stands_for="short sentences from templates, each of which tests one ability",
        read=_read_checklist,
    )
    yield HumanSet(
        published=PublishedSet(
            name="stresstest",
            source="Stress tests for NLI, https://abhilasharavichander.github.io/NLI_StressTest/",
            licence="not stated by its authors; changes MultiNLI, whose licence is mixed by genre",
        ),
        files="files like multinli_0.9_quant_hard.jsonl",
        stands_for="pairs made by rules that test numbers, opposites, distraction or noise",
        read=_read_stress_test,
    )
    yield HumanSet(
        published=PublishedSet(
            name="counterfactual",
            source="Counterfactually augmented IMDb,"
            " https://github.com/acmi-lab/counterfactually-augmented-data",
            licence="not stated by its authors; changes reviews of the IMDb set, which states none",
        ),
        files="sentiment/combined/paired/test_paired.tsv",
        stands_for="reviews that people revised as little as possible so that the opinion turns",
        read=_read_counterfactual,
    )
    yield HumanSet(
        published=PublishedSet(
            name="contrast",
            source="Contrast sets for IMDb, https://github.com/allenai/contrast-sets",
            licence="not stated by its authors; changes reviews of the IMDb set, which states none",
        ),
        files="IMDb/data/test_original.tsv and test_contrast.tsv, in this order",
        stands_for="reviews that experts changed a little so that the opinion turns",
        read=_read_contrast,
    )


HUMAN_SETS: Mapping[str, HumanSet] = {one.published.name: one for one in _human_sets()}
