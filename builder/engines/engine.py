"""What an engine is: a place that does pieces of work, several at a time, and says when each is done."""

import os
import pickle
import platform
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from contract.machine.code import ROOT, hash_of_all_code
from contract.machine.errors import UserError
from contract.machine.memory import give_back_memory

Item = TypeVar("Item")
Result = TypeVar("Result")

# How often a piece of work is begun again after its worker died, by no fault of the work as far as we know.
RETRIES = 2


class Done(NamedTuple, Generic[Item, Result]):
    """A piece of work with what came of it."""

    item: Item
    result: Result


class Pool(Protocol):
    """Workers that stay, with what they have loaded, from one list of work to the next."""

    def run(self, do: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Done[Item, Result]]:
        """Do every item and yield each when it is done, in any order."""


@dataclass(frozen=True, kw_only=True)
class EngineOptions:
    """How many workers, and where; None leaves it to the engine."""

    workers: int | None = None
    # An existing cluster's, for the engines that know clusters.
    address: str | None = None


@dataclass(frozen=True, kw_only=True)
class Engine:
    """A way to do work; leaving its context ends every worker."""

    name: str
    summary: str
    open: Callable[[EngineOptions], AbstractContextManager[Pool]]


class Outcome(NamedTuple):
    """What a worker sends back: a result, or an error with the place where it happened."""

    result: Any
    error: Exception | None = None
    trace: str = ""

    def get(self) -> Any:
        """Return the result, or raise the error as if it had happened here."""
        if self.error is None:
            return self.result
        self.error.add_note(self.trace)
        raise self.error


def attempt(do: Callable[[Any], Any], item: Any) -> Outcome:
    """Do a piece of work in a worker and return what can be sent back."""
    try:
        return Outcome(do(item))
    except Exception as error:  # noqa: BLE001 (raised again where the build is)
        trace = traceback.format_exc()
        try:
            pickle.loads(pickle.dumps(error))  # noqa: S301 (our own bytes)
        except Exception:  # noqa: BLE001 (whatever an error's own class may do)
            return Outcome(None, RuntimeError(repr(error)), trace)
        return Outcome(None, error, trace)
    finally:
        give_back_memory()


def attempt_with(code: str, do: Callable[[Any], Any], item: Any) -> Outcome:
    """Do a piece of work, if the code here is that of the build, which has named the result by it."""
    own = hash_of_all_code()
    if own == code:
        return attempt(do, item)
    return Outcome(
        None,
        UserError(
            f"a worker on {platform.node()} has other code of Hardfrost ({own[:12]} in {ROOT}) than the build"
            f" ({code[:12]}); give every machine the same version, leave the code alone while a build runs,"
            " and run the same command again: what is finished is kept"
        ),
    )


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
