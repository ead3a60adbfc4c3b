"""The model of an audit: run as the user says, in its own folder, with labels that mean what they should."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from made_audits import BAD, made_rows, run

from contract.machine.errors import UserError

QUICK = (
    "--limit=12",
    "--dimensions=typo-malicious",
    "--degrees=0.1",
    "--settings=rule",
    "--time-budget=none",
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a file of reviews."""
    with (tmp_path / "reviews.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("text", "label"), *made_rows(40, seed=1)])
    return tmp_path / "reviews.csv"


def numbered(folder: Path, bad: int) -> str:
    """Return the spec of a function that answers with the number of a label."""
    lines = [
        f"BAD = {BAD!r}",
        "def predict(texts):",
        f"    return [{bad} if any(word in text for word in BAD) else {1 - bad} for text in texts]",
    ]
    (folder / "my_model.py").write_text("\n".join(lines), encoding="utf-8")
    return f"{folder / 'my_model.py'}:predict"


def test_a_project_with_names_like_ours_is_audited_in_its_folder(
    data: Path, tmp_path: Path, cache: Path
) -> None:
    """Its own evaluator.py, builder and contract.py are its model's; ours stay ours."""
    project = tmp_path / "project"
    (project / "builder").mkdir(parents=True)
    (project / "evaluator.py").write_text("def bad():\n    return 'bad'\n", "utf-8")
    (project / "builder/__init__.py").write_text(f"WORDS = {BAD!r}\n", "utf-8")
    (project / "contract.py").write_text("GOOD = 'good'\n", "utf-8")
    (project / "my_model.py").write_text(
        "import builder, contract, evaluator\n"
        "def predict(texts):\n"
        "    is_bad = [any(word in text for word in builder.WORDS) for text in texts]\n"
        "    return [evaluator.bad() if one else contract.GOOD for one in is_bad]\n",
        "utf-8",
    )
    # As the installed command starts: the user's folder is not where our modules are looked for.
    command = [sys.executable, "-P", "-c", "import hardfrost; hardfrost.main()", "audit"]
    done = subprocess.run(
        [*command, "--model=python:my_model:predict", f"--data={data}", "--json", *QUICK, "--batch-size=5"],
        cwd=project,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)["result"]
    assert result["tasks"]["reviews"]["clean"]["accuracy"] == 1
    assert (project / "audit/report.html").is_file()


def test_numbers_that_do_worse_than_guessing_are_refused_with_the_right_order(
    data: Path, tmp_path: Path, cache: Path
) -> None:
    """The order in the remedy is the one that then works."""
    arguments = [
        "audit",
        "--model",
        numbered(tmp_path, bad=1),
        "--data",
        data,
        *QUICK,
        "-o",
        tmp_path / "out",
    ]
    refused = run(*arguments)
    assert isinstance(refused.exception, UserError)
    assert "--labels good,bad" in refused.exception.message
    done = run(*arguments, "--labels=good,bad", "--json")
    assert done.exit_code == 0, done.output
    result = json.loads(done.stdout)["result"]
    assert result["tasks"]["reviews"]["clean"]["accuracy"] == 1


def test_options_that_a_model_does_not_take_are_refused_before_the_work(
    data: Path, tmp_path: Path, cache: Path
) -> None:
    """With those that it takes."""
    spec = numbered(tmp_path, bad=0)
    refused = run("audit", "--model", spec, "--data", data, "--device=cpu", "-o", tmp_path / "out")
    assert isinstance(refused.exception, UserError)
    assert "python takes no --device; it takes --batch-size, --labels, --python" in refused.exception.message
    assert not (tmp_path / "out").exists()
