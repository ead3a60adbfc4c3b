"""Classifiers of every kind turn texts into probabilities, and refuse what is not safe or does not fit."""

import contextlib
from pathlib import Path
from random import Random
from zipfile import ZipFile

import joblib
import numpy as np
import pytest
import skops.io
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.pipeline import make_pipeline

from classifiers import KINDS, TRAINABLE_KINDS, Classifier, LoadRequest, TrainingSet, parse_spec
from classifiers.saved.stored import folder_of, load_saved
from contract.machine.errors import UserError
from contract.release.release import Release

TEXTS = [("a wonderful , moving film", None), ("a terrible , boring mess", None), ("", None)]


def load(spec: str, tiny: Path, cache: Path, *, is_trusted: bool = False) -> Classifier:
    """Load a classifier for the tiny release as `predict` does."""
    release = Release.open(tiny)
    kind, argument = parse_spec(spec)
    (task,) = release.manifest.tasks
    return kind.load(
        LoadRequest(argument=argument, task=task, release=release, cache_path=cache, is_trusted=is_trusted)
    )


@pytest.mark.parametrize(
    "spec", ["majority", "guess", "vader", "textblob", "surrogate:word-tfidf", "trained:word-tfidf"]
)
def test_baselines_give_probabilities(spec: str, tiny: Path, cache: Path) -> None:
    """One row a text that sums to 1, also for an empty text, also for no text."""
    classifier = load(spec, tiny, cache)
    result = classifier.probabilities(TEXTS)
    assert result.shape == (3, 2)
    assert np.allclose(result.sum(axis=1), 1)
    assert classifier.probabilities([]).shape[0] == 0
    if spec not in {"majority", "guess"}:
        assert result[0].argmax() == 1
        assert result[1].argmax() == 0


def test_a_kind_that_is_trained_anew_is_no_surrogate(tiny: Path, cache: Path) -> None:
    """Of the same kind, with weights of its own, and the same each time."""
    first, again, surrogate = (
        load(f"{kind}:word-tfidf", tiny, cache).probabilities(TEXTS)
        for kind in ("trained", "trained", "surrogate")
    )
    assert np.array_equal(first, again)
    assert not np.allclose(first, surrogate)
    with pytest.raises(UserError, match="did you mean 'nbsvm'"):
        load("trained:nbsvn", tiny, cache)


def test_a_guess_depends_on_the_text_alone(tiny: Path, cache: Path) -> None:
    """Each label about as often as the other, and the same text always the same."""
    texts = [(f"text number {number}", None) for number in range(1000)]
    guesses = load("guess", tiny, cache).probabilities(texts).argmax(axis=1)
    assert 400 < guesses.sum() < 600
    assert guesses[0] == load("guess", tiny, cache).probabilities(texts[:1]).argmax()


def test_a_trained_surrogate_is_loaded_only_as_it_was_trained(
    tiny: Path, cache: Path, tmp_path: Path
) -> None:
    """Changed weights are refused; missing ones are explained."""
    (info,) = Release.open(tiny).manifest.surrogates
    with pytest.raises(UserError, match="build the release here first"):
        load_saved(tmp_path, info.weights_sha256)
    folder = folder_of(tmp_path, info.weights_sha256)
    folder.mkdir(parents=True)
    for path in folder_of(cache, info.weights_sha256).iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    load_saved(tmp_path, info.weights_sha256)
    (folder / "classifier.json").write_text('{"kind": "word-tfidf"}', encoding="utf-8")
    with pytest.raises(UserError, match="the weights were changed"):
        load_saved(tmp_path, info.weights_sha256)


@pytest.mark.parametrize("name", list(TRAINABLE_KINDS))
def test_a_trainable_kind_learns_pairs_and_many_labels_the_same_twice(name: str, tmp_path: Path) -> None:
    """Weights depend on the rows and the seed alone, and no file is a pickle."""
    kind = TRAINABLE_KINDS[name]
    subjects = ["football and goals", "markets and money", "rockets and space"]
    texts = [(f"news of {subjects[n % 3]} {n}", "and more") for n in range(60)]
    training = TrainingSet(texts=texts, labels=[n % 3 for n in range(60)], n_labels=3, seed=1)
    contents = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        folder.mkdir()
        kind.train(training, folder)
        contents.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert contents[0] == contents[1]
    assert {Path(file).suffix for file in contents[0]} <= {".json", ".safetensors", ".txt"}
    guesses = kind.load(tmp_path / "one").probabilities(texts)
    assert guesses.argmax(axis=1).tolist() == training.labels


@pytest.fixture
def pipeline_path(tmp_path: Path) -> Path:
    """Return a fitted pipeline saved by skops."""
    pipeline = make_pipeline(CountVectorizer(), LogisticRegression())
    pipeline.fit(["good film", "bad film"], ["positive", "negative"])
    skops.io.dump(pipeline, tmp_path / "model.skops")
    joblib.dump(pipeline, tmp_path / "model.joblib")
    return tmp_path


def test_a_scikit_learn_pipeline_is_read_from_skops(pipeline_path: Path, tiny: Path, cache: Path) -> None:
    """Its classes are matched by name, whatever their order."""
    result = load(f"sklearn:{pipeline_path}/model.skops", tiny, cache).probabilities(
        [("good", None), ("bad", None)]
    )
    assert result.argmax(axis=1).tolist() == [1, 0]


def test_a_pickle_is_refused_unless_its_owner_vouches_for_it(
    pipeline_path: Path, tiny: Path, cache: Path
) -> None:
    """Files from strangers are data."""
    with pytest.raises(UserError, match="can run any code"):
        load(f"sklearn:{pipeline_path}/model.joblib", tiny, cache)
    load(f"sklearn:{pipeline_path}/model.joblib", tiny, cache, is_trusted=True)


def test_a_pipeline_without_probabilities_or_for_other_labels(
    tmp_path: Path, tiny: Path, cache: Path
) -> None:
    """Certainty where there are no probabilities; other labels are refused by name."""
    model = make_pipeline(CountVectorizer(), Perceptron()).fit(["good film", "bad film"], [1, 0])
    skops.io.dump(model, tmp_path / "hard.skops")
    assert load(f"sklearn:{tmp_path}/hard.skops", tiny, cache).probabilities([("good", None)]).tolist() == [
        [0, 1]
    ]
    other = make_pipeline(CountVectorizer(), LogisticRegression()).fit(
        ["good film", "bad film"], ["spam", "ham"]
    )
    skops.io.dump(other, tmp_path / "other.skops")
    with pytest.raises(
        UserError, match=r"has the labels ham, spam, task mr has negative, positive.*--labels"
    ):
        load(f"sklearn:{tmp_path}/other.skops", tiny, cache)


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04cut"])
def test_a_file_that_is_no_skops_file_is_refused(
    tmp_path: Path, tiny: Path, cache: Path, content: bytes
) -> None:
    """No traceback, whatever is inside."""
    (tmp_path / "x.skops").write_bytes(content)
    with pytest.raises(UserError, match="not a skops file"):
        load(f"sklearn:{tmp_path}/x.skops", tiny, cache)


def test_a_damaged_skops_file_is_refused_or_read(pipeline_path: Path, tiny: Path, cache: Path) -> None:
    """Its parts are those of several parsers, each with errors of its own."""
    path = pipeline_path / "model.skops"
    with ZipFile(path) as archive:
        schema = archive.read("schema.json").decode()
        others = {name: archive.read(name) for name in archive.namelist() if name != "schema.json"}
    random = Random(0)
    spoilt = [schema.replace('"__loader__"', '"__other__"', 1), "[" * 100_000, "[]", "{}", "1", '{"a": null}']
    for _ in range(60):
        place = random.randrange(len(schema))
        spoilt.append(schema[:place] + random.choice('[]{}",:0x') + schema[place + 1 :])
    for text in spoilt:
        with ZipFile(path, "w") as archive:
            for name, data in others.items():
                archive.writestr(name, data)
            archive.writestr("schema.json", text)
        with contextlib.suppress(UserError):
            load(f"sklearn:{path}", tiny, cache)


def test_a_python_function_is_called_once_with_all_texts(
    tmp_path: Path, tiny: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names, indices and probabilities are accepted; anything else is explained."""
    (tmp_path / "my_model_for_tests.py").write_text(
        "def names(texts): return ['positive' if 'good' in text else 'negative' for text in texts]\n"
        "def rows(texts): return [[0.25, 0.75] for _ in texts]\n"
        "def few(texts): return ['positive']\n"
        "def odd(texts): return ['perhaps' for _ in texts]\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    two = [("good", None), ("bad", None)]
    assert load("python:my_model_for_tests:names", tiny, cache).probabilities(two).tolist() == [
        [0, 1],
        [1, 0],
    ]
    assert (
        load("python:my_model_for_tests:rows", tiny, cache).probabilities(two).tolist() == [[0.25, 0.75]] * 2
    )
    with pytest.raises(UserError, match="returned 1 answers for 2 texts"):
        load("python:my_model_for_tests:few", tiny, cache).probabilities(two)
    with pytest.raises(UserError, match="returned 'perhaps'; return for each text a label"):
        load("python:my_model_for_tests:odd", tiny, cache).probabilities(two)
    with pytest.raises(UserError, match="has no function 'none'"):
        load("python:my_model_for_tests:none", tiny, cache)


def test_specs_are_checked() -> None:
    """An argument where one belongs, and nowhere else."""
    with pytest.raises(UserError, match="vader takes no argument"):
        parse_spec("vader:x")
    with pytest.raises(UserError, match="sklearn needs an argument; write sklearn:PATH"):
        parse_spec("sklearn")
    with pytest.raises(UserError, match="did you mean 'vader'"):
        parse_spec("vadr")
    assert all(kind.summary for kind in KINDS.values())
