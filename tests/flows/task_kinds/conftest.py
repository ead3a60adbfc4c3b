"""A release with one task of each kind, built from files that are written here."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from builder.recipe.recipe_file import recipe_of
from builder.run.pipeline import build
from contract.machine.progress import Silence

WORDS = ("house", "garden", "people", "water", "window", "street", "market", "summer", "winter", "letter")
SIGNS = {"violence": "fights", "joy": "smiles", "grief": "weeps"}
TAGGED = {
    "the": "DET", "a": "DET", "dog": "NOUN", "cat": "NOUN", "runs": "VERB", "sleeps": "VERB", "big": "ADJ",
    "quickly": "ADV", ".": "PUNCT",
}  # fmt: skip


def multilabel_row(number: int, draw: random.Random) -> dict[str, Any]:
    """Return a text whose labels stand in it as words; each seventh is not judged on grief."""
    held = {label: int(draw.random() < 0.4) for label in SIGNS}
    words = draw.sample(WORDS, 6) + [SIGNS[label] for label in SIGNS if held[label]]
    draw.shuffle(words)
    judged: dict[str, int | None] = dict(held)
    if number % 7 == 0:
        judged["grief"] = None
    return {"text": f"{' '.join(words)} number{number}", **judged}


def conllu(n_sentences: int, draw: random.Random) -> str:
    """Return sentences of made words, with a line of a split token and one of an empty node."""
    blocks = []
    for number in range(n_sentences):
        words = [draw.choice(["the", "a"]), draw.choice(["dog", "cat"]), draw.choice(["runs", "sleeps"])]
        words += ["quickly"] if number % 2 else ["big", "dog"]
        words += [f"name{number}", "."]
        lines = [f"# sent_id = {number}", "1-2\tthedog\t_\t_\t_\t_\t_\t_\t_\t_"]
        for place, word in enumerate(words, start=1):
            tag = TAGGED.get(word, "PROPN" if number else "X")
            lines.append(f"{place}\t{word}\t_\t{tag}\t_\t_\t_\t_\t_\t_")
        lines.append("3.1\tghost\t_\tX\t_\t_\t_\t_\t_\t_")
        blocks.append("\n".join(lines) + "\n\n")
    return "".join(blocks)


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with one file for each kind of task."""
    folder = tmp_path_factory.mktemp("kinds")
    draw = random.Random(3)
    rows = [json.dumps(multilabel_row(number, draw)) for number in range(90)]
    (folder / "labels.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (folder / "words.conllu").write_text(conllu(120, draw), encoding="utf-8")
    plain = [f"{draw.choice(['good', 'bad'])} {' '.join(draw.sample(WORDS, 5))} n{n}" for n in range(60)]
    texts = [json.dumps({"text": text, "label": text.split()[0]}) for text in plain]
    (folder / "plain.jsonl").write_text("\n".join(texts) + "\n", encoding="utf-8")
    return folder


def recipe(**changes: Any) -> dict[str, Any]:
    """Return a recipe with a task of each kind."""
    return {
        "name": "kinds",
        "version": "1.0",
        "seed": 1,
        "tasks": [
            {"name": "plain", "source": "file:plain.jsonl", "samples": 20},
            {
                "name": "moods",
                "kind": "multilabel",
                "source": "file:labels.jsonl",
                "read": {"columns": {"labels": ["violence", "joy", "grief"]}},
                "samples": 40,
            },
            {
                "name": "words",
                "kind": "tagging",
                "source": "file:words.conllu",
                "samples": 60,
                "without": ["segment"],
            },
        ],
        "dimensions": [
            {"name": "intrude", "degrees": [0.5]},
            {"name": "segment", "degrees": [0.5]},
            {"name": "typo-general", "degrees": [0.2, 0.4]},
        ],
        "cases": {"rule": 2},
        "filters": ["degree"],
        "surrogates": ["word-tfidf"],
        "min_samples": 5,
        **changes,
    }


@pytest.fixture(scope="session")
def release(files: Path) -> Path:
    """Return the release; tests must not write into it."""
    build(recipe_of(recipe(), files), files / "release", Silence())
    return files / "release"
