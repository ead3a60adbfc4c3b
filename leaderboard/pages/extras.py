"""What a site shows besides its leaderboard, as given on the command line: links, dates, stability."""

import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from contract.machine.errors import ExitCode, UserError
from leaderboard.text.untrusted_text import visible, web_link
from leaderboard.view.stability import StabilitySection

MOST_CHARACTERS_IN_LINKS = 40


@dataclass(frozen=True, kw_only=True)
class Link:
    """A link to the repository, the data set, the paper or a contact."""

    name: str
    url: str


@dataclass(frozen=True, kw_only=True)
class Extras:
    """Links on every page, the date of entries by the path of their file, and the section on stability."""

    links: tuple[Link, ...] = ()
    dates: Mapping[str, str] = field(default_factory=dict)
    stability: StabilitySection | None = None


def links_of(texts: Sequence[str]) -> tuple[Link, ...]:
    """Return the links of texts like `paper=https://…`; anything but a plain https address is an error."""
    links = []
    for text in texts:
        name, _, url = text.partition("=")
        if not name.strip() or web_link(url) is None or not url.startswith("https://"):
            raise UserError(
                f"--link {text!r}: expected NAME=URL with an address that begins with https://,"
                " such as paper=https://example.org/paper",
                exit_code=ExitCode.WRONG_USE,
            )
        links.append(Link(name=visible(name.strip(), MOST_CHARACTERS_IN_LINKS), url=url))
    return tuple(links)


def dates_of(results_dir: Path) -> dict[str, str]:
    """Return the day of the last commit of each file under a folder, in UTC, by its path in the folder.

    The time stamp of a file is that of its copy; a result names no date. So the date of an entry is that of
    the commit which added or last changed it.
    """
    command = ["git", "log", "--no-renames", "--relative", "--name-only", "-z"]
    command += ["--date=format-local:%Y-%m-%d", "--format=%x01%cd", "--", "."]
    try:
        done = subprocess.run(  # noqa: S603
            command,
            cwd=results_dir,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            check=False,
            env={"TZ": "UTC", "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent"},
        )
    except OSError as error:
        raise _no_dates(results_dir, str(error)) from None
    if done.returncode:
        raise _no_dates(results_dir, done.stderr.strip())
    dates: dict[str, str] = {}
    for commit in done.stdout.split("\x01")[1:]:
        date, *paths = (part.strip("\n") for part in re.split(r"[\0]", commit))
        for path in paths:
            if path:
                # The newest commit comes first.
                dates.setdefault(path, date)
    return dates


def _no_dates(results_dir: Path, why: str) -> UserError:
    return UserError(
        f"{results_dir}: git cannot tell when its files were added: {why};"
        " give the folder of results in its Git repository, or leave out --results",
        exit_code=ExitCode.WRONG_USE,
    )
