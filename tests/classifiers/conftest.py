"""A chat server on loopback and a release to ask it about; lets tests import their helpers by name."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "evaluator")]

from chat_server import ChatServer  # noqa: E402


@pytest.fixture
def server() -> Iterator[ChatServer]:
    """Yield a server that answers rightly about the release of `release_path`, until told otherwise."""
    with ChatServer() as running:
        yield running


@pytest.fixture
def release_path(tmp_path: Path) -> Path:
    """Return a release of one task: 54 rows and as many distinct texts."""
    from synthetic import write_small_release

    return write_small_release(tmp_path / "release")


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test see keys, endpoints or proxies of whoever runs it."""
    for name in ("HARDFROST_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make waiting after trouble short."""
    from classifiers.machinery.chat import session

    monkeypatch.setattr(session, "_FIRST_WAIT_SECONDS", 0.002)
    monkeypatch.setattr(session, "_LONGEST_WAIT_SECONDS", 0.02)


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    """Return a tiny real checkpoint, its labels in another order than the task's."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    words = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        "a",
        "good",
        "bad",
        "film",
        "very",
        "text",
        *"012345",
    ]
    (tmp_path / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        id2label={0: "POSITIVE", 1: "NEGATIVE"},
        label2id={"POSITIVE": 0, "NEGATIVE": 1},
    )
    folder = tmp_path / "model"
    BertForSequenceClassification(config).save_pretrained(folder, safe_serialization=True)
    BertTokenizerFast(vocab_file=str(tmp_path / "vocab.txt"), model_max_length=64).save_pretrained(folder)
    return folder
