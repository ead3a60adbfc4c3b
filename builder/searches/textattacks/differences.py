"""Finds the edits between an original and a case that another tool made."""

import re
from difflib import SequenceMatcher

from contract.schema.edits import Edit, apply_edits

_TOKEN = re.compile(r"\S+")


def edits_between(original: str, case: str) -> list[Edit]:
    """Return edits that make the case of the original: one for each changed token where that suffices."""
    before = [match.span() for match in _TOKEN.finditer(original)]
    after = [match.span() for match in _TOKEN.finditer(case)]
    matcher = SequenceMatcher(
        a=[original[start:end] for start, end in before],
        b=[case[start:end] for start, end in after],
        autojunk=False,
    )
    edits = []
    for kind, low, high, other_low, other_high in matcher.get_opcodes():
        if kind != "replace":
            continue
        if high - low == other_high - other_low:
            pairs = zip(before[low:high], after[other_low:other_high], strict=True)
        else:
            pairs = zip(
                [(before[low][0], before[high - 1][1])],
                [(after[other_low][0], after[other_high - 1][1])],
                strict=True,
            )
        edits += [
            Edit(start, end, original[start:end], case[first:last]) for (start, end), (first, last) in pairs
        ]
    # Words that came or went alone, or other spaces: one edit from the first difference to the last.
    return edits if apply_edits(original, edits) == case else [_one_edit(original, case)]


def _one_edit(original: str, case: str) -> Edit:
    start = 0
    while start < min(len(original), len(case)) and original[start] == case[start]:
        start += 1
    end = 0
    while end < min(len(original), len(case)) - start and original[-1 - end] == case[-1 - end]:
        end += 1
    return Edit(
        start, len(original) - end, original[start : len(original) - end], case[start : len(case) - end]
    )
