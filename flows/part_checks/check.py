"""What a check of a part is: a sentence, and a function that raises an error where the part breaks it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Part = TypeVar("Part")


class BrokenPromiseError(Exception):
    """What a part did that no part of its kind may do."""


@dataclass(frozen=True)
class Check(Generic[Part]):
    """A promise of every part of a kind."""

    promise: str
    run: Callable[[Part], None]


@dataclass(frozen=True)
class Outcome:
    """A promise, and how a part broke it; empty where it kept it."""

    promise: str
    problem: str


def outcomes(checks: Sequence[Check[Part]], part: Part) -> Iterator[Outcome]:
    """Yield what became of each check; whatever a part raises is a broken promise."""
    for check in checks:
        try:
            check.run(part)
        except BrokenPromiseError as error:
            yield Outcome(check.promise, str(error))
        except Exception as error:  # noqa: BLE001
            # A stranger's code may raise anything.
            yield Outcome(check.promise, f"raised {type(error).__name__}: {error}")
        else:
            yield Outcome(check.promise, "")


def demand(is_kept: object, problem: str) -> None:
    """Raise an error where a promise is broken."""
    if not is_kept:
        raise BrokenPromiseError(problem)
