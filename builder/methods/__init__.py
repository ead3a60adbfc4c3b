"""Published attacks by name, each inside a dimension. A new one is a file, an import and an entry here."""

from builder.methods.method import Method
from builder.methods.textbugger import TEXTBUGGER
from contract.machine.registry import Registry

METHODS: Registry[Method] = Registry("method", [TEXTBUGGER])
