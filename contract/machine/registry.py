"""Parts by name; the error for an unknown name suggests the nearest one and lists all."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol, TypeVar

from contract.machine.errors import ExitCode, UserError


class Named(Protocol):
    """Anything that carries its public name."""

    @property
    def name(self) -> str:
        """The kebab-case name by which recipes and commands ask for it."""


Part = TypeVar("Part", bound=Named)


class Registry(Mapping[str, Part]):
    """The parts of one kind, in the order in which they are listed."""

    def __init__(self, kind: str, parts: Iterable[Part]) -> None:
        self.kind = kind
        self._parts: dict[str, Part] = {}
        for part in parts:
            if part.name in self._parts:
                raise ValueError(f"two {kind}s are called {part.name!r}")
            self._parts[part.name] = part

    def __getitem__(self, name: str) -> Part:
        if name not in self._parts:
            raise unknown_name(self.kind, name, self._parts)
        return self._parts[name]

    def __contains__(self, name: object) -> bool:
        return name in self._parts

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UserError:
    """Return the error for an unknown name: the nearest known one first, then all of them."""
    names = list(known)
    guess = did_you_mean(name, names)
    message = f"unknown {kind} {name!r};{guess} known {kind}s: {', '.join(names) or 'none'}"
    return UserError(message, exit_code=ExitCode.WRONG_USE)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return " did you mean 'x'?" for the nearest known name, or nothing when none is near."""
    best = nearest(name, known)
    return "" if best is None else f" did you mean {best!r}?"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the nearest known name, or nothing when none is near."""
    # rapidfuzz is imported when a name is wrong, not whenever a registry is made.
    from rapidfuzz import fuzz, process

    best = process.extractOne(name, list(known), scorer=fuzz.ratio, score_cutoff=60)
    return str(best[0]) if best else None
