"""Spoils bytes, lines and JSON values; the same generator gives the same faults."""

import gzip
import io
import json
import tarfile
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

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


def mutate_predictions(data: bytes, random: Random) -> bytes:
    """Return predictions in another order, with other answers and line ends: most of them are still good."""
    header, *lines = data.splitlines() if data[:1] != b"{" else [b"", *data.splitlines()]
    random.shuffle(lines)
    for place in random.sample(range(len(lines)), k=len(lines) // 3):
        old, new = random.sample([b"positive", b"negative"], k=2)
        lines[place] = lines[place].replace(old, new)
    end = random.choice((b"\n", b"\r\n", b"\n\n"))
    start = random.choice((b"", b"\xef\xbb\xbf"))
    good = start + end.join([header, *lines] if header else lines) + end * random.randint(0, 1)
    return good if random.random() < 0.8 else mutate_bytes(good, random)


def mutate_archive(data: bytes, random: Random) -> bytes:
    """Return an archive with an odd member, or with a spoilt document in it."""
    sink = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        members = [(member, archive.extractfile(member)) for member in archive]
        contents = [(member, b"" if file is None else file.read()) for member, file in members]
    place = random.randrange(len(contents))
    with tarfile.open(fileobj=sink, mode="w") as archive:
        for number, (member, content) in enumerate(contents):
            new = _odd_member(member, content, random) if number == place else content
            member.size = len(new)
            archive.addfile(member, io.BytesIO(new))
            if number == place and random.random() < 0.2:
                archive.addfile(member, io.BytesIO(new))
    return sink.getvalue()


def _odd_member(member: tarfile.TarInfo, content: bytes, random: Random) -> bytes:
    """Change what a member is called or what kind it is, or return other content for it."""
    way = random.randrange(5)
    if way == 0:
        odd = random.choice(ODD_TEXTS).replace("\0", "")
        member.name = (
            random.choice([odd, f"{odd}/{member.name}", member.name.upper(), f"./{member.name}"]) or "x"
        )
    elif way == 1:
        member.type = random.choice(
            [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.DIRTYPE, b"S", b"?"]
        )
        member.linkname = random.choice(["/etc/passwd", "../../outside", "manifest.json", ""])
    elif way == 2:
        keys = ["path", "size", "GNU.sparse.map", "GNU.sparse.size", "linkpath", "mtime", "hdrcharset"]
        member.pax_headers = {
            random.choice(keys): random.choice(["-1", "1,2,3", "x", "9" * 30, "../../outside"])
        }
    elif member.name.endswith(".json") and way == 3:
        return mutate_json(content, random)
    else:
        return mutate_bytes(content, random)
    return content


def mutate_parquet(data: bytes, random: Random) -> bytes:
    """Return a Parquet file that is spoilt anywhere, in its footer, or in the values of a column."""
    way = random.random()
    if way < 0.3:
        return mutate_bytes(data, random)
    if way < 0.6:
        n_footer = int.from_bytes(data[-8:-4], "little") + 8
        footer = bytearray(data[-n_footer:])
        for _ in range(random.randint(1, 3)):
            random.choice((_change, _flip))(footer, random)
        return data[:-n_footer] + bytes(footer)
    table = pq.read_table(pa.BufferReader(data))
    sink = pa.BufferOutputStream()
    pq.write_table(_spoilt_table(table, random), sink)
    return bytes(sink.getvalue())


def _spoilt_table(table: pa.Table, random: Random) -> pa.Table:
    """Return a table with other values in a column, or without it, or with other rows."""
    name = random.choice(table.schema.names)
    place = table.schema.names.index(name)
    values = table[name].to_pylist()
    way = random.randrange(6)
    if way == 0:
        return table.drop_columns([name])
    if way == 1:
        return pa.concat_tables([table, table.slice(random.randrange(len(table)))])
    if way == 2:
        return table.append_column(random.choice([name, "other"]), table[name])
    if way == 3:
        odd = random.choice([pa.nulls(len(table), table[name].type), pa.nulls(len(table))])
        return table.set_column(place, name, odd)
    if way == 4:
        value = random.choice([*ODD_TEXTS, 2**40, -1, 7, float("nan"), float("inf"), [1], b"\xff"])
        return table.set_column(place, name, pa.array([value] * len(table)))
    for row in random.sample(range(len(values)), k=max(1, len(values) // 3)):
        values[row] = _odd_of_type(values[row], random)
    return table.set_column(place, name, pa.array(values, table[name].type))


def _odd_of_type(value: Any, random: Random) -> Any:
    """Return an odd value that a column of the same type can hold."""
    if isinstance(value, str):
        return random.choice([None, *ODD_TEXTS])
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int):
        return random.choice([None, -1, 7, 2**31 - 1, -(2**31)])
    if isinstance(value, float):
        return random.choice([None, -1.0, float("nan"), float("inf"), 1e308])
    if isinstance(value, dict):
        return {key: _odd_of_type(part, random) for key, part in value.items()}
    return random.choice([None, [], [None], [*value, *value], [_odd_of_type(part, random) for part in value]])


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


def _nested(value: Any, n_levels: int) -> Any:
    """Return lists in lists: more than any file has, fewer than parsers refuse by themselves."""
    for _ in range(n_levels):
        value = [value]
    return value


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
        _nested(value, random.choice((60, 250))),
    ]
    if isinstance(value, str):
        choices += [value[:-1], value.upper(), value + random.choice(ODD_TEXTS)] * 2
    if isinstance(value, int | float) and -(2**64) < value < 2**64:
        choices += [-value, value + 1, value / 3, str(value)] * 2
    return random.choice(choices)
