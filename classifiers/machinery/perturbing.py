"""Perturbs input embeddings as Carlini and Wagner do: as little as turns the answer, by descent."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from classifiers.machinery.classifier import Numbers, Replacement, Span, TextPair
from classifiers.machinery.devices import run_in_batches
from classifiers.machinery.gradients import (
    LEAST_ROWS,
    ROWS,
    EmbeddingModel,
    Tokens,
    by_shape,
    numbers_of,
    whole_word,
)
from contract.schema.manifest import TextField

# Once every text of a batch is turned, so many further steps may make its perturbation smaller.
STEPS_AFTER = 10
# Added under a root, whose slope at nothing is infinite.
NEARLY_NOTHING = 1e-12


@dataclass(frozen=True, kw_only=True)
class Objective:
    """The length of a perturbation, and `weight` times by how much the true label's logit leads."""

    weight: float
    # By how much another label must lead.
    confidence: float
    most_steps: int
    learning_rate: float


@dataclass(frozen=True, kw_only=True)
class Perturbation:
    """A text's embeddings under attack, and what was added to them."""

    tokens: Tokens
    embeddings: Numbers
    added: Numbers

    def length(self, span: Span) -> float:
        """Return how far the tokens of a span were moved."""
        touched = self.tokens.touched(span)
        return float(np.linalg.norm(self.added[touched])) if touched else 0.0

    def along(self, replacement: Replacement, vector: Numbers) -> float:
        """Return how far a replacement of this vector goes the way in which its tokens were moved."""
        touched = self.tokens.touched((replacement.start, replacement.end))
        if not touched:
            return 0.0
        way = self.added[touched].mean(axis=0)
        length = float(np.linalg.norm(way))
        change = vector - self.embeddings[touched].mean(axis=0)
        return float(change @ way) / length if length > NEARLY_NOTHING else 0.0


class PerturbedTexts:
    """The perturbations of some texts."""

    def __init__(
        self,
        model: EmbeddingModel,
        texts: Sequence[TextPair],
        labels: Sequence[int],
        objective: Objective,
        field: TextField,
    ) -> None:
        self._model = model
        self._plain = [text if field == "text" else (pair or "") for text, pair in texts]
        self._found = _perturb(model, texts, labels, objective, field)

    def lengths(self, spans: Sequence[Sequence[Span]]) -> list[Numbers]:
        """Return for each span of each text how far it was moved; 0 where nothing of it is read."""
        return [
            np.array([0.0 if found is None else found.length(span) for span in own])
            for found, own in zip(self._found, spans, strict=True)
        ]

    def along(self, replacements: Sequence[Sequence[Replacement]]) -> list[Numbers]:
        """Return for each replacement how far it goes the way of the perturbation; against it is negative."""
        words = [
            [whole_word(text, each) for each in own]
            for text, own in zip(self._plain, replacements, strict=True)
        ]
        new = list(dict.fromkeys(each.text for own in words for each in own))
        vectors = dict(zip(new, self._model.embeddings_of_words(new), strict=True)) if new else {}
        return [
            np.array([0.0 if found is None else found.along(each, vectors[each.text]) for each in own])
            for found, own in zip(self._found, words, strict=True)
        ]


def _perturb(
    model: EmbeddingModel,
    texts: Sequence[TextPair],
    labels: Sequence[int],
    objective: Objective,
    field: TextField,
) -> list[Perturbation | None]:
    """Return for each text the shortest perturbation that turns it, or the last one where none does."""
    import torch

    tokens = model.tokens(texts, field)
    found: list[Perturbation | None] = [None] * len(texts)

    def run(places: Sequence[int]) -> None:
        filled = [*places, *[places[0]] * (LEAST_ROWS - len(places))]
        batch = [tokens[place] for place in filled]
        with torch.no_grad():
            points = model.embeddings(batch)
        added = _descend(model, points, batch, [labels[place] for place in filled], objective)
        for place, embeddings, moved in zip(places, numbers_of(points), numbers_of(added), strict=False):
            found[place] = Perturbation(tokens=tokens[place], embeddings=embeddings, added=moved)

    for same in by_shape(tokens):
        run_in_batches(same, ROWS, run)
    return found


def _descend(
    model: EmbeddingModel, points: Any, batch: Sequence[Tokens], labels: Sequence[int], objective: Objective
) -> Any:
    """Return what is added to the embeddings of the tokens under attack."""
    import torch

    is_attacked = torch.tensor([[float(span is not None) for span in own.spans] for own in batch])
    is_attacked = is_attacked.to(points.device, points.dtype)[:, :, None]
    wanted = torch.tensor(list(labels), device=points.device)[:, None]
    added = torch.zeros_like(points, requires_grad=True)
    best, shortest = torch.zeros_like(points), torch.full((len(batch),), float("inf"), device=points.device)
    descent = torch.optim.Adam([added], lr=objective.learning_rate)
    n_after = 0
    with torch.enable_grad():
        for _ in range(objective.most_steps):
            moved = added * is_attacked
            logits = model.logits(points + moved, batch).float()
            others = logits.scatter(1, wanted, float("-inf")).amax(dim=1)
            lead = logits.gather(1, wanted)[:, 0] - others + objective.confidence
            length = (moved.square().sum(dim=(1, 2)) + NEARLY_NOTHING).sqrt()
            is_better = (lead < 0) & (length < shortest)
            best = torch.where(is_better[:, None, None], moved.detach(), best)
            shortest = torch.where(is_better, length.detach(), shortest)
            n_after += bool(torch.isfinite(shortest).all())
            if n_after > STEPS_AFTER:
                break
            descent.zero_grad()
            (length + objective.weight * lead.clamp(min=0)).sum().backward()
            descent.step()
    is_turned = torch.isfinite(shortest)[:, None, None]
    return torch.where(is_turned, best, (added * is_attacked).detach())
