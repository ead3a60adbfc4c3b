"""The README's table of the reference release: what the models kept in data_cards/mr scored."""

from collections.abc import Iterator
from pathlib import Path

from contract.results import Aggregate
from leaderboard.collecting import collect

KEPT = Path(__file__).parents[1] / "data_cards" / "mr"


def results_table() -> Iterator[str]:
    """Yield the lines of the table, in the leaderboard's order."""
    entries = collect(KEPT / "results").entries
    settings = [name for name in ("rule", "score", "gradient") if name in entries[0].result.overall.settings]
    head = ["rank", "model", "clean", "average", "worst", *settings]
    yield f"| {' | '.join(head)} |"
    yield f"| {' | '.join(['---', '---', *['---:'] * (len(head) - 2)])} |"
    for entry in entries:
        overall = entry.result.overall
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
