"""Caches of a fixed size written by TensorScatter, Attention told how many of their rows count: opset 24."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
from onnx import TensorProto

from . import reference
from . import weights as weights_module
from .writer import Writer, ids, model, pairs, value

OPSET = 24
CACHE = "{role}_cache.{layer}"
UPDATED = "updated_" + CACHE


def build(config, weights):
    """Returns (model, initializers) with input_ids, position_ids, the caches and where the new rows go.

    `write_indices` is the length of each row before the step, `nonpad_kv_seqlen` behind it.
    """
    if config.window or config.long_factors:
        raise ValueError("this spelling has neither windows nor tables by length; use past or gqa")
    weights_module.check(weights, weights_module.shapes(config))
    decoder = _Decoder(config, weights)
    decoder.run()
    cache = ["batch_size", "max_sequence_length", config.key_heads * config.head_size]
    inputs = [
        ids("input_ids", "batch_size", "sequence_length"),
        ids("position_ids", "batch_size", "sequence_length"),
        *pairs(config, CACHE, cache),
        ids("write_indices", "batch_size"),
        ids("nonpad_kv_seqlen", "batch_size"),
    ]
    logits = value("logits", ["batch_size", "sequence_length", config.vocabulary])
    return model(decoder.writer, inputs, [logits, *pairs(config, UPDATED, cache)], {"": OPSET}, 11, "kiln-models")


class _Decoder:
    def __init__(self, config, weights):
        self.config = config
        self.weights = weights
        self.writer = Writer()

    def run(self):
        writer, config = self.writer, self.config
        with writer.scope("model"):
            hidden = self._embeddings()
            names = zip(("cos_cache", "sin_cache"), reference.tables(config))
            self.tables = [writer.weight(name, table.astype(np.float32)) for name, table in names]
            for layer in range(config.layers):
                with writer.scope(f"layers.{layer}"):
                    hidden = self._layer(hidden, layer)
            hidden = self._norm(hidden, "model.norm")
        with writer.scope("lm_head"):
            self._head(hidden)

    def _widened(self, tensor):
        """A use of the table of embeddings as f32."""
        if self.weights["model.embed_tokens.weight"].dtype != weights_module.BF16:
            return tensor
        return self.writer.node("Cast", tensor, to=TensorProto.FLOAT)

    def _embeddings(self):
        writer, name = self.writer, "model.embed_tokens.weight"
        with writer.scope("embed_tokens"):
            rows = self._widened(writer.node("Gather", writer.weight(name, self.weights[name]), "input_ids"))
            scale = self.config.embedding_scale
            return rows if scale == 1 else writer.node("Mul", rows, writer.f32(scale))

    def _head(self, hidden):
        writer, limit = self.writer, self.config.logit_cap
        if self.config.tied:
            matrix = self._widened(writer.node("Transpose", "model.embed_tokens.weight", perm=[1, 0]))
        else:
            matrix = writer.parameter("lm_head.weight", self.weights["lm_head.weight"].T)
        logits = writer.node("MatMul", hidden, matrix, output=None if limit else "logits")
        if limit:
            found = writer.node("Tanh", writer.node("Div", logits, writer.f32(limit)))
            writer.node("Mul", found, writer.f32(limit), output="logits")

    def _norm(self, tensor, name):
        writer, offset = self.writer, self.config.norm_offset
        with writer.scope(name.rsplit(".", 1)[-1]):
            scale = writer.parameter(f"{name}.weight", self.weights[f"{name}.weight"])
            if offset:
                scale = writer.node("Add", scale, writer.f32(offset))
            return writer.node("RMSNormalization", tensor, scale, axis=-1, epsilon=self.config.epsilon, stash_type=1)

    def _linear(self, tensor, name):
        writer = self.writer
        with writer.scope(name.rsplit(".", 1)[-1]):
            found = writer.node("MatMul", tensor, writer.parameter(f"{name}.weight", self.weights[f"{name}.weight"].T))
            if f"{name}.bias" in self.weights:
                found = writer.node("Add", found, writer.parameter(f"{name}.bias", self.weights[f"{name}.bias"]))
            return found

    def _layer(self, hidden, layer):
        writer, config, name = self.writer, self.config, f"model.layers.{layer}"
        attended = self._norm(hidden, f"{name}.input_layernorm")
        with writer.scope("self_attn"):
            attended = self._attention(attended, layer, f"{name}.self_attn")
        if config.post_norms:
            attended = self._norm(attended, f"{name}.post_attention_layernorm")
        hidden = writer.node("Add", hidden, attended)
        before = "pre_feedforward_layernorm" if config.post_norms else "post_attention_layernorm"
        gated = self._norm(hidden, f"{name}.{before}")
        with writer.scope("mlp"):
            gated = self._mlp(gated, f"{name}.mlp")
        if config.post_norms:
            gated = self._norm(gated, f"{name}.post_feedforward_layernorm")
        return writer.node("Add", hidden, gated)

    def _mlp(self, tensor, name):
        writer = self.writer
        if self.config.packed:
            joined = self._linear(tensor, f"{name}.gate_up_proj")
            gate, up = writer.many("Split", [joined, writer.i64([self.config.wide] * 2)], 2, axis=-1)
        else:
            gate, up = (self._linear(tensor, f"{name}.{role}_proj") for role in ("gate", "up"))
        if self.config.gelu:
            gate = writer.node("Gelu", gate, approximate="tanh")
        else:
            gate = writer.node("Mul", gate, writer.node("Sigmoid", gate))
        return self._linear(writer.node("Mul", gate, up), f"{name}.down_proj")

    def _projected(self, tensor, name):
        """Query, key and value as [batch, sequence, heads * head size]."""
        writer, config = self.writer, self.config
        if config.packed:
            joined, keys = self._linear(tensor, f"{name}.qkv_proj"), config.key_heads * config.head_size
            parts = writer.i64([config.heads * config.head_size, keys, keys])
            found = writer.many("Split", [joined, parts], 3, axis=-1)
        else:
            found = [self._linear(tensor, f"{name}.{role}_proj") for role in "qkv"]
        if config.head_norms:
            found[:2] = (self._normed_heads(flat, f"{name}.{role}_norm") for role, flat in zip("qk", found))
        return found

    def _normed_heads(self, flat, name):
        writer = self.writer
        heads = self._norm(writer.node("Reshape", flat, writer.i64([0, 0, -1, self.config.head_size])), name)
        return writer.node("Reshape", heads, writer.i64([0, 0, -1]))

    def _attention(self, tensor, layer, name):
        writer, config = self.writer, self.config
        query, key, values = self._projected(tensor, name)
        query, key = self._rotate(query, config.heads), self._rotate(key, config.key_heads)
        caches = []
        for role, update in (("key", key), ("value", values)):
            past, present = CACHE.format(layer=layer, role=role), UPDATED.format(layer=layer, role=role)
            caches.append(writer.node("TensorScatter", past, update, "write_indices", output=present, axis=1))
        attributes = dict(is_causal=1, q_num_heads=config.heads, kv_num_heads=config.key_heads, scale=config.scale)
        if config.score_cap:
            attributes["softcap"] = config.score_cap
        found = writer.node("Attention", query, *caches, "", "", "", "nonpad_kv_seqlen", **attributes)
        return self._linear(found, f"{name}.o_proj")

    def _rotate(self, tensor, heads):
        form = {"rotary_embedding_dim": self.config.rotary} if self.config.rotary else {}
        form |= {"interleaved": 1} if self.config.adjacent else {}
        return self.writer.node("RotaryEmbedding", tensor, *self.tables, "position_ids", num_heads=heads, **form)
