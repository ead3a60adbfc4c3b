"""All problems of one file, collected before any is reported."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from contract.machine.errors import MOST_PROBLEMS_SHOWN, ExitCode, UserError

MOST_CHARACTERS_SHOWN = 80
STOPPED = "the rest was not read"


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One problem as it is worded; the line is 0 where the whole file is meant."""

    kind: str
    line: int
    message: str


class ProblemsError(UserError):
    """The problems of a file: one message to read, and a list for scripts."""

    def __init__(self, message: str, problems: Sequence[Problem], counts: Mapping[str, int]) -> None:
        super().__init__(message, exit_code=ExitCode.BAD_INPUT)
        self.problems = tuple(problems)
        # How many there are of each kind, worded or not.
        self.counts = dict(counts)


class Problems:
    """Counts every problem of a file by kind and keeps the words of the first of each."""

    def __init__(self, path: Path, place_of: Callable[[int], str] = ":{}".format) -> None:
        self.path = path
        # Turns a line into what follows the file's name.
        self.place_of = place_of
        self.is_cut = False
        self.counts: dict[str, int] = {}
        self.worded: dict[str, list[tuple[int, str]]] = {}

    def __len__(self) -> int:
        return sum(self.counts.values())

    def __contains__(self, kind: object) -> bool:
        return kind in self.counts

    def add(self, kind: str, line: int, message: str) -> None:
        """Note a problem on a line, or of the whole file where the line is 0."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        worded = self.worded.setdefault(kind, [])
        if len(worded) < MOST_PROBLEMS_SHOWN:
            where = f"{self.path}{self.place_of(line)}" if line else str(self.path)
            worded.append((line, f"{where}: {message}"))

    def add_unworded(self, kind: str, number: int) -> None:
        """Count further problems of a kind that has already been worded often enough."""
        if number > 0:
            self.counts[kind] += number

    def room_for(self, kind: str) -> int:
        """Return how many more problems of a kind will be worded."""
        return MOST_PROBLEMS_SHOWN - len(self.worded.get(kind, []))

    def take(self, other: "Problems", kinds: Sequence[str]) -> None:
        """Add the problems of some kinds from another collection, in the order of the kinds."""
        for kind in kinds:
            if kind in other:
                self.counts[kind] = self.counts.get(kind, 0) + other.counts[kind]
                words = self.worded.setdefault(kind, []) + other.worded[kind]
                self.worded[kind] = words[:MOST_PROBLEMS_SHOWN]

    def name_of(self, line: int) -> str:
        """Return a place of the file as a sentence names it."""
        place = self.place_of(line).lstrip(": ")
        return f"line {place}" if place.isdecimal() else place

    def stop(self, line: int, message: str) -> None:
        """Note a problem after which the rest of the file cannot be read."""
        self.is_cut = True
        self.add(STOPPED, line, message)

    def error(self) -> ProblemsError:
        """Return the one error that lists them: every kind is shown, the first of each in full."""
        share = MOST_PROBLEMS_SHOWN if len(self) <= MOST_PROBLEMS_SHOWN else self._share()
        shown = sorted(entry for worded in self.worded.values() for entry in worded[:share])
        lines = [message for _, message in shown]
        for kind, count in self.counts.items():
            if count > share:
                lines.append(f"{self.path}: … and {count - share:,} more problems of this kind: {kind}")
        problems = [
            Problem(kind=kind, line=line, message=message)
            for kind, worded in self.worded.items()
            for line, message in worded[:share]
        ]
        problems.sort(key=lambda problem: (problem.line, problem.message))
        return ProblemsError("\n".join(lines), problems, self.counts)

    def _share(self) -> int:
        return max(MOST_PROBLEMS_SHOWN // len(self.counts), 1)


def shown(value: object) -> str:
    """Return an untrusted value as one short, printable text."""
    try:
        text = repr(value) if not isinstance(value, int) or -(10**20) < value < 10**20 else "a huge number"
    except RecursionError:
        return "a deeply nested value"
    return text if len(text) <= MOST_CHARACTERS_SHOWN else f"{text[:MOST_CHARACTERS_SHOWN]}…"
