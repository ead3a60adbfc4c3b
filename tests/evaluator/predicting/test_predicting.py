"""A classifier's predictions for a release can be checked and scored as they are written."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from synthetic import right_answers

from contract.machine.errors import UserError
from contract.predictions.reading import ReleaseRows, read_predictions
from contract.release.release import Release
from contract.schema.results import ModelInfo
from evaluator.predicting.predicting import predict, write_template
from evaluator.scoring.score import ScoreOptions, score

GUESS = '''
import numpy as np

def guess(texts):
    """Right on every text that names an even sample."""
    assert len(set(texts)) == len(texts)
    return np.array([[0.75, 0.25] for text in texts])
'''


@pytest.fixture
def guesser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the spec of a classifier that always says the first label."""
    (tmp_path / "guesser_of_tests.py").write_text(GUESS)
    monkeypatch.chdir(tmp_path)
    return "python:guesser_of_tests:guess"


@pytest.mark.parametrize("name", ["p.jsonl", "p.csv", "p.parquet", "p.jsonl.gz", "p.parquet.gz"])
def test_predictions_cover_the_release_and_score(
    release_path: Path, tmp_path: Path, guesser: str, name: str
) -> None:
    """Every row is answered, with probabilities, in every format."""
    assert predict(release_path, guesser, tmp_path / name).n_rows == len(right_answers(release_path))
    predictions = read_predictions(tmp_path / name, ReleaseRows.read(Release.open(release_path)))
    assert predictions.probabilities is not None
    assert predictions.probabilities.tolist() == [[0.75, 0.25]] * 54
    result = score(release_path, tmp_path / name, ModelInfo(name="m"), options=ScoreOptions(resamples=0))
    assert result.tasks["mr"].clean.accuracy == 0.5
    assert result.overall is not None
    # A constant answer gets nothing.
    assert result.overall.worst.ewma == 0


def test_the_same_predictions_are_the_same_bytes(release_path: Path, tmp_path: Path, guesser: str) -> None:
    """No clock, no order of chance."""
    for name in ("a.jsonl.gz", "b.jsonl.gz"):
        predict(release_path, guesser, tmp_path / name)
    assert (tmp_path / "a.jsonl.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()


def test_an_unknown_classifier_is_refused_before_anything_is_written(
    release_path: Path, tmp_path: Path
) -> None:
    """The nearest name is suggested."""
    with pytest.raises(UserError, match="did you mean 'majority'"):
        predict(release_path, "majorty", tmp_path / "p.jsonl")
    assert not (tmp_path / "p.jsonl").exists()


def test_a_project_with_packages_of_our_names_predicts_by_the_command_line(
    release_path: Path, tmp_path: Path
) -> None:
    """Its own evaluator.py, builder and contract.py are its model's; ours stay ours."""
    project = tmp_path / "project"
    (project / "builder").mkdir(parents=True)
    (project / "builder" / "__init__.py").write_text("from contract import LABELS\n")
    (project / "contract.py").write_text("LABELS = ['negative', 'positive']\n")
    (project / "evaluator.py").write_text(
        "import re, builder\n"
        "def label(text): return builder.LABELS[int(re.search('[0-9]+', text)[0]) % 2]\n"
        "def predict(texts): return [label(text) for text in texts]\n"
    )
    # As the installed command runs: the current folder is not where our packages are looked for.
    command = [sys.executable, "-P", "-c", "import hardfrost; hardfrost.main()", "predict", str(release_path)]
    root = str(Path(__file__).parents[3])
    done = subprocess.run(
        [*command, "--model", "python:evaluator:predict", "-o", "p.csv", "--json"],
        cwd=project,
        env={**os.environ, "PYTHONPATH": root},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"path": "p.csv", "rows": 54, "unlabelled": 0}
    result = score(release_path, project / "p.csv", ModelInfo(name="m"), options=ScoreOptions(resamples=0))
    assert result.tasks["mr"].clean is not None
    assert result.tasks["mr"].clean.accuracy == 1


@pytest.mark.parametrize("name", ["t.jsonl", "t.csv", "t.parquet"])
def test_a_template_is_refused_until_it_is_filled(release_path: Path, tmp_path: Path, name: str) -> None:
    """An unfilled row is a problem with a line and an id, not a prediction."""
    write_template(release_path, tmp_path / name)
    with pytest.raises(UserError, match=r"no `prediction` for id 'mr-00000.clean'"):
        read_predictions(tmp_path / name, ReleaseRows.read(Release.open(release_path)))


def test_a_filled_template_is_a_predictions_file(release_path: Path, tmp_path: Path) -> None:
    """Texts and tasks beside the answers do no harm."""
    path = tmp_path / "t.jsonl"
    write_template(release_path, path)
    path.write_text(path.read_text().replace('"prediction": null', '"prediction": "positive"'))
    assert (read_predictions(path, ReleaseRows.read(Release.open(release_path))).labels == 1).all()
