"""The table: where a tie ends, and who is listed where."""

import pytest
from made_boards import board_of_results
from made_results import make_result, without_skill

from contract.schema.leaderboards import Leaderboard
from contract.schema.results import ModelInfo
from leaderboard.view.tables import as_listed, table_of


@pytest.mark.parametrize(
    ("ranks", "groups"),
    [
        # The second and the third tie, so that no line may part them.
        ([(1, 2), (1, 3), (2, 3)], [False, False, False]),
        ([(1, 1), (2, 3), (2, 3)], [False, True, False]),
        # The last ties with the second, though the one between them reaches less far.
        ([(1, 1), (2, 4), (2, 3), (4, 4)], [False, True, False, False]),
        ([(1, 2), None, (1, 2), None, (3, 3)], [False, False, False, False, True]),
        ([None, (1, 1), (2, 2)], [False, False, True]),
    ],
)
def test_a_line_stands_above_a_model_that_ties_with_none_above_it(
    ranks: list[tuple[int, int] | None], groups: list[bool]
) -> None:
    """Ranges overlap in chains; entries without a rank neither part nor join."""
    board = _board(*(f"model {place}" for place in range(len(ranks))))
    entries = tuple(
        entry.model_copy(update={"rank": rank}) for entry, rank in zip(board.entries, ranks, strict=True)
    )
    table = table_of(board.model_copy(update={"entries": entries}))
    assert [row.starts_group for row in table.rows] == groups


def test_models_without_skill_are_listed_after_those_that_have_some() -> None:
    """In the collected leaderboard and on pages; surrogates keep their place on both."""
    surrogate = ModelInfo(name="surrogate", is_surrogate_family=True)
    board = board_of_results(
        [
            make_result("part", is_partial=True),
            without_skill(make_result("constant", strength=0.9)),
            make_result("surrogate", strength=0.8, model=surrogate),
            make_result("strong", strength=0.7),
            make_result("weak", strength=0.5),
        ]
    )
    assert _names(board) == ["surrogate", "strong", "weak", "constant", "part"]
    assert _names(as_listed(board)) == ["surrogate", "strong", "weak", "constant", "part"]


def _names(board: Leaderboard) -> list[str]:
    return [entry.result.model.name for entry in board.entries]


def _board(*names: str) -> Leaderboard:
    return board_of_results([make_result(name) for name in names])
