"""The check of ranks: its statistics, its headlines from made outcomes, its defences and its report."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau  # type: ignore[import-untyped]

from benchmarks.ranks.checks import checks_of
from benchmarks.ranks.defences import Speller, fold, random_cases
from benchmarks.ranks.findings import findings_of
from benchmarks.ranks.headlines import MEANS, PARTS, Candidate, figures_of_version_1, headlines_of
from benchmarks.ranks.kin import OTHER_FAMILY, RETRAINED, Relation, choose_bound
from benchmarks.ranks.models import Model
from benchmarks.ranks.outcomes import RULE, Cases, Outcomes, grid_of
from benchmarks.ranks.report import lines_of, to_json
from benchmarks.ranks.statistics import error_consistency, estimate, sample_weights, signs, tau
from benchmarks.ranks.summary import summary_of
from benchmarks.ranks.training import Training
from builder.values.samples import Sample
from classifiers.machinery.classifier import Classifier
from contract.machine.json_text import pretty_json
from leaderboard.view import rank_check

DEGREES = (0.1, 0.3)
DIMENSIONS = ("typo-general", "distraction")
SOURCES = ("words-one", "cnn-one")


def _no_model(_training: Training) -> Classifier:
    raise AssertionError


def made_models(n: int) -> list[Model]:
    """Return models; the second is a defended twin of the first, the third a retrained surrogate."""
    first = Model(name="model-0", family="words", make=_no_model)
    defended = Model(
        name="model-1", family="words", make=_no_model, twin="model-0", defends=("typo-general",)
    )
    retrained = Model(name="model-2", family="sequence", make=_no_model, kind="cnn")
    others = [Model(name=f"model-{place}", family="trees", make=_no_model) for place in range(3, n)]
    return [first, defended, retrained, *others][:n]


def made_outcomes(seed: int, *, n_models: int = 6, n_samples: int = 24, n_labels: int = 2) -> Outcomes:
    """Return outcomes in which later models are right more often; some samples have no case at a degree."""
    generator = np.random.default_rng(seed)
    strength = np.linspace(0.4, 0.95, n_models)
    labels = np.arange(n_samples) % n_labels
    rows: list[tuple[int, str, float, str, bool, str]] = []
    for dimension in DIMENSIONS:
        for degree in DEGREES:
            for sample in range(n_samples):
                if generator.random() < 0.8:
                    rows += [(sample, dimension, degree, RULE, False, "")] * 2
                rows += [
                    (sample, dimension, degree, "score", bool(generator.random() < 0.3), source)
                    for source in SOURCES
                    if generator.random() < 0.7
                ]
    columns = list(zip(*rows, strict=True))
    cases = Cases(
        sample=np.array(columns[0]),
        dimension=np.array(columns[1]),
        degree=np.array(columns[2]),
        setting=np.array(columns[3]),
        is_transferable=np.array(columns[4]),
        source=np.array(columns[5]),
        right=generator.random((n_models, len(rows))) < strength[:, None],
        surrogates_right=(generator.random((2, len(rows))) < 0.6).astype(float),
    )
    live = generator.random((n_models, n_samples)) * strength[:, None]
    return Outcomes(
        task="made",
        models=tuple(model.name for model in made_models(n_models)),
        labels=labels,
        n_labels=n_labels,
        clean=generator.random((n_models, n_samples)) < (1 + strength[:, None]) / 2,
        live=live,
        independent=live,
        live_by_dimension=dict.fromkeys(DIMENSIONS, live),
        cases=cases,
        surrogates=SOURCES,
        kinds=("word-tfidf", "cnn"),
        families=("words", "sequence"),
        dimensions=DIMENSIONS,
        degrees=dict.fromkeys(DIMENSIONS, DEGREES),
    )


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=9))
def test_tau_is_that_of_scipy(pairs: Sequence[tuple[int, int]]) -> None:
    """Ties included."""
    one, other = (np.array(column, dtype=float) for column in zip(*pairs, strict=True))
    expected = kendalltau(one, other).statistic
    found = float(tau(signs(one), signs(other)))
    assert (np.isnan(expected) and np.isnan(found)) or found == pytest.approx(expected)


def test_draws_keep_the_number_of_samples_of_each_label() -> None:
    """The first draw is the sample itself."""
    labels = np.array([0, 0, 0, 1, 1])
    weights = sample_weights(labels, 20)
    assert (weights[0] == 1).all()
    assert (weights[:, :3].sum(axis=1) == 3).all()
    assert (weights[:, 3:].sum(axis=1) == 2).all()


def test_an_interval_is_around_its_value() -> None:
    """Of figures that agree in every draw both are 1."""
    figures = np.tile(np.arange(5.0), (30, 1))
    found = estimate(figures, figures * 2)
    assert (found.value, found.low, found.high) == (1, 1, 1)
    assert found.low_models == found.high_models == 1


@pytest.mark.parametrize("part", [RULE, "score"])
def test_a_grid_is_what_the_definitions_say(part: str) -> None:
    """Computed once more, sample by sample."""
    outcomes = made_outcomes(1)
    cases = outcomes.cases
    grid = grid_of(outcomes, "typo-general", part)
    for model in range(len(outcomes.models)):
        for sample in range(len(outcomes.labels)):
            last, all_right = [True], bool(outcomes.clean[model, sample])
            for place, degree in enumerate(DEGREES):
                here = (cases.sample == sample) & (cases.dimension == "typo-general")
                here &= (cases.degree == degree) & (cases.setting == part)
                own = cases.right[model, here].tolist()
                last = own or last
                all_right = all_right and all(own)
                expected = outcomes.clean[model, sample] * sum(last) / len(last)
                assert grid.average[model, sample, place] == pytest.approx(expected)
                assert grid.worst[model, sample, place] == all_right


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 10_000), st.integers(2, 4))
def test_worst_is_below_average_is_below_clean(seed: int, n_labels: int) -> None:
    """For every mean of labels and every part."""
    outcomes = made_outcomes(seed, n_labels=n_labels)
    found = headlines_of(outcomes, sample_weights(outcomes.labels, 3))
    for mean in MEANS:
        for part in PARTS:
            worst = found.candidates[Candidate(mean, "worst", part)]
            average = found.candidates[Candidate(mean, "average", part)]
            assert (worst <= average + 1e-12).all()
            assert (average <= found.clean[mean] + 1e-12).all()


def test_a_constant_answer_gets_nothing() -> None:
    """By the means that look at every label; plain means give it half."""
    outcomes = made_outcomes(2)
    constant = outcomes.labels == 0
    outcomes.clean[0] = constant
    outcomes.cases.right[0] = constant[outcomes.cases.sample]
    found = headlines_of(outcomes, sample_weights(outcomes.labels, 1))
    for mean in ("G", "J"):
        assert found.candidates[Candidate(mean, "average", "both")][0, 0] == 0
        assert found.is_zero[mean][0].all()
    assert found.candidates[Candidate("plain", "average", "both")][0, 0] == pytest.approx(0.5)


def test_attempts_against_a_source_can_be_left_out() -> None:
    """Random cases stay as they are."""
    outcomes = made_outcomes(3)
    weights = sample_weights(outcomes.labels, 1)
    full, less = headlines_of(outcomes, weights), headlines_of(outcomes, weights, ["cnn-one"])
    attempts, rule = Candidate("G", "average", "attempts"), Candidate("G", "average", "rule")
    assert (full.candidates[attempts] != less.candidates[attempts]).any()
    assert (full.candidates[rule] == less.candidates[rule]).all()


def test_figures_of_version_1_look_only_at_samples_with_a_case() -> None:
    """So a model that is right on every case has 1, however wrong it is when clean."""
    outcomes = made_outcomes(4)
    outcomes.cases.right[0] = True
    outcomes.clean[0] = False
    found = figures_of_version_1(outcomes, sample_weights(outcomes.labels, 1))
    assert found["version 1 average"][0, 0] == pytest.approx(1)
    assert found["transferable accuracy"][0, 0] == pytest.approx(1)
    assert found["clean accuracy"][0, 0] == 0


def test_errors_that_agree_by_chance_are_not_consistent() -> None:
    """Equal errors have κ 1; votes that were not given are left out."""
    generator = np.random.default_rng(0)
    one, other = generator.random(20_000) < 0.7, generator.random(20_000) < 0.8
    assert abs(error_consistency(one, other.astype(float))) < 0.03
    same = np.where(np.arange(20_000) < 5, np.nan, one)
    assert error_consistency(one, same) == pytest.approx(1)


def test_the_bound_of_kin_separates_what_can_be_separated() -> None:
    """And lies between."""
    relations = [
        Relation("made", "a", "s", relation, consistency)
        for relation, consistency in [
            (RETRAINED, 0.8),
            (RETRAINED, 0.7),
            (OTHER_FAMILY, 0.3),
            (OTHER_FAMILY, 0.1),
        ]
    ]
    bound = choose_bound(relations)
    assert bound is not None
    assert bound.value == pytest.approx(0.5)
    assert (bound.missed, bound.accused) == (0, 0)


def test_the_report_fits_into_100_columns_and_names_what_does_not_hold() -> None:
    """Every check has a line, and the JSON holds the same figures."""
    outcomes = made_outcomes(5)
    findings = [findings_of(outcomes, made_models(6))]
    checks = checks_of(findings)
    bound = choose_bound([relation for own in findings for relation in own.kin])
    lines = list(lines_of(findings, bound, checks))
    assert max(map(len, lines)) <= 100, max(lines, key=len)
    for check in checks:
        assert any(check.name in line and ("yes" in line) == check.holds for line in lines)
    assert [check["holds"] for check in to_json(findings, bound, checks)["checks"]] == [
        check.holds for check in checks
    ]
    assert set(findings[0].without_surrogate) == set(SOURCES)
    assert [pair.model for pair in findings[0].pairs] == ["model-1"]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("сafé", "cafe"),
        ("gr3at m0vie", "great movie"),
        ("ｆｉｎｅ", "fine"),
        ("in 2004", "in 2004"),
        ("ɡøød", "good"),
    ],
)
def test_folding_gives_plain_letters(written: str, read: str) -> None:
    """Numbers stay."""
    assert fold(written) == read


def test_the_speller_finds_the_nearest_known_word() -> None:
    """Known words, short words and words that are far from all stay."""
    speller = Speller(["a wonderful film", "a wonderful story", "the film"])
    assert speller.correct("a wonderfl flim, xyzzy it") == "a wonderful film, xyzzy it"


def test_training_rows_get_random_cases_with_their_labels() -> None:
    """One a row that carries the degree."""
    rows = [Sample(id="t-1", text="a wonderful little story about people", text_pair=None, label=1)]
    (case,) = random_cases(rows, "typo-general", 0.3)
    assert case.label == 1
    assert case.text != rows[0].text


def test_what_is_kept_is_what_site_and_documentation_show(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every question has an answer for every task, and the sentence names them all."""
    findings = [findings_of(made_outcomes(seed), made_models(6)) for seed in (6, 7)]
    bound = choose_bound([relation for own in findings for relation in own.kin])
    kept = tmp_path / "kept.json"
    kept.write_text(pretty_json(summary_of(findings, bound)), encoding="utf-8")
    monkeypatch.setattr(rank_check, "KEPT_PATH", kept)
    rank_check._tasks.cache_clear()
    try:
        table, sentence = rank_check.rank_check(), rank_check.rank_check_sentence()
    finally:
        rank_check._tasks.cache_clear()
    assert table.columns[1:] == ("made", "made")
    assert [row[0] for row in table.rows] == list(rank_check.QUESTIONS)
    assert all(len(row) == len(table.columns) for row in table.rows)
    headline = findings[0].candidates[str(findings[0].headline)]
    assert f"{headline.live.value:.2f} (" in table.rows[0][1]
    assert table.rows[-1][1] == f"{sum(pair.frozen > 0 for pair in findings[0].pairs)} of 1"
    assert sentence.count("on made (6 models") == 2


def test_two_orders_far_from_each_other_bound_what_a_third_has_with_both() -> None:
    """For every order of five models."""
    from itertools import permutations

    from benchmarks.ranks.report import most_with_other

    live = np.arange(5.0)
    for other in permutations(live):
        between = float(tau(signs(live), signs(np.array(other))))
        for third in permutations(live):
            own = float(tau(signs(live), signs(np.array(third))))
            assert (
                float(tau(signs(np.array(other)), signs(np.array(third))))
                <= most_with_other(between, own) + 1e-9
            )


def test_halves_agree_as_far_as_samples_do() -> None:
    """Wholly where every sample says the same, hardly where samples are noise."""
    from benchmarks.ranks.findings import agreement_of_halves

    same = np.tile(np.arange(6.0)[:, None], (1, 40))
    noise = np.random.default_rng(0).random((6, 40))
    assert agreement_of_halves(same) == 1
    assert abs(agreement_of_halves(noise)) < 0.4
