"""The thesaurus of general English: a line a sense, with what may stand for a word and where it may not.

A line has five fields: the part of speech (n, v, a, r, or f for a form that is never inflected), the word,
its substitutes (best first; `=` before one that the word may stand for, too), what the sense is, and words
that tell another sense when they stand near (`~sport` for a whole domain). A word without any safe
substitute has a dash. The files hold the most frequent words first.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "words"
PARTS_OF_SPEECH = ("n", "v", "a", "r", "f")
NONE = "-"
N_FIELDS = 5
MOST_WORDS = 3
_WORDS = re.compile(r"[a-z][a-z' -]*")
_NEAR = re.compile(r"~?[A-Za-z0-9][A-Za-z0-9' -]*")


@dataclass(frozen=True, slots=True)
class Substitute:
    """What may stand for a word, and whether the word may stand for it, too."""

    text: str
    is_mutual: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Sense:
    """A word in one sense."""

    place: str
    part_of_speech: str
    word: str
    substitutes: tuple[Substitute, ...]
    gloss: str
    not_near: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """A line that is not as it should be."""

    place: str
    text: str


def read_senses(folder: Path = FOLDER) -> Iterator[Sense | Fault]:
    """Yield every line of every file as a sense, or what is wrong with it."""
    for path in sorted(folder.glob("*.txt")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if line.strip() and not line.startswith("#"):
                yield _parsed(f"{path.name}:{number}", line)


def _parsed(place: str, line: str) -> Sense | Fault:
    fields = [field.strip() for field in line.split("|")]
    if len(fields) != N_FIELDS:
        return Fault(place, f"{len(fields)} fields instead of {N_FIELDS}")
    part_of_speech, word, listed, gloss, near = fields
    substitutes = () if listed == NONE else substitutes_of(listed)
    not_near = tuple(text.strip() for text in near.split(",") if text.strip())
    fault = _fault(part_of_speech, word, substitutes, gloss, not_near)
    if fault:
        return Fault(place, fault)
    return Sense(
        place=place,
        part_of_speech=part_of_speech,
        word=word,
        substitutes=substitutes,
        gloss=gloss,
        not_near=not_near,
    )


def substitutes_of(listed: str) -> tuple[Substitute, ...]:
    """Return the substitutes of a field."""
    return tuple(map(_substitute, listed.split(",")))


def _substitute(text: str) -> Substitute:
    return Substitute(text.strip().removeprefix("=").strip(), text.strip().startswith("="))


def _fault(
    part_of_speech: str, word: str, substitutes: tuple[Substitute, ...], gloss: str, not_near: tuple[str, ...]
) -> str:
    """Return what is wrong with the fields of a line; nothing if they are right."""
    texts = [substitute.text for substitute in substitutes]
    if part_of_speech not in PARTS_OF_SPEECH:
        return f"the part of speech {part_of_speech!r} is none of {', '.join(PARTS_OF_SPEECH)}"
    if not _WORDS.fullmatch(word):
        return f"{word!r} is no word in small letters"
    bad = [text for text in texts if not _WORDS.fullmatch(text) or len(text.split()) > MOST_WORDS]
    if bad:
        return f"{bad[0]!r} is no expression of at most {MOST_WORDS} words in small letters"
    if word in texts or len(set(texts)) < len(texts):
        return "a substitute stands twice, or is the word itself"
    if texts and not gloss:
        return "a sense with substitutes needs a gloss"
    odd = [text for text in not_near if not _NEAR.fullmatch(text)]
    return f"{odd[0]!r} is no word to stand near" if odd else ""
