"""The share of samples with a case is counted over all samples, and cases are shown with their edits."""

from pathlib import Path

import pytest

from benchmarks.reach import marked, reach_of
from builder.tasks.task import load_tasks
from builder.tasks.task_recipe import TaskRecipe


def test_a_sample_that_cannot_carry_a_degree_counts(tmp_path: Path) -> None:
    """Of four texts one is too short for the degree, and one has no word that could change."""
    path = tmp_path / "texts.csv"
    texts = [
        ("this little movie was filmed near the coast", "a"),
        ("that movie was shown in a tent last summer", "b"),
        ("Oslo", "a"),
        ("he and she and it and we and they", "b"),
    ]
    path.write_text("text,label\n" + "\n".join(f"{text},{label}" for text, label in texts), encoding="utf-8")
    (task,) = load_tasks((TaskRecipe(name="texts", source=f"file:{path}", samples=4),))
    reached = reach_of(task, "synonym", [0.1])[0.1]
    assert reached.share == pytest.approx(0.5)
    shown = [marked(case) for case in reached.cases]
    assert any("[movie > film]" in text for text in shown)
