"""The figures of a result are found by metric, whatever names a file gives them."""

from contract.schema.figures import curve_points, figure_of, further_figures, metrics_of
from contract.schema.metrics import FIRST_METRICS, MetricInfo
from contract.schema.results import (
    BenchmarkInfo,
    DegreeScore,
    ModelInfo,
    PredictionsInfo,
    Result,
    ScoreSettings,
    SettingScore,
    signature_of,
)

SETTINGS = ScoreSettings(min_samples=1)
BENCHMARK = BenchmarkInfo(name="b", version="1", manifest_sha256="0" * 64)


def _info(name: str, heading: str = "H") -> MetricInfo:
    return MetricInfo(name=name, summary="s", scopes=("degree",), heading=heading)


def _result(*infos: MetricInfo) -> Result:
    return Result(
        benchmark=BENCHMARK,
        model=ModelInfo(name="m"),
        evaluator_version="1",
        predictions=PredictionsInfo(sha256="0" * 64, rows=1),
        settings=SETTINGS,
        signature=signature_of(BENCHMARK, SETTINGS, "1"),
        tasks={},
        overall=None,
        metrics=infos,
    )


def test_a_figure_is_found_in_its_field_or_among_the_metrics() -> None:
    """With its interval; a field that is no figure is none, whatever a file calls its metrics."""
    score = DegreeScore(
        average=0.5, average_ci=(0.4, 0.6), worst=0.25, worst_at=0.25, accuracy_cases=0.5, n_samples=4,
        share_with_case=1.0, n_cases=8,
        metrics={"best_at": 1.5, "n_cases": 0.75}, metrics_ci={"best_at": (1.0, 2.0)},
    )  # fmt: skip
    assert figure_of(score, _info("average")) == (0.5, (0.4, 0.6))
    assert figure_of(score, _info("best-at")) == (1.5, (1.0, 2.0))
    assert figure_of(score, _info("n-cases")) == (0.75, None)
    assert figure_of(score, _info("metrics")) is None
    assert figure_of(score, _info("attack-success-rate")) is None
    assert figure_of(score, _info("model-dump")) is None


def test_a_metric_may_have_several_figures() -> None:
    """In the order of the metrics; a key of an unknown metric is left out."""
    metrics = {"other/average": 0.1, "mean/worst": 0.2, "mean/average": 0.3, "best@5": 0.4, "best": 0.5}
    score = SettingScore.model_construct(metrics=metrics)
    found = further_figures(score, [_info("best", "Best"), _info("mean", "Mean")])
    assert [(named.label, named.figure.value) for named in found] == [
        ("Best, 5", 0.4),
        ("Best", 0.5),
        ("Mean, worst", 0.2),
        ("Mean, average", 0.3),
    ]


def test_a_curve_is_found_in_its_field_or_among_the_metrics() -> None:
    """Few cases first; a key that is no number of cases is no point of the curve."""
    info = MetricInfo(name="best", summary="s", scopes=("curve", "over_degrees"), heading="Best")
    score = SettingScore.model_construct(
        worst_at_k={"10": 0.25, "2": 0.5, "many": 0.75}, worst_at_k_ci={"2": (0.4, 0.6)},
        worst_at_k_samples={"10": 7},
        metrics={"best@12": 0.1, "best@3": 0.2, "best/worst": 0.3, "best@" + "9" * 5000: 0.4},
    )  # fmt: skip
    (worst_at_k,) = (first for first in FIRST_METRICS if first.name == "worst-at-k")
    assert curve_points(score, worst_at_k) == [(2, (0.5, (0.4, 0.6)), None), (10, (0.25, None), 7)]
    assert curve_points(score, info) == [(3, (0.2, None), None), (12, (0.1, None), None)]
    others = [named.which for named in further_figures(score, [info]) if not named.is_on_curve]
    assert others == ["worst", "9" * 5000]


def test_no_file_renames_the_first_metrics() -> None:
    """Those that results need not describe; of others the first description counts."""
    infos = metrics_of(
        [_result(_info("average", "Mine"), _info("new", "New")), _result(_info("new", "Newer"))]
    )
    assert infos[: len(FIRST_METRICS)] == FIRST_METRICS
    assert [info.heading for info in infos[len(FIRST_METRICS) :]] == ["New"]


def test_a_reader_ignores_scopes_that_it_does_not_know() -> None:
    """A later version may compute metrics for something else."""
    later = _info("new").model_dump() | {"scopes": ["word", "degree"], "colour": "blue"}
    assert MetricInfo.model_validate(later).scopes == ("word", "degree")
