"""Which degrees a curve shows, and which points are faded."""

import pytest
from made_results import make_result

from contract.schema.results import SettingScore
from leaderboard.view.charts import degree_chart, drawn_degrees


@pytest.mark.parametrize(
    ("shares", "n_drawn"), [((1, 0.5, 0.1), 3), ((1, 0.5, 0.09), 2), ((1, 0.05, 0.2), 3), ((0, 0, 0), 0)]
)
def test_a_curve_ends_where_fewer_than_a_tenth_have_a_case(shares: tuple[float, ...], n_drawn: int) -> None:
    """At the highest degree at which a tenth have one; lower degrees stay."""
    assert len(drawn_degrees(_score(shares))) == n_drawn


def test_points_from_few_samples_are_faded_and_unscored_cells_not_drawn() -> None:
    """Few is less than the result's own bound."""
    chart = degree_chart(_score((1, 0.5, 0.1)), 0.9, min_samples=100)
    assert chart is not None
    assert [len(series.faded) for series in chart.series] == [1, 1]
    unscored = _score((1, 0.5, 0.1)).model_copy(update={"average": None, "worst": None})
    assert degree_chart(unscored, 0.9, min_samples=100) is None


def _score(shares: tuple[float, ...]) -> SettingScore:
    score = make_result(degrees=("0.1", "0.2", "0.3")).tasks["mr"].dimensions["syntax"]["rule"]
    degrees = {
        key: value.model_copy(update={"share_with_case": share, "n_samples": round(300 * share)})
        for (key, value), share in zip(score.degrees.items(), shares, strict=True)
    }
    return score.model_copy(update={"degrees": degrees})
