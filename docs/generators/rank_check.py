"""The table of what `python -m benchmarks.ranks` has found, for README and measured figures."""

import textwrap
from collections.abc import Iterator

from leaderboard.view.rank_check import rank_check, rank_check_sentence

WIDTH = 128


def rank_check_table() -> Iterator[str]:
    """Yield the lines of the table, and which models it is about."""
    found = rank_check()
    yield f"| {' | '.join(found.columns)} |"
    yield f"| {' | '.join(['---', *['---:'] * (len(found.columns) - 1)])} |"
    for row in found.rows:
        yield f"| {' | '.join(row)} |"
    yield ""
    yield f"95 % intervals over samples; {found.scope}."


def rank_check_paragraph() -> list[str]:
    """Return the main figures as a sentence in lines."""
    return textwrap.wrap(rank_check_sentence(), WIDTH)
