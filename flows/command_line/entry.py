"""Mounts the commands of the packages, importing each only when it is used."""

import importlib
import sys

import click

from contract.machine.disk import file_trouble
from contract.machine.errors import ExitCode, UserError
from contract.machine.terminal import echo

# Where each command lives; the order is that of a newcomer's day.
COMMANDS = {
    "audit": "flows.audit.command:audit",
    "singleword": "flows.singleword.command:singleword",
    "demo": "flows.demo:demo",
    "init": "builder.commands.init:init",
    "build": "builder.commands.build:build",
    "merge": "builder.commands.build:merge",
    "trace": "builder.commands.trace:trace",
    "import": "builder.commands.import_release:import_release",
    "download": "contract.commands.transport:download",
    "verify": "contract.commands.releases:verify",
    "info": "contract.commands.releases:info",
    "diff": "contract.commands.releases:diff",
    "annotate": "builder.commands.annotate:annotate",
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
    "perturb": "builder.commands.perturb:perturb",
    "augment": "builder.commands.perturb:augment",
    "harden": "flows.harden.command:harden",
    "export": "evaluator.commands.export:export",
    "card": "builder.commands.card:card",
    "publish": "builder.commands.publish:publish",
    "reveal": "builder.commands.publish:reveal",
    "leak": "builder.commands.leak:leak",
    "pack": "contract.commands.transport:pack",
    "list": "flows.command_line.parts:list_parts",
    "check-part": "flows.command_line.check_part:check_part",
    "clean": "builder.commands.build:clean",
}


class LazyGroup(click.Group):
    """Imports a command's module when the command is asked for."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        """Return the command, imported from the package that owns it."""
        if name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[name].partition(":")
        command = getattr(importlib.import_module(module), attribute)
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
