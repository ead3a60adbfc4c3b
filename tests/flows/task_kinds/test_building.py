"""Tasks with many labels are read from files, built, verified, predicted and shown."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parent))

from answers import noisy_answers, truths_of, written
from conftest import recipe

from builder.recipe.recipe_file import recipe_of
from builder.tasks.task import load_tasks
from contract.machine.errors import UserError
from contract.machine.progress import Silence
from contract.predictions.reading import ReleaseRows, read_predictions
from contract.release.release import Release
from contract.release.verification import verify
from contract.schema.records import COLUMNS
from contract.task_kinds.tagging import tokens_of
from evaluator.predicting.predicting import predict, write_template
from flows.command_line.entry import cli

ROOT = Path(__file__).parents[3]
SHARED = ROOT.parent / "shared" / "data"


def test_the_release_is_as_frozen_and_only_lists_have_the_column(release: Path) -> None:
    """Files of the task with one label have the columns that they always had."""
    opened = Release.open(release)
    assert verify(opened, Silence()) == []
    assert opened.manifest.columns == (*COLUMNS, "labels")
    for split in opened.manifest.splits:
        has_lists = "labels" in opened.columns_of(split)
        assert has_lists == (split.task != "plain")
        if split.rows and has_lists:
            table = opened.table(split, opened.columns_of(split))
            assert set(table["label"].to_pylist()) == {-1}
    kinds = {task.name: task.kind for task in opened.manifest.tasks}
    assert kinds == {"plain": "classification", "moods": "multilabel", "words": "tagging"}
    assert {info.task for info in opened.manifest.surrogates} == {"plain"}


def test_cases_have_the_tokens_of_their_originals(release: Path) -> None:
    """Intruders are no spaces there, and joined words are left out; other tasks have both."""
    rows = truths_of(release)
    clean = {row.sample: row for row in rows if row.dimension == "clean"}
    of_words = [row for row in rows if row.task == "words" and row.dimension != "clean"]
    assert {row.dimension for row in of_words} == {"intrude", "typo-general"}
    for row in of_words:
        assert len(tokens_of(row.text)) == len(tokens_of(clean[row.sample].text)) == len(row.codes)
        assert row.codes == clean[row.sample].codes
    assert "segment" in {row.dimension for row in rows if row.task == "moods"}
    moods = [row for row in rows if (row.task, row.dimension) == ("moods", "intrude")]
    assert any(len(row.text.split(" ")) > len(clean[row.sample].text.split(" ")) for row in moods)


def test_a_row_with_another_number_of_labels_is_found(release: Path, tmp_path: Path) -> None:
    """Whoever changes a list changes the hash, too; the count is told of beside it."""
    import shutil

    import pyarrow as pa
    import pyarrow.parquet as pq

    shutil.copytree(release, tmp_path / "copy")
    path = tmp_path / "copy" / "data" / "words" / "clean.parquet"
    table = pq.read_table(path)
    lists = table["labels"].to_pylist()
    lists[0] = lists[0][1:]
    place = table.schema.get_field_index("labels")
    pq.write_table(
        table.set_column(place, table.schema.field(place), pa.array(lists, pa.list_(pa.int32()))), path
    )
    found = verify(Release.open(tmp_path / "copy"), Silence())
    assert any("one a token (1 rows" in line for line in found), found


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"settings": ["rule", "score"]}, "no attack"),
        ({"dimensions": ["segment"], "tasks": [{**recipe()["tasks"][2], "without": []}]}, "tokens"),
        ({"dimensions": ["syntax"], "tasks": [{**recipe()["tasks"][2], "without": []}]}, "tokens"),
        ({"tasks": [{**recipe()["tasks"][2], "without": ["typo"]}]}, "no dimension of this recipe"),
        ({"tasks": [{**recipe()["tasks"][1], "kind": "classification"}]}, "kind: multilabel"),
        ({"tasks": [{**recipe()["tasks"][1], "metrics": ["accuracy", "f1"]}]}, "its own figures"),
    ],
)
def test_a_recipe_that_cannot_be_is_refused_in_words(
    changes: dict[str, Any], words: str, files: Path
) -> None:
    """Before anything is built."""
    with pytest.raises(UserError, match=words):
        recipe_of(recipe(**changes), files)


def _task(folder: Path, name: str, text: str, **task: Any) -> Any:
    (folder / name).write_text(text, encoding="utf-8")
    entry = {"name": "read", "source": f"file:{name}", "samples": 2, **task}
    raw = {"name": "r", "version": "1", "tasks": [entry], "dimensions": ["truncate"]}
    return load_tasks(recipe_of(raw, folder).tasks)[0]


def test_files_with_a_token_a_line_are_read(tmp_path: Path) -> None:
    """The first column is the token, the last one its label; numbers name others."""
    text = "-DOCSTART- O\n\nAnna NNP B\nruns VBZ O\n\nBob NNP B\nsleeps VBZ O\nwell RB O\n\n"
    task = _task(tmp_path, "words.txt", text, kind="tagging")
    assert task.info.labels == ("B", "O")
    assert sorted(sample.text for sample in task.samples) == ["Anna runs", "Bob sleeps well"]
    middle = _task(tmp_path, "w.tsv", text.replace(" ", "\t"), kind="tagging", read={"columns": {"label": 1}})
    assert middle.info.labels == ("NNP", "RB", "VBZ")


def test_labels_may_stand_in_one_list(tmp_path: Path) -> None:
    """What a list does not name does not hold."""
    lines = [
        {"text": "one here", "label": ["a"]},
        {"text": "two here", "label": []},
        {"text": "three here", "label": ["a", "b"]},
    ]
    text = "\n".join(map(json.dumps, lines))
    task = _task(tmp_path, "lists.jsonl", text, kind="multilabel", samples=3)
    assert task.info.labels == ("a", "b")
    assert {sample.text: task.lists[sample.id] for sample in task.samples} == {
        "one here": (1, 0),
        "two here": (0, 0),
        "three here": (1, 1),
    }


@pytest.mark.parametrize(
    ("name", "text", "task", "words"),
    [
        ("w.conllu", "1\tthe\tDET\n\n", {"kind": "tagging"}, "w.conllu:1: line 1: 3 columns"),
        ("w.txt", "the\n\n", {"kind": "tagging"}, "expected a token and its label"),
        ("w.jsonl", '{"text": ["a"], "label": ["X", "Y"]}', {"kind": "tagging"}, "one label a token"),
        (
            "m.jsonl",
            '{"text": "a b", "x": 2}',
            {"kind": "multilabel", "read": {"columns": {"labels": ["x", "y"]}}},
            "m.jsonl:1: column 'x' holds '2'",
        ),
        ("m.jsonl", '{"text": "a b", "label": "x"}', {"kind": "multilabel"}, "a list of label names"),
    ],
)
def test_a_bad_record_is_named_with_its_line(
    name: str, text: str, task: dict[str, Any], words: str, tmp_path: Path
) -> None:
    """The file, the line, what is wrong and what was expected."""
    with pytest.raises(UserError) as caught:
        _task(tmp_path, name, text, **task)
    assert words in caught.value.message


@pytest.mark.parametrize("model", ["majority", "guess"])
def test_baselines_answer_every_kind(model: str, release: Path, tmp_path: Path) -> None:
    """Their predictions are read without a problem."""
    predict(release, model, tmp_path / "p.jsonl")
    assert read_predictions(tmp_path / "p.jsonl", ReleaseRows.read(Release.open(release))).absent == ()


def test_linear_models_learn_what_the_words_say(files: Path, tmp_path: Path) -> None:
    """On clean texts both have most of it right."""
    from builder.run.pipeline import build
    from contract.schema.results import ModelInfo
    from evaluator.scoring.score import score

    for place, model in ((1, "trained:linear-multilabel"), (2, "trained:linear-tagger")):
        task = {**recipe()["tasks"][place], "without": []}
        raw = recipe(tasks=[task], dimensions=[{"name": "truncate", "degrees": [0.5]}], surrogates=[])
        path = tmp_path / task["name"]
        build(recipe_of(raw, files), path, Silence())
        predict(path, model, tmp_path / "p.jsonl")
        clean = score(path, tmp_path / "p.jsonl", ModelInfo(name=model)).tasks[task["name"]].clean
        assert clean is not None
        assert clean.accuracy > 0.8
        wrong = "trained:linear-tagger" if place == 1 else "trained:linear-multilabel"
        with pytest.raises(UserError, match="is not for"):
            predict(path, wrong, tmp_path / "q.jsonl")


def test_a_users_function_answers_in_the_form_of_the_task(release: Path, tmp_path: Path) -> None:
    """It gets texts, or lists of tokens, and gives numbers, or lists of labels."""
    code = """
def answer(texts):
    if not isinstance(texts[0], str):
        return [["NOUN"] * len(tokens) for tokens in texts]
    if "number" in texts[0]:
        return [{"violence": 0.2, "joy": 0.9, "grief": 0.1} for _ in texts]
    return ["good" for _ in texts]
"""
    (tmp_path / "mine.py").write_text(code, encoding="utf-8")
    predict(release, f"python:{tmp_path / 'mine.py'}:answer", tmp_path / "p.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "p.jsonl").read_text().splitlines()]
    assert next(row["prediction"] for row in rows if row["id"].startswith("moods-")) == ["joy"]
    (tmp_path / "mine.py").write_text(code.replace("* len(tokens)", ""), encoding="utf-8")
    with pytest.raises(UserError, match="a label for each token"):
        predict(release, f"python:{tmp_path / 'mine.py'}:answer", tmp_path / "p.jsonl")


def test_a_classifier_of_one_label_is_refused(release: Path, tmp_path: Path) -> None:
    """The message names those that can."""
    with pytest.raises(UserError, match="task moods is multilabel; use one of majority"):
        predict(release, "vader", tmp_path / "p.jsonl")


def test_a_template_asks_for_what_each_kind_needs(release: Path, tmp_path: Path) -> None:
    """Probabilities have a column, and the words name both forms."""
    template = write_template(release, tmp_path / "t.jsonl")
    assert "one a token" in template.asked
    assert "from 0.5 on" in template.asked
    assert "probabilities" in json.loads((tmp_path / "t.jsonl").read_text().splitlines()[0])


def test_card_report_and_site_show_them(release: Path, tmp_path: Path) -> None:
    """The card says how rows are answered; the site says that its page does not score them."""
    card = (release / "README.md").read_text(encoding="utf-8")
    assert "`label` is -1. In predictions give `probabilities`" in card
    assert "DET NOUN" in card
    predictions = written(tmp_path / "p.jsonl", noisy_answers(release))

    def run(*arguments: object) -> str:
        result = CliRunner().invoke(cli, [str(argument) for argument in arguments])
        assert result.exit_code == 0, result.output
        return result.output

    (tmp_path / "results").mkdir()
    result = tmp_path / "results" / "result.json"
    run("score", release, predictions, "--model-name", "noisy", "-o", result, "--resamples", 20)
    run("report", result, "--release", release, "--predictions", predictions, "-o", tmp_path / "report.html")
    report = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Exact match" in report
    assert "AUROC of labels" in report
    run("leaderboard", tmp_path / "results", "-o", tmp_path / "board.json")
    run("site", tmp_path / "board.json", "--release", release, "-o", tmp_path / "site")
    submit = (tmp_path / "site" / "submit.html").read_text(encoding="utf-8")
    assert "moods, words has many labels a text, which only the command line scores" in submit
    assert not (tmp_path / "site" / "data" / "answer_key.js").exists()
    assert "multilabel: violence, joy, grief" in " ".join(run("info", release).split())


def test_what_needs_one_label_says_so(release: Path, tmp_path: Path) -> None:
    """Exports, plans for annotators, and withheld labels."""
    for arguments in (
        ["export", "lm-eval", release, "-o", tmp_path / "out"],
        ["annotate", "plan", release, "-o", tmp_path / "plan"],
        ["harden", release, "-o", tmp_path / "hard", "--task", "words"],
    ):
        result = CliRunner().invoke(cli, [str(argument) for argument in arguments])
        assert result.exit_code != 0, result.output
        assert "one label a text" in str(result.exception) + result.output, arguments


@pytest.mark.skipif(not (SHARED / "ud_ewt").is_dir(), reason="the treebank is not here")
def test_a_treebank_is_read_as_it_is() -> None:
    """Universal parts of speech, one for each word."""
    raw = {
        "name": "ewt", "version": "1", "dimensions": ["inner-shuffle"],
        "tasks": [{"name": "ewt", "kind": "tagging", "source": f"file:{SHARED}/ud_ewt/en_ewt-ud-dev.conllu"}],
    }  # fmt: skip
    (task,) = load_tasks(recipe_of(raw, SHARED).tasks)
    assert len(task.info.labels) == 17
    assert task.n_rows == 2001
    assert task.lists is not None
    for sample in task.samples:
        assert len(tokens_of(sample.text)) == len(task.lists[sample.id])
