"""Audits from Python: the figures of the command, for values as well as for files."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import hardfrost

WORDS = {
    "good": ("charming", "moving", "tender", "gripping"),
    "bad": ("tedious", "clumsy", "hollow", "dreary"),
}
QUICK: dict[str, Any] = {
    "limit": 12,
    "dimensions": ["typo-malicious"],
    "degrees": [0.1, 0.2],
    "time_budget": None,
}


def rows(n: int, seed: int) -> tuple[list[str], list[str]]:
    """Return made-up reviews and their labels."""
    draw = random.Random(seed)
    labels = [("good", "bad")[number % 2] for number in range(n)]
    texts = []
    for number, label in enumerate(labels):
        words = draw.choices(("the", "film", "story", "every", "scene", "ending"), k=7)
        texts.append(f"{' '.join(words)} {' '.join(draw.choices(WORDS[label], k=2))} number {number}")
    return texts, labels


def by_words(texts: list[str]) -> list[str]:
    """Answer with the label whose words a text has."""
    return ["bad" if any(word in text for word in WORDS["bad"]) else "good" for text in texts]


def without_intervals(value: Any) -> Any:
    """Return figures without their intervals, whose resamples are drawn by the name of the model, too."""
    if not isinstance(value, dict):
        return value
    return {key: without_intervals(part) for key, part in value.items() if not key.endswith("ci")}


@pytest.fixture(scope="module")
def pipeline() -> Any:
    """Return a pipeline that knows the reviews."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    return make_pipeline(TfidfVectorizer(), LogisticRegression()).fit(*rows(200, seed=1))


def test_an_audit_from_python_is_that_of_the_command(pipeline: Any, tmp_path: Path, cache: Path) -> None:
    """The same pipeline, once as a value and once as a file, breaks in the same way."""
    import joblib

    texts, labels = rows(40, seed=2)
    score = hardfrost.audit(pipeline, texts, labels, out=tmp_path / "value", **QUICK)
    joblib.dump(pipeline, tmp_path / "model.joblib")
    arguments = ["audit", "--model", tmp_path / "model.joblib", "--data", tmp_path / "value/texts.jsonl"]
    arguments += ["--limit=12", "--dimensions=typo-malicious", "--degrees=0.1,0.2", "--time-budget=none"]
    arguments += ["--trust", "-o", tmp_path / "file"]
    done = CliRunner().invoke(hardfrost.cli, list(map(str, arguments)))
    assert done.exit_code == 0, done.output
    by_command = json.loads((tmp_path / "file/result.json").read_text(encoding="utf-8"))
    by_value = json.loads((tmp_path / "value/result.json").read_text(encoding="utf-8"))
    assert without_intervals(by_value["tasks"]) == without_intervals(by_command["tasks"])
    assert set(by_value["tasks"]["texts"]["dimensions"]["typo-malicious"]) == {"rule", "live"}
    assert score.robustness == score.worst == by_value["overall"]["worst"]["ewma"]
    assert score.report_path == tmp_path / "value" / "report.html"
    assert "Pipeline" in score.report_path.read_text(encoding="utf-8")


def test_a_score_of_an_audit_becomes_a_table_a_plot_and_html(pipeline: Any, cache: Path) -> None:
    """As any other, though it has no benchmark; its files last as long as it."""
    score = hardfrost.audit(pipeline, *rows(40, seed=2), name="mine", positive="bad", **QUICK)
    assert repr(score).startswith("<score of mine on 12 samples of texts.jsonl: robustness ")
    assert "typo-malicious" in score._repr_html_()
    frame = score.to_pandas()
    cell = score.result.tasks["texts"].dimensions["typo-malicious"]["live"]
    of_cell = frame[(frame["dimension"] == "typo-malicious") & (frame["setting"] == "live")]
    by_degree = of_cell[of_cell["degree"].notna()].set_index("degree")["worst"].to_dict()
    assert by_degree == {key: value.worst for key, value in cell.degrees.items()}
    (title,) = [axis.get_title() for axis in score.plot(setting="live").axes if axis.get_visible()]
    assert title == "texts: typo-malicious"
    assert score.result.detector is not None
    folder = score.folder
    assert folder.is_dir()
    del score
    assert not folder.exists()


@pytest.mark.parametrize("numbers", [("good", "bad"), (7, 3), (True, False)])
def test_labels_may_be_names_numbers_or_truth_values(
    cache: Path, numbers: Sequence[Any], tmp_path: Path
) -> None:
    """A number is the label of this name, whatever its place among the labels."""
    names = dict(zip(("good", "bad"), numbers, strict=True))
    texts, labels = rows(40, seed=2)

    def answer(texts: list[str]) -> list[Any]:
        return [names[label] for label in by_words(texts)]

    score = hardfrost.audit(
        answer, texts, [names[label] for label in labels], **{**QUICK, "settings": ["rule"]}
    )
    assert score.clean == 1
    assert score.name == "answer"
    assert set(score.result.tasks["texts"].dimensions["typo-malicious"]) == {"rule"}


def test_a_function_that_changed_is_attacked_anew(cache: Path) -> None:
    """Even if it answers the clean texts as before."""
    is_easy = False

    def answer(texts: list[str]) -> list[str]:
        return labels_by_number(texts) if is_easy else by_words(texts)

    def labels_by_number(texts: list[str]) -> list[str]:
        return ["bad" if sum(map(text.count, "13579")) % 2 else "good" for text in texts]

    texts = [f"every word of this film is {WORDS[label][0]} {number}"
             for number, label in enumerate(["good", "bad"] * 5)]  # fmt: skip
    labels = by_words(texts)
    assert labels_by_number(texts) == labels
    first = hardfrost.audit(answer, texts, labels, **QUICK)
    is_easy = True
    second = hardfrost.audit(answer, texts, labels, **QUICK)
    asked = [score.result.audit.n_queries for score in (first, second) if score.result.audit]
    assert min(asked) > 0
    assert first.result.tasks != second.result.tasks


def test_pairs_are_audited(cache: Path) -> None:
    """The function gets both texts; the first is changed."""
    texts, labels = rows(40, seed=2)
    seen: list[Any] = []

    def answer(pairs: list[tuple[str, str]]) -> list[str]:
        seen.extend(pairs)
        return by_words([first for first, _ in pairs])

    score = hardfrost.audit(answer, [(text, "a second text") for text in texts], labels, **QUICK)
    assert score.clean == 1
    assert {second for _, second in seen} == {"a second text"}


def test_what_cannot_be_audited_is_refused(pipeline: Any, tmp_path: Path) -> None:
    """In a sentence that says what was expected."""
    texts, labels = rows(8, seed=2)
    with pytest.raises(TypeError, match="either texts and labels or data"):
        hardfrost.audit(pipeline)
    with pytest.raises(TypeError, match="either texts and labels or data"):
        hardfrost.audit(pipeline, texts, labels, data=tmp_path / "x.csv")
    with pytest.raises(TypeError, match=r"write \[text\]"):
        hardfrost.audit(pipeline, texts[0], labels)
    with pytest.raises(hardfrost.UserError, match="8 texts and 7 labels"):
        hardfrost.audit(pipeline, texts, labels[:7])
    with pytest.raises(hardfrost.UserError, match="found 'gradient'"):
        hardfrost.audit(pipeline, texts, labels, settings=["gradient"])  # type: ignore[list-item]
    with pytest.raises(hardfrost.UserError, match="no such file"):
        hardfrost.audit(pipeline, data=tmp_path / "x.csv")
