"""Pieces of Markdown: tables whose cells cannot break out of them."""

from collections.abc import Iterator, Sequence

LONGEST_CELL = 240
# Looked up character by character, so that no replacement is replaced again.
_PLAIN = str.maketrans({character: f"&#{ord(character)};" for character in "&<>\\`*_[]|#~"})
_NO_LINKS = str.maketrans({character: f"&#{ord(character)};" for character in "<>[]"})


def cell(value: object) -> str:
    """Return a value as text that no table or page takes for markup."""
    text = str(value)
    if len(text) > LONGEST_CELL:
        text = f"{text[:LONGEST_CELL]} …"
    return " ".join(text.split()).translate(_PLAIN)


def code(text: str) -> str:
    """Return a text as code; one that would end the code is written as plain text."""
    return cell(text) if "`" in text or not text.isprintable() else f"`{text}`"


def sentence(text: str) -> str:
    """Return a sentence that may hold code, without links and tags."""
    return " ".join(text.split()).translate(_NO_LINKS)


def table(names: Sequence[str], rows: Sequence[Sequence[str]], *, n_texts: int = 1) -> Iterator[str]:
    """Yield the lines of a table whose first columns are texts and the others numbers."""
    yield f"| {' | '.join(names)} |"
    yield f"| {' | '.join('---' if place < n_texts else '---:' for place in range(len(names)))} |"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def number(value: float | None, digits: int = 3) -> str:
    """Return a number, or nothing where there is none."""
    return "" if value is None else f"{value:.{digits}f}"


def counted(n: int, what: str) -> str:
    """Return a count with its noun: 1 task, 2 tasks."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"
