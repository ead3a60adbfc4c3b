"""Hardfrost from Python: models audited, benchmarks loaded, built, predicted and scored as by the commands.

Nothing heavy is imported before it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contract.machine.errors import UserError
    from flows.api.audits import audit
    from flows.api.boards import leaderboard, site
    from flows.api.perturbing import perturb
    from flows.api.predictions import predict
    from flows.api.releases import build, load
    from flows.api.scores import compare, score
    from flows.api.single_words import singleword
    from flows.command_line.entry import cli as cli  # noqa: PLC0414

    __version__: str

# Where each name of the API lives.
_PLACES = {
    "audit": "flows.api.audits",
    "singleword": "flows.api.single_words",
    "load": "flows.api.releases",
    "build": "flows.api.releases",
    "predict": "flows.api.predictions",
    "score": "flows.api.scores",
    "compare": "flows.api.scores",
    "leaderboard": "flows.api.boards",
    "site": "flows.api.boards",
    "perturb": "flows.api.perturbing",
    "UserError": "contract.machine.errors",
}
__all__ = [  # noqa: RUF022
    "audit",
    "singleword",
    "load",
    "build",
    "predict",
    "score",
    "compare",
    "leaderboard",
    "site",
    "perturb",
    "UserError",
    "__version__",
]


def __getattr__(name: str) -> Any:
    """Import a name of the API when it is first used."""
    if name == "__version__":
        from importlib.metadata import version

        return version("hardfrost")
    if name == "cli":
        return import_module("flows.command_line.entry").cli
    if name not in _PLACES:
        raise AttributeError(f"module 'hardfrost' has no attribute {name!r}")
    value = getattr(import_module(_PLACES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the API."""
    return list(__all__)


def main() -> None:
    """Run the command line."""
    from flows.command_line.entry import main as run

    run()


if __name__ == "__main__":
    main()
