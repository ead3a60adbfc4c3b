"""What an engine is: it does pieces of work, several at a time, and yields each result when it is done."""

import os
import pickle
import platform
import traceback
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from contract.machine.code import ROOT, hash_of_all_code
from contract.machine.errors import UserError
from contract.machine.memory import give_back_memory

Item = TypeVar("Item")
Result = TypeVar("Result")

# How often a piece of work is begun again after its worker died; most workers die of other causes.
RETRIES = 2


class Done(NamedTuple, Generic[Item, Result]):
    """A piece of work with what came of it."""

    item: Item
    result: Result


# What items have in common that are done with the same intermediate results; None: nothing.
GroupOf = Callable[[Item], Hashable]


class Pool(Protocol):
    """Workers that stay, with the models they have loaded, from one list of work to the next."""

    @property
    def n_workers(self) -> int:
        """How many items are done at the same time."""

    def run(
        self,
        do: Callable[[Item], Result],
        items: Iterable[Item],
        group_of: GroupOf[Item] | None = None,
    ) -> Iterator[Done[Item, Result]]:
        """Do every item and yield each when it is done, in any order.

        A worker goes on with the group of its last item, whose intermediate results it still has.
        """


class Waiting(Generic[Item]):
    """Items that wait for a worker, in groups that one worker does best alone."""

    def __init__(self, items: Iterable[Item], group_of: GroupOf[Item] | None = None) -> None:
        self._group_of = group_of
        # Groups that nobody has begun, and those that somebody has, each with the items that are left.
        self._new: dict[Hashable, deque[Item]] = {}
        self._begun: dict[Hashable, deque[Item]] = {}
        self._group_of_worker: dict[Hashable, Hashable] = {}
        for number, item in enumerate(items):
            group = number if group_of is None else group_of(item)
            self._new.setdefault(group, deque()).append(item)

    def __len__(self) -> int:
        return sum(map(len, self._new.values())) + sum(map(len, self._begun.values()))

    def take(self, worker: Hashable) -> Item:
        """Return an item of the worker's own group, else the first of a new one, else another worker's last.

        Without groups that is the first item.
        """
        group = self._group_of_worker.get(worker)
        if group in self._begun:
            item = self._begun[group].popleft()
        elif self._new:
            group = next(iter(self._new))
            self._begun[group] = self._new.pop(group)
            item = self._begun[group].popleft()
        else:
            group = max(self._begun, key=lambda name: len(self._begun[name]))
            item = self._begun[group].pop()
        self._group_of_worker[worker] = group
        if not self._begun[group]:
            del self._begun[group]
        return item

    def put_back(self, item: Item) -> None:
        """Let an item wait again, as a group of its own, after all new ones."""
        self._new[object()] = deque([item])


@dataclass(frozen=True, kw_only=True)
class EngineOptions:
    """How many workers, and where; None: the engine decides."""

    workers: int | None = None
    # Of an existing cluster, for engines that use clusters.
    address: str | None = None


@dataclass(frozen=True, kw_only=True)
class Engine:
    """A way to do work; at the end of its context every worker is stopped."""

    name: str
    summary: str
    open: Callable[[EngineOptions], AbstractContextManager[Pool]]


class Outcome(NamedTuple):
    """What a worker sends back: a result, or an error with its traceback."""

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
    """Do a piece of work in a worker and return an outcome that can be pickled."""
    try:
        return Outcome(do(item))
    except Exception as error:  # noqa: BLE001 (raised again where the build is)
        trace = traceback.format_exc()
        try:
            pickle.loads(pickle.dumps(error))  # noqa: S301 (our own bytes)
        except Exception:  # noqa: BLE001 (an error's own class may fail in any way)
            return Outcome(None, RuntimeError(repr(error)), trace)
        return Outcome(None, error, trace)
    finally:
        give_back_memory()


def attempt_with(code: str, do: Callable[[Any], Any], item: Any) -> Outcome:
    """Do a piece of work, or return an error if the code here is not that of the build."""
    code_here = hash_of_all_code()
    if code_here == code:
        return attempt(do, item)
    return Outcome(
        None,
        UserError(
            f"a worker on {platform.node()} has other code of Hardfrost ({code_here[:12]} in {ROOT})"
            f" than the build ({code[:12]}); give every machine the same version, leave the code alone while"
            " a build runs, and run the same command again: what is finished is kept"
        ),
    )


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
