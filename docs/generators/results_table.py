"""The README's table of the reference release: what the models kept in data_cards/mr scored."""

from collections.abc import Iterator
from pathlib import Path

from contract.schema.results import Aggregate
from leaderboard.board.collecting import collect

KEPT = Path(__file__).parents[2] / "data_cards" / "mr"


def results_table() -> Iterator[str]:
    """Yield the lines of the table, in the leaderboard's order."""
    # Kept results are of the whole release, so each has an overall.
    entries = [(entry, entry.result.overall) for entry in collect(KEPT / "results").entries]
    known = {name for _, overall in entries if overall is not None for name in overall.settings}
    settings = [name for name in ("rule", "score", "gradient") if name in known]
    head = ["rank", "model", "clean", "average", "worst", *settings]
    yield f"| {' | '.join(head)} |"
    yield f"| {' | '.join(['---', '---', *['---:'] * (len(head) - 2)])} |"
    for entry, overall in entries:
        if overall is None:
            continue
        rank = "" if entry.rank is None else "–".join(map(str, sorted(set(entry.rank))))
        why = {"surrogate": " (surrogate)", "no-skill": " (no skill)"}.get(entry.status, "")
        name = f"{entry.result.model.name}{why}"
        clean = "" if overall.clean is None else f"{100 * overall.clean:.1f}"
        of_settings = [
            f"{_percent(pair.average)} / {_percent(pair.worst)}"
            for pair in (overall.settings[setting] for setting in settings)
        ]
        figures = [clean, _percent(overall.average), _percent(overall.worst), *of_settings]
        yield f"| {' | '.join([rank, name, *figures])} |"


def _percent(figure: Aggregate) -> str:
    return f"{100 * figure.ewma:.1f}"
