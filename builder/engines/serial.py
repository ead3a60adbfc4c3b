"""The serial engine: one piece of work after the other, in this process."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from builder.engines.engine import Done, Engine, EngineOptions, GroupOf, Item, Pool, Result, Waiting
from contract.machine.memory import give_back_memory


class SerialPool:
    """A pool without workers: work is done in the build's own process."""

    n_workers = 1

    def run(
        self,
        do: Callable[[Item], Result],
        items: Iterable[Item],
        group_of: GroupOf[Item] | None = None,
    ) -> Iterator[Done[Item, Result]]:
        """Do one item after the other."""
        waiting = Waiting(items, group_of)
        while waiting:
            item = waiting.take(None)
            result = do(item)
            give_back_memory()
            yield Done(item, result)


@contextmanager
def open_serial(_options: EngineOptions) -> Iterator[Pool]:
    """Yield a pool that does all work in this process."""
    yield SerialPool()


SERIAL = Engine(name="serial", summary="one after the other, in the build's own process", open=open_serial)
