"""Tells new texts from duplicates."""

from collections.abc import Hashable, Iterable


class Distinct:
    """The texts that a sample or a split has so far; each is new only once."""

    def __init__(self, texts: Iterable[Hashable] = ()) -> None:
        self._texts = set(texts)

    def is_new(self, text: Hashable) -> bool:
        """Whether a text was not seen before; from now on it was."""
        n_before = len(self._texts)
        self._texts.add(text)
        return len(self._texts) > n_before
