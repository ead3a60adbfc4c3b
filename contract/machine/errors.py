"""The one kind of error that a user can fix, and the exit codes of the command line."""

from collections.abc import Sequence
from enum import IntEnum

MOST_PROBLEMS_SHOWN = 50


class ExitCode(IntEnum):
    """What the command line returns to the shell."""

    FAILURE = 1
    WRONG_USE = 2
    BAD_INPUT = 3
    MISMATCH = 4
    NETWORK = 5


class UserError(Exception):
    """Something a user can fix: says what is wrong, where, what was expected and what to do."""

    def __init__(self, message: str, *, exit_code: ExitCode = ExitCode.FAILURE) -> None:
        super().__init__(message)
        self.message = message
        self.exit_code = exit_code


def bad_input(message: str) -> UserError:
    """Return the error for a file that cannot be used as it is."""
    return UserError(message, exit_code=ExitCode.BAD_INPUT)


def bad_inputs(problems: Sequence[str]) -> UserError:
    """Return one error that lists all problems of an input, the first fifty in full."""
    shown = list(problems[:MOST_PROBLEMS_SHOWN])
    if len(problems) > len(shown):
        shown.append(f"… and {len(problems) - len(shown)} more problems like these")
    return bad_input("\n".join(shown))
