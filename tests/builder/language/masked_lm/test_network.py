"""The packaged network: what ships is all that was trained, and merging changes nothing."""

import pytest
import torch

from builder.language.masked_lm.network import LowRank, new_network


def test_low_rank_changes_merge_into_their_map() -> None:
    """Before and after, the same function."""
    torch.manual_seed(0)
    low_rank = LowRank(torch.nn.Linear(20, 30))
    torch.nn.init.normal_(low_rank.up, std=0.1)
    states = torch.randn(7, 20)
    before = low_rank(states)
    assert torch.allclose(low_rank.merged()(states), before, atol=1e-5)


def test_an_adapter_carries_what_was_trained_and_nothing_else() -> None:
    """A few megabytes: no embedding and no base matrix; another network with it gives the same scores."""
    torch.manual_seed(0)
    network = new_network().eval()
    for parameter in network.parameters():
        if parameter.requires_grad:
            torch.nn.init.normal_(parameter, std=0.01)
    adapter = network.adapter()
    assert sum(values.numel() for values in adapter.values()) < 3_000_000
    assert all(values.dtype == torch.float16 for values in adapter.values())
    assert not any("word_embeddings" in name or ".base." in name for name in adapter)
    other = new_network().eval()
    other.load_adapter(adapter)
    tokens = torch.tensor([[101, 1996, 103, 2003, 102]])
    arguments = (tokens, torch.ones_like(tokens), torch.tensor([2]))
    with torch.inference_mode():
        loaded = other(*arguments)
        assert torch.allclose(network(*arguments), loaded, atol=0.05)
    other.merge()
    with torch.inference_mode():
        assert torch.allclose(other(*arguments), loaded, atol=1e-3)


def test_an_adapter_of_another_network_is_refused() -> None:
    """Half of the values would be a model that was never trained."""
    network = new_network()
    adapter = network.adapter()
    del adapter["bias"]
    with pytest.raises(ValueError, match="another network"):
        network.load_adapter(adapter)
