"""The gate for what is printed: no control character from outside reaches a terminal."""

import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

# Control characters but tab and line feed, halves of characters, line separators, and what reverses text.
_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)


def printable(text: str) -> str:
    r"""Return a text whose control characters are spelled out: an escape is shown as \x1b."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def echo(text: Any, *, err: bool = False, nl: bool = True) -> None:
    """Print a text, or whatever has one, for people."""
    click.echo(printable(str(text)), err=err, nl=nl)


def echo_data(text: str, *, nl: bool = True) -> None:
    """Print JSON text for scripts: in it, such characters stand in strings only, where it can escape them."""
    click.echo(_CONTROL.sub(_json_escape, text), nl=nl)


def echo_pairs(pairs: Sequence[tuple[str, str]]) -> None:
    """Print names and what each is, side by side; on a terminal long ones go on below their beginning."""
    indent = max((len(name) for name, _ in pairs), default=0) + 2
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for name, words in pairs:
        lines = [words] if columns is None else textwrap.wrap(words, max(20, columns - indent)) or [""]
        echo("\n".join([f"{name:<{indent}}{lines[0]}", *(f"{'':<{indent}}{line}" for line in lines[1:])]))


def new_console(*, stderr: bool = False, width: int | None = None) -> "Console":
    """Return a console of rich that prints texts as they are: no markup, no control characters."""
    # rich takes longer to import than a small command takes to run.
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment

    class PlainConsole(Console):
        """Spells control characters out wherever a text becomes a piece of the output."""

        def render(
            self, renderable: RenderableType, options: ConsoleOptions | None = None
        ) -> Iterable[Segment]:
            """Yield the pieces; those by which rich moves the cursor are its own."""
            for piece in super().render(renderable, options):
                yield piece if piece.control else Segment(printable(piece.text), piece.style)

    return PlainConsole(stderr=stderr, width=width, markup=False, emoji=False)


def _json_escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"
