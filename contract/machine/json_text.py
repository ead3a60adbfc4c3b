"""JSON as text: one canonical form to hash, one readable form for files."""

import json
from typing import Any

# Made once: rows are hashed by the million.
_CANONICAL = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)

# What every reader can count with; sums and plots of larger numbers would overflow.
LARGEST_INTEGER = 2**63 - 1


def canonical_json(value: Any) -> str:
    """Return the one JSON text of a value: sorted keys, no spaces, no NaN."""
    return _CANONICAL.encode(value)


def pretty_json(value: Any) -> str:
    """Return the JSON text that files hold: sorted keys, two spaces, a newline at the end."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
