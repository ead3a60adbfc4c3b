"""Leaderboards and sites from Python."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from contract.schema.leaderboards import Leaderboard
from flows.api.releases import AnyRelease, load
from flows.api.scores import Plot, Score
from flows.api.values import Place, html_table, needed, path_of, percent

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


class Board:
    """Ranked results of one version of a benchmark."""

    def __init__(self, leaderboard: Leaderboard) -> None:
        self.leaderboard = leaderboard

    def to_pandas(self) -> "pd.DataFrame":
        """Return one row an entry: rank, model, status, robustness, average and clean, with intervals."""
        pandas = needed("pandas", "pandas", "to_pandas()")
        rows = []
        for entry in self.leaderboard.entries:
            model, overall = entry.result.model, entry.result.overall
            row: dict[str, Any] = {
                "organisation": model.organisation,
                "model": model.name,
                "revision": model.revision,
            }
            row |= {"status": entry.status, "rank_best": None, "rank_worst": None}
            if entry.rank is not None:
                row |= {"rank_best": entry.rank[0], "rank_worst": entry.rank[1]}
            if overall is not None:
                low, high = overall.score.ci or (None, None)
                row |= {"robustness": overall.score.ewma, "robustness_low": low, "robustness_high": high}
                row |= {"average": overall.average.ewma, "clean": overall.clean}
            rows.append(row)
        frame: pd.DataFrame = pandas.DataFrame(rows)
        return frame

    def figures(self) -> "pd.DataFrame":
        """Return every figure of every entry, as `hardfrost leaderboard --figures` writes them."""
        from leaderboard.view.downloads import figures_of

        needed("pandas", "pandas", "figures()")
        frame: pd.DataFrame = figures_of(self.leaderboard).to_pandas()
        return frame

    def plot(self, kind: Plot = "curves", *, setting: str | None = None) -> "Figure":
        """Draw the curves or radars of all entries with an overall score over one another."""
        from flows.api.plots import curves, radar

        results = [entry.result for entry in self.leaderboard.entries if entry.result.overall is not None]
        return (radar if kind == "radar" else curves)(results, setting)

    def write(self, path: Place) -> Path:
        """Write the leaderboard as `hardfrost leaderboard` does; `site` takes the file."""
        self.leaderboard.write(path_of(path))
        return path_of(path)

    def __len__(self) -> int:
        return len(self.leaderboard.entries)

    def __repr__(self) -> str:
        benchmark = self.leaderboard.benchmark
        n_ranked = sum(entry.status == "ranked" for entry in self.leaderboard.entries)
        return f"<leaderboard of {benchmark.name} {benchmark.version}: {len(self)} models, {n_ranked} ranked>"

    def _repr_html_(self) -> str:
        rows = []
        for entry in self.leaderboard.entries:
            overall = entry.result.overall
            rank = entry.status if entry.rank is None else "–".join(map(str, sorted(set(entry.rank))))
            figures: tuple[float | None, ...] = (None, None, None)
            if overall is not None:
                figures = (overall.score.ewma, overall.average.ewma, overall.clean)
            rows.append((rank, entry.result.model.name, *map(percent, figures)))
        return html_table(repr(self)[1:-1], ("rank", "model", "robustness %", "average %", "clean %"), rows)


def leaderboard(
    results: Place | Iterable[Score | Place], *, release: AnyRelease | None = None, out: Place | None = None
) -> Board:
    """Collect results, a folder of them or some scores and files, into one ranked leaderboard.

    With the release, order and tags of dimensions are taken from it. `out` also writes the leaderboard.
    """
    from leaderboard.board.collecting import FoundResults, collect_found, find_results, read_result
    from leaderboard.board.entries import FoundResult

    if isinstance(results, str | os.PathLike):
        found = find_results(path_of(results))
    else:
        each: list[FoundResult] = []
        for number, item in enumerate(results):
            result = item.result if isinstance(item, Score) else read_result(path_of(item))
            path = f"{number}.json" if isinstance(item, Score) else str(path_of(item))
            each.append(FoundResult(path=path, result=result))
        found = FoundResults(results=tuple(each), ignored=())
    release_dir = None if release is None else load(release).path
    board = Board(collect_found(found, release_dir=release_dir))
    if out is not None:
        board.write(out)
    return board


def site(
    leaderboards: Board | Place | Sequence[Board | Place],
    out: Place,
    *,
    releases: AnyRelease | Sequence[AnyRelease] = (),
    links: Sequence[str] = (),
) -> Path:
    """Write the static site of one or several leaderboards into a folder; return its first page.

    With releases, the site shows cases, cards and recipes and lets visitors score files. Links are given as
    NAME=URL, such as repository=https://….
    """
    from leaderboard.pages.extras import Extras, links_of
    from leaderboard.pages.site import write_boards
    from leaderboard.pages.versions import boards_of

    boards = [leaderboards] if isinstance(leaderboards, Board | str | os.PathLike) else list(leaderboards)
    opened = [
        board.leaderboard if isinstance(board, Board) else Leaderboard.read(path_of(board))
        for board in boards
    ]
    given = [releases] if not isinstance(releases, Sequence) or isinstance(releases, str) else list(releases)
    paths = [load(release).path for release in given]
    return write_boards(boards_of(opened, paths), path_of(out), extras=Extras(links=links_of(links)))
