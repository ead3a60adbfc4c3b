"""The serial engine: one piece of work after the other, in this process."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from builder.engines.engine import Done, Engine, EngineOptions, Item, Pool, Result
from contract.machine.memory import give_back_memory


class SerialPool:
    """No workers at all."""

    def run(self, do: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Done[Item, Result]]:
        """Do every item in its turn."""
        for item in items:
            result = do(item)
            give_back_memory()
            yield Done(item, result)


@contextmanager
def open_serial(_options: EngineOptions) -> Iterator[Pool]:
    """Yield the pool."""
    yield SerialPool()


SERIAL = Engine(name="serial", summary="one after the other, in the build's own process", open=open_serial)
