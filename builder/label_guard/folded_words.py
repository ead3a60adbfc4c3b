"""A word in small letters, and which of its cores an edit changes, found without reading the word again."""

from collections.abc import Sequence

from builder.values.associations import core_spans
from contract.schema.edits import Edit


class FoldedWord:
    """A word whose cores are known, as "well-acted" has two; quick, since a word has a hundred operations."""

    def __init__(self, word: str) -> None:
        # A letter that folds into two would move all places behind it.
        self._folded = folded if len(folded := word.casefold().replace("’", "'")) == len(word) else ""
        self._core_at: list[tuple[int, int] | None] = [None] * (len(word) + 1)
        for start, end in core_spans(self._folded):
            # A letter put in before or behind a core belongs to it.
            self._core_at[start : end + 1] = [(start, end)] * (end + 1 - start)

    def core_after(self, edits: Sequence[Edit]) -> str | None:
        """Return the only core that edits change, as it is then; None where it takes more to find out."""
        if len(edits) != 1 or not self._folded:
            return None
        start, end, _, replacement = edits[0]
        span = self._core_at[start]
        if span is None or end > span[1] or (replacement and not replacement.isalpha()):
            return None
        first, last = span
        core = self._folded[first:start] + replacement.casefold() + self._folded[end:last]
        return core if replacement or core.isalpha() or _is_whole(core) else None


def _is_whole(core: str) -> bool:
    """Whether each apostrophe still stands between letters."""
    return bool(core) and "'" not in {core[0], core[-1]} and "''" not in core
