"""Spoils bytes, lines and JSON values; the same generator gives the same faults."""

import gzip
import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

# Values that parsers, paths, pages and terminals may trip over.
ODD_TEXTS = (
    "",
    "../../outside",
    "/outside/of/it",
    "a/b",
    "con\x00nul",
    "\x1b[31mred",
    "<script>alert(1)</script>",
    "{{ 7 * 7 }}",
    '"""',
    "\u202etxet",
    "\ufeff",
    "nan",
    "-0",
    "1e999",
    "x" * 5000,
)
ODD_NUMBERS = (0, -1, 1, 2**31, 2**53, 2**63, 2**64, 10**400, 0.5, -0.0, 1e308, 1e-320)
ODD_TOKENS = (
    b"NaN",
    b"Infinity",
    b"1" * 5000,
    b"[" * 2000,
    b"\xff\xfe",
    b"\x00",
    b"\r",
    b'"\\ud800"',
    b"\n" * 500,
)


def mutate_bytes(data: bytes, random: Random) -> bytes:
    """Return the bytes with one to four faults: changed, lost, repeated, put in or cut off."""
    spoilt = bytearray(data)
    for _ in range(random.randint(1, 4)):
        random.choice(_ON_BYTES)(spoilt, random)
    return bytes(spoilt)


def mutate_text(data: bytes, random: Random) -> bytes:
    """Return text with faults in bytes, or in whole lines and fields."""
    if random.random() < 0.4:
        return mutate_bytes(data, random)
    lines = data.split(b"\n")
    for _ in range(random.randint(1, 3)):
        random.choice(_ON_LINES)(lines, random)
    return b"\n".join(lines)


def mutate_json(data: bytes, random: Random) -> bytes:
    """Return a JSON document with other values at some places, or with spoilt text."""
    if random.random() < 0.25:
        return mutate_text(data, random)
    document = json.loads(data)
    for _ in range(random.randint(1, 3)):
        _spoil_value(document, random)
    return json.dumps(document, ensure_ascii=random.random() < 0.5).encode(errors="surrogatepass")


def mutate_json_lines(data: bytes, random: Random) -> bytes:
    """Return JSON Lines with a spoilt line, or with spoilt text."""
    if random.random() < 0.5:
        return mutate_text(data, random)
    lines = data.splitlines()
    place = random.randrange(len(lines))
    lines[place] = mutate_json(lines[place], random)
    return b"\n".join(lines) + b"\n"


def mutate_compressed(data: bytes, random: Random) -> bytes:
    """Return a gzip file that is spoilt inside or outside."""
    if random.random() < 0.5:
        return mutate_bytes(data, random)
    return gzip.compress(mutate_text(gzip.decompress(data), random), mtime=0)


def _place(data: Sequence[Any], random: Random) -> int:
    return random.randrange(len(data)) if data else 0


def _change(data: bytearray, random: Random) -> None:
    if data:
        data[_place(data, random)] = random.randrange(256)


def _flip(data: bytearray, random: Random) -> None:
    if data:
        data[_place(data, random)] ^= 1 << random.randrange(8)


def _lose(data: bytearray, random: Random) -> None:
    start = _place(data, random)
    del data[start : start + random.choice((1, 2, 8, 100))]


def _repeat(data: bytearray, random: Random) -> None:
    start = _place(data, random)
    data[start:start] = data[start : start + random.choice((1, 8, 200))]


def _put_in(data: bytearray, random: Random) -> None:
    start = _place(data, random)
    data[start:start] = random.choice(ODD_TOKENS)


def _cut(data: bytearray, random: Random) -> None:
    del data[_place(data, random) :]


_ON_BYTES: tuple[Callable[[bytearray, Random], None], ...] = (_change, _flip, _lose, _repeat, _put_in, _cut)


def _lose_line(lines: list[bytes], random: Random) -> None:
    if lines:
        del lines[_place(lines, random)]


def _repeat_line(lines: list[bytes], random: Random) -> None:
    if lines:
        lines.insert(_place(lines, random), random.choice(lines))


def _swap_lines(lines: list[bytes], random: Random) -> None:
    if lines:
        one, other = _place(lines, random), _place(lines, random)
        lines[one], lines[other] = lines[other], lines[one]


def _spoil_line(lines: list[bytes], random: Random) -> None:
    if lines:
        place = _place(lines, random)
        lines[place] = mutate_bytes(lines[place], random)


def _indent_line(lines: list[bytes], random: Random) -> None:
    if lines:
        place = _place(lines, random)
        lines[place] = (
            random.choice((b" ", b"\t", b"- ", b"&a ", b"*a ", b"!!python/name:os.system ")) + lines[place]
        )


_ON_LINES: tuple[Callable[[list[bytes], Random], None], ...] = (
    _lose_line,
    _repeat_line,
    _swap_lines,
    _spoil_line,
    _indent_line,
)


def _spoil_value(document: Any, random: Random) -> None:
    """Change a value somewhere in a document: the deeper parts of it hold most of the values."""
    parent = document
    while True:
        if isinstance(parent, dict) and parent:
            key: Any = random.choice(list(parent))
        elif isinstance(parent, list) and parent:
            key = random.randrange(len(parent))
        else:
            return
        child = parent[key]
        if not isinstance(child, dict | list) or not child or random.random() < 0.1:
            break
        parent = child
    action = random.random()
    if action < 0.15:
        del parent[key]
    elif action < 0.25 and isinstance(parent, dict):
        parent[random.choice(ODD_TEXTS)] = parent.pop(key)
    else:
        parent[key] = _odd_value(child, random)


def _odd_value(value: Any, random: Random) -> Any:
    """Return another value: of the same kind, of another, or nested."""
    choices = [
        random.choice(ODD_TEXTS),
        random.choice(ODD_NUMBERS),
        None,
        True,
        [],
        {},
        [value] * 3,
        {"a": value},
    ]
    if isinstance(value, str):
        choices += [value[:-1], value.upper(), value + random.choice(ODD_TEXTS)] * 2
    if isinstance(value, int | float):
        choices += [-value, value + 1, value / 3, str(value)] * 2
    return random.choice(choices)
