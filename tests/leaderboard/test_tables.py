"""The table: where a tie ends, and who is listed where."""

import pytest
from made_results import make_result

from contract.leaderboards import Leaderboard
from leaderboard.collecting import FoundResult, FoundResults, collect_found
from leaderboard.tables import table_of


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
def test_a_line_parts_only_models_that_tie_with_nobody_above_it(
    ranks: list[tuple[int, int] | None], groups: list[bool]
) -> None:
    """Ranges overlap in chains; entries without a rank neither part nor join."""
    board = _board(*(f"model {place}" for place in range(len(ranks))))
    entries = tuple(
        entry.model_copy(update={"rank": rank}) for entry, rank in zip(board.entries, ranks, strict=True)
    )
    table = table_of(board.model_copy(update={"entries": entries}))
    assert [row.starts_group for row in table.rows] == groups


def _board(*names: str) -> Leaderboard:
    found = [FoundResult(path=name, result=make_result(name)) for name in names]
    return collect_found(FoundResults(results=tuple(found), ignored=()))
