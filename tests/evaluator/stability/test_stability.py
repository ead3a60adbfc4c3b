"""Ranks with a part left out, what differences can be seen, and cases that all or none get."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau
from synthetic import Case, SyntheticTask, right_answers, write_answers, write_release

import hardfrost
from contract.machine.errors import UserError
from contract.release.release import Release
from contract.schema.results import ModelInfo
from contract.schema.stability import Stability
from evaluator.scoring.score import ScoreOptions, score
from evaluator.stability.kendall import kendall_tau
from evaluator.stability.stability import read_results, stability_of

# Which rows each model has wrong: the careful one errs on glyphs alone, the other everywhere a little.
MODELS = {"careful": ("glyph",), "even": (".05.", "score"), "poor": ("typo", "glyph")}


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """Return a release of two dimensions, two settings and two degrees, with a result of each model."""
    cases = tuple(
        Case(sample=sample, dimension=dimension, setting=setting, degree=degree, case=0)
        for dimension in ("typo", "glyph")
        for setting in ("rule", "score")
        for degree in (0.05, 0.1)
        for sample in range(10)
    )
    task = SyntheticTask(name="t", labels=("no", "yes"), clean=(0, 1) * 5, cases=cases)
    write_release(tmp_path / "r", [task])
    answers = right_answers(tmp_path / "r")
    for model, parts in MODELS.items():
        own = {
            name: ("no" if answer == "yes" else "yes")
            if any(part in name for part in parts) and int(name[2:7]) < 4 + len(parts)
            else answer
            for name, answer in answers.items()
        }
        file = write_answers(tmp_path / f"{model}.jsonl", own)
        result = score(tmp_path / "r", file, ModelInfo(name=model), options=ScoreOptions(resamples=50))
        result.write(tmp_path / "results" / model / "result.json")
    return tmp_path / "r"


def _stability(release: Path) -> Stability:
    opened = Release.open(release)
    return stability_of(opened.manifest, read_results(release.parent / "results", opened))


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=12))
def test_tau_is_that_of_scipy(pairs: list[tuple[int, int]]) -> None:
    """With ties; nothing where one side has ties only."""
    first, second = ([float(pair[side]) for pair in pairs] for side in (0, 1))
    found = kendall_tau(first, second)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(kendalltau(first, second).statistic)


def test_the_whole_headline_is_that_of_the_results(release: Path) -> None:
    """Made anew from cells, it is what `score` says: by worst, which ranks."""
    opened = Release.open(release)
    results = read_results(release.parent / "results", opened)
    found = {rank.model: rank.score for rank in stability_of(opened.manifest, results).ranks}
    expected = {one.model.name: one.overall.worst.ewma for one in results if one.overall is not None}
    assert found == pytest.approx(expected, abs=1e-8)


def test_each_part_is_left_out_in_turn(release: Path) -> None:
    """Without glyphs the careful model is perfect; a part that stands alone is not left out."""
    found = _stability(release)
    parts = {(part.what, part.name): part for part in found.without}
    assert set(parts) == {
        ("dimension", "glyph"), ("dimension", "typo"), ("degree", "0.05"), ("degree", "0.1"),
        ("setting", "rule"), ("setting", "score"),
    }  # fmt: skip
    without_glyphs = {rank.model: rank for rank in parts["dimension", "glyph"].ranks}
    assert (without_glyphs["careful"].score, without_glyphs["careful"].rank) == (1, 1)
    taus = [part.tau for part in found.without if part.tau is not None]
    assert taus
    assert all(-1 <= tau <= 1 for tau in taus)


def test_power_is_the_spread_of_the_median_pair(release: Path) -> None:
    """By hand, from the replicates."""
    opened = Release.open(release)
    results = read_results(release.parent / "results", opened)
    drawn = [np.array(one.replicates.worst) for one in results if one.replicates is not None]
    spreads = [np.std(drawn[a] - drawn[b], ddof=1) for a, b in ((0, 1), (0, 2), (1, 2))]
    power = stability_of(opened.manifest, results).power
    assert power is not None
    smallest = (1.959964 + 0.841621) * float(np.median(spreads))
    assert power.smallest_difference == pytest.approx(smallest, abs=1e-8)
    assert power.n_samples_needed == int(np.ceil(10 * (smallest / 0.02) ** 2))
    assert power.n_pairs == 3


def test_the_command_writes_what_the_site_reads(release: Path, tmp_path: Path) -> None:
    """With predictions, also the cases that everybody or nobody gets."""
    files = [option for model in MODELS for option in ("--predictions", str(tmp_path / f"{model}.jsonl"))]
    arguments = ["stability", str(release), str(tmp_path / "results"), *files, "-o", str(tmp_path / "s.json")]
    shown = CliRunner().invoke(hardfrost.cli, arguments)
    assert shown.exit_code == 0, shown.output
    assert "Kendall's tau with the ranks of 3 models" in shown.stdout
    assert max(map(len, shown.stdout.splitlines())) <= 80
    found = Stability.read(tmp_path / "s.json")
    rows = {(row.dimension, row.setting): row for row in found.agreement}
    assert rows["typo", "rule"].n_cases == 20
    assert rows["glyph", "score"].n_nobody == 10
    assert found.n_predictions == 3
    as_json = CliRunner().invoke(hardfrost.cli, [*arguments, "--json"])
    assert json.loads(as_json.stdout) == found.to_json()


def test_one_result_has_no_ranks_and_another_release_is_refused(release: Path, tmp_path: Path) -> None:
    """Said with what to do."""
    opened = Release.open(release)
    with pytest.raises(UserError, match="two results or more"):
        stability_of(opened.manifest, read_results(tmp_path / "results" / "even", opened))
    (release / "manifest.json").write_text((release / "manifest.json").read_text() + " ")
    with pytest.raises(UserError, match="of another release"):
        read_results(tmp_path / "results", Release.open(release))


def _odd_degree(raw: dict[str, Any]) -> None:
    cell = raw["tasks"]["t"]["dimensions"]["typo"]["rule"]
    cell["degrees"]["odd"] = cell["degrees"].pop("0.1")
    cell["degrees_used"] = ["0.05", "odd"]


def _odd_task(raw: dict[str, Any]) -> None:
    raw["tasks"]["odd"] = raw["tasks"]["t"]


def _fewer_draws(raw: dict[str, Any]) -> None:
    raw["replicates"] = {name: draws[:7] for name, draws in raw["replicates"].items()}


@pytest.mark.parametrize(
    ("spoil", "said"),
    [(_odd_degree, "of another release"), (_odd_task, "of another release"), (_fewer_draws, "no draws in")],
)
def test_a_forged_result_is_refused(
    release: Path, spoil: Callable[[dict[str, Any]], None], said: str
) -> None:
    """Degrees and tasks that the release does not have, draws that others do not have."""
    path = release.parent / "results" / "even" / "result.json"
    raw = json.loads(path.read_text(encoding="utf-8"))
    spoil(raw)
    path.write_text(json.dumps(raw), encoding="utf-8")
    with pytest.raises(UserError, match=said):
        _stability(release)


def test_a_pipe_among_results_is_not_waited_for(release: Path) -> None:
    """Nor is a manifest believed that claims more samples than can be counted."""
    os.mkfifo(release.parent / "results" / "poor" / "more.json")
    (release.parent / "results" / "pipe").mkdir()
    os.mkfifo(release.parent / "results" / "pipe" / "result.json")
    opened = Release.open(release)
    splits = tuple(split.model_copy(update={"rows": 2**63 - 1}) for split in opened.manifest.splits)
    manifest = opened.manifest.model_copy(update={"splits": splits})
    found = stability_of(manifest, read_results(release.parent / "results", opened))
    assert len(found.ranks) == 3
    assert found.power is not None
