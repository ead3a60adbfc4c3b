"""`predict` with a transformer: progress as it goes, nothing asked twice, pairs and probabilities kept."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from pair_release import write_pair_release
from transformers import BertForSequenceClassification, BertTokenizerFast

from classifiers.machinery import transformer
from contract.machine.errors import UserError
from contract.machine.progress import Silence
from evaluator.predicting.predicting import predict, resume_path

N_TEXTS = 54


class Steps(Silence):
    """Remembers what it is told of the progress."""

    def __init__(self) -> None:
        self.stages: list[tuple[str, int, int]] = []
        self.steps: list[int] = []
        # What is left to do, in the unit of the weights.
        self.effort = 0.0

    def stage(self, name: str, total: int, n_done: int = 0, effort: float | None = None) -> None:
        """Remember a stage."""
        self.stages.append((name, total, n_done))
        self.effort = effort or 0

    def step(self, n: int = 1, effort: float | None = None) -> None:
        """Remember a step."""
        self.steps.append(n)
        self.effort -= effort or 0


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask about eight texts at a time."""
    monkeypatch.setattr(transformer, "BATCH", 8)


def break_after(n_batches: int, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let the model be interrupted after some batches; return the list to which batch sizes are added."""
    sizes: list[int] = []
    forward = BertForSequenceClassification.forward

    def count(self: Any, input_ids: Any = None, **others: Any) -> Any:
        if len(sizes) == n_batches:
            raise KeyboardInterrupt
        sizes.append(len(input_ids))
        return forward(self, input_ids, **others)

    monkeypatch.setattr(BertForSequenceClassification, "forward", count)
    return sizes


def test_progress_moves_with_every_batch(
    checkpoint: Path, release_path: Path, tmp_path: Path, small_batches: None
) -> None:
    """So the time left can be told from the first batches on."""
    steps = Steps()
    predict(release_path, f"hf:{checkpoint}", tmp_path / "p.jsonl", progress=steps)
    assert steps.stages == [("predict mr", N_TEXTS, 0)]
    assert steps.steps == [8, 8, 8, 8, 8, 8, 6]
    assert steps.effort == 0


def test_an_interrupted_model_is_asked_for_the_rest_only(
    checkpoint: Path,
    release_path: Path,
    tmp_path: Path,
    small_batches: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And the file is, byte for byte, that of one run: the batches fall the same way."""
    spec = f"hf:{checkpoint}"
    predict(release_path, spec, tmp_path / "whole.jsonl")
    with monkeypatch.context() as patch:
        sizes = break_after(3, patch)
        with pytest.raises(KeyboardInterrupt):
            predict(release_path, spec, tmp_path / "p.jsonl")
        assert sizes == [8, 8, 8]
    assert resume_path(tmp_path / "p.jsonl").exists()
    sizes = break_after(100, monkeypatch)
    steps = Steps()
    predict(release_path, spec, tmp_path / "p.jsonl", is_resumed=True, progress=steps)
    assert sum(sizes) == N_TEXTS - 24
    assert steps.stages == [("predict mr", N_TEXTS, 24)]
    assert steps.steps == [8, 8, 8, 6]
    assert steps.effort == 0
    assert (tmp_path / "p.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_answers_of_other_weights_are_not_taken_up(
    checkpoint: Path, release_path: Path, tmp_path: Path, small_batches: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model that was trained anew under its old name is another model."""
    with monkeypatch.context() as patch:
        break_after(3, patch)
        with pytest.raises(KeyboardInterrupt):
            predict(release_path, f"hf:{checkpoint}", tmp_path / "p.jsonl")
    BertForSequenceClassification.from_pretrained(checkpoint).save_pretrained(checkpoint)
    with pytest.raises(UserError, match="holds answers to other questions"):
        predict(release_path, f"hf:{checkpoint}", tmp_path / "p.jsonl", is_resumed=True)
    predict(release_path, f"hf:{checkpoint}", tmp_path / "p.jsonl")


def test_a_prediction_that_only_lacks_its_file_loads_no_model(
    checkpoint: Path, release_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All answers are there; a full disk need not cost a second run."""
    spec = f"hf:{checkpoint}"
    (tmp_path / "p.jsonl").mkdir()
    with pytest.raises(OSError, match=r"p\.jsonl"):
        predict(release_path, spec, tmp_path / "p.jsonl")
    (tmp_path / "p.jsonl").rmdir()
    sizes = break_after(0, monkeypatch)
    predict(release_path, spec, tmp_path / "p.jsonl", is_resumed=True)
    assert sizes == []


def test_pairs_and_probabilities_are_the_models_own(checkpoint: Path, tmp_path: Path) -> None:
    """Both texts in their order, to six digits."""
    release = write_pair_release(tmp_path / "release")
    model = BertForSequenceClassification.from_pretrained(checkpoint).eval()
    model.config.id2label = {0: "NOT_entailment", 1: "Entailment"}
    model.save_pretrained(checkpoint)
    predict(release, f"hf:{checkpoint}", tmp_path / "p.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "p.jsonl").read_text(encoding="utf-8").splitlines()]
    tokenizer = BertTokenizerFast.from_pretrained(checkpoint)
    for sample, row in enumerate(rows[:8]):
        texts = (f"a good film {sample // 2}", "a very bad film 0.0")
        tokens = tokenizer(*(texts if sample % 2 else texts[::-1]), return_tensors="pt")
        with torch.inference_mode():
            expected = torch.softmax(model(**tokens).logits, dim=-1)[0].numpy()[[1, 0]]
        assert np.abs(np.array(row["probabilities"]) - expected).max() < 2e-6
        assert row["prediction"] == ["entailment", "not_entailment"][expected.argmax()]
    assert rows[0]["probabilities"] != rows[1]["probabilities"]


def test_a_model_whose_numbers_are_none_is_not_scored(
    checkpoint: Path, release_path: Path, tmp_path: Path
) -> None:
    """Only remote models may leave a text without a label."""
    model = BertForSequenceClassification.from_pretrained(checkpoint)
    with torch.no_grad():
        model.classifier.bias.fill_(float("nan"))
    model.save_pretrained(checkpoint)
    with pytest.raises(UserError, match="not all numbers"):
        predict(release_path, f"hf:{checkpoint}", tmp_path / "p.jsonl")
