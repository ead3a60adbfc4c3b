"""The labels of people's own rows, and the words that speak for each."""

from collections.abc import Sequence
from dataclasses import dataclass

from builder.values.associations import Associations, learn
from builder.values.samples import Sample
from contract.machine.errors import ExitCode, UserError


@dataclass(frozen=True, kw_only=True)
class LearnedLabels:
    """The labels in their order, the index of each row's label, and the words typical of one label."""

    labels: tuple[str, ...]
    indices: list[int]
    associations: Associations


def learned(texts: Sequence[str], labels: Sequence[str]) -> LearnedLabels:
    """Return what labelled rows say about their labels."""
    if len(texts) != len(labels):
        raise UserError(
            f"{len(texts)} texts and {len(labels)} labels; give one label a text",
            exit_code=ExitCode.WRONG_USE,
        )
    names = tuple(sorted(set(labels)))
    place_of = {name: place for place, name in enumerate(names)}
    indices = [place_of[label] for label in labels]
    rows = [
        Sample(id=str(row), text=text, text_pair=None, label=label)
        for row, (text, label) in enumerate(zip(texts, indices, strict=True))
    ]
    return LearnedLabels(labels=names, indices=indices, associations=learn(rows, len(names)))
