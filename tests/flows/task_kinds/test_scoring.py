"""Scores of multilabel and tagging tasks are scikit-learn's, joined as the design says."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, recall_score, roc_auc_score

sys.path.insert(0, str(Path(__file__).parent))

from answers import Truth, noisy_answers, truths_of, written

from contract.machine.errors import UserError
from contract.predictions.reading import ReleaseRows, read_predictions
from contract.release.release import Release
from contract.schema.results import ModelInfo, Result
from evaluator.comparing.comparing import compare
from evaluator.metrics.inputs import TaskOutcomes
from evaluator.scoring.figures import cell_figures, clean_figures
from evaluator.scoring.kinds.tagging import FEWEST_TOKENS, OTHER
from evaluator.scoring.labelled_rows import read_labelled_rows
from evaluator.scoring.outcomes import outcomes_of
from evaluator.scoring.score import ScoreOptions, score


@pytest.fixture(scope="module")
def outcomes(release: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, TaskOutcomes]:
    """Return what noisy answers are worth, by task."""
    path = written(tmp_path_factory.mktemp("scored") / "p.jsonl", noisy_answers(release))
    labelled = read_labelled_rows(Release.open(release))
    predictions = read_predictions(path, labelled.rows)
    return {of_task.task.name: of_task for of_task in outcomes_of(labelled, predictions)}


def _pairs(release: Path, task: str, dimension: str) -> list[tuple[Truth, dict[str, Any]]]:
    """Return the rows of a split of a task with the noisy answers to them."""
    pairs = zip(truths_of(release), noisy_answers(release), strict=True)
    return [(row, answer) for row, answer in pairs if (row.task, row.dimension) == (task, dimension)]


def _value(figures: dict[str, Any], key: str, column: int = 0) -> float:
    value = figures[key].values()[column]
    assert value is not None
    return float(value)


def test_multilabel_clean_figures_are_those_of_scikit_learn(
    release: Path, outcomes: dict[str, TaskOutcomes]
) -> None:
    """Recall on a label's texts and on the others, AUROC, accuracy; what nobody judged is left out."""
    clean = _pairs(release, "moods", "clean")
    figures = clean_figures(outcomes["moods"].clean)
    joined, balanced, areas, right, exact = [], [], [], [], np.ones(len(clean), bool)
    for label in range(3):
        rows = [(row.codes[label], answer["probabilities"][label]) for row, answer in clean]
        judged = [place for place, (code, _) in enumerate(rows) if code is not None]
        true = [rows[place][0] for place in judged]
        shares = np.array([rows[place][1] for place in judged])
        said = (shares >= 0.5).astype(int)
        recalls = recall_score(true, said, average=None)
        joined.append(np.sqrt(recalls[0] * recalls[1]))
        balanced.append(recalls.mean())
        areas.append(roc_auc_score(true, shares))
        right += (np.array(true) == said).tolist()
        exact[judged] &= np.array(true) == said
    assert any(code is None for row, _ in clean for code in row.codes)
    assert _value(figures, "clean_score") == pytest.approx(np.mean(joined), abs=1e-9)
    assert _value(figures, "balanced_accuracy") == pytest.approx(np.mean(balanced), abs=1e-9)
    assert _value(figures, "auroc_by_label") == pytest.approx(np.mean(areas), abs=1e-9)
    assert _value(figures, "auroc_by_label/joy") == pytest.approx(areas[1], abs=1e-9)
    assert _value(figures, "clean_accuracy") == pytest.approx(np.mean(right), abs=1e-9)
    assert _value(figures, "exact_match") == pytest.approx(exact.mean(), abs=1e-9)
    assert "auroc" not in figures


def test_tagging_clean_figures_are_those_of_scikit_learn(
    release: Path, outcomes: dict[str, TaskOutcomes]
) -> None:
    """Recall of each tag, rare tags as one; accuracy by token and by sentence."""
    clean = _pairs(release, "words", "clean")
    labels = Release.open(release).manifest.task("words").labels
    true = [labels[code or 0] for row, _ in clean for code in row.codes]
    said = [tag for _, answer in clean for tag in answer["prediction"]]
    rare = [tag for tag in labels if true.count(tag) < FEWEST_TOKENS]
    assert 0 < len(rare) < len(labels) - 1
    recalls = [recall_score(true, said, labels=[tag], average=None)[0] for tag in labels if tag not in rare]
    of_rare = [mine == yours for mine, yours in zip(true, said, strict=True) if mine in rare]
    recalls.append(np.mean(of_rare))
    figures = clean_figures(outcomes["words"].clean)
    assert outcomes["words"].clean.label_names[-1] == OTHER
    np.testing.assert_allclose(outcomes["words"].clean.score.by_label()[:, 0], recalls, atol=1e-9)
    assert _value(figures, "clean_score") == pytest.approx(np.exp(np.mean(np.log(recalls))), abs=1e-9)
    assert _value(figures, "balanced_accuracy") == pytest.approx(np.mean(recalls), abs=1e-9)
    assert _value(figures, "clean_accuracy") == pytest.approx(accuracy_score(true, said), abs=1e-9)
    whole = [[labels[code or 0] for code in row.codes] == answer["prediction"] for row, answer in clean]
    assert _value(figures, "exact_match") == pytest.approx(np.mean(whole), abs=1e-9)


@pytest.mark.parametrize("task", ["moods", "words"])
def test_average_and_worst_are_about_units_that_are_right_when_clean(
    release: Path, outcomes: dict[str, TaskOutcomes], task: str
) -> None:
    """Each token, or label of a text, keeps r times the share of its cases; computed here one by one."""
    clean = {row.sample: _rights(task, row, answer) for row, answer in _pairs(release, task, "clean")}
    cases: dict[str, list[list[bool | None]]] = {sample: [] for sample in clean}
    for row, answer in _pairs(release, task, "intrude"):
        cases[row.sample].append(_rights(task, row, answer))
    truths = {row.sample: row.codes for row, _ in _pairs(release, task, "clean")}
    kept: dict[Any, list[tuple[float, float]]] = {}
    for sample, rights in clean.items():
        for place, right in enumerate(rights):
            of_cases = [case[place] for case in cases[sample]]
            code = truths[sample][place]
            if right is not None:
                average = right * (np.mean([bool(case) for case in of_cases]) if of_cases else 1.0)
                worst = float(right and all(of_cases))
                kept.setdefault((place, code) if task == "moods" else code, []).append((average, worst))
    cell = next(of for name, of in outcomes[task].cells.items() if name.dimension == "intrude")
    figures = cell_figures(cell)
    for which, key in enumerate(["average", "worst"]):
        means = {name: np.mean([values[which] for values in of]) for name, of in kept.items()}
        if task == "moods":
            expected = np.mean([np.sqrt(means[label, 0] * means[label, 1]) for label in range(3)])
        else:
            sizes = {code: len(of) for code, of in kept.items()}
            rare = [code for code, size in sizes.items() if size < FEWEST_TOKENS]
            pooled = sum(means[code] * sizes[code] for code in rare) / sum(sizes[code] for code in rare)
            recalls = [means[code] for code in means if code not in rare] + [pooled]
            expected = np.exp(np.mean(np.log(recalls)))
        assert _value(figures, key) == pytest.approx(expected, abs=1e-9)


def _rights(task: str, row: Truth, answer: dict[str, Any]) -> list[bool | None]:
    if task == "moods":
        shares = answer["probabilities"]
        return [
            None if code is None else (share >= 0.5) == bool(code)
            for code, share in zip(row.codes, shares, strict=True)
        ]
    names = ["ADJ", "ADV", "DET", "NOUN", "PROPN", "PUNCT", "VERB", "X"]
    return [names[code or 0] == tag for code, tag in zip(row.codes, answer["prediction"], strict=True)]


def test_a_result_has_intervals_and_can_be_read_again(release: Path, tmp_path: Path) -> None:
    """All kinds stand in one result; the overall score is the mean over tasks."""
    path = written(tmp_path / "p.jsonl", noisy_answers(release))
    result = score(release, path, ModelInfo(name="noisy"), options=ScoreOptions(resamples=50))
    assert Result.model_validate(json.loads(json.dumps(result.to_json()))) == result
    assert {name: task.kind for name, task in result.tasks.items()} == {
        "plain": "classification",
        "moods": "multilabel",
        "words": "tagging",
    }
    assert "kind" not in result.to_json()["tasks"]["plain"]
    for task in ("moods", "words"):
        clean = result.tasks[task].clean
        assert clean is not None
        assert clean.score_ci is not None
        assert clean.score_ci[0] < clean.score < clean.score_ci[1]
        assert clean.has_skill
        for settings in result.tasks[task].dimensions.values():
            for cell in settings.values():
                for degree in cell.degrees.values():
                    assert degree.worst is not None
                    assert degree.average is not None
                    assert degree.worst <= degree.average <= clean.score
    assert result.overall is not None
    assert "exact-match" in {info.name for info in result.metrics}


def test_constant_answers_get_nothing(release: Path, tmp_path: Path) -> None:
    """Whoever says that no label holds, or gives one tag, has a score of exactly 0 there."""
    rows = noisy_answers(release)
    for row in rows:
        if "probabilities" in row:
            row["probabilities"] = [0.1, 0.1, 0.1]
        elif isinstance(row["prediction"], list):
            row["prediction"] = ["NOUN"] * len(row["prediction"])
    result = score(release, written(tmp_path / "p.jsonl", rows), ModelInfo(name="constant"))
    for task in ("moods", "words"):
        clean = result.tasks[task].clean
        assert clean is not None
        assert clean.score == 0
        assert clean.has_skill is False


def test_two_files_compare_in_pairs(release: Path, tmp_path: Path) -> None:
    """McNemar's test counts texts that are right as a whole."""
    better, worse = (
        written(tmp_path / f"{share}.jsonl", noisy_answers(release, share=share)) for share in (0.02, 0.5)
    )
    comparison = compare(release, better, worse, options=ScoreOptions(resamples=50))
    (clean,) = [test for test in comparison.outcomes if test.what == "words/clean"]
    assert clean.n_only_first > clean.n_only_second
    (difference,) = [each for each in comparison.differences if each.what == "words/clean"]
    assert difference.ci[0] > 0


def test_a_file_about_some_samples_is_scored_on_these(release: Path, tmp_path: Path) -> None:
    """`predict --limit` names them, and units of others are left out."""
    from evaluator.predicting.predicting import predict

    predict(release, "guess", tmp_path / "p.jsonl", limit=30)
    result = score(release, tmp_path / "p.jsonl", ModelInfo(name="part"), options=ScoreOptions(resamples=5))
    assert result.overall is None
    assert result.tasks["words"].clean is not None
    assert result.tasks["words"].clean.n_samples == 30


def test_the_draws_are_of_whole_texts(release: Path, outcomes: dict[str, TaskOutcomes]) -> None:
    """A draw of each text once gives the figure itself; a draw of one text has its units alone."""
    figure = outcomes["words"].clean.units
    assert figure is not None
    accuracy = figure.accuracy()
    n_samples = len(accuracy.numerator)
    np.testing.assert_allclose(accuracy.resampled(np.ones((1, n_samples)))[0], accuracy.value())
    joined = outcomes["words"].clean.score
    np.testing.assert_allclose(joined.resampled(np.ones((2, n_samples)))[1], joined.values())
    only = np.zeros((1, n_samples))
    only[0, 3] = 2
    assert accuracy.resampled(only)[0] == accuracy.numerator[3] / accuracy.denominator[3]


def test_rows_to_be_answered_have_their_lists(release: Path) -> None:
    """Rows of a task with one label have none."""
    rows = ReleaseRows.read(Release.open(release))
    assert rows.lists is not None
    of_plain = np.array([task.name == "plain" for task in rows.tasks])[rows.task_of_row]
    assert (rows.lists.lengths[of_plain] == 0).all()
    assert (rows.lists.lengths[~of_plain] > 0).all()


def test_a_task_with_nothing_to_tell_apart_says_so(files: Path, tmp_path: Path) -> None:
    """All labels hold of no text: there is no recall to join."""
    from builder.recipe.recipe_file import recipe_of
    from builder.run.pipeline import build
    from contract.machine.progress import Silence

    lines = [json.dumps({"text": f"made up text number {n} here", "a": 0, "b": None}) for n in range(8)]
    (tmp_path / "none.jsonl").write_text("\n".join(lines), encoding="utf-8")
    task = {
        "name": "none", "kind": "multilabel", "source": "file:none.jsonl", "samples": 6,
        "read": {"columns": {"labels": ["a", "b"]}},
    }  # fmt: skip
    dimensions = [{"name": "inner-shuffle", "degrees": [0.5]}]
    raw = {"name": "none", "version": "1", "tasks": [task], "dimensions": dimensions, "filters": ["degree"]}
    build(recipe_of(raw, tmp_path), tmp_path / "release", Silence())
    answers = [{"id": row.id, "probabilities": [0.2, 0.2]} for row in truths_of(tmp_path / "release")]
    with pytest.raises(UserError, match="nothing to tell apart"):
        score(tmp_path / "release", written(tmp_path / "p.jsonl", answers), ModelInfo(name="none"))
