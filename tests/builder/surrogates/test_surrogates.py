"""Surrogates of every kind: trained or found, known by what they are, asked again for nothing."""

import json
from pathlib import Path

import joblib
import pytest
import skops.io
from click.testing import CliRunner, Result
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline

from builder.commands.build import build
from builder.recipe.entries import SurrogateRecipe
from builder.recipe.recipe import Recipe
from builder.recipe.recipe_file import find_recipe, read_recipe
from builder.surrogates.loading import surrogate_of
from builder.surrogates.ready import make_ready
from builder.surrogates.training import TrainingJob, is_trained, training_jobs
from builder.tasks.task import Task
from builder.values.samples import Sample
from contract.machine.cache_folder import cache_path
from contract.machine.errors import ExitCode, UserError
from contract.release.release import Release
from contract.schema.manifest import OverlapInfo, SurrogateInfo, TaskInfo
from evaluator.predicting.predicting import predict

WORDS = {0: ["bad", "dull", "boring"], 1: ["good", "fine", "moving"]}


def task(*, is_pair: bool = False) -> Task:
    """Return a task that any classifier learns."""
    rows = [
        Sample(
            id=f"made-{n:05d}",
            text=f"a {WORDS[n % 2][n % 3]} film {n}",
            text_pair="so it is" if is_pair else None,
            label=n % 2,
        )
        for n in range(120)
    ]
    info = TaskInfo(
        name="made",
        labels=("negative", "positive"),
        fields=("text", "text_pair") if is_pair else ("text",),
        source="file:made.csv",
        licence="none",
        n_samples=20,
        n_train=100,
    )
    overlap = OverlapInfo(task="made", training_source="made", n_removed=0)
    return Task(info=info, samples=rows[:20], train=rows[20:], overlap=overlap)


def jobs(*surrogates: str | dict[str, object], of: Task | None = None) -> list[TrainingJob]:
    """Return the jobs of a recipe with these surrogates."""
    raw = {
        "name": "made",
        "version": "1",
        "seed": 3,
        "tasks": [{"name": "made", "source": "mr"}],
        "dimensions": ["typo-general"],
        "surrogates": list(surrogates),
    }
    return training_jobs(Recipe.model_validate(raw), [of or task()])


@pytest.fixture
def pipeline_path(tmp_path: Path) -> Path:
    """Return a fitted pipeline that knows the words of the task."""
    skops.io.dump(fitted_pipeline(), tmp_path / "model.skops")
    return tmp_path / "model.skops"


def fitted_pipeline() -> Pipeline:
    """Return a pipeline that knows the words of the task."""
    pipeline = make_pipeline(CountVectorizer(), LogisticRegression())
    return pipeline.fit([*WORDS[0], *WORDS[1]], ["negative"] * 3 + ["positive"] * 3)


def test_what_is_not_trained_is_known_by_its_content(pipeline_path: Path, tmp_path: Path) -> None:
    """The same file elsewhere is the same surrogate; changed, it is refused until it is built with again."""
    (job,) = jobs(f"sklearn:{pipeline_path}")
    assert is_trained(job, tmp_path / "cache")
    info = make_ready(job, tmp_path / "cache").info
    assert (info.name, info.kind, info.n_train) == ("sklearn-model-skops", "sklearn", None)
    assert info.clean_accuracy == 1.0
    moved = tmp_path / "elsewhere.skops"
    moved.write_bytes(pipeline_path.read_bytes())
    (other,) = jobs(f"sklearn:{moved}")
    assert make_ready(other, tmp_path / "cache").info.weights_sha256 == info.weights_sha256
    moved.write_bytes(moved.read_bytes() + b" ")
    surrogate_of.cache_clear()
    with pytest.raises(UserError, match="is not what it was when the release was built"):
        surrogate_of(tmp_path / "cache", info.weights_sha256)


def test_an_ensemble_is_the_mean_of_its_members(pipeline_path: Path, tmp_path: Path) -> None:
    """Members are other surrogates, kinds to train or specs; it is another one when a member is."""
    cache = tmp_path / "cache"
    spec = f"ensemble:words+vader+sklearn:{pipeline_path}"
    words, mean = jobs({"kind": "word-tfidf", "name": "words"}, {"kind": spec, "name": "mean"})
    infos = [make_ready(job, cache).info for job in (words, mean)]
    assert [info.kind for info in infos] == ["word-tfidf", "ensemble"]
    texts = [(sample.text, None) for sample in words.task.samples]
    members = [make_ready(job, cache).info for job in jobs("vader", f"sklearn:{pipeline_path}")]
    rows = [surrogate_of(cache, info.weights_sha256).ask(texts) for info in [infos[0], *members]]
    found = surrogate_of(cache, infos[1].weights_sha256).ask(texts)
    assert abs(found - sum(rows) / 3).max() < 2e-6
    (fewer,) = jobs("ensemble:word-tfidf+vader")
    assert make_ready(fewer, cache).info.weights_sha256 != infos[1].weights_sha256
    with pytest.raises(UserError, match="unknown surrogate 'wrods'"):
        jobs("ensemble:wrods+vader")


def test_rows_to_train_on_are_drawn_with_every_label() -> None:
    """The draw depends on the seed alone, and what it leaves out does not change the weights."""
    made = task()
    rare = [*made.train, Sample(id="made-rare", text="odd", text_pair=None, label=1)]
    ones = [row for row in rare if row.label == 0] + rare[-1:]
    few = Task(info=made.info, samples=made.samples, train=ones, overlap=made.overlap)
    (job,) = jobs({"kind": "word-tfidf", "train_rows": 5}, of=few)
    assert len(job.rows) == 5
    assert {row.label for row in job.rows} == {0, 1}
    (again,) = jobs({"kind": "word-tfidf", "train_rows": 5}, of=few)
    assert (again.rows, again.key) == (job.rows, job.key)
    (more,) = jobs({"kind": "word-tfidf", "train_rows": 6}, of=few)
    assert more.key != job.key


def test_a_kind_is_trained_once_and_says_on_what(tmp_path: Path) -> None:
    """Pairs, too; a second build finds the weights."""
    (job,) = jobs({"kind": "nbsvm", "name": "mine", "train_rows": 80}, of=task(is_pair=True))
    assert not is_trained(job, tmp_path)
    info = make_ready(job, tmp_path).info
    assert is_trained(job, tmp_path)
    assert (info.name, info.kind, info.n_train, info.clean_accuracy) == ("mine", "nbsvm", 80, 1.0)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("wrd-tfidf", "did you mean 'word-tfidf'"),
        ("majority", "cannot be a surrogate"),
        ("api:gpt", "cannot be a surrogate"),
        ("hf", "needs an argument"),
        ("ensemble:word-tfidf", "two or more"),
        ("ensemble:api:x+vader", "cannot be a surrogate"),
        ({"kind": "vader", "epochs": 2}, "is not trained here"),
        ({"kind": "nbsvm", "train_rows": 0}, "greater than or equal to 1"),
    ],
)
def test_a_surrogate_that_cannot_be_one_is_refused(raw: object, message: str) -> None:
    """Before anything is built."""
    with pytest.raises(ValueError, match=message):
        SurrogateRecipe.model_validate(raw)


def run(*arguments: object) -> Result:
    """Run `build` as the command line does."""
    return CliRunner().invoke(build, [str(argument) for argument in arguments])


def test_a_recipe_of_others_runs_no_code_unless_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A function that the user names is the user's own; what a recipe brings is not."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "made_surrogate.py").write_text(
        "def guess(texts): return [int('good' in text or 'fun' in text) for text in texts]\n",
        encoding="utf-8",
    )
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        'name: small\nversion: "1.0"\nmin_samples: 1\n'
        "tasks: [{name: mr, source: mr, samples: 4, train_rows: 40}]\n"
        "dimensions: [{name: typo-general, degrees: [0.3]}]\ncases: {rule: 1}\n"
        "surrogates: ['ensemble:python:made_surrogate:guess+vader']\n",
        encoding="utf-8",
    )
    refused = run(recipe, "-o", tmp_path / "one")
    assert isinstance(refused.exception, UserError)
    assert "give --trust" in refused.exception.message
    assert run(recipe, "--trust", "-o", tmp_path / "one").exit_code == 0
    typed = run(recipe, "--surrogates", "python:made_surrogate:guess,textblob", "-o", tmp_path / "two")
    assert typed.exit_code == 0, typed.output
    names = [info.name for info in Release.open(tmp_path / "two").manifest.surrogates]
    assert names == ["python-made-surrogate-guess", "textblob"]


@pytest.mark.parametrize("spec", ["sklearn:model.joblib", "ensemble:vader+sklearn:model.joblib"])
def test_a_pickle_is_loaded_only_if_trusted_whoever_names_it(
    spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a recipe or on the command line, with the words in which `predict` refuses it."""
    monkeypatch.chdir(tmp_path)
    joblib.dump(fitted_pipeline(), tmp_path / "model.joblib")
    small = read_recipe(find_recipe("tiny")).resolved()
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(json.dumps({**small, "surrogates": [spec], "sources": {}}), encoding="utf-8")
    for arguments in (["tiny", "--surrogates", spec], [recipe]):
        refused = run(*arguments, "--plan")
        assert isinstance(refused.exception, UserError)
        assert "can run any code" in refused.exception.message
        assert "give --trust" in refused.exception.message
        assert refused.exception.exit_code == ExitCode.BAD_INPUT
    typed = run("tiny", "--surrogates", spec, "--trust", "-o", tmp_path / "release")
    assert typed.exit_code == 0, typed.output


def test_predict_asks_a_surrogate_by_its_name_or_by_its_spec(
    pipeline_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the same labels, which are also those that the release stores; paths stay at home."""
    monkeypatch.chdir(pipeline_path.parent)
    release = tmp_path / "release"
    built = run(
        "tiny", "--surrogates", "sklearn:model.skops,ensemble:vader+sklearn:model.skops", "-o", release
    )
    assert built.exit_code == 0, built.output
    manifest = Release.open(release).manifest
    assert str(tmp_path) not in (release / "manifest.json").read_text(encoding="utf-8")
    first, second = manifest.surrogates
    answers = []
    for spec in (
        f"surrogate:{second.name}",
        "ensemble:vader+sklearn:model.skops",
        f"ensemble:{first.name}+vader",
    ):
        predict(release, spec, tmp_path / "p.jsonl")
        lines = (tmp_path / "p.jsonl").read_text(encoding="utf-8").splitlines()
        answers.append({row["id"]: row["prediction"] for row in map(json.loads, lines)})
    assert answers[0] == answers[1] == answers[2]
    opened = Release.open(release)
    for split in manifest.splits:
        if split.is_adversarial and split.rows:
            table = opened.table(split, ["id", "surrogate_predictions"])
            for row in table.to_pylist():
                assert answers[0][row["id"]] == manifest.tasks[0].labels[row["surrogate_predictions"][1]]


def test_an_entry_in_the_manifest_says_where_accuracy_was_measured(tmp_path: Path) -> None:
    """On the clean samples of the release."""
    (job,) = jobs("vader")
    info: SurrogateInfo = make_ready(job, cache_path()).info
    votes = surrogate_of(cache_path(), info.weights_sha256).votes(
        [(sample.text, None) for sample in job.task.samples]
    )
    right = [vote == sample.label for vote, sample in zip(votes, job.task.samples, strict=True)]
    assert info.clean_accuracy == pytest.approx(sum(right) / len(right), abs=1e-6)
