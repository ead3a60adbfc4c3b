"""Other people's harnesses run a release and find what `hardfrost score` finds."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml
from click.testing import CliRunner
from synthetic import Case, SyntheticTask, right_answers, write_answers, write_release

from contract.machine.errors import UserError
from contract.release.release import Release
from contract.schema.results import ModelInfo, Result
from evaluator.commands.export import export as export_command
from evaluator.exporting.eval_results import accuracies, write_eval_results
from evaluator.exporting.inspect import export_inspect
from evaluator.exporting.lm_eval import export_lm_eval
from evaluator.predicting.predicting import predict
from evaluator.scoring.score import ScoreOptions, score

# The harnesses may live in a virtual environment of their own, where their pins clash with ours.
PYTHON = os.environ.get("HARDFROST_HARNESS_PYTHON", sys.executable)
ROOT = Path(__file__).parents[3]


def has(package: str) -> bool:
    """Tell whether the harnesses' interpreter has a package."""
    if sys.executable == PYTHON:
        return importlib.util.find_spec(package) is not None
    return (
        subprocess.run([PYTHON, "-c", f"import {package}"], capture_output=True, check=False).returncode == 0
    )


def run(*arguments: str | Path, cwd: Path) -> str:
    """Run a harness without a network and return what it printed."""
    environment = {
        **os.environ,
        "HF_HOME": str(cwd / "home"),
        "HF_DATASETS_OFFLINE": "1",
        "HF_HUB_OFFLINE": "1",
    }
    done = subprocess.run(
        [PYTHON, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env=environment,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.skipif(
    not has("lm_eval"),
    reason="NO LM_EVAL: pip install lm-eval, here or where HARDFROST_HARNESS_PYTHON points",
)
def test_lm_eval_finds_the_accuracy_of_every_split(tiny: Path, tmp_path: Path) -> None:
    """The real harness with its dummy model: its answers, scored by Hardfrost, give its own figures."""
    release = Release.open(tiny)
    export_lm_eval(release, tmp_path / "tasks")
    run(
        "-m", "lm_eval", "--model", "dummy", "--include_path", tmp_path / "tasks",
        "--tasks", f"hardfrost_{release.manifest.name}", "--output_path", tmp_path / "out", "--log_samples",
        cwd=tmp_path,
    )  # fmt: skip
    (found,) = (tmp_path / "out").rglob("results_*.json")
    accuracy_of = {
        name: figures["acc,none"]
        for name, figures in json.loads(found.read_text(encoding="utf-8"))["results"].items()
    }
    answers = []
    for path in (tmp_path / "out").rglob("samples_*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            scores = [float(answer[0][0]) for answer in row["resps"]]
            answers.append({"id": row["doc"]["id"], "prediction": scores.index(max(scores))})
    predictions = tmp_path / "predictions.jsonl"
    predictions.write_text("".join(json.dumps(answer) + "\n" for answer in answers), encoding="utf-8")
    result = score(tiny, predictions, ModelInfo(name="dummy"))
    ours = {
        f"hardfrost_mr-tiny_{found.split.config}_{found.split.name}": found.value
        for found in accuracies(result, release.manifest)
    }
    assert len(ours) == 5
    assert {name: accuracy_of[name] for name in ours} == pytest.approx(ours)


def test_lm_eval_tasks_of_a_published_version_name_its_tag(tiny: Path, tmp_path: Path) -> None:
    """Config, split and revision as on the Hub; no path of this machine."""
    written = export_lm_eval(Release.open(tiny), tmp_path / "tasks", repo="frost/mr-tiny")
    texts = [path.read_text(encoding="utf-8") for path in written]
    assert not any(str(tiny) in text for text in texts)
    task = yaml.safe_load(
        (tmp_path / "tasks/hardfrost_mr-tiny_mr__clean_test.yaml").read_text(encoding="utf-8")
    )
    assert (task["dataset_path"], task["dataset_name"], task["test_split"]) == (
        "frost/mr-tiny",
        "mr__clean",
        "test",
    )
    assert task["dataset_kwargs"] == {"revision": "v2.0"}


@pytest.mark.skipif(
    not has("inspect_ai"),
    reason="NO INSPECT: pip install inspect_ai, here or where HARDFROST_HARNESS_PYTHON points",
)
def test_inspect_runs_a_split(tiny: Path, tmp_path: Path) -> None:
    """The real harness with its mock model, whose first answer is always A: the share of the first label."""
    release = Release.open(tiny)
    export_inspect(release, tmp_path / "tasks")
    (clean,) = release.splits(dimension="clean")
    name = f"hardfrost_{release.manifest.name}_{clean.config}_{clean.name}"
    code = f"""
import sys
sys.path.insert(0, {str(tmp_path / "tasks")!r})
from inspect_ai import eval as run
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from hardfrost_tasks import hardfrost
def answer():
    # With its usage told, the mock model does not fetch a tokenizer to count.
    output = ModelOutput.from_content("mockllm/model", "ANSWER: A")
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output
always = (answer() for _ in iter(int, 1))
(log,) = run(hardfrost({name!r}), model=get_model("mockllm/model", custom_outputs=always), display="none",
    log_dir={str(tmp_path / "logs")!r})
assert log.status == "success", log.error
print(log.results.scores[0].metrics["accuracy"].value)
"""
    labels = release.table(clean, ["label"])["label"].to_pylist()
    printed = run("-c", code, cwd=tmp_path)
    assert float(printed.split()[-1]) == pytest.approx(labels.count(0) / len(labels))


def test_inspect_samples_name_the_right_letter(tiny: Path, tmp_path: Path) -> None:
    """Letters stand for labels in the task's order, and ids are the release's."""
    release = Release.open(tiny)
    written = export_inspect(release, tmp_path)
    (clean,) = release.splits(dimension="clean")
    rows = release.table(clean, ["id", "label"]).to_pylist()
    samples = [json.loads(line) for line in written[0].read_text(encoding="utf-8").splitlines()]
    assert [(sample["id"], "AB".index(sample["target"])) for sample in samples] == [
        (row["id"], row["label"]) for row in rows
    ]
    compile((tmp_path / "hardfrost_tasks.py").read_text(encoding="utf-8"), "hardfrost_tasks.py", "exec")


@pytest.fixture
def tiers(tmp_path: Path) -> Path:
    """Return a release with attempts in both files of a degree, and in the tier's file alone."""
    cases = tuple(
        Case(
            sample=sample,
            dimension="glyph",
            setting="score",
            degree=degree,
            case=0,
            tier="transferable" if degree > 0.1 or sample == 1 else None,
        )
        for degree in (0.1, 0.3)
        for sample in range(3)
    )
    labels = ("negative", "positive")
    write_release(
        tmp_path / "release", [SyntheticTask(name="t", labels=labels, clean=(0, 1, 1), cases=cases)]
    )
    return tmp_path / "release"


def test_rows_of_a_tier_are_asked_with_the_others_of_their_split(tiers: Path, tmp_path: Path) -> None:
    """Each row once, in the split of its degree."""
    release = Release.open(tiers)
    expected: dict[str, set[str]] = {}
    for split in release.manifest.splits:
        ids = expected.setdefault(f"hardfrost_synthetic_{split.config}_{split.name}", set())
        ids.update(release.table(split, ["id"])["id"].to_pylist())
    assert {name: len(ids) for name, ids in expected.items()} == dict.fromkeys(expected, 3)
    asked = {
        path.stem: [json.loads(line)["id"] for line in path.read_text(encoding="utf-8").splitlines()]
        for path in export_inspect(release, tmp_path / "inspect")[:-1]
    }
    assert {name: sorted(ids) for name, ids in asked.items()} == {k: sorted(v) for k, v in expected.items()}
    export_lm_eval(release, tmp_path / "tasks")
    loaded = {}
    for name in expected:
        task = yaml.safe_load((tmp_path / "tasks" / f"{name}.yaml").read_text(encoding="utf-8"))
        files = task["dataset_kwargs"]["data_files"][task["test_split"]]
        loaded[name] = [row for file in files for row in pq.read_table(file)["id"].to_pylist()]
    assert {name: sorted(ids) for name, ids in loaded.items()} == {k: sorted(v) for k, v in expected.items()}


def test_eval_results_count_both_files_of_a_degree(tiers: Path, tmp_path: Path) -> None:
    """The accuracy of a split is that of all its rows, and stands once."""
    answers = right_answers(tiers)
    wrong = next(name for name in answers if ".glyph.score." in name)
    file = write_answers(tmp_path / "p.jsonl", {**answers, wrong: "positive"})
    result = score(tiers, file, ModelInfo(name="m"), options=ScoreOptions(resamples=0))
    found = {one.split.name: one.value for one in accuracies(result, Release.open(tiers).manifest)}
    assert found == pytest.approx({"test": 1, "degree_10": 2 / 3, "degree_30": 1}, abs=1e-9)


def test_withheld_labels_are_not_exported(tiny: Path, tmp_path: Path) -> None:
    """Nobody else can score."""
    release = Release.open(tiny)
    manifest = release.manifest.model_copy(update={"labels": "withheld"})
    hidden = Release(path=tiny, manifest=manifest, manifest_sha256=release.manifest_sha256)
    for export in (export_lm_eval, export_inspect):
        with pytest.raises(UserError, match="withheld"):
            export(hidden, tmp_path)


@pytest.fixture
def result(tiny: Path, tmp_path: Path) -> Result:
    """Return the result of a baseline."""
    predict(tiny, "majority", tmp_path / "predictions.jsonl")
    return score(tiny, tmp_path / "predictions.jsonl", ModelInfo(name="majority"))


def test_eval_results_use_the_ids_of_the_data_sets_eval_yaml(
    tiny: Path, tmp_path: Path, result: Result
) -> None:
    """The overall score, then one entry a split, with the plain accuracy and the signature."""
    manifest = Release.open(tiny).manifest
    results, index = write_eval_results(tmp_path, result, manifest, "frost/mr-tiny")
    assert results == tmp_path / ".eval_results/mr-tiny.yaml"
    known = yaml.safe_load((tiny / "eval.yaml").read_text(encoding="utf-8"))["tasks"]
    entries = yaml.safe_load(results.read_text(encoding="utf-8"))
    assert [entry["dataset"]["task_id"] for entry in entries] == [task["id"] for task in known]
    assert all(entry["dataset"]["id"] == "frost/mr-tiny" for entry in entries)
    assert entries[0]["dataset"]["task_id"] == "overall"
    assert entries[0]["value"] == result.overall.average.ewma  # type: ignore[union-attr]
    assert entries[1]["value"] == result.tasks["mr"].clean.accuracy  # type: ignore[union-attr]
    assert all(result.signature in entry["notes"] for entry in entries)
    (model,) = yaml.safe_load(index.read_text(encoding="utf-8"))["model-index"]
    assert model["name"] == "majority"
    assert len(model["results"]) == len(entries)


def test_the_hub_library_reads_the_model_index(tiny: Path, tmp_path: Path, result: Result) -> None:
    """As a model card's metadata."""
    hub = pytest.importorskip("huggingface_hub.repocard_data")
    _, index = write_eval_results(tmp_path, result, Release.open(tiny).manifest, "frost/mr-tiny")
    block = yaml.safe_load(index.read_text(encoding="utf-8"))["model-index"]
    name, results = hub.model_index_to_eval_results(block)
    assert name == "majority"
    assert {entry.dataset_type for entry in results} == {"frost/mr-tiny"}


@pytest.mark.parametrize(("harness", "last"), [("lm-eval", "group"), ("inspect", "tasks")])
def test_scripts_are_told_every_file_of_an_export(
    tiny: Path, tmp_path: Path, harness: str, last: str
) -> None:
    """And which of them to run."""
    done = CliRunner().invoke(export_command, [harness, str(tiny), "-o", str(tmp_path / "out"), "--json"])
    told = json.loads(done.stdout)
    assert told["output"] == str(tmp_path / "out")
    assert {Path(path) for path in told["files"]} == set((tmp_path / "out").iterdir())
    assert told[last] == told["files"][-1]
    failed = CliRunner().invoke(
        export_command, [harness, str(tmp_path / "none"), "-o", str(tmp_path), "--json"]
    )
    assert (failed.stdout, type(failed.exception)) == ("", UserError)
