"""How a build is executed: engine, workers, size of units; the rows depend on none of it."""

from contextlib import AbstractContextManager
from dataclasses import dataclass

from builder.engines import ENGINES
from builder.engines.engine import EngineOptions, Pool
from builder.units.planning import SAMPLES_PER_UNIT


@dataclass(frozen=True, kw_only=True)
class ExecutionOptions:
    """How a build is executed; the rows depend on none of it."""

    engine: str = "serial"
    workers: int | None = None
    address: str | None = None
    # Whether finished units are done again.
    is_fresh: bool = False
    samples_per_unit: int = SAMPLES_PER_UNIT

    @classmethod
    def with_workers(cls, workers: int) -> "ExecutionOptions":
        """Return the options of a build on this machine with so many processes."""
        return cls(engine="process" if workers > 1 else "serial", workers=workers)

    def pool(self) -> AbstractContextManager[Pool]:
        """Open the engine."""
        return ENGINES[self.engine].open(EngineOptions(workers=self.workers, address=self.address))
