"""The option `--json`: stdout holds JSON alone; messages go to stderr."""

import json
from typing import Any

import click

from contract.machine.terminal import echo_data

as_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for scripts.")


def echo_json(value: Any) -> None:
    """Print a value for scripts."""
    echo_data(json.dumps(value, sort_keys=True, indent=2, allow_nan=False))
