"""Names of files and models as a release may show them: without the folders of this machine."""

from pathlib import Path


def public_name(name: str) -> str:
    """Return the name of a data source or a model without the folders of this machine."""
    kind, _, argument = name.partition(":")
    # An id on the Hub has a slash, too, but is no path of this machine.
    if kind == "file" or Path(argument).is_absolute():
        return f"{kind}:{Path(argument).name}"
    return name
