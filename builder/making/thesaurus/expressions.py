"""Expressions in a neighbourhood: a line an expression, with what may stand for it there.

A line has six fields: the part of speech (as in `senses`; `v.VBD` for one form alone), the expression, what
must or must not stand before it and after it, words that must not stand near, and its substitutes. A word in
small letters stands for itself, one in capitals for a part-of-speech tag that begins so; `^` is a mark or an
end of the text, `!` says what must not stand there. YEAR is a year, PHRASE words without a verb of their
own, CLAUSE words with one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from builder.making.thesaurus.senses import PARTS_OF_SPEECH, Fault, Substitute, substitutes_of

FOLDER = Path(__file__).parent / "expressions"
N_FIELDS = 6
MOST_WORDS = 6
_EXPRESSION = re.compile(r"[a-z][a-z' -]*")
_CONDITION = re.compile(r"!?(?:\^|[A-Z][A-Z$]*|[a-z][a-z'-]*)")
_NEAR = re.compile(r"~?[a-z0-9][a-z0-9'-]*")
_PART_OF_SPEECH = re.compile(r"([a-z])(?:\.([A-Z]+))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression:
    """An expression in a neighbourhood, and what may stand for it."""

    place: str
    part_of_speech: str
    tag: str
    text: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    not_near: tuple[str, ...]
    substitutes: tuple[Substitute, ...]


def read_expressions(folder: Path = FOLDER) -> Iterator[Expression | Fault]:
    """Yield every line of every file as an expression, or what is wrong with it."""
    for path in sorted(folder.glob("*.txt")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if line.strip() and not line.startswith("#"):
                yield _parsed(f"{path.name}:{number}", line)


def _parsed(place: str, line: str) -> Expression | Fault:
    fields = [field.strip() for field in line.split("|")]
    if len(fields) != N_FIELDS:
        return Fault(place, f"{len(fields)} fields instead of {N_FIELDS}")
    kind, text, before, after, near, listed = fields
    match = _PART_OF_SPEECH.fullmatch(kind)
    expression = Expression(
        place=place,
        part_of_speech=match.group(1) if match else "",
        tag=(match.group(2) if match else None) or "",
        text=text,
        before=_items(before),
        after=_items(after),
        not_near=_items(near),
        substitutes=substitutes_of(listed),
    )
    fault = _fault(expression)
    return Fault(place, fault) if fault else expression


def _items(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(",") if item.strip())


def _fault(expression: Expression) -> str:
    """Return what is wrong with the fields of a line; nothing if they are right."""
    texts = [substitute.text for substitute in expression.substitutes]
    if expression.part_of_speech not in PARTS_OF_SPEECH:
        return f"the part of speech is none of {', '.join(PARTS_OF_SPEECH)}"
    for text in (expression.text, *texts):
        if not _EXPRESSION.fullmatch(text) or len(text.split()) > MOST_WORDS:
            return f"{text!r} is no expression of at most {MOST_WORDS} words in small letters"
    if not texts or expression.text in texts or len(set(texts)) < len(texts):
        return "there is no substitute, one stands twice, or one is the expression itself"
    odd = [item for item in (*expression.before, *expression.after) if not _CONDITION.fullmatch(item)]
    odd += [item for item in expression.not_near if not _NEAR.fullmatch(item)]
    return f"{odd[0]!r} is no word, no tag and no mark" if odd else ""
