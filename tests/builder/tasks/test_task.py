"""Samples and training rows never share a text, in any task of a recipe."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from builder.tasks.task import load_tasks
from builder.tasks.task_recipe import TaskRecipe
from builder.values.samples import letters_and_digits
from contract.machine.errors import UserError


def write(path: Path, rows: list[tuple[str, int]]) -> str:
    """Write a file source and return its name."""
    lines = "".join(f"{text}\t{label}\n" for text, label in rows)
    path.write_text(f"text\tlabel\n{lines}", encoding="utf-8")
    return f"file:{path}"


def test_rows_that_equal_a_sample_of_any_task_are_removed_and_counted(tmp_path: Path) -> None:
    """On letters and digits alone: case, spacing and punctuation do not hide a leak."""
    first = write(tmp_path / "a.tsv", [("It's good!", 1), ("bad film", 0)])
    train = [("its GOOD", 1), ("Bad-film", 0), ("another one", 1), ("and a second", 0)]
    second = write(tmp_path / "b.tsv", [("only here", 1), ("and there", 0)])
    tasks = load_tasks(
        (
            TaskRecipe(name="a", source=first, samples=2, train=write(tmp_path / "train.tsv", train)),
            TaskRecipe(
                name="b",
                source=second,
                samples=2,
                train=write(tmp_path / "also.tsv", [("bad film.", 0), ("x", 1)]),
            ),
        )
    )
    assert [task.overlap.n_removed for task in tasks] == [2, 1]
    assert sorted(sample.text for sample in tasks[0].train) == ["and a second", "another one"]
    assert all(sample.id.startswith("a-train-") for sample in tasks[0].train)


def test_what_is_drawn_depends_on_texts_and_seed_not_on_the_order_of_rows(tmp_path: Path) -> None:
    """The same rows shuffled give the same samples; another seed gives others."""
    rows = [(f"text number {n}", n % 2) for n in range(50)]

    def drawn(source: str, seed: int) -> set[str]:
        recipe = TaskRecipe(name="a", source=source, samples=10, sampling_seed=seed)
        return {sample.text for sample in load_tasks((recipe,))[0].samples}

    forward, backward = write(tmp_path / "a.tsv", rows), write(tmp_path / "b.tsv", rows[::-1])
    assert drawn(forward, 0) == drawn(backward, 0)
    assert drawn(forward, 0) != drawn(forward, 1)


def test_asking_for_more_samples_than_there_are_is_refused(tmp_path: Path) -> None:
    """Equal texts count once."""
    source = write(tmp_path / "a.tsv", [("same", 1), ("Same!", 1), ("other", 0)])
    with pytest.raises(UserError, match=r"3 samples asked for, but file:a\.tsv has 2 different texts"):
        load_tasks((TaskRecipe(name="a", source=source, samples=3),))


def test_all_samples_are_taken_where_so_few_suffice(tmp_path: Path) -> None:
    """A recipe says how few."""
    source = write(tmp_path / "a.tsv", [("same", 1), ("Same!", 1), ("other", 0)])
    (task,) = load_tasks((TaskRecipe(name="a", source=source, samples=1000, least_samples=2),))
    assert len(task.samples) == task.info.n_samples == 2
    with pytest.raises(UserError, match=r"3 samples asked for, but file:a\.tsv has 2 different texts"):
        load_tasks((TaskRecipe(name="a", source=source, samples=1000, least_samples=3),))


def test_mr_is_what_the_design_says() -> None:
    """8,530 sentences, balanced; nothing is imported or fetched."""
    (task,) = load_tasks((TaskRecipe(name="mr", source="mr", samples=100),))
    assert len(task.samples) + len(task.train) + task.overlap.n_removed == 8530
    assert task.info.labels == ("negative", "positive")
    keys = {letters_and_digits(sample.text) for sample in task.samples}
    assert not keys & {letters_and_digits(sample.text) for sample in task.train}


def test_an_unknown_data_source_is_answered_with_those_there_are() -> None:
    """The forms come from the registry, the nearest name first."""
    with pytest.raises(UserError, match=r"did you mean 'file'\? expected mr, file:PATH or hub:NAME"):
        load_tasks((TaskRecipe(name="a", source="files:a.tsv", samples=3),))


def test_a_pair_cannot_be_perturbed_where_no_column_holds_it() -> None:
    """Whatever the data source."""
    with pytest.raises(ValidationError, match=r"read\.columns\.text_pair names no column"):
        TaskRecipe(name="a", source="mr", perturb="text_pair")
