"""AdvGLUE's dev file becomes a release that verifies, with originals, edits and the file's order."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from builder.commands.import_release import import_release
from builder.release.importing.advglue import import_advglue
from contract.machine.errors import ExitCode, UserError
from contract.machine.progress import Silence
from contract.release.release import Release
from contract.release.verification import verify
from contract.schema.edits import Edit
from contract.schema.records import Record, records_of

Document = dict[str, list[dict[str, Any]]]
ANNOTATIONS = ("data_construction", "method")


def _write(path: Path, document: object) -> Path:
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def _plain(document: Document) -> Document:
    """Return the rows as the plain file has them."""
    return {
        task: [
            {key: row[key] for key in row if key not in ANNOTATIONS and not key.startswith("original_")}
            for row in rows
        ]
        for task, rows in document.items()
    }


def _records(path: Path, task: str, dimension: str) -> list[Record]:
    release = Release.open(path)
    splits = release.splits(task=task, dimension=dimension)
    return [record for split in splits for record in records_of(release.table(split))]


@pytest.fixture
def annotated(advglue_document: Document, tmp_path: Path) -> Path:
    """Return the release of the annotated file."""
    import_advglue(_write(tmp_path / "dev_ann.json", advglue_document), tmp_path / "release")
    return tmp_path / "release"


def test_an_annotated_file_becomes_a_release_that_verifies(annotated: Path) -> None:
    """Tasks, labels and metrics are those of GLUE; how rows were made becomes their dimension."""
    release = Release.open(annotated)
    manifest = release.manifest
    assert verify(release, Silence()) == []
    assert (manifest.name, manifest.imported_from) == ("advglue-annotated", "advglue")
    assert [task.name for task in manifest.tasks] == ["sst2", "qqp", "mnli", "mnli-mm", "qnli", "rte"]
    assert manifest.task("sst2").labels == ("negative", "positive")
    assert manifest.task("qqp").metrics == ("accuracy", "f1")
    assert manifest.task("mnli").labels == ("entailment", "neutral", "contradiction")
    assert {task.name for task in manifest.tasks if task.group == "mnli"} == {"mnli", "mnli-mm"}
    assert [(info.name, info.level) for info in manifest.dimensions] == [
        ("word-textfooler", "word"),
        ("sentence-stresstest", "sentence"),
        ("human-checklist", None),
    ]
    assert {info.degree_kind for info in manifest.dimensions} == {"none"}
    assert (annotated / "data/sst2/word-textfooler/imported/test.parquet").is_file()
    assert "AdvGLUE" in (annotated / "README.md").read_text(encoding="utf-8")


def test_cases_of_one_original_share_a_sample_and_its_clean_row(annotated: Path) -> None:
    """Rows 0 and 3 of a task come from the same original; what people wrote has none."""
    clean = _records(annotated, "sst2", "clean")
    assert [record.id for record in clean] == ["sst2-00000.clean", "sst2-00001.clean", "sst2-00002.clean"]
    assert clean[1].text == "the sentence number 1 of sst2 , as it was ."
    (case,) = [record for record in _records(annotated, "sst2", "sentence-stresstest") if record.case == 3]
    assert case.id == "sst2-00000.sentence-stresstest.imported.any.3"
    assert case.sample_id == clean[0].sample_id
    assert (case.original_text, case.label) == (clean[0].text, clean[0].label)
    assert (case.method, case.setting, case.degree) == ("StressTest", "imported", None)
    written = _records(annotated, "sst2", "human-checklist")
    assert [record.sample_id for record in written] == ["sst2-00006", "sst2-00007"]
    assert [record.original_text for record in written] == [None, None]


def test_edits_say_what_was_done_to_which_text(annotated: Path) -> None:
    """The text that was not perturbed is its own original."""
    record = _records(annotated, "qqp", "word-textfooler")[1]
    assert record.field == "text_pair"
    assert record.original_text == record.text
    assert record.edits == (
        ("text_pair", Edit(14, 20, "number", "nunber1")),
        ("text_pair", Edit(41, 41, "", " and true is true")),
    )
    # Of 9 words one is replaced and one adjoins the insertion.
    assert record.word_modification_rate == 2 / 9
    assert _records(annotated, "qqp", "human-checklist")[0].word_modification_rate is None


def test_a_plain_file_has_one_dimension_and_no_clean_rows(advglue_document: Document, tmp_path: Path) -> None:
    """Nothing is made up: no originals, no edits, every row its own sample."""
    file = _write(tmp_path / "dev.json", _plain(advglue_document))
    manifest = import_advglue(file, tmp_path / "release")
    release = Release.open(tmp_path / "release")
    assert verify(release, Silence()) == []
    assert manifest.name == "advglue"
    assert [info.name for info in manifest.dimensions] == ["advglue"]
    assert not any(task.has_all_originals for task in manifest.tasks)
    assert [split.rows for split in release.splits(dimension="clean")] == [0] * 6
    records = _records(tmp_path / "release", "rte", "advglue")
    assert [record.id for record in records][:2] == [
        "rte-00000.advglue.imported.any.0",
        "rte-00001.advglue.imported.any.1",
    ]
    assert {(record.original_text, record.edits, record.field) for record in records} == {(None, (), None)}


@pytest.mark.parametrize("make", [_plain, dict])
def test_the_order_of_the_file_can_be_recovered(
    make: Callable[[Document], Document], advglue_document: Document, tmp_path: Path
) -> None:
    """`case` is a row's place in its list, whatever split it went to."""
    import_advglue(_write(tmp_path / "dev.json", make(advglue_document)), tmp_path / "release")
    release = Release.open(tmp_path / "release")
    for task, rows in advglue_document.items():
        records = [
            record
            for split in release.splits(task=task)
            if split.is_adversarial
            for record in records_of(release.table(split))
        ]
        by_place = sorted(records, key=lambda record: record.case)
        assert [record.case for record in by_place] == list(range(len(rows)))
        first = next(key for key in rows[0] if key not in {"idx", "label"})
        assert [record.text for record in by_place] == [row[first] for row in rows]
        assert [record.label for record in by_place] == [row["label"] for row in rows]


def test_the_same_file_gives_the_same_manifest(advglue_document: Document, tmp_path: Path) -> None:
    """Wherever it lies and whatever it is called."""
    manifests = [
        import_advglue(_write(tmp_path / f"{name}.json", advglue_document), tmp_path / name)
        for name in ("first", "second")
    ]
    assert manifests[0] == manifests[1]
    assert (tmp_path / "first/README.md").read_bytes() == (tmp_path / "second/README.md").read_bytes()


BROKEN: dict[str, tuple[Callable[[Document], object], str]] = {
    "label": (lambda rows: rows["sst2"][3].update(label=2), "sst2[3]: label 2 is none of 0 (negative), 1"),
    "bool": (lambda rows: rows["sst2"][3].update(label=True), "sst2[3]: label True is none of"),
    "no label": (lambda rows: rows["mnli-mm"][0].pop("label"), "mnli-mm[0]: no `label`"),
    "no text": (lambda rows: rows["qnli"][1].pop("question"), "qnli[1]: no `question`; rows of qnli need"),
    "text": (lambda rows: rows["rte"][7].update(sentence2=5), "rte[7]: sentence2 5 is not a text"),
    "empty": (lambda rows: rows["rte"][7].update(sentence2=" "), "rte[7]: sentence2 ' ' is not a text"),
    "surrogate": (lambda rows: rows["rte"][7].update(sentence2="\ud800"), "rte[7]: sentence2"),
    "original": (
        lambda rows: rows["qqp"][0].update(original_question1=["x"]),
        "qqp[0]: original_question1 ['x'] is not a text",
    ),
    "idx": (lambda rows: rows["qqp"][0].update(idx="1"), "qqp[0]: idx '1' is not a whole number"),
    "method": (lambda rows: rows["qqp"][0].update(method=3), "qqp[0]: method 3 is not a text"),
    "dimension": (
        lambda rows: rows["qqp"][0].update(method="x" * 80),
        "qqp[0]: the dimension that data_construction and method give, 'word-xxx",
    ),
    "reserved": (
        lambda rows: rows["qqp"][0].update(data_construction="Clean", method=None),
        "qqp[0]: data_construction and method give the dimension 'clean'",
    ),
    "row": (lambda rows: rows["qnli"].append("x"), "qnli[8]: expected an object, found 'x'"),
    "no task": (lambda rows: rows.pop("rte"), "rte: missing"),
    "no rows": (lambda rows: rows["rte"].clear(), "rte: expected a list of rows, found []"),
    "task": (lambda rows: rows.update(sts2=[]), "unknown task 'sts2'; did you mean 'sst2'?"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_is_named_with_its_key_and_index(
    name: str, advglue_document: Document, tmp_path: Path
) -> None:
    """And nothing is written."""
    damage, expected = BROKEN[name]
    damage(advglue_document)
    file = _write(tmp_path / "dev.json", advglue_document)
    with pytest.raises(UserError) as caught:
        import_advglue(file, tmp_path / "release")
    assert f"{file}: {expected}" in caught.value.message
    assert caught.value.exit_code == ExitCode.BAD_INPUT
    assert not (tmp_path / "release").exists()


def test_all_problems_are_listed_together(advglue_document: Document, tmp_path: Path) -> None:
    """One run finds all of them."""
    for damage, _ in (BROKEN["label"], BROKEN["text"], BROKEN["no label"]):
        damage(advglue_document)
    with pytest.raises(UserError) as caught:
        import_advglue(_write(tmp_path / "dev.json", advglue_document), tmp_path / "release")
    assert len(caught.value.message.splitlines()) == 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "not JSON"),
        ('{"sst2": [', "not JSON"),
        ("[1]", "expected an object with a list of rows a task, found [1]"),
        ('{"sst2": [], "sst2": []}', "a key stands twice"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_what_is_no_object_is_refused(text: str, expected: str, tmp_path: Path) -> None:
    """Cut, nested or of another shape."""
    (tmp_path / "dev.json").write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=r"dev\.json: ") as caught:
        import_advglue(tmp_path / "dev.json", tmp_path / "release")
    assert expected in caught.value.message


def test_a_missing_or_binary_file_is_named(tmp_path: Path) -> None:
    """Such as the archive it came in."""
    with pytest.raises(UserError, match="there is no such file"):
        import_advglue(tmp_path / "dev.json", tmp_path / "release")
    (tmp_path / "dev.zip").write_bytes(b"PK\x03\x04\xff\xfe")
    with pytest.raises(UserError, match="cannot be read"):
        import_advglue(tmp_path / "dev.zip", tmp_path / "release")


def test_the_command_says_what_it_wrote(advglue_document: Document, tmp_path: Path) -> None:
    """To people in a line, to scripts as the manifest."""
    file = _write(tmp_path / "dev.json", advglue_document)
    arguments = ["advglue", str(file), "-o", str(tmp_path / "release")]
    answer = CliRunner().invoke(import_release, arguments, catch_exceptions=False)
    assert "advglue-annotated 1.0, 48 cases, 18 originals" in answer.stdout
    answer = CliRunner().invoke(import_release, [*arguments, "--json"], catch_exceptions=False)
    assert json.loads(answer.stdout)["imported_from"] == "advglue"
    _write(file, _plain(advglue_document))
    answer = CliRunner().invoke(import_release, arguments, catch_exceptions=False)
    assert "advglue 1.0, 48 cases, no originals" in answer.stdout
