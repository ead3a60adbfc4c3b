"""The command line: mounts the commands of the packages, importing each only when it is used."""

import importlib
import json
import sys
from typing import Protocol

import click

from contract.machine.disk import file_trouble
from contract.machine.errors import ExitCode, UserError
from contract.machine.json_option import as_json_option
from contract.machine.registry import Registry
from contract.machine.terminal import echo, echo_data, echo_pairs

# Where each command lives; the order is that of a newcomer's day.
COMMANDS = {
    "audit": "flows.audit.command:audit",
    "demo": "flows.demo:demo",
    "build": "builder.commands.build:build",
    "merge": "builder.commands.build:merge",
    "trace": "builder.commands.trace:trace",
    "import": "builder.commands.import_release:import_release",
    "download": "contract.commands.transport:download",
    "verify": "contract.commands.releases:verify",
    "info": "contract.commands.releases:info",
    "diff": "contract.commands.releases:diff",
    "predict": "evaluator.commands.predict:predict",
    "template": "evaluator.commands.template:template",
    "check": "evaluator.commands.check:check",
    "score": "evaluator.commands.score:score",
    "compare": "evaluator.commands.compare:compare",
    "stability": "evaluator.commands.stability:stability",
    "submit": "flows.submit:submit",
    "recheck": "flows.recheck:recheck",
    "report": "leaderboard.commands.leaderboard:report",
    "leaderboard": "leaderboard.commands.leaderboard:leaderboard",
    "site": "leaderboard.commands.leaderboard:site",
    "export": "evaluator.commands.export:export",
    "publish": "builder.commands.publish:publish",
    "reveal": "builder.commands.publish:reveal",
    "pack": "contract.commands.transport:pack",
    "list": "hardfrost:list_parts",
    "clean": "builder.commands.build:clean",
}
# The parts that `list` knows, and where their registries are.
REGISTRIES: dict[str, tuple[str, ...]] = {
    "dimensions": ("builder.dimensions:DIMENSIONS",),
    "settings": ("builder.searches:SEARCHES",),
    "tasks": ("builder.release.documents.task_cards:described_tasks",),
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


class LazyGroup(click.Group):
    """Imports a command's module when the command is asked for."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        """Return the command, imported from the package that owns it."""
        if name not in COMMANDS:
            return None
        command = _import(COMMANDS[name])
        if not isinstance(command, click.Command):
            raise TypeError(f"{COMMANDS[name]} is not a command")
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.version_option(package_name="hardfrost")
def cli() -> None:
    """Build frozen adversarial-robustness benchmarks for text classifiers and keep their leaderboards."""


def main() -> None:
    """Run the command line; what a user can fix is printed alone, anything else keeps its traceback."""
    try:
        cli()
    except UserError as error:
        echo(error.message, err=True)
        sys.exit(error.exit_code)
    except Exception as error:
        message = file_trouble(error)
        if message is None:
            raise
        echo(message, err=True)
        sys.exit(ExitCode.FAILURE)


@click.command(name="list")
@click.argument("what", type=click.Choice(list(REGISTRIES)))
@as_json_option
def list_parts(what: str, *, as_json: bool) -> None:
    """List the parts of a kind: name and what each is."""
    parts = [(part.name, part.summary) for part in registry(what).values()]
    if as_json:
        echo_data(json.dumps([{"name": name, "summary": summary} for name, summary in parts]))
        return
    echo_pairs(parts)


def registry(what: str) -> Registry[Described]:
    """Return the parts of a kind."""
    parts: list[Described] = []
    for place in REGISTRIES[what]:
        found = _import(place)
        # Tasks are read from files, so theirs is a function.
        found = found() if callable(found) else found
        if not isinstance(found, Registry):
            raise TypeError(f"{place} is not a registry")
        parts += found.values()
    return Registry(what, parts)


def _import(place: str) -> object:
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


if __name__ == "__main__":
    main()
