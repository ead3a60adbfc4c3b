"""The command `singleword` on a small transformer: gradients, bounds and the time budget."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import hardfrost

WORDS = ("a", "good", "bad", "film", "very", "story", "fine", "dull", "plot", "the")
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "##ly", "7th")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a tiny trained checkpoint and rows."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    path = tmp_path_factory.mktemp("encoder")
    (path / "vocab.txt").write_text("\n".join([*SPECIAL, *WORDS]), encoding="utf-8")
    tokenizer = BertTokenizerFast(vocab_file=str(path / "vocab.txt"), model_max_length=32)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(SPECIAL) + len(WORDS),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=32,
        id2label={0: "neg", 1: "pos"},
        label2id={"neg": 0, "pos": 1},
    )
    model = BertForSequenceClassification(config)
    rows = [
        (f"{first} {telling} {last}", "pos" if telling in {"good", "fine"} else "neg")
        for first in ("a", "the", "a very", "the very")
        for telling in ("good", "bad", "fine", "dull")
        for last in ("film", "story", "plot")
    ]
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    inputs = tokenizer([text for text, _ in rows], padding=True, return_tensors="pt")
    labels = torch.tensor([int(label == "pos") for _, label in rows])
    for _ in range(60):
        optimizer.zero_grad()
        model(**inputs, labels=labels).loss.backward()
        optimizer.step()
    model.save_pretrained(path / "model", safe_serialization=True)
    tokenizer.save_pretrained(path / "model")
    with (path / "rows.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("text", "label"), *rows])
    return path


def measured(folder: Path, out: Path, *options: str) -> dict[str, Any]:
    """Return the figures that the command prints."""
    common = (f"--model=hf:{folder / 'model'}", f"--data={folder / 'rows.csv'}", f"--output={out}")
    columns = ("--text=text", "--label=label", "--limit=12", "--json")
    printed = CliRunner().invoke(hardfrost.cli, ["singleword", *common, *columns, *options])
    assert printed.exit_code == 0, printed.output
    found: dict[str, Any] = json.loads(printed.stdout)
    return found


def test_gradients_give_bounds_that_hold_the_exact_value_between_them(folder: Path, tmp_path: Path) -> None:
    """And with no early stop they are one."""
    exact = measured(folder, tmp_path / "exact", "--exact")
    few = measured(folder, tmp_path / "few", "--m=2")
    whole = measured(folder, tmp_path / "whole", "--m=none")
    assert exact["search"] == "brute-force"
    assert exact["vocabulary"] == "model"
    # Neither special tokens, nor pieces, nor what is not made of letters, nor single letters.
    assert exact["n_words"] == len(WORDS) - 1
    assert (few["search"], few["m"]) == ("euba", 2)
    assert few["test"]["lower_bound"] <= exact["test"]["rho"] <= few["test"]["rho"]
    assert few["test"]["n_questions"] < exact["test"]["n_questions"]
    assert whole["m"] is None
    assert whole["test"]["rho"] == whole["test"]["lower_bound"] == pytest.approx(exact["test"]["rho"])
    assert 0 < exact["test"]["rho"] < 1
    assert exact["words"][0]["word"] in {"good", "bad", "fine", "dull"}


@pytest.mark.parametrize("variant", ["top1", "no-mask"])
def test_the_variants_name_themselves(folder: Path, tmp_path: Path, variant: str) -> None:
    """So that figures of different searches are not compared."""
    found = measured(folder, tmp_path / variant, f"--variant={variant}")
    assert found["search"] == f"euba-{variant}"
    assert found["test"]["lower_bound"] <= found["test"]["rho"]


def test_a_budget_that_suffices_for_nothing_is_said_in_a_sentence(folder: Path, tmp_path: Path) -> None:
    """And what to do."""
    common = (f"--model=hf:{folder / 'model'}", f"--data={folder / 'rows.csv'}", f"--output={tmp_path / 'o'}")
    columns = ("--text=text", "--label=label", "--time-budget=0.001s")
    printed = CliRunner().invoke(hardfrost.cli, ["singleword", *common, *columns])
    assert printed.exit_code == 1
    assert "give more with --time-budget" in str(printed.exception)
