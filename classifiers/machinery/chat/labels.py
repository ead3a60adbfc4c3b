"""Finds the label that the answer of a chat model names."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

# A runaway answer is read from its end, where models conclude.
_LONGEST_ANSWER = 20_000
_REACH_OF_NEGATION = 40
_DECORATION = " \t\r\n.,;:!?\"'`*_#<>()[]{}“”‘’«»"
_THOUGHTS = re.compile(r"^.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_UNFINISHED_THOUGHTS = re.compile(r"\s*<think(?:ing)?>", re.IGNORECASE)
# As in "Label: positive" or "the answer is: positive"; JSON too.
_ANNOUNCED = re.compile(r"\b(?:label|answer)\b[\"'*]*(?:\s+is)?\s*[:=][\"'*\s]*([^\n]*)", re.IGNORECASE)
_NEGATION = re.compile(r"(?:\b(?:not|neither|nor|never|no)|n't)\s+(?:(?:a|an|the|really|very)\s+)?$")
_ALTERNATIVE = re.compile(r"\s*(?:,|/|\||&|,?\s*\b(?:or|nor|and|and/or)\b)\s*")


@dataclass(frozen=True, kw_only=True)
class _Mention:
    label: int
    start: int
    end: int


def label_in(answer: str, labels: Sequence[str]) -> int | None:
    """Return the label that an answer names, or None if it names none or several.

    The whole answer, case respected and then not; what follows the last "label:" or "answer:"; the first
    label mentioned that is neither negated ("not positive") nor one of several ("positive or negative").
    """
    words = _without_thoughts(answer)[-_LONGEST_ANSWER:]
    announced = _ANNOUNCED.findall(words)
    for part in (words, *announced[-1:]):
        found = _equal(part, labels)
        if found is not None:
            return found
    for part in (*announced[-1:], words):
        mentions = _mentions(part, labels)
        if mentions:
            return _decided(_plain(part), mentions)
    return None


def _without_thoughts(answer: str) -> str:
    """Return what stands after a reasoning model's thoughts; nothing if they were cut off."""
    words = _THOUGHTS.sub("", answer, count=1)
    return "" if _UNFINISHED_THOUGHTS.match(words) else words


def _equal(words: str, labels: Sequence[str]) -> int | None:
    """Return the only label that the words are equal to, at first to the letter."""
    for form in (str.strip, _bare, _plain_bare):
        places = [place for place, label in enumerate(labels) if form(label) == form(words)]
        if len(places) == 1 and form(words):
            return places[0]
    return None


def _bare(words: str) -> str:
    return words.strip(_DECORATION)


def _plain(words: str) -> str:
    """Return the words without case; underscores, hyphens and curly quotes as models swap them."""
    return re.sub(r"(?<=\w)[_\-](?=\w)|\s", " ", words.replace("’", "'")).casefold()


def _plain_bare(words: str) -> str:
    return " ".join(_plain(_bare(words)).split())


def _mentions(words: str, labels: Sequence[str]) -> list[_Mention]:
    """Return where labels stand as whole words; of two that overlap, the earlier and then the longer one."""
    places: dict[str, list[int]] = {}
    for place, label in enumerate(labels):
        places.setdefault(_plain_bare(label), []).append(place)
    forms = sorted(filter(None, places), key=len, reverse=True)
    if not forms:
        return []
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(_pattern(form) for form in forms)})(?!\w)")
    found = []
    for match in pattern.finditer(_plain(words)):
        same = places[" ".join(match.group().split())]
        # Labels that differ in case alone cannot be distinguished inside a sentence.
        if len(same) == 1:
            found.append(_Mention(label=same[0], start=match.start(), end=match.end()))
    return found


def _pattern(form: str) -> str:
    """Return the expression of a label; a single character may be a word like any other, as in "A film"."""
    expression = r"\s+".join(re.escape(word) for word in form.split())
    return rf"(?<![-.]){expression}(?=\W*$|[.,;:)\]\"'*](?!\w))" if len(form) == 1 else expression


def _decided(words: str, mentions: Sequence[_Mention]) -> int | None:
    """Return the first label that is meant, or nothing when others are named as its equals."""
    is_negated = False
    for place, mention in enumerate(mentions):
        joined = place > 0 and _is_alternative(words, mentions[place - 1], mention)
        before = words[max(0, mention.start - _REACH_OF_NEGATION) : mention.start]
        is_negated = bool(_NEGATION.search(before)) or (is_negated and joined)
        if is_negated:
            continue
        rest = mentions[place + 1 :]
        is_open = bool(rest and rest[0].label != mention.label and _is_alternative(words, mention, rest[0]))
        return None if is_open else mention.label
    return None


def _is_alternative(words: str, first: _Mention, second: _Mention) -> bool:
    return _ALTERNATIVE.fullmatch(words[first.end : second.start]) is not None
