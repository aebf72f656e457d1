"""GPT-2 with separate keys and values as past and present, as torch.onnx.export and optimum write it."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np

from . import torch_style as torch
from . import weights as weights_module
from .past import PAST, PRESENT
from .writer import Writer, ids, model, value


def build(config, weights):
    """Returns (model, initializers) with input_ids, attention_mask, position_ids and the past of each layer."""
    weights_module.check(weights, weights_module.gpt2_shapes(config))
    decoder = _Decoder(config, weights)
    decoder.run()
    total = "past_sequence_length + sequence_length"
    cache = lambda names, length: [
        value(names.format(layer=layer, role=role), ["batch_size", config.heads, length, config.head_size])
        for layer in range(config.layers)
        for role in ("key", "value")
    ]
    inputs = [
        ids("input_ids", "batch_size", "sequence_length"),
        *cache(PAST, "past_sequence_length"),
        ids("attention_mask", "batch_size", total),
        ids("position_ids", "batch_size", "sequence_length"),
    ]
    logits = value("logits", ["batch_size", "sequence_length", config.vocabulary])
    return model(decoder.writer, inputs, [logits, *cache(PRESENT, total)], {"": torch.OPSET}, 8, "pytorch")


class _Decoder:
    def __init__(self, config, weights):
        self.config = config
        self.weights = weights
        self.writer = Writer()

    def run(self):
        writer = self.writer
        with writer.scope("transformer"):
            words, places = (self._table(name) for name in ("wte", "wpe"))
            hidden = writer.node("Add", writer.node("Gather", words, "input_ids"), writer.node("Gather", places, "position_ids"))
            total, positions = torch.lengths(writer, "past_key_values.0.key")
            visible = torch.visible_keys(writer, total, positions, 0)
            for layer in range(self.config.layers):
                with writer.scope(f"h.{layer}"):
                    hidden = self._layer(hidden, layer, visible, f"transformer.h.{layer}")
            hidden = self._norm(hidden, "transformer.ln_f")
        with writer.scope("lm_head"):
            writer.node("MatMul", hidden, writer.node("Transpose", words, perm=[1, 0]), output="logits")

    def _table(self, name):
        name = f"transformer.{name}.weight"
        return self.writer.parameter(name, self.weights[name])

    def _pair(self, name):
        return [self.writer.parameter(f"{name}.{part}", self.weights[f"{name}.{part}"]) for part in ("weight", "bias")]

    def _norm(self, tensor, name):
        with self.writer.scope(name.rsplit(".", 1)[-1]):
            return self.writer.node("LayerNormalization", tensor, *self._pair(name), axis=-1, epsilon=self.config.epsilon)

    def _conv1d(self, tensor, name):
        """transformers' Conv1D: a Gemm over all rows of the batch."""
        writer, rows = self.writer, self.weights[f"{name}.weight"].shape
        with writer.scope(name.rsplit(".", 1)[-1]):
            batch, length = (torch.scalar_dim(writer, tensor, axis) for axis in (0, 1))
            flat = writer.node("Reshape", tensor, writer.i64([-1, rows[0]]), allowzero=0)
            found = writer.node("Gemm", flat, *self._pair(name), alpha=1.0, beta=1.0)
            return torch.reshape(writer, found, [batch, length, rows[1]])

    def _layer(self, hidden, layer, visible, name):
        writer = self.writer
        attended = self._norm(hidden, f"{name}.ln_1")
        with writer.scope("attn"):
            attended = self._attention(attended, layer, visible, f"{name}.attn")
        hidden = writer.node("Add", attended, hidden)
        wide = self._norm(hidden, f"{name}.ln_2")
        with writer.scope("mlp"):
            wide = self._conv1d(wide, f"{name}.mlp.c_fc")
            with writer.scope("act"):
                wide = torch.tanh_gelu(writer, wide)
            return writer.node("Add", hidden, self._conv1d(wide, f"{name}.mlp.c_proj"))

    def _attention(self, tensor, layer, visible, name):
        writer, config = self.writer, self.config
        batch, length = (torch.scalar_dim(writer, tensor, axis) for axis in (0, 1))
        joined = self._conv1d(tensor, f"{name}.c_attn")
        parts = writer.many("Split", [joined, writer.i64([config.hidden] * 3)], 3, axis=2)
        query, key, values = (
            writer.node("Transpose", torch.reshape(writer, part, [batch, length, -1, config.head_size]), perm=[0, 2, 1, 3])
            for part in parts
        )
        key, values = torch.append(writer, layer, "key", key), torch.append(writer, layer, "value", values)
        found = torch.attention(writer, query, key, values, visible, 1 / np.sqrt(config.head_size))
        found = writer.node("Transpose", found, perm=[0, 2, 1, 3])
        return self._conv1d(torch.reshape(writer, found, [batch, length, config.hidden]), f"{name}.c_proj")
