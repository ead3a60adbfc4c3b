"""The functions and values of the Python API, with their signatures and docstrings as the code has them."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import hardfrost
from flows.api.boards import Board
from flows.api.perturbing import Perturbed
from flows.api.predictions import Predictions
from flows.api.releases import LoadedRelease
from flows.api.scores import Compared, Score
from flows.api.single_words import SingleWordScore

VALUES = (LoadedRelease, Predictions, Score, Compared, SingleWordScore, Board, Perturbed)
MOST_CHARACTERS = 100


def python_api() -> Iterator[str]:
    """Yield the lines of the section."""
    for name in hardfrost.__all__:
        value = getattr(hardfrost, name)
        if inspect.isfunction(value):
            yield from (f"### `hardfrost.{name}`", "", "```python", *_signature(value), "```", "")
            yield from (*_docstring(value), "")
    for kind in VALUES:
        yield from (
            f"### `{kind.__name__}`",
            "",
            *_docstring(kind),
            "",
            "| member | what it is |",
            "| --- | --- |",
        )
        for name, member in vars(kind).items():
            if not name.startswith("_") and (first := _first_line(member)):
                yield f"| `{_call(name, member)}` | {first} |"
        yield ""


def _signature(function: Callable[..., Any]) -> Iterator[str]:
    """Yield the lines that declare a function, with types as its source writes them."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    if not isinstance(tree, ast.FunctionDef) or tree.returns is None:
        raise TypeError(f"{function} is not a function with types")
    end = f") -> {ast.unparse(tree.returns).strip(chr(39))}"
    line = f"{tree.name}({ast.unparse(tree.args)}{end}"
    if len(line) <= MOST_CHARACTERS:
        yield line
        return
    yield f"{tree.name}("
    positional = tree.args.args
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(tree.args.defaults))
    defaults += tree.args.defaults
    for argument, default in zip(positional, defaults, strict=True):
        yield f"    {_argument(argument, default)},"
    if tree.args.kwonlyargs:
        yield "    *,"
    for argument, default in zip(tree.args.kwonlyargs, tree.args.kw_defaults, strict=True):
        yield f"    {_argument(argument, default)},"
    yield end


def _argument(argument: ast.arg, default: ast.expr | None) -> str:
    return ast.unparse(argument) + ("" if default is None else f" = {ast.unparse(default)}")


def _docstring(value: Any) -> list[str]:
    text = inspect.getdoc(value)
    if not text:
        raise ValueError(f"{value} has no docstring")
    return text.splitlines()


def _first_line(member: Any) -> str:
    documented = callable(member) or isinstance(member, property) or hasattr(member, "attrname")
    return (inspect.getdoc(member) or "").partition("\n")[0] if documented else ""


def _call(name: str, member: Any) -> str:
    if not inspect.isfunction(member):
        return name
    parameters = list(inspect.signature(member).parameters.values())[1:]
    return f"{name}({', '.join(parameter.name for parameter in parameters)})"
