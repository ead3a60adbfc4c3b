"""Suggests the file or folder that a mistyped path may mean."""

from itertools import islice
from pathlib import Path

from contract.machine.registry import nearest

_MOST_NEIGHBOURS = 2_000


def near_path(path: Path) -> str:
    """Return " did you mean 'x'?" for the nearest path that exists, or nothing when none is near."""
    known = path
    while not known.exists() and known != known.parent:
        known = known.parent
    wrong = path.parts[len(known.parts) :]
    if not wrong or not known.is_dir():
        return ""
    try:
        names = sorted(entry.name for entry in islice(known.iterdir(), _MOST_NEIGHBOURS))
    except OSError:
        return ""
    name = nearest(wrong[0], [name for name in names if not name.startswith(".")])
    if name is None:
        return ""
    whole = known.joinpath(name, *wrong[1:])
    return f" did you mean {str(whole if whole.exists() else known / name)!r}?"
