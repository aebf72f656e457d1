"""The same decoders in double precision with numpy: an oracle that shares no code with any runtime."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math

import numpy as np

from . import rope
from . import weights as weights_module


class Decoder:
    """One batch of sequences of equal length. `run` appends to what they hold and returns the logits of the new ids."""

    def __init__(self, config, weights):
        self.config = config
        self.weights = weights_module.wide(weights)
        self.cache = {}  # layer -> (keys, values), [rows, key heads, length, head size]
        self.length = 0

    def run(self, ids):
        ids, config = np.asarray(ids), self.config
        self.positions = np.arange(self.length, self.length + ids.shape[1])
        self.length += ids.shape[1]
        hidden = self.weights["model.embed_tokens.weight"][ids] * config.embedding_scale
        for layer in range(config.layers):
            hidden = self._layer(hidden, layer, f"model.layers.{layer}.")
        head = "model.embed_tokens.weight" if config.tied else "lm_head.weight"
        logits = self._norm(hidden, "model.norm.weight") @ self.weights[head].T
        return cap(logits, config.logit_cap)

    def _layer(self, hidden, layer, prefix):
        norm = lambda tensor, name: self._norm(tensor, f"{prefix}{name}.weight")
        attended = self._attention(norm(hidden, "input_layernorm"), layer, f"{prefix}self_attn.")
        if self.config.post_norms:
            hidden = hidden + norm(attended, "post_attention_layernorm")
            gated = self._mlp(norm(hidden, "pre_feedforward_layernorm"), f"{prefix}mlp.")
            return hidden + norm(gated, "post_feedforward_layernorm")
        hidden = hidden + attended
        return hidden + self._mlp(norm(hidden, "post_attention_layernorm"), f"{prefix}mlp.")

    def _norm(self, tensor, name):
        size = np.sqrt((tensor**2).mean(-1, keepdims=True) + self.config.epsilon)
        return tensor / size * (self.weights[name] + self.config.norm_offset)

    def _linear(self, tensor, name):
        return tensor @ self.weights[f"{name}.weight"].T + self.weights.get(f"{name}.bias", 0.0)

    def _mlp(self, tensor, prefix):
        if self.config.packed:
            gate, up = np.split(self._linear(tensor, f"{prefix}gate_up_proj"), 2, -1)
        else:
            gate, up = (self._linear(tensor, f"{prefix}{name}") for name in ("gate_proj", "up_proj"))
        gate = gelu(gate) if self.config.gelu else gate / (1 + np.exp(-gate))
        return self._linear(gate * up, f"{prefix}down_proj")

    def _projected(self, tensor, prefix):
        """Query, key and value, [rows, heads, length, head size], before norms and rotation."""
        config = self.config
        if config.packed:
            queries, keys = config.heads * config.head_size, config.key_heads * config.head_size
            found = np.split(self._linear(tensor, f"{prefix}qkv_proj"), [queries, queries + keys], -1)
        else:
            found = [self._linear(tensor, f"{prefix}{role}_proj") for role in "qkv"]
        return (flat.reshape(*flat.shape[:2], -1, config.head_size).transpose(0, 2, 1, 3) for flat in found)

    def _attention(self, tensor, layer, prefix):
        config = self.config
        query, key, value = self._projected(tensor, prefix)
        if config.head_norms:
            query, key = self._norm(query, f"{prefix}q_norm.weight"), self._norm(key, f"{prefix}k_norm.weight")
        query, key = self._rotate(query), self._rotate(key)
        if layer in self.cache:
            key, value = (np.concatenate(pair, 2) for pair in zip(self.cache[layer], (key, value)))
        self.cache[layer] = key, value
        key, value = (np.repeat(tensor, config.heads // config.key_heads, 1) for tensor in (key, value))
        distance = self.positions[:, None] - np.arange(self.length)
        visible = distance >= 0
        if config.window_of(layer):
            visible &= distance < config.window_of(layer)
        scores = cap(query @ key.swapaxes(-1, -2) * config.scale, config.score_cap)
        scores = np.where(visible, scores - np.array(config.head_slopes)[:, None, None] * distance, -np.inf)
        if config.sinks:
            sinks = np.broadcast_to(self.weights[f"{prefix}sinks"][:, None, None], (*scores.shape[:3], 1))
            scores = np.concatenate([scores, sinks], -1)
        context = softmax(scores)[..., : self.length] @ value
        flat = context.transpose(0, 2, 1, 3).reshape(*tensor.shape[:2], -1)
        return self._linear(flat, f"{prefix}o_proj")

    def _rotate(self, tensor):
        cosine, sine = (table[self.positions] for table in tables(self.config, self.length > self.config.original_positions))
        rotated, rest = np.split(tensor, [self.config.rotated], -1)
        adjacent = self.config.adjacent
        low, high = (rotated[..., ::2], rotated[..., 1::2]) if adjacent else np.split(rotated, 2, -1)
        found = [low * cosine - high * sine, high * cosine + low * sine]
        found = np.stack(found, -1).reshape(rotated.shape) if adjacent else np.concatenate(found, -1)
        return np.concatenate([found, rest], -1)


def tables(config, long=False, positions=None):
    """Cosine and sine, [positions, rotated / 2], in double precision."""
    angles = np.arange(positions or config.positions)[:, None] * rope.frequencies(config, long)
    return np.cos(angles) * rope.factor(config), np.sin(angles) * rope.factor(config)


def cap(tensor, limit):
    return limit * np.tanh(tensor / limit) if limit else tensor


def softmax(scores):
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    return scores / scores.sum(-1, keepdims=True)


def gelu(tensor):
    return 0.5 * tensor * (1.0 + np.tanh(math.sqrt(2.0 / math.pi) * (tensor + 0.044715 * tensor**3)))


class Gpt2:
    """GPT-2, with the interface of Decoder."""

    def __init__(self, config, weights):
        self.config = config
        self.weights = weights_module.wide(weights)
        self.cache = {}
        self.length = 0

    def run(self, ids):
        ids = np.asarray(ids)
        self.positions = np.arange(self.length, self.length + ids.shape[1])
        self.length += ids.shape[1]
        hidden = self.weights["transformer.wte.weight"][ids] + self.weights["transformer.wpe.weight"][self.positions]
        for layer in range(self.config.layers):
            prefix = f"transformer.h.{layer}."
            hidden = hidden + self._attention(self._norm(hidden, f"{prefix}ln_1"), layer, f"{prefix}attn.")
            wide = gelu(self._linear(self._norm(hidden, f"{prefix}ln_2"), f"{prefix}mlp.c_fc"))
            hidden = hidden + self._linear(wide, f"{prefix}mlp.c_proj")
        return self._norm(hidden, "transformer.ln_f") @ self.weights["transformer.wte.weight"].T

    def _norm(self, tensor, name):
        centred = tensor - tensor.mean(-1, keepdims=True)
        normal = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + self.config.epsilon)
        return normal * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def _linear(self, tensor, name):
        return tensor @ self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def _attention(self, tensor, layer, prefix):
        split = lambda flat: flat.reshape(*flat.shape[:2], self.config.heads, -1).transpose(0, 2, 1, 3)
        query, key, value = (split(flat) for flat in np.split(self._linear(tensor, f"{prefix}c_attn"), 3, -1))
        if layer in self.cache:
            key, value = (np.concatenate(pair, 2) for pair in zip(self.cache[layer], (key, value)))
        self.cache[layer] = key, value
        scores = query @ key.swapaxes(-1, -2) / math.sqrt(self.config.head_size)
        visible = self.positions[:, None] >= np.arange(self.length)
        context = softmax(np.where(visible, scores, -np.inf)) @ value
        return self._linear(context.transpose(0, 2, 1, 3).reshape(tensor.shape), f"{prefix}c_proj")
