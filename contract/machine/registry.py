"""Parts by name, ours and other packages'; the error for an unknown name suggests the nearest one."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol, TypeVar

from contract.machine.errors import ExitCode, UserError
from contract.machine.outside import (
    OPEN_KINDS,
    PREFIX,
    Origin,
    note_place,
    noted_places,
    offered,
    origin_at,
    origin_of,
    value_at,
)


class Named(Protocol):
    """Anything that carries its public name."""

    @property
    def name(self) -> str:
        """The kebab-case name by which recipes and commands ask for it."""


Part = TypeVar("Part", bound=Named)


class Registry(Mapping[str, Part]):
    """The parts of one kind, in the order in which they are listed; those of other packages come last.

    Other packages are asked only when a name is not one of ours, or when all parts are wanted.
    """

    def __init__(self, kind: str, parts: Iterable[Part]) -> None:
        self.kind = kind
        self._parts: dict[str, Part] = {}
        self._origins: dict[str, Origin] = {}
        self._is_whole = kind not in OPEN_KINDS
        for part in parts:
            if part.name in self._parts:
                raise ValueError(f"two {kind}s are called {part.name!r}")
            self._parts[part.name] = part
        self._types = tuple({type(part) for part in self._parts.values()})

    def __getitem__(self, name: str) -> Part:
        if name not in self._parts:
            self._complete()
        if name not in self._parts:
            raise unknown_name(self.kind, name, self._parts)
        return self._parts[name]

    def __contains__(self, name: object) -> bool:
        if name not in self._parts:
            self._complete()
        return name in self._parts

    def __iter__(self) -> Iterator[str]:
        self._complete()
        return iter(self._parts)

    def __len__(self) -> int:
        self._complete()
        return len(self._parts)

    def include(self, place: str) -> Part:
        """Add the part at MODULE:VALUE, which runs the module's code, and return it."""
        part = self._added(place)
        note_place(self.kind, place)
        return part

    def origin(self, name: str) -> Origin | None:
        """Return where a part comes from, or None for one of ours."""
        _ = self[name]
        return self._origins.get(name)

    def is_of_kind(self, value: object) -> bool:
        """Tell whether a value could be one of the parts."""
        return isinstance(value, self._types)

    @contextlib.contextmanager
    def lent(self, part: Part) -> Iterator[None]:
        """Have one more part for a while."""
        if part.name in self._parts:
            raise ValueError(f"two {self.kind}s are called {part.name!r}")
        self._parts[part.name] = part
        try:
            yield
        finally:
            del self._parts[part.name]

    def _complete(self) -> None:
        """Add what other packages offer, and what the process that started this one told of."""
        if self._is_whole:
            return
        # Before the work: a part may look into the registry when it is imported.
        self._is_whole = True
        for point in offered(self.kind):
            part = self._added(point.value)
            if part.name != point.name:
                raise UserError(
                    f"entry point {point.name!r} leads to the {self.kind} {part.name!r}; names must be equal"
                )
            self._origins[part.name] = origin_of(point)
        for place in noted_places(self.kind):
            self._added(place)

    def _added(self, place: str) -> Part:
        part: Any = value_at(place)
        if not self.is_of_kind(part):
            expected = " or ".join(sorted(kind.__name__ for kind in self._types))
            raise UserError(
                f"{PREFIX}{place}: is a {type(part).__name__}, expected a {self.kind} ({expected})",
                exit_code=ExitCode.WRONG_USE,
            )
        known = self._parts.get(part.name)
        if known is not None and known is not part:
            raise UserError(
                f"{PREFIX}{place}: there is another {self.kind} {part.name!r}; give it a name of its own",
                exit_code=ExitCode.WRONG_USE,
            )
        self._parts[part.name] = part
        self._origins[part.name] = origin_at(place)
        checked: Part = part
        return checked


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
