"""AdamW in pieces takes the steps of torch's own, to the last bit."""

import pytest
import torch

from classifiers.machinery.adamw import PIECE, PiecewiseAdamW

# Several pieces and a rest, a matrix smaller than a piece, and a few numbers.
SHAPES = ((2 * PIECE + 13,), (37, 41), (3,))


def weights() -> list[torch.nn.Parameter]:
    """Return the same random weights every time."""
    generator = torch.Generator().manual_seed(1)
    return [torch.nn.Parameter(torch.randn(shape, generator=generator)) for shape in SHAPES]


def gradients(step: int, *, size: float) -> list[torch.Tensor]:
    """Return random gradients for a step."""
    generator = torch.Generator().manual_seed(100 + step)
    return [torch.randn(shape, generator=generator) * size for shape in SHAPES]


@pytest.mark.parametrize("decay", [0.0, 0.01])
@pytest.mark.parametrize("size", [1e-4, 3.0])
def test_every_step_is_that_of_torch_after_clipping(decay: float, size: float) -> None:
    """Large gradients are clipped, small ones are not; the rate changes from step to step."""
    n_threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        ours, theirs = weights(), weights()
        of_ours = PiecewiseAdamW(ours, lr=1e-2, weight_decay=decay)
        of_theirs = torch.optim.AdamW(theirs, lr=1e-2, weight_decay=decay)
        for step in range(4):
            for own, other, gradient in zip(ours, theirs, gradients(step, size=size), strict=True):
                own.grad, other.grad = gradient.clone(), gradient.clone()
            for optimizer in (of_ours, of_theirs):
                optimizer.param_groups[0]["lr"] = 1e-2 / (step + 1)
            torch.nn.utils.clip_grad_norm_(theirs, 1.0)
            of_theirs.step()
            of_ours.step()
            assert all(torch.equal(own, other) for own, other in zip(ours, theirs, strict=True))
    finally:
        torch.set_num_threads(n_threads)


def test_weights_without_a_gradient_stay() -> None:
    """A part of a model that a batch does not touch is not moved, not even by decay."""
    (touched, other, _) = weights()
    before = other.detach().clone()
    touched.grad = torch.ones_like(touched)
    PiecewiseAdamW([touched, other], lr=0.1, weight_decay=0.1).step()
    assert torch.equal(other, before)
    assert not torch.equal(touched, weights()[0])
