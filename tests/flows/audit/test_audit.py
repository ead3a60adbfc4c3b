"""The command `audit`: its figures are those that pandas computes, and they compare with no other model."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from made_audits import DEGREES, DIMENSIONS, Audited, run

from contract.machine.errors import ExitCode, UserError
from contract.release.release import Release
from contract.schema.hardest_hit import hardest_hits
from contract.schema.results import ModelInfo, Result


@pytest.fixture(scope="module")
def result(audited: Audited) -> Result:
    """Return the result of the audit."""
    return Result.read(audited.folder / "result.json")


@pytest.fixture(scope="module")
def rows(audited: Audited) -> pd.DataFrame:
    """Return all rows of the audit's release with the model's answers."""
    files = sorted((audited.folder / "release").rglob("*.parquet"))
    texts = pd.concat([pd.read_parquet(file) for file in files])
    answers = pd.read_json(audited.folder / "predictions.jsonl", lines=True)
    labels = Release.open(audited.folder / "release").manifest.tasks[0].labels
    merged = texts.merge(answers, on="id", validate="one_to_one")
    merged["true"] = merged["label"].map(dict(enumerate(labels)))
    merged["score"] = merged["probabilities"].map(lambda row: row[labels.index("bad")])
    return merged


def kept(rows: pd.DataFrame, hits: "pd.Series[bool]", dimension: str, setting: str) -> pd.DataFrame:
    """Return for each sample its true label and, at each degree, what share it keeps, and whether all."""
    clean = rows[rows["dimension"] == "clean"].set_index("sample_id")
    is_hit = hits[rows["dimension"] == "clean"].to_numpy()
    frame = pd.DataFrame({"true": clean["true"], "clean": is_hit}, index=clean.index)
    share, holds = frame["clean"].astype(float), frame["clean"]
    for degree in map(float, DEGREES):
        chosen = (rows["dimension"] == dimension) & (rows["setting"] == setting) & (rows["degree"] == degree)
        of_sample = hits[chosen].groupby(rows.loc[chosen, "sample_id"])
        share = of_sample.mean().reindex(frame.index).fillna(share)
        holds = holds & of_sample.all().reindex(frame.index, fill_value=True)
        frame[f"share@{degree}"], frame[f"holds@{degree}"] = share, holds
    return frame


def test_the_first_finding_is_the_label_and_dimension_that_suffer_most(
    audited: Audited, rows: pd.DataFrame, result: Result
) -> None:
    """As pandas computes it from the release and the predictions, with the same figures."""
    is_right = rows["prediction"] == rows["true"]
    losses: dict[tuple[str, str], tuple[float, float, float]] = {}
    for dimension in DIMENSIONS:
        frame = kept(rows, is_right, dimension, "live")
        for label, of_label in frame.groupby("true"):
            before = of_label["clean"].mean()
            after = sum((of_label["clean"] * of_label[f"share@{d}"]).mean() for d in DEGREES) / len(DEGREES)
            losses[str(label), dimension] = before - after, before, after
    (label, dimension), (_, before, after) = max(losses.items(), key=lambda item: item[1][0])
    hit = hardest_hits(result)["live"]
    assert (hit.label, hit.dimension, hit.degree) == (label, dimension, "0.2")
    assert (hit.before, hit.after) == (pytest.approx(before, abs=1e-6), pytest.approx(after, abs=1e-6))
    first = audited.printed.stdout.splitlines()
    assert first[0].startswith(f"{label!r} suffers most, in {dimension} (live")
    assert f"falls from {100 * before:.1f} % to {100 * after:.1f} %" in first[1]
    report = (audited.folder / "report.html").read_text(encoding="utf-8")
    assert f"{label} suffers most, in {dimension} (live)" in report


@pytest.mark.parametrize("dimension", DIMENSIONS)
@pytest.mark.parametrize("setting", ["rule", "live"])
def test_recalls_are_those_of_pandas(
    rows: pd.DataFrame, result: Result, dimension: str, setting: str
) -> None:
    """Of every label, at every degree, on average and in the worst case."""
    frame = kept(rows, rows["prediction"] == rows["true"], dimension, setting)
    scores = result.tasks["reviews"].dimensions[dimension][setting]
    for degree in DEGREES:
        for label, of_label in frame.groupby("true"):
            recall = scores.degrees[degree].recall[str(label)]
            average = (of_label["clean"] * of_label[f"share@{degree}"]).mean()
            assert recall.average == pytest.approx(average, abs=1e-6)
            assert recall.worst == pytest.approx(of_label[f"holds@{degree}"].mean(), abs=1e-6)


def test_detector_figures_are_those_of_pandas(rows: pd.DataFrame, result: Result) -> None:
    """Thresholds from clean benign rows; then recall, flip rate and false positives."""
    assert result.detector is not None
    clean = rows[rows["dimension"] == "clean"]
    benign = clean.loc[clean["true"] != "bad", "score"].sort_values(ascending=False)
    for threshold in result.detector.thresholds:
        bound = benign.iloc[int(threshold.target * len(benign) + 1e-9)]
        assert threshold.threshold == pytest.approx(bound)
        is_flagged = rows["score"] > bound
        assert (benign > bound).mean() == pytest.approx(threshold.false_positive_rate, abs=1e-6)
        assert threshold.false_positive_rate <= threshold.target
        for cell in threshold.cells:
            frame = kept(rows, is_flagged, cell.dimension, cell.setting)
            positive, others = frame[frame["true"] == "bad"], frame[frame["true"] != "bad"]
            found = positive["clean"]
            share, holds = f"share@{cell.degree}", f"holds@{cell.degree}"
            assert cell.recall == pytest.approx((found * positive[share]).mean(), abs=1e-6)
            assert cell.worst_recall == pytest.approx(positive[holds].mean(), abs=1e-6)
            assert cell.flip_rate == pytest.approx(1 - positive.loc[found, holds].mean(), abs=1e-6)
            assert cell.false_positive_rate == pytest.approx(others[share].mean(), abs=1e-6)


def test_the_summary_fits_80_columns(audited: Audited) -> None:
    """Whatever the label and dimension are called here."""
    assert max(map(len, audited.printed.stdout.splitlines()[:-1])) <= 80


def test_a_result_of_an_audit_names_no_benchmark(audited: Audited, result: Result) -> None:
    """It says what was audited instead; the release can be verified like any other."""
    raw = json.loads((audited.folder / "result.json").read_text(encoding="utf-8"))
    assert raw["benchmark"] is None
    assert result.audit is not None
    assert (result.audit.data, result.audit.n_rows, result.audit.n_samples) == ("reviews.csv", 60, 24)
    assert not result.audit.is_partial
    assert run("verify", audited.folder / "release").exit_code == 0
    clean = result.tasks["reviews"].clean
    assert clean is not None
    assert set(clean.recall) == {"bad", "good"}


def test_an_audit_says_what_it_chose(audited: Audited) -> None:
    """Columns, and how many samples of each label."""
    said = audited.printed.stderr
    assert "reviews.csv (no header): text column 0, label column 1 (bad, good)" in said
    assert "24 of 60 rows" in said
    assert "12 bad, 12 good" in said


def test_a_second_audit_asks_nothing_again_and_writes_the_same(audited: Audited, tmp_path: Path) -> None:
    """Finished work is kept by content, and the seed decides everything else."""
    arguments = [f"--output={tmp_path}" if "--output" in one else one for one in audited.arguments]
    assert run(*arguments).exit_code == 0
    for name in ("result.json", "predictions.jsonl", "release/manifest.json"):
        assert (tmp_path / name).read_bytes() == (audited.folder / name).read_bytes(), name


@pytest.mark.parametrize(
    "command",
    [
        ("leaderboard", "RESULTS", "-o", "OUT"),
        ("submit", "RELEASE", "PREDICTIONS", "--model-name", "mine", "--results", "OUT"),
        ("recheck", "SUBMISSIONS", "--release", "RELEASE"),
    ],
)
def test_commands_that_compare_models_refuse_an_audit(
    audited: Audited, result: Result, tmp_path: Path, command: tuple[str, ...]
) -> None:
    """In one sentence that says what to do instead."""
    results = tmp_path / "results" / "anonymous__mine" / "unversioned"
    results.mkdir(parents=True)
    named = result.model_copy(update={"model": ModelInfo(name="mine")})
    named.write(results / "result.json")
    (results / "predictions.jsonl").write_bytes((audited.folder / "predictions.jsonl").read_bytes())
    places: dict[str, Any] = {
        "RESULTS": tmp_path / "results",
        "SUBMISSIONS": tmp_path / "results",
        "OUT": tmp_path / "out.json",
        "RELEASE": audited.folder / "release",
        "PREDICTIONS": audited.folder / "predictions.jsonl",
    }
    refused = run(*[places.get(word, word) for word in command])
    assert isinstance(refused.exception, UserError)
    assert refused.exception.exit_code in {ExitCode.BAD_INPUT, ExitCode.MISMATCH}
    assert "the result of an audit" in refused.output + refused.exception.message


def test_a_figure_below_its_bound_ends_with_exit_code_1(audited: Audited, tmp_path: Path) -> None:
    """Its line and the JUnit file have the figure; conditions that are met fail nothing."""
    junit = tmp_path / "junit.xml"
    failed = run(
        *audited.arguments,
        "--fail-under=0.999",
        "--fail-under=bad:typo-malicious/live@0.1=0.001",
        "--fail-under=synonym=0.1",
        f"--junit={junit}",
    )
    assert failed.exit_code == 1
    lines = failed.stdout.splitlines()
    assert any(line.startswith("FAILED 0.999: robustness 0.") for line in lines)
    assert any("not measured" in line for line in lines)
    text = junit.read_text(encoding="utf-8")
    assert f'tests="{3 + len(DIMENSIONS) * 2}"' in text
    n_failed = sum(line.startswith("FAILED") for line in lines)
    assert text.count("<failure ") == n_failed
    assert f'failures="{n_failed}"' in text


def test_a_wrong_order_of_labels_is_refused_with_the_remedy(audited: Audited, tmp_path: Path) -> None:
    """A model that does worse than guessing says nothing about robustness."""
    swapped = tmp_path / "swapped.csv"
    text = audited.data.read_text(encoding="utf-8")
    swapped.write_text(text.replace(",bad", ",x").replace(",good", ",bad").replace(",x", ",good"), "utf-8")
    arguments = [f"--data={swapped}" if "--data" in one else one for one in audited.arguments]
    refused = run(*arguments, f"--output={tmp_path / 'out'}")
    assert isinstance(refused.exception, UserError)
    assert "worse than guessing" in refused.exception.message
    assert "--labels" in refused.exception.message
