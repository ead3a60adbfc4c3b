"""The ready recipes of tasks with many labels load files as they are published."""

import gzip
import json
from pathlib import Path

import pytest

from builder.recipe.overrides import with_data_sources
from builder.recipe.recipe_file import find_recipe, read_recipe
from builder.release.documents.task_cards import CARDS_PATH, read_card
from builder.tasks.task import Task, load_tasks

DATA = Path(__file__).parents[4] / "shared" / "data"
COLUMNS = ("S", "H", "V", "HR", "SH", "S3", "H2", "V2")


def _loaded(recipe: str, source: Path, train: str) -> Task:
    task = read_recipe(find_recipe(recipe)).tasks[0].name
    trains = [f"{task}={train}"] if train else []
    changed = with_data_sources(read_recipe(find_recipe(recipe)), [f"{task}=file:{source}"], trains)
    (loaded,) = load_tasks(changed.tasks)
    card = read_card(CARDS_PATH / f"{changed.tasks[0].card}.yaml")
    assert set(loaded.info.labels) == set(card.labels)
    assert len(loaded.samples) == changed.tasks[0].samples
    return loaded


def test_the_moderation_recipe_reads_a_packed_file(tmp_path: Path) -> None:
    """Columns that a row lacks were not judged."""
    rows = [
        {"prompt": f"a text about number {n}", **dict.fromkeys(COLUMNS[n % 3 :], n % 2)} for n in range(900)
    ]
    path = tmp_path / "samples.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    task = _loaded("moderation", path, "")
    assert task.info.labels[:2] == ("sexual", "hate")
    assert task.lists is not None
    assert {codes[0] for codes in task.lists.values()} == {0, 1, None}


def test_the_recipe_of_parts_of_speech_reads_conllu(tmp_path: Path) -> None:
    """Its columns on the Hub are not those of the file."""
    lines = [
        f"1\tword{n}\t_\tNOUN\t_\t_\t_\t_\t_\t_\n2\truns\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n" for n in range(600)
    ]
    path = tmp_path / "test.conllu"
    path.write_text("".join(lines), encoding="utf-8")
    task = _loaded("zeroe-pos", path, "rest")
    assert task.info.kind == "tagging"
    assert len(task.info.labels) == 17


@pytest.mark.skipif(not DATA.is_dir(), reason=f"the development data are not at {DATA}")
def test_the_recipes_load_real_files() -> None:
    """Those that are found on the web."""
    moderation = _loaded("moderation", DATA / "guard" / "openai_moderation_1680.jsonl.gz", "")
    assert moderation.n_rows == 1680
    folder = DATA / "ud_ewt"
    ewt = _loaded("zeroe-pos", folder / "en_ewt-ud-test.conllu", f"file:{folder / 'en_ewt-ud-dev.conllu'}")
    assert ewt.n_rows == 2077
