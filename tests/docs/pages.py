"""Pages of the documentation as a reader uses them: files to write, lines to insert, commands to run."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
FENCE = re.compile(
    r'^```(?P<language>\w+)(?: title="(?P<title>[^"]+)")?\n(?P<body>.*?)^```$', re.MULTILINE | re.DOTALL
)
# What a copy of the project does without.
LEFT_OUT = (".*", "site-docs", "demo", "dist", "images")
PROGRAMS = {"hardfrost": [sys.executable, "-m", "hardfrost"], "python": [sys.executable]}
ANYTHING = "…"
TIMEOUT_SECONDS = 600


@dataclass(frozen=True, kw_only=True)
class Block:
    """A fenced block of a page, and the text that leads to it."""

    language: str
    title: str | None
    body: str
    before: str


def blocks_of(page: Path) -> Iterator[Block]:
    """Yield the fenced blocks of a page in their order."""
    text = page.read_text(encoding="utf-8")
    position = 0
    for fence in FENCE.finditer(text):
        yield Block(
            language=fence["language"],
            title=fence["title"],
            body=fence["body"],
            before=text[position : fence.start()],
        )
        position = fence.end()


def copy_project(folder: Path) -> Path:
    """Copy the project into a folder that does not exist yet."""
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*LEFT_OUT))
    return folder


def follow(page: Path, folder: Path, *, project: Path | None = None) -> int:
    """Do in a folder what a page says, block by block; return how many commands were run.

    The folder is a copy of the project, unless the project is somewhere else. What is written into a copy of
    the project must please its linter.
    """
    n_commands = 0
    written = []
    for block in blocks_of(page):
        if block.language == "console":
            n_commands += _run_all(block.body, folder, project or folder)
        elif block.title is not None:
            # Some readers see the page where titles are not shown.
            assert f"`{block.title}`" in block.before or block.language == "diff", block.title
            _write(block, folder / block.title)
            written += [block.title] if block.title.endswith(".py") else []
    for lint in ("check", "format --diff") if written and project is None else ():
        run(f"python -m ruff {lint} --no-cache {' '.join(written)}", folder, folder)
    return n_commands


def _write(block: Block, path: Path) -> None:
    if block.language == "diff":
        path.write_text(inserted(path.read_text(encoding="utf-8"), block.body), encoding="utf-8")
        return
    assert not path.exists(), f"{path.name} is there already; the page would overwrite it"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.body, encoding="utf-8")


def inserted(text: str, difference: str) -> str:
    """Return a text with lines put in and taken out: a difference has ` `, `+` or `-` before each line."""
    lines = [(line[:1], line[1:]) for line in difference.splitlines()]
    assert {mark for mark, _ in lines} <= {" ", "+", "-"}, difference
    old = "".join(f"{line}\n" for mark, line in lines if mark != "+")
    new = "".join(f"{line}\n" for mark, line in lines if mark != "-")
    assert text.count(old) == 1, (
        f"these lines must stand once in the file, not {text.count(old)} times:\n{old}"
    )
    return text.replace(old, new)


def _run_all(console: str, folder: Path, project: Path) -> int:
    """Run the commands of a console block and compare what each prints with the lines below it."""
    commands = re.split(r"^\$ ", console, flags=re.MULTILINE)[1:]
    for command in commands:
        line, _, expected = command.partition("\n")
        check_printed(expected.splitlines(), run(line, folder, project), line)
    return len(commands)


def run(line: str, folder: Path, project: Path) -> str:
    """Run a command as the page writes it, with the code of a project; return what it printed."""
    program, *arguments = shlex.split(line, comments=True)
    exit_code = re.search(r"# .*exit code (\d)", line)
    environment = os.environ | {"PYTHONPATH": str(project), "COLUMNS": "200", "NO_COLOR": "1"}
    done = subprocess.run(
        [*PROGRAMS[program], *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    assert done.returncode == (int(exit_code[1]) if exit_code else 0), f"$ {line}\n{done.stdout}"
    return done.stdout


def check_printed(expected: Sequence[str], printed: str, command: str) -> None:
    """Assert that the expected lines stand in what was printed, in their order; `…` stands for anything."""
    rest = [line.rstrip() for line in printed.splitlines()]
    for line in expected:
        if line.strip() == ANYTHING:
            continue
        pattern = ".*".join(re.escape(piece) for piece in line.split(ANYTHING))
        matching = [index for index, one in enumerate(rest) if re.fullmatch(pattern, one)]
        assert matching, f"$ {command}\nshould print, after the lines before:\n{line}\nbut:\n{printed}"
        rest = rest[matching[0] + 1 :]
