"""Validity-weighted scores: by the name of the weights and the estimate."""

from contract.schema.results import Overall
from leaderboard.text.formatting import percent
from leaderboard.text.untrusted_text import visible


def weighted_figures(overall: Overall, estimate: str) -> dict[str, float]:
    """Return the weighted scores by the name of their weights; a key is `weights/average` or `average`."""
    found = {}
    for key, value in overall.validity_weighted.items():
        name, _, which = key.rpartition("/")
        if which == estimate:
            found[name] = value
    return found


def weighted_text(overall: Overall | None, estimate: str) -> str:
    """Return the weighted scores in per cent, with the names of the weights if there are several."""
    figures = {} if overall is None else weighted_figures(overall, estimate)
    if len(figures) == 1:
        return percent(next(iter(figures.values())))
    return ", ".join(f"{percent(value)} {visible(name, 40)}".strip() for name, value in figures.items())
