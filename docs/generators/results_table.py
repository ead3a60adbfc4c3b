"""The README's table of the reference release: what the models kept in data_cards/mr scored."""

import json
from collections.abc import Iterator
from pathlib import Path

from contract.release.release import MANIFEST
from contract.schema.manifest import Manifest
from contract.schema.results import Aggregate, Result
from leaderboard.board.collecting import collect

KEPT = Path(__file__).parents[2] / "data_cards" / "mr"
EARLIER = "The kept results are of version 1: made by an earlier Hardfrost; new ones will follow."


def results_table(kept: Path = KEPT) -> Iterator[str]:
    """Yield the lines of the table, in the leaderboard's order; of results of version 1 only a sentence.

    Surrogates are left out: the cases were made against them.
    """
    if _schemas_in(kept) != {Result.SCHEMA}:
        yield EARLIER
        return
    # Kept results are of the whole release, so each has an overall.
    entries = [(entry, entry.result.overall) for entry in collect(kept / "results").entries]
    surrogates = {info.name for info in Manifest.read(kept / MANIFEST).surrogates}
    known = {name for _, overall in entries if overall is not None for name in overall.settings}
    settings = [name for name in ("rule", "score", "gradient") if name in known]
    # The setting `score` is an attack: the headline has another word, as on the site.
    head = ["rank", "model", "robustness", "average", "clean", *settings]
    yield f"| {' | '.join(head)} |"
    yield f"| {' | '.join(['---', '---', *['---:'] * (len(head) - 2)])} |"
    for entry, overall in entries:
        if overall is None or entry.result.model.name in surrogates:
            continue
        rank = "" if entry.rank is None else "–".join(map(str, sorted(set(entry.rank))))
        why = {"surrogate": " (related to a surrogate)", "no-skill": " (no skill)"}.get(entry.status, "")
        name = f"{entry.result.model.name}{why}"
        clean = "" if overall.clean is None else f"{100 * overall.clean:.1f}"
        of_settings = [
            f"{_percent(pair.worst)} / {_percent(pair.average)}"
            for pair in (overall.settings[setting] for setting in settings)
        ]
        figures = [_percent(overall.score), _percent(overall.average), clean, *of_settings]
        yield f"| {' | '.join([rank, name, *figures])} |"


def _schemas_in(kept: Path) -> set[str]:
    """Return the schemas that the kept results name; to read them as results would refuse earlier ones."""
    paths = kept.rglob("result.json")
    return {json.loads(path.read_text(encoding="utf-8"))["schema"] for path in paths}


def _percent(figure: Aggregate) -> str:
    return f"{100 * figure.ewma:.1f}"
