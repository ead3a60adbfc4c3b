"""Fits a torch model: batches of like length, early stopping on a held-out part, repeatable to the bit."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

# Rows are sorted by length inside so many batches at a time: little is padded, and their order stays random.
BATCHES_SORTED_TOGETHER = 16
HELD_OUT_SHARE = 10
MOST_HELD_OUT = 400


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """How long to fit, and when to look whether it still helps."""

    epochs: int
    batch: int
    # Few rows are seen more often, until there were so many steps.
    least_steps: int
    checks_an_epoch: int = 1
    # Checks without a better held-out loss after which to stop.
    patience: int = 2
    warm_up: float = 0.1

    def for_epochs(self, epochs: int | None) -> "Schedule":
        """Return the schedule with another number of epochs, if one is wanted."""
        return self if epochs is None else replace(self, epochs=epochs)


def fit(
    model: Any,
    optimizer: Any,
    logits_of: Callable[[Sequence[int]], Any],
    *,
    labels: Sequence[int],
    lengths: Sequence[int],
    schedule: Schedule,
    generator: Any,
) -> None:
    """Fit a model and leave it with the weights that were best on the held-out part.

    The optimizer clips gradients itself: a `PiecewiseAdamW`.
    """
    import torch

    shuffled: list[int] = torch.randperm(len(labels), generator=generator).tolist()
    n_held_out = min(MOST_HELD_OUT, max(1, len(labels) // HELD_OUT_SHARE))
    held_out, rows = shuffled[:n_held_out], shuffled[n_held_out:] or shuffled
    held_out.sort(key=lambda place: (lengths[place], place))
    steps_an_epoch = -(-len(rows) // schedule.batch)
    n_steps = max(schedule.least_steps, schedule.epochs * steps_an_epoch)
    check_every = max(1, max(steps_an_epoch, schedule.least_steps) // schedule.checks_an_epoch)
    n_warm = max(1, int(n_steps * schedule.warm_up))
    rates = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / n_warm, (n_steps - step) / max(1, n_steps - n_warm))
    )
    targets = torch.tensor(list(labels))
    best, best_loss, n_worse = _state(model), float("inf"), 0
    batches = _batches(rows, lengths, schedule.batch, generator)
    for step in range(1, n_steps + 1):
        places = next(batches)
        model.train()
        optimizer.zero_grad(set_to_none=True)
        loss: Any = torch.nn.functional.cross_entropy(logits_of(places), targets[places])
        loss.backward()
        optimizer.step()
        rates.step()
        if step % check_every == 0 or step == n_steps:
            held_out_loss = _held_out_loss(model, logits_of, targets, held_out, schedule.batch)
            n_worse = 0 if held_out_loss < best_loss else n_worse + 1
            if held_out_loss < best_loss:
                best, best_loss = _state(model), held_out_loss
            elif n_worse >= schedule.patience:
                break
    model.load_state_dict(best, strict=False)
    model.eval()


def _batches(rows: Sequence[int], lengths: Sequence[int], size: int, generator: Any) -> Iterator[list[int]]:
    """Yield batches without end, each row once an epoch."""
    import torch

    while True:
        order = [rows[place] for place in torch.randperm(len(rows), generator=generator).tolist()]
        batches = []
        for start in range(0, len(order), size * BATCHES_SORTED_TOGETHER):
            some = order[start : start + size * BATCHES_SORTED_TOGETHER]
            some.sort(key=lambda place: (lengths[place], place))
            batches += [some[first : first + size] for first in range(0, len(some), size)]
        for place in torch.randperm(len(batches), generator=generator).tolist():
            yield batches[place]


def _held_out_loss(
    model: Any,
    logits_of: Callable[[Sequence[int]], Any],
    targets: Any,
    held_out: Sequence[int],
    size: int,
) -> float:
    import torch

    model.eval()
    total = 0.0
    with torch.inference_mode():
        for start in range(0, len(held_out), size):
            places = list(held_out[start : start + size])
            loss = torch.nn.functional.cross_entropy(logits_of(places), targets[places], reduction="sum")
            total += float(loss)
    return total / len(held_out)


def _state(model: Any) -> dict[str, Any]:
    """Return a copy of the weights that change."""
    return {
        name: weights.detach().clone() for name, weights in model.named_parameters() if weights.requires_grad
    }
