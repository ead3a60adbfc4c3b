"""Texts of one's own perturbed from Python, as `hardfrost perturb` does it."""

import html
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, overload

from builder.augmenting.perturbing import LabelledText, PerturbedText, perturb_texts
from flows.api.values import needed

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS_SHOWN = 20


class Perturbed(Sequence[str]):
    """Perturbed texts in the order of those given; a text that cannot carry the degree is as it was."""

    def __init__(self, originals: Sequence[str], cases: Sequence[PerturbedText | None]) -> None:
        self._originals = list(originals)
        self.cases = list(cases)

    @property
    def texts(self) -> list[str]:
        """The texts as plain strings."""
        return list(self)

    @property
    def is_changed(self) -> list[bool]:
        """For each text whether it was perturbed."""
        return [case is not None for case in self.cases]

    def to_pandas(self) -> "pd.DataFrame":
        """Return one row a text: perturbed and original text, degree, realised degree, method and edits."""
        pandas = needed("pandas", "pandas", "to_pandas()")
        names = ("dimension", "degree", "realised_degree", "method", "edits")
        rows = []
        for text, original, case in zip(self, self._originals, self.cases, strict=True):
            about = {} if case is None else asdict(case)
            edits = None if case is None else [edit._asdict() for edit in case.edits]
            row = {name: about.get(name) for name in names} | {"edits": edits}
            rows.append({"text": text, "original": original, **row})
        frame: pd.DataFrame = pandas.DataFrame(rows, columns=["text", "original", *names])
        return frame

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        case = self.cases[index]
        return self._originals[index] if case is None else case.text

    def __len__(self) -> int:
        return len(self._originals)

    def __repr__(self) -> str:
        return f"<{sum(self.is_changed):,} of {len(self):,} texts perturbed>"

    def _repr_html_(self) -> str:
        rows = "".join(f"<li>{''.join(_marked(case))}</li>" for case in self.cases[:MOST_ROWS_SHOWN] if case)
        return f"<p>{html.escape(repr(self)[1:-1])}</p><ul>{rows}</ul>"


def perturb(
    texts: Sequence[str], dimension: str, degree: float, seed: int = 0, *, labels: Sequence[str] | None = None
) -> Perturbed:
    """Perturb texts at random in a dimension, at a degree above 0 and at most 0.8.

    A text that is too short for the degree, or without anything to change, stays as it is; `is_changed`
    tells. With the labels of all texts, words that speak for a label are learned from them, and cases that
    read as another label are not made. The same text and seed give the same case.
    """
    from builder.augmenting.labels import learned

    if isinstance(texts, str):
        raise TypeError("texts: expected a list of texts, found one text; write [text]")
    originals = [str(text) for text in texts]
    known = None if labels is None else learned(originals, [str(label) for label in labels])
    indices = [None] * len(originals) if known is None else known.indices
    given = [LabelledText(text=text, label=label) for text, label in zip(originals, indices, strict=True)]
    associations = None if known is None else known.associations
    return Perturbed(originals, perturb_texts(given, dimension, degree, seed, associations=associations))


def _marked(case: PerturbedText) -> Iterator[str]:
    """Yield the pieces of a case as HTML: what was taken out is struck through, what came in is marked."""
    position = 0
    for edit in sorted(case.edits):
        yield html.escape(case.original[position : edit.start])
        if edit.original:
            yield f"<del>{html.escape(edit.original)}</del>"
        if edit.replacement:
            yield f"<ins>{html.escape(edit.replacement)}</ins>"
        position = edit.end
    yield html.escape(case.original[position:])
