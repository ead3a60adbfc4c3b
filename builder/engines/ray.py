"""The Ray engine: actors on this machine or on a cluster, with graphics cards where there are some."""

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from builder.engines.engine import (
    RETRIES,
    Done,
    Engine,
    EngineOptions,
    Item,
    Outcome,
    Pool,
    Result,
    attempt,
    cores,
)
from contract.errors import ExitCode, UserError
from contract.files import cache_path, write_text

PROBE = "seen-from-everywhere.txt"
# How often to try to start a cluster on this machine.
STARTS = 3


class Actor:
    """A worker on some node of the cluster; it stays, with the models it has loaded."""

    def __init__(self, cache: Path) -> None:
        os.environ["HARDFROST_CACHE"] = str(cache)
        os.environ["TOKENIZERS_PARALLELISM"] = "false"
        self._cache = cache

    def do(self, work: Callable[[Any], Any], item: Any) -> Outcome:
        """Do a piece of work, if this node shares the cache."""
        if not (self._cache / PROBE).is_file():
            error = UserError(
                f"a node of the cluster does not see {self._cache}; set HARDFROST_CACHE to a folder that all"
                " nodes share, or build in parts with --shard and `hardfrost merge`"
            )
            return Outcome(None, error)
        return attempt(work, item)


class RayPool:
    """Actors that are started when there is work for them."""

    def __init__(self, ray: Any, options: EngineOptions) -> None:
        self._ray = ray
        found = ray.cluster_resources()
        n_cores = int(found.get("CPU", 1))
        self._n_workers = options.workers or n_cores
        n_gpus = found.get("GPU", 0)
        share = n_gpus / self._n_workers
        self._options = {
            # Ray gives the libraries as many threads as an actor has processors.
            "num_cpus": max(1, n_cores // self._n_workers),
            "num_gpus": min(1, share),
            # Ray sends the work of an actor that died to the next one itself.
            "max_restarts": RETRIES,
            "max_task_retries": RETRIES,
        }
        self._actors: list[Any] = []
        self._cache = cache_path().resolve()
        write_text(self._cache / PROBE, "Workers that do not find this file cannot share the cache.\n")

    def run(self, do: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Done[Item, Result]]:
        """Send each idle actor an item."""
        waiting = iter(items)
        busy: dict[Any, tuple[Any, Item]] = {}
        idle = list(self._actors)
        while True:
            n_free = self._n_workers - len(busy)
            for item in islice(waiting, n_free):
                actor = idle.pop() if idle else self._start()
                busy[actor.do.remote(do, item)] = (actor, item)
            if not busy:
                return
            (ready,), _ = self._ray.wait(list(busy), num_returns=1)
            actor, item = busy.pop(ready)
            idle.append(actor)
            yield Done(item, self._outcome(ready).get())

    def _start(self) -> Any:
        actor = self._ray.remote(Actor).options(**self._options).remote(self._cache)
        self._actors.append(actor)
        return actor

    def _outcome(self, ready: Any) -> Outcome:
        try:
            outcome: Outcome = self._ray.get(ready)
        except self._ray.exceptions.RayError as error:
            raise UserError(
                f"a worker of the cluster died {RETRIES + 1} times: {str(error).splitlines()[0]};"
                " what is finished is kept: run the same command again, perhaps with fewer --workers"
            ) from None
        return outcome


@contextmanager
def open_ray(options: EngineOptions) -> Iterator[Pool]:
    """Yield actors on the cluster at the address, or on a cluster that lives as long as the build."""
    # Nobody is told of a build.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray  # noqa: PLC0415
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
    """Connect to the cluster, or start one; on a busy machine Ray may lose patience with itself."""
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
