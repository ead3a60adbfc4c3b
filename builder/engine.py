"""Engines: do a list of units, here or in worker processes; the rows do not depend on which."""

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice

from builder.shelf import Shelf
from builder.units import Unit

# Units waiting for a worker: enough to keep it busy, few enough not to copy the whole plan.
QUEUE_A_WORKER = 2


def run(units: Sequence[Unit], shelf: Shelf, workers: int) -> Iterator[Unit]:
    """Do every unit and yield each when it is finished, in any order."""
    if workers <= 1 or len(units) <= 1:
        for unit in units:
            shelf.do(unit)
            yield unit
        return
    # Spawned workers start clean: no locks or threads inherited from whatever is loaded here.
    context = multiprocessing.get_context("spawn")
    waiting = iter(units)
    with _shared_cores(workers), ProcessPoolExecutor(workers, mp_context=context) as pool:
        running: dict[Future[None], Unit] = {}
        try:
            while True:
                for unit in islice(waiting, workers * QUEUE_A_WORKER - len(running)):
                    running[pool.submit(shelf.do, unit)] = unit
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    unit = running.pop(future)
                    future.result()
                    yield unit
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def _shared_cores(workers: int) -> Iterator[None]:
    """Divide the cores among the workers: they inherit these variables before any library starts threads."""
    before = dict(os.environ)
    threads = str(max(1, (os.cpu_count() or 1) // workers))
    os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), threads))
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
