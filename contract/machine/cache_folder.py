"""The folder for files that can be made again."""

import os
from pathlib import Path


def cache_path() -> Path:
    """Return $HARDFROST_CACHE, or `hardfrost` in the user's cache folder."""
    chosen = os.environ.get("HARDFROST_CACHE")
    if chosen:
        # Absolute: worker processes may run in another folder.
        return Path(chosen).absolute()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hardfrost"
