"""Adversarial training: figures follow from predictions, runs go on, models can be predicted with."""

import json
import shutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from contract.machine.errors import UserError
from contract.machine.progress import Silence
from contract.release.release import Release
from contract.schema.hardening import OTHER_ATTACKS, SAME_ATTACK, HardenedModel, Hardening, ranking_of
from contract.schema.names import TRAIN
from contract.schema.records import records_of
from flows.harden.attacked_rows import attacked_path
from flows.harden.command import harden
from flows.harden.running import HardenRequest, run_hardening

RECIPE = """\
name: shaken
version: "1.0"
tasks: [{name: mr, source: mr, samples: 40, train_rows: 400}]
dimensions: [{name: truncate, degrees: [0.5]}, {name: keyboard-typo, degrees: [0.2, 0.5]}]
cases: {rule: 1}
surrogates: [word-tfidf]
allow_weak: true
min_samples: 1
"""
TRAIN_FUNCTION = """\
from collections import Counter

def train(texts, labels):
    counts = {label: Counter() for label in set(labels)}
    for text, label in zip(texts, labels):
        counts[label].update(text.split())
    print("printed by the function")
    def score(label, text):
        return sum(counts[label][word] for word in text.split())

    return lambda given: [max(sorted(counts), key=lambda label: score(label, text)) for text in given]
"""


@pytest.fixture(scope="module")
def release_path(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Path:
    """Return a small release with two attacks by probability."""
    from builder.recipe.recipe_file import read_recipe
    from builder.run.pipeline import build

    folder = tmp_path_factory.mktemp("shaken")
    (folder / "recipe.yaml").write_text(RECIPE, encoding="utf-8")
    build(read_recipe(folder / "recipe.yaml"), folder / "release", Silence())
    return folder / "release"


@pytest.fixture(scope="module")
def run(release_path: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[HardenRequest, Hardening]:
    """Return a finished run, in which nothing may be changed."""
    request = request_for(release_path, tmp_path_factory.mktemp("run") / "out")
    return request, run_hardening(request, 1, Silence())


def request_for(release: Path, folder: Path, **values: Any) -> HardenRequest:
    """Return a request for a linear model under both schemes."""
    given = {"kind": "word-tfidf", "schemes": ("1-1", "leave-one-out"), "seed": 3} | values
    return HardenRequest(release_path=release, folder=folder, **given)


def predictions_of(path: Path) -> dict[str, str]:
    """Return the label of each id in a predictions file."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {row["id"]: row["prediction"] for row in rows}


def by_split(release: Release) -> Iterator[tuple[tuple[str, float | None], list[Any]]]:
    """Yield dimension and degree of each split that is no training, and its rows."""
    for split in release.manifest.splits:
        if split.dimension != TRAIN and split.rows:
            yield (split.dimension, split.degree), list(records_of(release.table(split)))


def test_accuracies_are_those_of_the_predictions(run: tuple[HardenRequest, Hardening]) -> None:
    """For every model, attack and degree; where an attack has no split, nothing is said."""
    request, found = run
    labels = request.task_info.labels
    for model in found.models:
        given = predictions_of(request.folder / "predictions" / f"{model.name}.jsonl")
        right = {
            key: sum(given[row.id] == labels[row.label] for row in rows) / len(rows)
            for key, rows in by_split(request.release)
        }
        assert model.clean == pytest.approx(next(v for (name, _), v in right.items() if name == "clean"))
        for attack, figures in model.accuracies.items():
            for degree, figure in zip(found.degrees, figures, strict=True):
                assert figure == pytest.approx(right.get((attack, degree)))
    assert found.plain.accuracies["truncate"][0] is None
    assert [model.name for model in found.models] == [
        "none",
        "1-1-truncate",
        "1-1-keyboard-typo",
        "leave-one-out-truncate",
        "leave-one-out-keyboard-typo",
    ]


def test_a_gain_is_what_a_defence_wins_over_the_clean_accuracy_before() -> None:
    """And schemes are ranked by its mean; leave-one-out says nothing of attacks that it was trained on."""

    def model(name: str, scheme: Any, on: tuple[str, ...], clean: float, *figures: float) -> HardenedModel:
        accuracies = {"truncate": (figures[0],), "visual": (figures[1],)}
        return HardenedModel(
            name=name,
            scheme=scheme,
            trained_on=on,
            n_clean=1,
            n_attacked=1,
            clean=clean,
            accuracies=accuracies,
        )

    found = Hardening(
        schema_=Hardening.SCHEMA,
        benchmark="b",
        version="1",
        manifest_sha256="0" * 64,
        task="t",
        kind="cnn",
        seed=0,
        guessing=0.5,
        attacks=("truncate", "visual"),
        degrees=(0.5,),
        models=(
            model("none", "none", (), 0.8, 0.6, 0.4),
            model("1-1-truncate", "1-1", ("truncate",), 0.76, 0.76, 0.44),
            model("1-1-visual", "1-1", ("visual",), 0.8, 0.56, 0.6),
            model("leave-one-out-visual", "leave-one-out", ("truncate",), 0.72, 0.99, 0.48),
        ),
    )
    assert found.gain(found.models[1], "truncate", 0) == pytest.approx(0.2)
    ranking = {each.name: (each.gain, each.clean_change) for each in ranking_of(found)}
    assert ranking == {
        SAME_ATTACK: (pytest.approx(0.225), pytest.approx(-0.02)),
        "leave-one-out": (pytest.approx(0.1), pytest.approx(-0.08)),
        OTHER_ATTACKS: (pytest.approx(0), pytest.approx(-0.02)),
    }
    assert [each.name for each in ranking_of(found)] == [SAME_ATTACK, "leave-one-out", OTHER_ATTACKS]


def test_two_workers_and_a_run_that_goes_on_give_the_same_document(
    run: tuple[HardenRequest, Hardening], tmp_path: Path
) -> None:
    """Only what is missing is made again."""
    request, found = run
    other = request_for(request.release_path, tmp_path / "two")
    assert run_hardening(other, 2, Silence()) == found
    lost = next((tmp_path / "two/scores").glob("1-1-truncate-*.json"))
    lost.unlink()
    attacked_path(tmp_path / "two", "truncate").unlink()
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "two/scores").iterdir()}
    assert run_hardening(request_for(request.release_path, tmp_path / "two"), 1, Silence()) == found
    assert lost.is_file()
    assert {path: path.stat().st_mtime_ns for path in kept} == kept


def test_a_folder_of_another_run_is_refused(run: tuple[HardenRequest, Hardening]) -> None:
    """Whatever differs."""
    request, _ = run
    with pytest.raises(UserError, match="holds a run with other settings"):
        run_hardening(request_for(request.release_path, request.folder, seed=4), 1, Silence())


def test_attacked_rows_keep_their_place_and_none_is_of_the_benchmark(
    run: tuple[HardenRequest, Hardening],
) -> None:
    """A row that carries no case at its level stays without; low and high levels are both there."""
    request, found = run
    attacked = json.loads(attacked_path(request.folder, "keyboard-typo").read_text(encoding="utf-8"))
    assert len(attacked) == len(request.rows)
    shares = []
    for row, text in zip(request.rows, attacked, strict=True):
        if text is not None:
            assert text != row.text
            pairs = list(zip(row.text.split(), text.split(), strict=False))
            shares.append(sum(old != new for old, new in pairs) / len(pairs))
    assert min(shares) <= 0.2 < max(shares) <= 0.5
    texts = {row.text for _, rows in by_split(request.release) for row in rows}
    assert not texts & {text for text in attacked if text is not None}
    # One more row for each that carries a case of one of the attacks.
    (model,) = [model for model in found.models if model.name == "1-1-keyboard-typo"]
    assert model.n_attacked == sum(text is not None for text in attacked) > 300


def test_a_hardened_model_predicts_like_the_run(run: tuple[HardenRequest, Hardening], tmp_path: Path) -> None:
    """By its folder alone, or with its kind before it."""
    from evaluator.commands.predict import predict

    request, _ = run
    folder = request.folder / "models/1-1-truncate"
    for spec in (str(folder), f"stored:{folder}"):
        out = tmp_path / "predictions.jsonl"
        arguments = [str(request.release_path), "--model", spec, "-o", str(out)]
        done = CliRunner().invoke(predict, arguments, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        assert predictions_of(out) == predictions_of(request.folder / "predictions/1-1-truncate.jsonl")
        out.unlink()


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        (None, "no classifier.json in this folder"),
        ('{"kind": "word-tfidf", "labels": ["a", "b"]}', "trained for the labels a, b"),
        ('{"kind": "../../etc", "labels": ["negative", "positive"]}', "not the description"),
        ('{"kind": ["word-tfidf"], "labels": ["negative", "positive"]}', "not the description"),
        ("[]", "not the description"),
        ("{", "cannot be read"),
    ],
)
def test_a_folder_that_is_no_such_model_is_refused(
    run: tuple[HardenRequest, Hardening], tmp_path: Path, description: str | None, expected: str
) -> None:
    """With the file and the remedy."""
    from classifiers import KINDS, LoadRequest

    request, _ = run
    folder = tmp_path / "model"
    shutil.copytree(request.folder / "models/none", folder)
    (folder / "classifier.json").unlink()
    if description is not None:
        (folder / "classifier.json").write_text(description, encoding="utf-8")
    wanted = LoadRequest(argument=str(folder), task=request.task_info, release=None, cache_path=tmp_path)
    with pytest.raises(UserError, match=expected):
        KINDS["stored"].load(wanted)


def test_a_function_of_ones_own_is_trained(
    release_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a process of its own; what it prints does no harm."""
    (tmp_path / "mine.py").write_text(TRAIN_FUNCTION, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    arguments = ["--kind", "python:mine.py:train", "--scheme", "random", "--scheme", "mixed"]
    arguments += ["--train-on", "typo-general", "--degrees", "0.1,0.3", "-o", "out", "--json"]
    done = CliRunner().invoke(harden, [str(release_path), *arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    found = Hardening.parse(json.loads(done.stdout), "stdout")
    assert [model.name for model in found.models] == ["none", "random", "mixed"]
    assert found.plain.clean > 0.5
    page = (tmp_path / "out/report.html").read_text(encoding="utf-8")
    assert "python:mine.py:train on mr" in page
    assert "<script" not in page


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--kind", "cmm"], "unknown kind 'cmm'"),
        (["--attacks", "truncat"], "unknown attack 'truncat'"),
        (["--scheme", "mixed"], "needs --train-on"),
        (["--scheme", "mixed", "--train-on", "typo"], "unknown dimension 'typo'"),
        (["--scheme", "leave-one-out", "--attacks", "truncate"], "needs two attacks"),
        (["--degrees", "0.5,high"], "expected numbers above 0"),
        (["--task", "sst2"], "unknown task 'sst2'"),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is_trained(
    release_path: Path, tmp_path: Path, arguments: list[str], expected: str
) -> None:
    """With what was expected."""
    done = CliRunner().invoke(harden, [str(release_path), *arguments, "-o", str(tmp_path / "out")])
    assert isinstance(done.exception, UserError)
    assert expected in done.exception.message
    assert not (tmp_path / "out/models").exists()


def test_the_table_names_what_helps_most_against_each_attack(run: tuple[HardenRequest, Hardening]) -> None:
    """And the report draws a cell for every figure."""
    request, found = run
    arguments = ["--kind", "word-tfidf", "--seed", "3", "-o", str(request.folder)]
    done = CliRunner().invoke(harden, [str(request.release_path), *arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    best = defaultdict(list)
    for model in found.models[1:]:
        for attack in found.attacks:
            if model.is_tested_on(attack):
                best[attack].append((found.mean_gain([model], [attack]), model.name))
    for attack in found.attacks:
        line = next(line for line in done.stdout.splitlines() if line.startswith(f"│ {attack} "))
        gains = [gain for gain, _ in best[attack] if gain is not None]
        assert f"{100 * max(gains):+.1f}" in line
