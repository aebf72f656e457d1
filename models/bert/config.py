"""The shape of an encoder, read from a checkpoint's config.json or given by name."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses
import json
import pathlib

ACTIVATIONS = {"gelu": "erf", "gelu_new": "tanh", "gelu_pytorch_tanh": "tanh"}


@dataclasses.dataclass(frozen=True)
class Config:
    hidden: int
    layers: int
    heads: int
    intermediate: int
    vocabulary: int = 30522
    positions: int = 512
    token_types: int = 2
    epsilon: float = 1e-12
    gelu: str = "erf"

    @property
    def head_size(self):
        return self.hidden // self.heads


BERT_BASE = Config(hidden=768, layers=12, heads=12, intermediate=3072)
MINILM = Config(hidden=384, layers=6, heads=12, intermediate=1536)


@dataclasses.dataclass(frozen=True)
class Outputs:
    """What the model returns beside last_hidden_state."""

    sentence: bool = False  # mean pooling over the mask
    normalize: bool = False  # ... and L2 normalisation
    pooler: bool = False  # the first token through a dense layer and tanh


class Unsupported(ValueError):
    """A checkpoint that is not spelled as BERT."""


def read_config(folder):
    """The Config of a checkpoint folder; refuses what the builder would get wrong."""
    path = pathlib.Path(folder) / "config.json"
    raw = json.loads(path.read_text())
    kind = raw.get("model_type")
    if kind != "bert":
        raise Unsupported(f"{path}: model_type is {kind!r}; expected 'bert'")
    if raw.get("position_embedding_type", "absolute") != "absolute":
        raise Unsupported(f"{path}: only absolute position embeddings are supported")
    activation = raw.get("hidden_act", "gelu")
    if activation not in ACTIVATIONS:
        raise Unsupported(f"{path}: hidden_act is {activation!r}; expected one of {sorted(ACTIVATIONS)}")
    return Config(
        hidden=raw["hidden_size"],
        layers=raw["num_hidden_layers"],
        heads=raw["num_attention_heads"],
        intermediate=raw["intermediate_size"],
        vocabulary=raw["vocab_size"],
        positions=raw["max_position_embeddings"],
        token_types=raw.get("type_vocab_size", 2),
        epsilon=raw.get("layer_norm_eps", 1e-12),
        gelu=ACTIVATIONS[activation],
    )


def read_outputs(folder):
    """What a sentence encoder's modules.json asks for; nothing for a plain checkpoint."""
    folder = pathlib.Path(folder)
    modules = folder / "modules.json"
    if not modules.exists():
        return Outputs()
    kinds = {entry["type"].rsplit(".", 1)[-1]: entry["path"] for entry in json.loads(modules.read_text())}
    if "Pooling" not in kinds:
        return Outputs()
    pooling = json.loads((folder / kinds["Pooling"] / "config.json").read_text())
    modes = [name for name, value in pooling.items() if name.startswith("pooling_mode_") and value]
    if modes != ["pooling_mode_mean_tokens"]:
        raise Unsupported(f"{modules}: pooling is {modes}; expected mean over the tokens only")
    return Outputs(sentence=True, normalize="Normalize" in kinds)
