"""JSON as text: one canonical form to hash, one readable form for files, and a gate for that of strangers."""

import json
from typing import Any

# Made once: rows are hashed by the million.
_CANONICAL = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)

# What every reader can count with; sums and plots of larger numbers would overflow.
LARGEST_INTEGER = 2**63 - 1
# Far more than any file of ours has; much deeper values exhaust the stack of whoever prints or hashes them.
MOST_LEVELS = 50


def canonical_json(value: Any) -> str:
    """Return the one JSON text of a value: sorted keys, no spaces, no NaN."""
    return _CANONICAL.encode(value)


def pretty_json(value: Any) -> str:
    """Return the JSON text that files hold: sorted keys, two spaces, a newline at the end."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def parsed_json(text: str | bytes, **hooks: Any) -> Any:
    """Return the value of a stranger's JSON; whatever is wrong with it is a ValueError."""
    try:
        value = json.loads(text, **hooks)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(MOST_LEVELS):
        parts = [part.values() if isinstance(part, dict) else part for part in level]
        level = [value for values in parts for value in values if isinstance(value, dict | list)]
        if not level:
            return value
    raise ValueError("nested too deeply")
