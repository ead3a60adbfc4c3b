"""Zéroe's figures on pages: ranks, charts within their frame, and what folds would have saved."""

from itertools import pairwise

import pytest

from contract.schema.attackers import Attacker, Attackers, AttackLevel, FoldSavings
from contract.schema.results import Result, TaskScore
from leaderboard.view.attackers import LABEL_HEIGHT, attackers_views, folds_views
from leaderboard.view.charts import BOTTOM, HEIGHT, LEFT, TOP, WIDTH


def _attacker(name: str, *relative: float, distance: float | None = 0.2) -> Attacker:
    levels = {
        key: AttackLevel(relative=value, edit_distance=distance, n_cases=10)
        for key, value in zip(("0.2", "0.5", "0.8"), relative, strict=False)
    }
    return Attacker(dimension=name, levels=levels)


def _result(*attackers: Attacker, folds: FoldSavings | None = None) -> Result:
    task = TaskScore(
        clean=None,
        mean="geometric",
        dimensions={},
        attackers={"zeroe": Attackers(guessing=0.6, attackers=attackers, correlation=0.5)},
        folds={} if folds is None else {"invisible": folds},
    )
    # Nothing else of a result is looked at.
    return Result.model_construct(tasks={"snli": task})


def test_a_row_has_what_is_left_at_each_degree() -> None:
    """In the order of the result, which is that of harm; what is not known is a dash."""
    result = _result(_attacker("visual", 0.9, 0.6, 0.4), _attacker("phonetic", 1.0, 0.95, distance=None))
    (view,) = attackers_views(result, {})
    assert (view.degrees, view.guessing, view.correlation) == (("0.2", "0.5", "0.8"), "60.0", "0.50")
    assert [(row.rank, row.name, row.left, row.distance) for row in view.rows] == [
        (1, "visual", ("90.0", "60.0", "40.0"), "20.0"),
        (2, "phonetic", ("100.0", "95.0", "–"), "–"),
    ]


def test_ranks_beside_lines_do_not_cover_each_other() -> None:
    """Ten attackers that leave nearly the same, and all stay within the chart."""
    attackers = [_attacker(f"a{n}", 0.9, 0.5, 0.02 + 0.001 * n) for n in range(10)]
    (view,) = attackers_views(_result(*attackers), {})
    heights = sorted(mark.y for mark in view.curves.points)
    assert min(after - before for before, after in pairwise(heights)) >= LABEL_HEIGHT
    assert heights[0] >= TOP
    assert heights[-1] <= HEIGHT - BOTTOM


@pytest.mark.parametrize("relative", [0.0, 1.0, 1e9])
@pytest.mark.parametrize("distance", [0.0, 0.3, 1e9])
def test_any_figures_of_a_file_are_drawn_within_the_frame(relative: float, distance: float) -> None:
    """A result is somebody's file."""
    (view,) = attackers_views(_result(_attacker("visual", relative, 0.5, distance=distance)), {})
    for plot in filter(None, (view.curves, view.scatter)):
        for mark in plot.points:
            assert LEFT <= mark.x <= WIDTH
            assert TOP <= mark.y <= HEIGHT - BOTTOM


def test_keys_that_are_no_degrees_are_left_out() -> None:
    """As everywhere on pages."""
    attacker = Attacker(dimension="visual", levels={"any": AttackLevel(relative=0.5, n_cases=1)})
    assert attackers_views(_result(attacker), {}) == ()


def test_folds_are_named_with_what_they_save() -> None:
    """Each step alone, then all; nothing is said where nothing was lost."""
    (view,) = folds_views(_result(folds=FoldSavings(n_lost=8, n_saved={"unseen": 2, "all": 6})))
    found = {name: (n_saved, share) for name, _, n_saved, share in view.rows}
    assert found["unseen"] == (2, "25.0")
    assert found["direction"] == (0, "0.0")
    assert found["all"] == (6, "75.0")
    assert folds_views(_result(folds=FoldSavings(n_lost=0, n_saved={}))) == ()
