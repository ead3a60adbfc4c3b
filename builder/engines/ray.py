"""The Ray engine: actors on this machine or on a cluster, with graphics cards where a node has them."""

import logging
import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from builder.engines.engine import (
    RETRIES,
    Done,
    Engine,
    EngineOptions,
    GroupOf,
    Item,
    Outcome,
    Pool,
    Result,
    Waiting,
    attempt_with,
    cores,
)
from contract.machine.cache_folder import cache_path
from contract.machine.code import hash_of_all_code
from contract.machine.errors import ExitCode, UserError
from contract.machine.terminal import echo
from contract.machine.whole_files import write_text

PROBE = "seen-from-everywhere.txt"
# How often to try to start a cluster on this machine.
STARTS = 3
# After every so many seconds without a worker, a message says what the build waits for.
SECONDS_OF_PATIENCE = 60.0
# After so many seconds in which nothing was finished, it is looked whether the nodes are still there.
SECONDS_BETWEEN_LOOKS = 5.0


class Actor:
    """A worker on a node of the cluster; it stays, with the models it has loaded."""

    def __init__(self, cache: Path, code: str) -> None:
        os.environ["HARDFROST_CACHE"] = str(cache)
        os.environ["TOKENIZERS_PARALLELISM"] = "false"
        self._cache = cache
        self._code = code

    def answer(self) -> None:
        """Answer, which shows that the cluster has room for this worker and that it runs."""

    def do(self, work: Callable[[Any], Any], item: Any) -> Outcome:
        """Do a piece of work, if this node shares the cache and has the build's code."""
        if not (self._cache / PROBE).is_file():
            error = UserError(
                f"a node of the cluster does not see {self._cache}; set HARDFROST_CACHE to a folder that all"
                " nodes share, or build in parts with --shard and `hardfrost merge`"
            )
            return Outcome(None, error)
        return attempt_with(self._code, work, item)


class RayPool:
    """Actors that are started when there is work for them."""

    def __init__(self, ray: Any, options: EngineOptions) -> None:
        self._ray = ray
        self._seats = seats_of(ray.nodes(), options.workers)
        self.n_workers = len(self._seats)
        self._idle: list[Any] = []
        # Actors that have not answered yet, by what they will answer.
        self._starting: dict[Any, Any] = {}
        # The seat of each actor, and how many actors each item has lost, by identity.
        self._seat_of: dict[int, Seat] = {}
        self._n_lost: Counter[int] = Counter()
        self._cache = cache_path().resolve()
        self._code = hash_of_all_code()
        write_text(self._cache / PROBE, "Workers that do not find this file cannot share the cache.\n")

    def run(
        self,
        do: Callable[[Item], Result],
        items: Iterable[Item],
        group_of: GroupOf[Item] | None = None,
    ) -> Iterator[Done[Item, Result]]:
        """Send an item to each actor that has answered; an actor without room in the cluster gets none."""
        waiting = Waiting(items, group_of)
        busy: dict[Any, tuple[Any, Item]] = {}
        while waiting or busy:
            self._start(len(waiting) - len(self._idle) - len(self._starting))
            while waiting and self._idle:
                actor = self._idle.pop()
                item = waiting.take(id(actor))
                busy[actor.do.remote(do, item)] = (actor, item)
            wanted = [*busy, *(self._starting if waiting else ())]
            seconds = SECONDS_BETWEEN_LOOKS if busy else SECONDS_OF_PATIENCE
            done, _ = self._ray.wait(wanted, num_returns=1, timeout=seconds)
            if not done and not busy:
                self._explain()
            if not done:
                for item in self._leave_dead_nodes(busy):
                    waiting.put_back(item)
            for ready in done:
                if ready in self._starting:
                    self._answered(ready)
                else:
                    actor, item = busy.pop(ready)
                    try:
                        outcome = self._ray.get(ready)
                    except self._ray.exceptions.RayError as error:
                        self._lose(actor, item, error)
                        waiting.put_back(item)
                        continue
                    self._idle.append(actor)
                    yield Done(item, outcome.get())

    def _leave_dead_nodes(self, busy: dict[Any, tuple[Any, Item]]) -> list[Item]:
        """Forget the actors of nodes that are gone and return what they were doing.

        Ray would begin such an actor again on another node, but for ever waits for room where all are full.
        """
        alive = {node["NodeID"] for node in self._ray.nodes() if node["Alive"]}
        lost = [ready for ready, (actor, _) in busy.items() if self._seat_of[id(actor)].node not in alive]
        items = []
        for ready in lost:
            actor, item = busy.pop(ready)
            self._ray.kill(actor)
            items.append(item)
        self._idle = [actor for actor in self._idle if self._seat_of[id(actor)].node in alive]
        self._starting = {
            ready: actor for ready, actor in self._starting.items() if self._seat_of[id(actor)].node in alive
        }
        self._seats = [seat for seat in self._seats if seat.node in alive]
        if lost and not (busy or self._idle or self._starting or self._seats):
            raise UserError(
                "every node that did the work is gone from the cluster; what is finished is kept: run the"
                " same command again"
            )
        return items

    def _lose(self, actor: Any, item: object, error: Exception) -> None:
        """Forget an actor that is gone, and make room for another; raise where an item has lost too many."""
        self._n_lost[id(item)] += 1
        if self._n_lost[id(item)] > RETRIES:
            raise _died(error) from None
        self._ray.kill(actor)
        self._seats.append(self._seat_of[id(actor)])

    def _start(self, n_wanted: int) -> None:
        """Ask the cluster for more actors, while there are seats left."""
        for _ in range(min(n_wanted, len(self._seats))):
            seat = self._seats.pop(0)
            actor = (
                self._ray.remote(Actor)
                .options(
                    num_cpus=seat.n_cpus,
                    num_gpus=seat.n_gpus,
                    # Soft: when the node is gone, any other will do.
                    scheduling_strategy=self._ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(
                        node_id=seat.node, soft=True
                    ),
                    # Ray sends the work of an actor that died to the next one itself.
                    max_restarts=RETRIES,
                    max_task_retries=RETRIES,
                )
                .remote(self._cache, self._code)
            )
            self._starting[actor.answer.remote()] = actor
            self._seat_of[id(actor)] = seat

    def _answered(self, ready: Any) -> None:
        self._got(ready)
        self._idle.append(self._starting.pop(ready))

    def _explain(self) -> None:
        """Print why nothing happens; the cluster may be busy with other work or still be growing."""
        free = self._ray.available_resources()
        echo(
            f"no worker of the cluster has started yet: {len(self._starting)} are asked for, and"
            f" {free.get('CPU', 0):g} processors and {free.get('GPU', 0):g} graphics cards are free."
            " Still waiting; Ctrl-C ends the build, and `ray status` shows what uses the cluster",
            err=True,
        )

    def _got(self, ready: Any) -> Any:
        try:
            return self._ray.get(ready)
        except self._ray.exceptions.RayError as error:
            raise _died(error) from None


def _died(error: Exception) -> UserError:
    return UserError(
        f"a worker of the cluster died {RETRIES + 1} times: {(str(error).splitlines() or [''])[0]};"
        " what is finished is kept: run the same command again, perhaps with fewer --workers"
    )


class Seat(NamedTuple):
    """Room for one actor on a node."""

    node: str
    n_cpus: int
    n_gpus: float


def seats_of(nodes: Iterable[Mapping[str, Any]], n_workers: int | None) -> list[Seat]:
    """Return room for as many actors as are wanted, or as the cluster holds, those with graphics cards first.

    An actor stands on one node: what it asks for must be there, not in the cluster as a whole.
    """
    alive = {node["NodeID"]: node["Resources"] for node in nodes if node["Alive"]}
    cores_of = {name: int(resources.get("CPU", 0)) for name, resources in alive.items()}
    n_cores = sum(cores_of.values())
    if n_cores == 0:
        raise UserError(
            "no node of the Ray cluster has a processor to give; start some with `ray start --num-cpus N`"
        )
    n_wanted = min(n_workers or n_cores, n_cores)
    # Ray gives the libraries as many threads as an actor has processors.
    n_cpus = min(n_cores // n_wanted, max(cores_of.values()))
    # Nodes have remainders: 3 processors for each leave 2 of 8 unused, and perhaps a worker without a place.
    while sum(n // n_cpus for n in cores_of.values()) < n_wanted:
        n_cpus -= 1
    rows = []
    for name, n in cores_of.items():
        n_seats = n // n_cpus
        # Ray counts in ten-thousandths; rounded up, the last share would not fit.
        shares = math.floor(10_000 * alive[name].get("GPU", 0) / max(1, n_seats)) / 10_000
        rows.append([Seat(name, n_cpus, min(1, shares))] * n_seats)
    # One of every node before a second of any: workers that are fewer than seats do not share a node.
    in_turn = [seat for row in zip_longest(*rows) for seat in row if seat is not None]
    return sorted(in_turn, key=lambda seat: -seat.n_gpus)[:n_wanted]


@contextmanager
def open_ray(options: EngineOptions) -> Iterator[Pool]:
    """Yield actors on the cluster at the address, or on a cluster that lives as long as the build."""
    # Ray would report its use to its makers.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
        import ray.util.scheduling_strategies
    except ImportError:
        raise UserError(
            "the engine ray needs the package ray; install it with `pip install hardfrost[ray]`,"
            " or take --engine process",
            exit_code=ExitCode.WRONG_USE,
        ) from None
    _connect(ray, options)
    try:
        yield RayPool(ray, options)
    finally:
        ray.shutdown()


def _connect(ray: Any, options: EngineOptions) -> None:
    """Connect to the cluster, or start one; on a busy machine Ray may need several tries."""
    is_own = options.address is None
    for n_left in reversed(range(STARTS if is_own else 1)):
        try:
            ray.init(
                address=options.address or "local",
                num_cpus=max(cores(), options.workers or 1) if is_own else None,
                include_dashboard=False if is_own else None,
                log_to_driver=False,
                logging_level=logging.ERROR,
            )
        except Exception as error:  # noqa: BLE001 (Ray raises plain ones when it cannot start)
            ray.shutdown()
            if n_left == 0:
                where = options.address or "on this machine"
                raise UserError(
                    f"no Ray cluster answers {where}: {(str(error).splitlines() or [''])[0]}"
                    " Start one with `ray start --head`, or take --engine process"
                ) from None
        else:
            return


RAY = Engine(name="ray", summary="actors of a Ray cluster, this machine's or one at --address", open=open_ray)
