"""The page of methods: every published attack that a recipe can name, with its parameters and departures."""

from collections.abc import Iterator

from builder.dimensions import DIMENSIONS
from builder.methods import METHODS
from builder.methods.method import Method, Value


def methods_tables() -> Iterator[str]:
    """Yield the table of all methods, then the parameters and departures of each."""
    yield "| method | dimension | level | settings | what it does | paper |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name, method in METHODS.items():
        level = DIMENSIONS[method.dimension].level
        yield (
            f"| [`{name}`](#{name}) | `{method.dimension}` | {level} | {', '.join(method.settings)} |"
            f" {method.summary} | {method.paper} |"
        )
    for method in METHODS.values():
        yield from _section(method)


def _section(method: Method) -> Iterator[str]:
    yield ""
    yield f"## {method.name}"
    yield ""
    if method.parameters:
        yield "| parameter | paper | ours |"
        yield "| --- | ---: | ---: |"
        for parameter in method.parameters:
            ours = f"**{shown(parameter.value)}**" if parameter.departs else shown(parameter.value)
            yield f"| {parameter.name} | {shown(parameter.paper)} | {ours} |"
        yield ""
    yield from (f"- {departure}" for departure in method.departures)


def shown(value: Value) -> str:
    """Return a value as a cell of a table."""
    return value if isinstance(value, str) else f"{value:g}"
