"""Labels that a model only numbers: said aloud, and refused where they do worse than guessing."""

from pathlib import Path

import pytest

from classifiers.machinery.classifier import ModelOptions
from contract.machine.errors import UserError
from evaluator.predicting.predicting import predict, resume_path

RIGHT = "[int(re.search(r'text (\\d+)', text)[1]) % 2 for text in texts]"


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write functions that number the labels rightly, the wrong way round, by name, and by nothing."""
    (tmp_path / "numbers.py").write_text(
        f"import re\ndef right(texts): return {RIGHT}\n"
        "def flipped(texts): return [1 - label for label in right(texts)]\n"
        "def named(texts): return [['negative', 'positive'][label] for label in flipped(texts)]\n"
        "def constant(texts): return [1 for _ in texts]\n"
    )
    monkeypatch.chdir(tmp_path)


def test_an_order_that_is_worse_than_guessing_is_refused_with_the_remedy(
    release_path: Path, tmp_path: Path, write: None
) -> None:
    """After the clean texts, before all others are asked about; the remedy works."""
    said: list[str] = []
    path = tmp_path / "p.jsonl"
    with pytest.raises(UserError, match=r"worse than guessing \(50.0%\).*--labels positive,negative"):
        predict(release_path, "numbers.py:flipped", path, say=said.append)
    assert len(said) == 1
    assert "0 = negative, 1 = positive" in said[0]
    assert not path.exists()
    assert not resume_path(path).exists()
    options = ModelOptions(labels={"mr": ("positive", "negative")})
    predict(release_path, "numbers.py:flipped", path, options=options)
    predict(release_path, "numbers.py:right", tmp_path / "q.jsonl")
    assert path.read_bytes() == (tmp_path / "q.jsonl").read_bytes()


def test_who_names_labels_or_confirms_their_order_may_be_wrong(
    release_path: Path, tmp_path: Path, write: None
) -> None:
    """A bad model is no mistake of the labels; a constant answer is no worse than guessing."""
    predict(release_path, "numbers.py:named", tmp_path / "p.jsonl")
    options = ModelOptions(labels={"": ("negative", "positive")})
    predict(release_path, "numbers.py:flipped", tmp_path / "q.jsonl", options=options)
    assert (tmp_path / "p.jsonl").read_bytes() == (tmp_path / "q.jsonl").read_bytes()
    predict(release_path, "numbers.py:constant", tmp_path / "r.jsonl")


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ({"": ("positive", "negtive")}, "'negtive' is no label of it"),
        ({"": ("positive", "positive")}, "give each of negative, positive once"),
        ({"": ("positive", "negative", "other")}, "is no label of it"),
        ({"mrs": ("positive", "negative")}, "unknown task 'mrs'; did you mean 'mr'"),
    ],
)
def test_labels_that_do_not_fit_are_refused(
    release_path: Path, tmp_path: Path, write: None, labels: dict[str, tuple[str, ...]], message: str
) -> None:
    """With what was expected."""
    with pytest.raises(UserError, match=message):
        predict(release_path, "numbers.py:right", tmp_path / "p.jsonl", options=ModelOptions(labels=labels))


def test_options_that_a_kind_does_not_take_are_refused(release_path: Path, tmp_path: Path) -> None:
    """Rather than passed over in silence."""
    options = ModelOptions(device="cuda", batch_size=3)
    with pytest.raises(UserError, match="majority takes no --batch-size and no --device"):
        predict(release_path, "majority", tmp_path / "p.jsonl", options=options)
