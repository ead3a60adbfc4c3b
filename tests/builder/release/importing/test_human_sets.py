"""Sets that people wrote, each from a made file in its published format."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from builder.commands.import_release import import_release
from builder.release.importing.human_sets import HUMAN_SETS
from contract.machine.errors import UserError
from contract.machine.progress import Silence
from contract.release.release import Release
from contract.release.verification import verify
from contract.schema.records import Record, records_of


def json_lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write one object a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def anli(folder: Path) -> list[Path]:
    """Write two rounds."""
    row = {"uid": "u", "model_label": "n", "emturk": True, "genre": "wiki", "reason": "r", "tag": "t"}
    rows = [
        {**row, "context": f"context {n}", "hypothesis": f"claim {n}", "label": "enc"[n % 3]}
        for n in range(6)
    ]
    return [json_lines(folder / name / "test.jsonl", rows) for name in ("R1", "R3")]


def advsquad(folder: Path) -> list[Path]:
    """Write a question with its original paragraph and two added sentences, behind and before it."""

    def paragraph(name: str, context: str) -> dict[str, Any]:
        answers = [{"text": "Denver", "answer_start": 0}]
        return {"context": context, "qas": [{"id": name, "question": "Who won?", "answers": answers}]}

    paragraphs = [
        paragraph("q1", "Denver won in May."),
        paragraph("q1-high-conf-turk0", "Denver won in May. Jeff lost in June."),
        paragraph("q1-high-conf-turk1", "Jeff lost in July. Denver won in May."),
    ]
    path = folder / "sample1k-HCVerifyAll.json"
    path.write_text(json.dumps({"data": [{"title": "Games", "paragraphs": paragraphs}], "version": "0.1"}))
    return [path]


def checklist(folder: Path) -> list[Path]:
    """Write tests of two abilities, one of them neutral."""
    rows = [
        {
            "test_name": "used to, but now",
            "capability": "Temporal",
            "text": "I used to hate it, now I like it.",
            "label": 2,
        },
        {"test_name": "simple negations", "capability": "Negation", "text": "It is not good.", "label": 0},
        {"test_name": "simple negations", "capability": "Negation", "text": "It is not red.", "label": 1},
    ]
    return [json_lines(folder / "sentiment.jsonl", rows)]


def stresstest(folder: Path) -> list[Path]:
    """Write two tests with MultiNLI's fields."""
    row = {"annotator_labels": [], "genre": "g", "pairID": "1", "promptID": "1", "sentence1_parse": "(ROOT)"}
    claim = "Tim has apples and true is true."
    rows = [
        {**row, "gold_label": label, "sentence1": f"Tim has {n} apples.", "sentence2": claim}
        for n, label in enumerate(("entailment", "neutral", "contradiction"))
    ]
    names = ("multinli_0.9_quant_hard.jsonl", "multinli_0.9_negation_matched.jsonl")
    return [json_lines(folder / name, rows) for name in names]


def counterfactual(folder: Path) -> list[Path]:
    """Write two pairs."""
    path = folder / "test_paired.tsv"
    path.write_text(
        "Sentiment\tText\tbatch_id\n"
        "Negative\ta dull film\t4\nPositive\ta fine film\t4\n"
        'Positive\t"a ""great"" film"\t7\nNegative\t"a ""poor"" film"\t7\n'
    )
    return [path]


def contrast(folder: Path) -> list[Path]:
    """Write originals and what they were changed to."""
    texts = {"test_original.tsv": "Negative\ta dull film", "test_contrast.tsv": "Positive\ta fine film"}
    for name, line in texts.items():
        (folder / name).write_text(f"Sentiment\tText\n{line}\n")
    return [folder / name for name in texts]


MADE = {
    "anli": anli,
    "advsquad": advsquad,
    "checklist": checklist,
    "stresstest": stresstest,
    "counterfactual": counterfactual,
    "contrast": contrast,
}
# Number of cases, dimensions, and the first row's texts and label.
EXPECTED: dict[str, tuple[int, list[str], tuple[str, str | None], str]] = {
    "anli": (12, ["anli-r1", "anli-r3"], ("context 0", "claim 0"), "entailment"),
    "advsquad": (2, ["advsquad"], ("Who won?", "Jeff lost in June."), "not_entailment"),
    "checklist": (
        2,
        ["checklist-temporal", "checklist-negation"],
        ("I used to hate it, now I like it.", None),
        "positive",
    ),
    "stresstest": (
        6,
        ["stress-quant-hard", "stress-negation-matched"],
        ("Tim has 0 apples.", "Tim has apples and true is true."),
        "entailment",
    ),
    "counterfactual": (2, ["counterfactual"], ("a fine film", None), "positive"),
    "contrast": (1, ["contrast"], ("a fine film", None), "positive"),
}


def imported(name: str, files: list[Path], out: Path) -> tuple[Release, list[Record]]:
    """Import files by the command and return the release with its cases in the order of the files."""
    done = CliRunner().invoke(import_release, [name, *map(str, files), "-o", str(out)])
    assert done.exit_code == 0, done.output
    release = Release.open(out)
    assert verify(release, Silence()) == []
    cases = [
        record
        for split in release.manifest.splits
        if split.is_adversarial
        for record in records_of(release.table(split))
    ]
    return release, sorted(cases, key=lambda record: record.case)


@pytest.mark.parametrize("name", HUMAN_SETS)
def test_a_published_file_becomes_a_release_that_verifies(name: str, tmp_path: Path) -> None:
    """With its texts, labels and dimensions, and its licence in a whole card."""
    release, cases = imported(name, MADE[name](tmp_path), tmp_path / "out")
    n_cases, dimensions, texts, label = EXPECTED[name]
    assert release.manifest.imported_from == release.manifest.name == name
    assert len(cases) == n_cases
    assert [info.name for info in release.manifest.dimensions] == dimensions
    (task,) = release.manifest.tasks
    assert ((cases[0].text, cases[0].text_pair), task.labels[cases[0].label]) == (texts, label)
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert task.licence.split(";")[0] in card
    assert "incomplete" not in card
    assert (tmp_path / "out" / "DATASHEET.md").is_file()


def test_both_added_sentences_of_a_paragraph_are_found(tmp_path: Path) -> None:
    """Behind the paragraph or before it; the original question is no row."""
    _, cases = imported("advsquad", advsquad(tmp_path), tmp_path / "out")
    assert [case.text_pair for case in cases] == ["Jeff lost in June.", "Jeff lost in July."]
    assert [case.method for case in cases] == ["q1-high-conf-turk0", "q1-high-conf-turk1"]


@pytest.mark.parametrize("name", ["counterfactual", "contrast"])
def test_a_text_whose_label_turned_has_no_clean_row(name: str, tmp_path: Path) -> None:
    """Its original stands beside it, with the edits between them."""
    release, cases = imported(name, MADE[name](tmp_path), tmp_path / "out")
    assert cases[0].original_text == "a dull film"
    assert [(edit.original, edit.replacement) for _, edit in cases[0].edits] == [("dull", "fine")]
    assert not release.manifest.tasks[0].has_all_originals
    assert [split.rows for split in release.manifest.splits if split.dimension == "clean"] == [0]


FAULTS: list[tuple[str, str, str]] = [
    (
        "anli",
        '{"context": "a", "hypothesis": "b", "label": "x"}',
        "test.jsonl:1: `label` is 'x', expected 'e' or",
    ),
    (
        "anli",
        '{"context": "", "hypothesis": "b", "label": "e"}',
        "test.jsonl:1: `context` is '', expected a text",
    ),
    ("anli", "[1]", "test.jsonl:1: expected an object"),
    ("anli", "{", "test.jsonl:1: not JSON"),
    ("anli", '{"a": ' * 5_000, "test.jsonl:1: not JSON"),
    ("anli", '{"context": "\\ud800", "hypothesis": "b", "label": "e"}', "test.jsonl:1: not JSON"),
    ("anli", "", "no rows"),
    ("advsquad", "[]", "`data` is None, expected a list"),
    (
        "advsquad",
        '{"data": [{"paragraphs": [{"context": "c", "qas": [{"id": "a"}]}]}]}',
        "data[0].paragraphs[0].qas[0]",
    ),
    (
        "advsquad",
        '{"data": [{"paragraphs": [{"context": "c", "qas": [{"id": "a-high-conf", "question": "q"}]}]}]}',
        "question 'a-high-conf'",
    ),
    ("checklist", '{"test_name": "t", "text": "x", "label": true}', "`label` is True"),
    ("stresstest", '{"gold_label": "-", "sentence1": "a", "sentence2": "b"}', "`gold_label` is '-'"),
    ("counterfactual", "Sentiment\tText\nPositive\ta", ":1: no column `batch_id`"),
    ("counterfactual", "Sentiment\tText\tbatch_id\nPositive\ta\t1", "'1' stands on 1 lines, expected 2"),
    ("counterfactual", "Sentiment\tText\tbatch_id\nPositive\ta", ":2: 2 columns, expected 3"),
    ("counterfactual", 'Sentiment\tText\tbatch_id\nPositive\t"a', "not a table with tabs"),
    ("contrast", "Sentiment\tText\n", "give two, test_original.tsv and test_contrast.tsv"),
]


@pytest.mark.parametrize("number", range(len(FAULTS)))
def test_what_is_wrong_with_a_file_is_named_with_its_place(number: int, tmp_path: Path) -> None:
    """No row is skipped in silence, and nothing is written."""
    name, text, reason = FAULTS[number]
    path = tmp_path / "test.jsonl"
    path.write_text(text)
    done = CliRunner().invoke(import_release, [name, str(path), "-o", str(tmp_path / "out")])
    assert isinstance(done.exception, UserError)
    assert reason in done.exception.message
    assert not (tmp_path / "out").exists()


def test_contrast_files_must_be_pairs(tmp_path: Path) -> None:
    """Rows are paired by their lines."""
    files = contrast(tmp_path)
    files[1].write_text(files[1].read_text() + "Negative\tone more\n")
    done = CliRunner().invoke(import_release, ["contrast", *map(str, files), "-o", str(tmp_path / "out")])
    assert isinstance(done.exception, UserError)
    assert "they must be pairs" in done.exception.message
