"""Two models compare in pairs: a real difference is found, and none is found where there is none."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest
from synthetic import Case, SyntheticTask, right_answers, write_answers, write_release

from contract.machine.errors import UserError
from evaluator.commands.compare import compare as compare_command
from evaluator.comparing.comparing import compare
from evaluator.comparing.significance import holm, mcnemar, paired_bootstrap
from evaluator.scoring.score import ScoreOptions

OPTIONS = ScoreOptions(resamples=200)


@pytest.fixture
def large_path(tmp_path: Path) -> Path:
    """Return a release of 60 samples with one case each."""
    cases = tuple(Case(sample=s, dimension="typo", setting="rule", degree=0.1, case=0) for s in range(60))
    task = SyntheticTask(name="t", labels=("no", "yes"), clean=(0, 1) * 30, cases=cases)
    write_release(tmp_path / "r", [task])
    return tmp_path / "r"


def _wrong(answers: dict[str, str], n_wrong: int, part: str) -> dict[str, str]:
    """Return the answers with the first ones of a part turned wrong."""
    names = [name for name in answers if part in name][:n_wrong]
    return answers | {name: "no" if answers[name] == "yes" else "yes" for name in names}


def test_a_model_does_not_differ_from_itself(large_path: Path, tmp_path: Path) -> None:
    """All differences are 0, all p are 1."""
    file = write_answers(tmp_path / "a.csv", _wrong(right_answers(large_path), 20, "typo"))
    comparison = compare(large_path, file, file, options=OPTIONS)
    assert {row.difference for row in comparison.differences} == {0}
    assert {row.p for row in comparison.differences} == {1}
    assert {row.p for row in comparison.outcomes} == {1}


def test_a_clear_difference_is_found_where_it_is(large_path: Path, tmp_path: Path) -> None:
    """30 of 60 cases lost, nothing lost when clean."""
    answers = right_answers(large_path)
    first = write_answers(tmp_path / "a.csv", answers)
    second = write_answers(tmp_path / "b.csv", _wrong(answers, 30, "typo"))
    comparison = compare(large_path, first, second, options=OPTIONS)
    rows = {(row.what, row.figure): row for row in comparison.differences}
    # The headline comes first.
    assert comparison.differences[0].figure == "worst"
    overall = rows["overall", "worst"]
    assert (overall.first, overall.second, overall.difference) == (1, 0.5, 0.5)
    assert overall.ci[0] > 0.3
    assert overall.p < 0.02
    assert rows["t/clean", "clean score"].p == 1
    assert rows["t/typo/rule", "worst"].p_holm == overall.p
    tests = {row.what: row for row in comparison.outcomes}
    assert (tests["t/typo/rule"].n_both, tests["t/typo/rule"].n_only_first) == (30, 30)
    assert tests["t/typo/rule"].p < 1e-6


def test_partial_files_compare_on_what_both_have(release_path: Path, tmp_path: Path) -> None:
    """There is no overall difference then."""
    answers = right_answers(release_path)
    first = write_answers(tmp_path / "a.csv", {k: v for k, v in answers.items() if "general" not in k})
    comparison = compare(release_path, first, write_answers(tmp_path / "b.csv", answers), options=OPTIONS)
    assert comparison.first.absent == ("mr/typo-general/rule",)
    assert {row.what for row in comparison.differences} == {"mr/clean", "mr/typo-malicious/rule"}


def test_the_command_prints_tables_or_json(release_path: Path, tmp_path: Path) -> None:
    """For people and for scripts."""
    file = str(write_answers(tmp_path / "[red]odd.csv", right_answers(release_path)))
    arguments = [str(release_path), file, file, "--resamples", "20"]
    shown = CliRunner().invoke(compare_command, arguments, catch_exceptions=False).stdout
    assert "McNemar" in shown
    assert "A: [red]odd.csv" in shown
    assert "mr/typo-malicious/rule" in shown
    printed = CliRunner().invoke(compare_command, [*arguments, "--json"], catch_exceptions=False).stdout
    assert json.loads(printed)["settings"]["resamples"] == 20
    refused = CliRunner().invoke(compare_command, [*arguments[:3], "--resamples", "0"])
    assert isinstance(refused.exception, UserError)


@settings(deadline=None)
@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_the_exact_binomial_test(n_first: int, n_second: int) -> None:
    """On the samples where only one model is right."""
    first = np.array([True] * n_first + [False] * n_second + [True])
    second = np.array([False] * n_first + [True] * n_second + [True])
    test = mcnemar(first, second)
    n_all = n_first + n_second
    expected = binomtest(n_first, n_all, 0.5).pvalue if n_all else 1.0
    assert test.p == pytest.approx(expected)
    assert (test.n_both, test.n_only_first, test.n_only_second, test.n_neither) == (1, n_first, n_second, 0)


def test_the_paired_bootstrap_uses_the_pairs() -> None:
    """A small difference on every draw counts more than a large one on some."""
    draws = np.random.default_rng(0).random(999)
    assert paired_bootstrap(draws + 0.001, draws) == pytest.approx(2 / 1000)
    assert paired_bootstrap(draws, draws) == 1


def test_holm_corrects_for_many_tests() -> None:
    """The smallest p is multiplied by all, and order is kept."""
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []
