"""Makes leaderboards of results, among them one with an entry of every kind."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from made_results import DIMENSIONS, make_result, with_overall, without_skill

from contract.schema.leaderboards import Leaderboard, LeaderboardDimension
from contract.schema.results import ModelInfo, Result
from leaderboard.board.collecting import FoundResults, collect_found
from leaderboard.board.entries import FoundResult

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "../../x",
    "abc\u202egpj",
    "x" * 10_000,
]
# By name, worst and average: each higher worst goes with a lower average.
DISAGREEING = {"steady": (0.5, 0.55), "middle": (0.4, 0.6), "brittle": (0.3, 0.7)}
STRENGTHS = {"strong": 0.72, "close": 0.716, "middle": 0.6, "weak": 0.5}


def make_board() -> Leaderboard:
    """Return two tasks and settings with a tie, one entry of each kind, and hostile names."""
    scope = {"tasks": ("mr", "sst"), "settings": ("rule", "score")}
    results = [make_result(name, strength=strength, **scope) for name, strength in STRENGTHS.items()]
    results.append(make_result("part", is_partial=True, dimensions=DIMENSIONS[:4], **scope))
    surrogate = ModelInfo(name="relative", is_surrogate_family=True)
    results.append(make_result("relative", strength=0.65, model=surrogate, **scope))
    results.append(without_skill(make_result("constant", strength=0.8, **scope)))
    results += [
        make_result(
            f"h{index}", strength=0.3, model=ModelInfo(name=name, organisation=name, notes=name), **scope
        )
        for index, name in enumerate(HOSTILE)
    ]
    return with_tags(board_of_results(results))


def board_of_results(results: Sequence[Result], *, release_dir: Path | None = None) -> Leaderboard:
    """Return the leaderboard of results that stand in no file."""
    found = [FoundResult(path=f"{index}.json", result=result) for index, result in enumerate(results)]
    return collect_found(FoundResults(results=tuple(found), ignored=()), release_dir=release_dir)


def board_of_scores(scores: Mapping[str, tuple[float, float]]) -> Leaderboard:
    """Return the leaderboard of models by their worst and their average, in three dimensions."""
    scope = {"settings": ("rule", "score"), "dimensions": ("synonym", "syntax", "distraction")}
    return board_of_results(
        [
            with_overall(make_result(name, **scope), average=average, worst=worst)
            for name, (worst, average) in scores.items()
        ]
    )


def with_tags(board: Leaderboard) -> Leaderboard:
    """Return the leaderboard with a tag for every dimension, as a release would give it."""
    dimensions = tuple(
        LeaderboardDimension(
            name=info.name, tag="malicious" if info.name.endswith("malicious") else "general"
        )
        for info in board.dimensions
    )
    return board.model_copy(update={"dimensions": dimensions})
