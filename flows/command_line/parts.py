"""The command `list`, and the registries that it shows."""

import importlib
import json
from collections.abc import Iterator
from typing import Protocol

import click

from contract.machine.json_option import as_json_option
from contract.machine.registry import Registry
from contract.machine.terminal import echo_data, echo_pairs

# The parts that `list` knows, and where their registries are.
REGISTRIES: dict[str, tuple[str, ...]] = {
    "dimensions": ("builder.dimensions:DIMENSIONS",),
    "settings": ("builder.searches:SEARCHES",),
    "methods": ("builder.methods:METHODS",),
    "tasks": ("builder.release.documents.task_cards:described_tasks",),
    "releases": ("contract.transport.named_releases:listed_releases",),
    "data-sources": ("builder.tasks:DATA_SOURCES",),
    # Those of a recipe, then the rules that always hold.
    "filters": ("builder.filters:FILTERS", "builder.panel.rules:PANEL_RULES"),
    "reasons": ("contract.schema.drop_reasons:REASONS",),
    "surrogates": ("classifiers:TRAINABLE_KINDS",),
    "engines": ("builder.engines:ENGINES",),
    "classifiers": ("classifiers:KINDS",),
    "metrics": ("evaluator.metrics:METRICS",),
}


class Described(Protocol):
    """A part of any kind, as `list` shows it."""

    @property
    def name(self) -> str:
        """The public name."""

    @property
    def summary(self) -> str:
        """What it is, in a line."""


@click.command(name="list")
@click.argument("what", type=click.Choice(list(REGISTRIES)))
@as_json_option
def list_parts(what: str, *, as_json: bool) -> None:
    """List the parts of a kind, those of other packages last: name and what each is."""
    listed = registry(what)
    origins = _origins(what)
    if as_json:
        rows = [
            {"name": part.name, "summary": part.summary}
            | ({"origin": origins[part.name]} if part.name in origins else {})
            for part in listed.values()
        ]
        echo_data(json.dumps(rows))
        return
    echo_pairs(
        [
            (part.name, part.summary + (f" (from {origins[part.name]})" if part.name in origins else ""))
            for part in listed.values()
        ]
    )


def _origins(what: str) -> dict[str, str]:
    """Return the packages of the parts that are not ours, by the parts' names."""
    found = {}
    for own in _registries(what):
        for name in own:
            origin = own.origin(name)
            if origin is not None:
                found[name] = origin.package or origin.place
    return found


def registry(what: str) -> Registry[Described]:
    """Return the parts of a kind."""
    return Registry(what, [part for own in _registries(what) for part in own.values()])


def _registries(what: str) -> Iterator[Registry[Described]]:
    for place in REGISTRIES[what]:
        module, _, name = place.partition(":")
        found = getattr(importlib.import_module(module), name)
        # Tasks are read from files, so theirs is a function.
        found = found() if callable(found) else found
        if not isinstance(found, Registry):
            raise TypeError(f"{place} is not a registry")
        yield found
