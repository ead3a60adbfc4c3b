"""Where average and worst disagree, the worst ranks: entries, ranges, families left out, pages and files."""

import csv
import io
import json
import re
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from made_boards import DISAGREEING, board_of_scores

from leaderboard.board.ranking import paired_difference
from leaderboard.pages.site import write_site
from leaderboard.view.table_downloads import table_csv
from leaderboard.view.tables import table_of

SHARES = st.integers(0, 100).map(lambda share: share / 100)
BOTH = st.tuples(SHARES, SHARES).map(lambda both: (min(both), max(both)))


@settings(max_examples=40, deadline=None)
@given(st.lists(BOTH, min_size=1, max_size=6))
def test_entries_and_ranks_go_by_worst(scores: list[tuple[float, float]]) -> None:
    """Whatever the averages are, with draws and without families alike."""
    board = board_of_scores({f"model {place}": both for place, both in enumerate(scores)})
    worsts = [entry.result.overall.worst.ewma for entry in board.entries if entry.result.overall]
    assert worsts == sorted((worst for worst, _ in scores), reverse=True)
    for entry, worst in zip(board.entries, worsts, strict=True):
        n_better, n_worse = (sum(one > worst for one in worsts), sum(one < worst for one in worsts))
        assert entry.rank == (1 + n_better, len(worsts) - n_worse)
        assert entry.rank_without_families == (1 + n_better, 1 + n_better)


def test_the_leader_by_worst_leads_the_site_and_its_files(tmp_path: Path) -> None:
    """The table, leaderboard.json, the CSV table, and the difference that pages call robustness."""
    board = board_of_scores(DISAGREEING)
    write_site(board, tmp_path / "site")
    names = list(DISAGREEING)
    page = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    body = page[page.index("<tbody>") :].partition("</tbody>")[0]
    assert re.findall(r'<a href="models/[^"]+"><bdi>([^<]+)</bdi>', body) == names
    assert re.findall(r'<td class="num head">([0-9.]+)', body) == ["50.0", "40.0", "30.0"]
    heads = re.findall(r'data-key="(\w+)"[^>]*>(Robustness|Average)<', page)
    assert heads == [("score", "Robustness"), ("average", "Average")]
    entries = json.loads((tmp_path / "site" / "leaderboard.json").read_text(encoding="utf-8"))["entries"]
    assert [(entry["result"]["model"]["name"], entry["rank"]) for entry in entries] == [
        (name, [place, place]) for place, name in enumerate(names, 1)
    ]
    rows = list(csv.DictReader(io.StringIO(table_csv(table_of(board)))))
    assert [(row["model"], row["robustness"], row["average"]) for row in rows] == [
        (name, f"{100 * worst:.1f}", f"{100 * average:.1f}") for name, (worst, average) in DISAGREEING.items()
    ]
    steady, *_, brittle = (entry.result for entry in board.entries)
    assert paired_difference(steady, brittle, "worst").relation == "ahead"
    assert paired_difference(steady, brittle, "average").relation == "behind"
