"""Engines: they run the pieces of a build; rows do not depend on which engine. One file an engine."""

from builder.engines.engine import Engine
from builder.engines.process import PROCESS
from builder.engines.ray import RAY
from builder.engines.serial import SERIAL
from contract.machine.registry import Registry

ENGINES: Registry[Engine] = Registry("engine", [SERIAL, PROCESS, RAY])
