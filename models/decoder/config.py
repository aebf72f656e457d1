"""The shape of a decoder, by name or read from a checkpoint's config.json."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses
import json
import math
import pathlib

from . import rope


@dataclasses.dataclass(frozen=True)
class Config:
    """A pre-norm decoder with rotary embedding and a gated MLP. The fields after `theta` set families apart."""

    hidden: int
    layers: int
    heads: int
    key_heads: int
    head_size: int
    wide: int
    vocabulary: int
    positions: int = 2048
    epsilon: float = 1e-5
    theta: float = 10000.0
    tied: bool = False  # the head is the table of embeddings
    bias: bool = False  # of the projections to query, key and value (Qwen 2)
    head_norms: bool = False  # RMS norms of each head of query and key before the rotation (Qwen 3)
    packed: bool = False  # one weight for query, key and value, one for gate and up (Phi 3)
    rotary: int = 0  # leading elements of a head that are rotated; 0: all of them
    adjacent: bool = False  # pairs of adjacent elements are rotated (GPT-J, Cohere), not elements of both halves
    scaling: str = ""  # of the frequencies, for longer contexts (rope.SCALINGS), by this factor:
    scaling_factor: float = 1.0
    short_factors: tuple = ()  # divisors of the frequencies up to `original_positions` (LongRoPE, Phi 3) ...
    long_factors: tuple = ()  # ... and beyond
    original_positions: int = 0  # of the context before it was made longer
    gelu: bool = False  # tanh GELU in place of SiLU (Gemma)
    norm_offset: float = 0.0  # added to the scale of every norm (Gemma: 1)
    post_norms: bool = False  # norms behind attention and MLP too (Gemma 2)
    embedding_scale: float = 1.0  # (Gemma: sqrt(hidden))
    score_scale: float = 0.0  # of query times key; 0: 1 / sqrt(head_size)
    score_cap: float = 0.0  # cap * tanh(scores / cap)
    logit_cap: float = 0.0
    window: int = 0  # keys that a query of layers 0, 2, 4 ... sees; 0: all
    sinks: bool = False  # one more score for each head, without a value (gpt-oss)
    slopes: bool = False  # scores less slope * distance, slopes 2^(-8 (h + 1) / heads) (ALiBi)

    def __post_init__(self):
        is_odd = self.head_size % 2 or self.rotary % 2
        if self.layers < 1 or self.heads % self.key_heads or is_odd or self.scaling not in rope.SCALINGS:
            raise ValueError(f"no such decoder: {self}")

    @property
    def rotated(self):
        return self.rotary or self.head_size

    @property
    def scale(self):
        return self.score_scale or 1 / math.sqrt(self.head_size)

    @property
    def head_slopes(self):
        """Per head, and 0 without slopes."""
        return [2 ** (-8 * (head + 1) / self.heads) if self.slopes else 0.0 for head in range(self.heads)]

    def window_of(self, layer):
        return self.window if layer % 2 == 0 else 0


# The shape of the benchmarks, that of Llama 3 70B, and that of TinyLlama.
LLAMA_110M = Config(hidden=768, layers=12, heads=12, key_heads=4, head_size=64, wide=2048, vocabulary=32000)
LLAMA_70B = Config(
    hidden=8192, layers=80, heads=64, key_heads=8, head_size=128, wide=28672, vocabulary=128256, positions=8192, theta=5e5
)
LLAMA_1B = Config(hidden=2048, layers=22, heads=32, key_heads=4, head_size=64, wide=5632, vocabulary=32000)

_SMALL = Config(hidden=48, layers=2, heads=4, key_heads=2, head_size=16, wide=80, vocabulary=90, positions=64)
FAMILIES = {
    "llama": _SMALL,
    "qwen2": dataclasses.replace(_SMALL, bias=True, tied=True, theta=1e6, epsilon=1e-6),
    "qwen3": dataclasses.replace(_SMALL, head_norms=True, head_size=32, theta=1e6, epsilon=1e-6),
    "phi3": dataclasses.replace(
        _SMALL, packed=True, key_heads=4, head_size=32, rotary=16, original_positions=12,
        short_factors=(1.0, 1.0, 1.05, 1.1, 1.2, 1.3, 1.5, 1.9), long_factors=(1.0, 1.2, 1.5, 2.0, 2.8, 3.6, 4.5, 5.3),
    ),
    "gemma2": dataclasses.replace(
        _SMALL, tied=True, gelu=True, norm_offset=1.0, post_norms=True, embedding_scale=math.sqrt(48), score_scale=0.2,
        score_cap=50.0, logit_cap=30.0, window=6, epsilon=1e-6,
    ),
}


@dataclasses.dataclass(frozen=True)
class Gpt2Config:
    hidden: int = 768
    layers: int = 12
    heads: int = 12
    vocabulary: int = 50257
    positions: int = 1024
    epsilon: float = 1e-5

    @property
    def head_size(self):
        return self.hidden // self.heads


GPT2_SMALL = Gpt2Config(hidden=48, layers=2, heads=3, vocabulary=90, positions=64)


class Unsupported(ValueError):
    """A checkpoint that is not spelled as a Llama."""


def read_config(folder):
    """The Config of a checkpoint folder of model_type llama; refuses what the builder would get wrong."""
    path = pathlib.Path(folder) / "config.json"
    raw = json.loads(path.read_text())
    expected = {"model_type": "llama", "hidden_act": "silu", "attention_bias": False, "mlp_bias": False}
    for key, value in expected.items():
        if raw.get(key, value) != value:
            raise Unsupported(f"{path}: {key} is {raw[key]!r}; expected {value!r}")
    if raw.get("rope_scaling"):
        raise Unsupported(f"{path}: rope_scaling is not supported")
    return Config(
        hidden=raw["hidden_size"],
        layers=raw["num_hidden_layers"],
        heads=raw["num_attention_heads"],
        key_heads=raw["num_key_value_heads"],
        head_size=raw.get("head_dim", raw["hidden_size"] // raw["num_attention_heads"]),
        wide=raw["intermediate_size"],
        vocabulary=raw["vocab_size"],
        positions=raw["max_position_embeddings"],
        epsilon=raw["rms_norm_eps"],
        theta=raw.get("rope_theta", 10000.0),
        tied=raw.get("tie_word_embeddings", False),
    )
