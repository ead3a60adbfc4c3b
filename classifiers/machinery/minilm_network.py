"""A BERT encoder with a linear layer over the mean of its token vectors. Importing it loads torch."""

from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file
from transformers import BertConfig, BertModel

DROPOUT = 0.1


@dataclass(frozen=True)
class Output:
    """The part of a transformers classifier's output that is used here."""

    logits: torch.Tensor


class MeanPooled(torch.nn.Module):
    """Answers like a sequence classifier of transformers."""

    def __init__(self, config: BertConfig, n_labels: int) -> None:
        super().__init__()
        self.config = config
        self.encoder = BertModel(config, add_pooling_layer=False)
        self.dropout = torch.nn.Dropout(DROPOUT)
        self.head = torch.nn.Linear(config.hidden_size, n_labels)

    @classmethod
    def from_encoder(cls, folder: Path, n_labels: int) -> "MeanPooled":
        """Return the encoder of a folder with a new linear layer."""
        model = cls(BertConfig.from_pretrained(str(folder)), n_labels)
        weights = load_file(folder / "model.safetensors")
        missing = model.encoder.load_state_dict(weights, strict=False).missing_keys
        if missing:
            raise ValueError(f"{folder} lacks the weights {', '.join(missing)}")
        return model

    @classmethod
    def from_weights(cls, folder: Path, weights_path: Path) -> "MeanPooled":
        """Return a model as it was saved, in single precision."""
        weights = {name: own.float() for name, own in load_file(weights_path).items()}
        model = cls(BertConfig.from_pretrained(str(folder)), len(weights["head.bias"]))
        model.load_state_dict(weights)
        return model

    @property
    def device(self) -> torch.device:
        """Where the model is."""
        return self.head.weight.device

    def get_input_embeddings(self) -> torch.nn.Embedding:
        """Return the table of word embeddings."""
        return self.encoder.embeddings.word_embeddings

    def forward(
        self,
        attention_mask: torch.Tensor,
        input_ids: torch.Tensor | None = None,
        token_type_ids: torch.Tensor | None = None,
        inputs_embeds: torch.Tensor | None = None,
    ) -> Output:
        """Return one row of logits a text."""
        vectors = self.encoder(
            input_ids=input_ids,
            attention_mask=attention_mask,
            token_type_ids=token_type_ids,
            inputs_embeds=inputs_embeds,
        ).last_hidden_state
        mask = attention_mask[:, :, None].to(vectors.dtype)
        mean = (vectors * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1)
        # The mean is short; a new layer learns faster from values around 1.
        scaled = torch.nn.functional.layer_norm(mean, mean.shape[1:])
        return Output(self.head(self.dropout(scaled)))
