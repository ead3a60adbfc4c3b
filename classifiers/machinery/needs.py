"""The error for a missing package, with the command that installs it."""

from collections.abc import Iterator
from contextlib import contextmanager

from contract.machine.errors import UserError


@contextmanager
def needs(package: str, extra: str = "models") -> Iterator[None]:
    """Turn the import error of an optional package into advice."""
    try:
        yield
    except ImportError as error:
        raise UserError(
            f"this needs the package {package} ({error}); install it with `pip install hardfrost[{extra}]`"
        ) from None
