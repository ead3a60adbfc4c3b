"""Sources as a release may name them."""

from pathlib import Path


def public_source(source: str) -> str:
    """Return a source without the folders of this machine."""
    kind, _, name = source.partition(":")
    # An id on the Hub has a slash, too, but is no place on this machine.
    if kind == "file" or Path(name).is_absolute():
        return f"{kind}:{Path(name).name}"
    return source
