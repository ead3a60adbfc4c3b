"""The `datasets` library is really called, on folders that need no network."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from builder.tasks.task import load_tasks
from builder.tasks.task_recipe import Columns, ReadOptions, TaskRecipe
from contract.machine.errors import ExitCode, UserError


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a data set folder as the Hub has them: a config, a ClassLabel, a withheld label."""
    import datasets

    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    path = tmp_path / "glue-like"
    (path / "sst2").mkdir(parents=True)
    features = {
        "sentence": {"dtype": "string", "_type": "Value"},
        "label": {"names": ["negative", "positive"], "_type": "ClassLabel"},
    }
    schema = pa.schema([("sentence", pa.string()), ("label", pa.int64())])
    schema = schema.with_metadata({"huggingface": json.dumps({"info": {"features": features}})})
    rows = pa.table({"sentence": ["good", "bad", "fine", "secret"], "label": [1, 0, 1, -1]}, schema=schema)
    pq.write_table(rows, path / "sst2" / "validation.parquet")
    (path / "README.md").write_text(
        "---\nconfigs:\n- config_name: sst2\n  data_files:\n"
        "  - split: validation\n    path: sst2/validation.parquet\n---\n",
        encoding="utf-8",
    )
    return path


def test_a_config_of_a_data_set_becomes_a_task(folder: Path) -> None:
    """Label names come from the data set; withheld labels are left out when said."""
    reading = ReadOptions(columns=Columns(text="sentence"), split="validation", unlabelled="drop")
    (task,) = load_tasks((TaskRecipe(name="sst2", source=f"hub:{folder}/sst2", read=reading, samples=3),))
    assert task.info.labels == ("negative", "positive")
    assert {sample.id: sample.label for sample in task.samples} == {
        "sst2-00000": 1,
        "sst2-00001": 0,
        "sst2-00002": 1,
    }


def test_a_label_without_a_name_is_refused_by_its_row(folder: Path) -> None:
    """The data set says which names there are."""
    path = folder / "sst2" / "validation.parquet"
    table = pq.read_table(path)
    pq.write_table(table.set_column(1, table.schema.field("label"), pa.array([1, 7, 0, -1])), path)
    reading = ReadOptions(columns=Columns(text="sentence"), split="validation", unlabelled="drop")
    with pytest.raises(UserError, match="row 1: the label 7 is none of its names"):
        load_tasks((TaskRecipe(name="sst2", source=f"hub:{folder}/sst2", read=reading, samples=2),))


def test_damaged_files_of_a_data_set_are_an_error(folder: Path) -> None:
    """Whatever the library raises."""
    (folder / "sst2" / "validation.parquet").write_bytes(b"PAR1 and no more")
    reading = ReadOptions(columns=Columns(text="sentence"), split="validation", unlabelled="drop")
    with pytest.raises(UserError, match="cannot be loaded"):
        load_tasks((TaskRecipe(name="sst2", source=f"hub:{folder}/sst2", read=reading, samples=2),))


def test_a_wrong_column_is_answered_with_those_there_are(folder: Path) -> None:
    """The remedy stands in the message."""
    reading = ReadOptions(split="validation", config="sst2")
    with pytest.raises(UserError, match="no column 'text'; its columns are: sentence, label"):
        load_tasks((TaskRecipe(name="sst2", source=f"hub:{folder}", read=reading, samples=2),))


def test_a_data_set_that_cannot_be_had_is_a_network_error(folder: Path) -> None:
    """Exit 5, with what was tried."""
    with pytest.raises(UserError, match="cannot be loaded") as caught:
        load_tasks((TaskRecipe(name="x", source="hub:nobody/nothing", samples=1),))
    assert caught.value.exit_code is ExitCode.NETWORK


def test_empty_texts_are_refused_or_dropped_and_labels_filled_in(folder: Path) -> None:
    """As in files; a data set without a column of labels gets one label."""
    path = folder / "sst2" / "validation.parquet"
    table = pq.read_table(path)
    texts = pa.array(["good", None, "fine", " "])
    pq.write_table(table.set_column(0, table.schema.field("sentence"), texts), path)
    reading = ReadOptions(columns=Columns(text="sentence"), split="validation", unlabelled="drop")
    recipe = TaskRecipe(name="sst2", source=f"hub:{folder}/sst2", read=reading, samples=2)
    with pytest.raises(UserError, match=r"row 1: a text is empty.*empty: drop"):
        load_tasks((recipe,))
    (task,) = load_tasks((recipe.model_copy(update={"read": reading.model_copy(update={"empty": "drop"})}),))
    assert {sample.text for sample in task.samples} == {"good", "fine"}
    unlabelled = ReadOptions(
        columns=Columns(text="sentence", label="verdict"),
        split="validation",
        empty="drop",
        default_label="benign",
    )
    update = {"read": unlabelled, "labels": ("benign", "attack")}
    (task,) = load_tasks((recipe.model_copy(update=update),))
    assert {sample.label for sample in task.samples} == {0}
