"""AdamW in pieces of weights that stay in the processor's cache. Importing it loads torch."""

from collections.abc import Callable, Iterable
from typing import Any

import torch

# Numbers in a piece: with its gradient, both averages and room for a result about 300 kB. A multiple of the
# numbers that a processor handles at once, so that each is computed as it would be in one piece.
PIECE = 1 << 14
LARGEST_NORM = 1.0


class PiecewiseAdamW(torch.optim.AdamW):
    """Takes the steps of torch's AdamW after clipped gradients, to the bit.

    Torch does each of ten operations on all weights before the next one, so every one of them fetches all
    weights from memory; here all ten are done to a piece before the next piece.
    """

    @torch.no_grad()
    def step(self, closure: Callable[[], Any] | None = None) -> None:  # type: ignore[override]
        """Clip the gradients to a norm of 1, all together, and take one step."""
        if closure is not None:
            raise ValueError("a step takes no closure here")
        coefficient = self._clipping()
        for group in self.param_groups:
            for weights in group["params"]:
                if weights.grad is not None:
                    self._update(weights, coefficient, group)

    def _clipping(self) -> Any:
        """Return what all gradients are multiplied by, as `clip_grad_norm_` computes it."""
        gradients = [
            weights.grad
            for group in self.param_groups
            for weights in group["params"]
            if weights.grad is not None
        ]
        total = torch.nn.utils.get_total_norm(gradients)
        return torch.clamp(LARGEST_NORM / (total + 1e-6), max=1.0)

    def _update(self, weights: Any, coefficient: Any, group: dict[str, Any]) -> None:
        state = self.state[weights]
        if not state:
            state["step"] = 0
            state["averages"] = [torch.zeros_like(weights.view(-1)) for _ in range(2)]
            state["room"] = weights.new_empty(min(PIECE, weights.numel()))
        state["step"] += 1
        beta1, beta2 = group["betas"]
        rate = group["lr"]
        step_size = rate / (1 - beta1 ** state["step"])
        correction = (1 - beta2 ** state["step"]) ** 0.5
        decay = 1 - rate * group["weight_decay"]
        arrays = [weights.view(-1), weights.grad.reshape(-1), *state["averages"]]
        for own, gradient, mean, square in _pieces(arrays):
            gradient.mul_(coefficient)
            if group["weight_decay"] != 0:
                own.mul_(decay)
            mean.lerp_(gradient, 1 - beta1)
            square.mul_(beta2).addcmul_(gradient, gradient, value=1 - beta2)
            divisor = torch.sqrt(square, out=state["room"][: len(square)])
            divisor.div_(correction).add_(group["eps"])
            own.addcdiv_(mean, divisor, value=-step_size)


def _pieces(arrays: Iterable[Any]) -> Iterable[tuple[Any, ...]]:
    return zip(*(array.split(PIECE) for array in arrays), strict=True)
