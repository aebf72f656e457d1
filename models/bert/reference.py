"""The same encoder in double precision with numpy: an oracle that shares no code with any runtime."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math

import numpy as np

from .config import Outputs

_erf = np.frompyfunc(math.erf, 1, 1)


def run(config, weights, input_ids, attention_mask, token_type_ids, outputs=Outputs()):
    """Name -> float64 array of every output of the model."""
    model = _Reference(config, {name: array.astype(np.float64) for name, array in weights.items()})
    hidden = model.hidden(np.asarray(input_ids), np.asarray(attention_mask), np.asarray(token_type_ids))
    results = {"last_hidden_state": hidden}
    if outputs.sentence:
        results["sentence_embedding"] = _sentence(hidden, np.asarray(attention_mask), outputs.normalize)
    if outputs.pooler:
        results["pooler_output"] = np.tanh(model.dense(hidden[:, 0], "pooler.dense"))
    return results


def _sentence(hidden, mask, normalize):
    mask = mask[..., None].astype(np.float64)
    mean = (hidden * mask).sum(1) / np.maximum(mask.sum(1), 1e-9)
    if not normalize:
        return mean
    return mean / np.maximum(np.sqrt((mean**2).sum(1, keepdims=True)), 1e-12)


class _Reference:
    def __init__(self, config, weights):
        self.config = config
        self.weights = weights

    def hidden(self, ids, mask, types):
        table = lambda kind: self.weights[f"embeddings.{kind}_embeddings.weight"]
        total = table("word")[ids] + table("token_type")[types] + table("position")[: ids.shape[1]]
        hidden = self.norm(total, "embeddings.LayerNorm")
        lowest = np.finfo(np.float32).min.astype(np.float64)
        bias = (1.0 - mask[:, None, None, :]) * lowest
        for layer in range(self.config.layers):
            hidden = self.layer(hidden, bias, f"encoder.layer.{layer}")
        return hidden

    def layer(self, hidden, bias, name):
        context = self.attention(hidden, bias, f"{name}.attention.self")
        projected = self.dense(context, f"{name}.attention.output.dense")
        attended = self.norm(projected + hidden, f"{name}.attention.output.LayerNorm")
        wide = self.gelu(self.dense(attended, f"{name}.intermediate.dense"))
        return self.norm(self.dense(wide, f"{name}.output.dense") + attended, f"{name}.output.LayerNorm")

    def attention(self, hidden, bias, name):
        batch, length, size = hidden.shape
        split = (batch, length, self.config.heads, self.config.head_size)
        query, key, value = (
            self.dense(hidden, f"{name}.{role}").reshape(split).transpose(0, 2, 1, 3) for role in ("query", "key", "value")
        )
        scores = query @ key.swapaxes(-1, -2) / math.sqrt(self.config.head_size) + bias
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        weights = scores / scores.sum(-1, keepdims=True)
        return (weights @ value).transpose(0, 2, 1, 3).reshape(batch, length, size)

    def dense(self, tensor, name):
        return tensor @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def norm(self, tensor, name):
        centred = tensor - tensor.mean(-1, keepdims=True)
        variance = (centred**2).mean(-1, keepdims=True)
        normal = centred / np.sqrt(variance + self.config.epsilon)
        return normal * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def gelu(self, tensor):
        if self.config.gelu == "erf":
            return 0.5 * tensor * (1.0 + _erf(tensor / math.sqrt(2.0)).astype(np.float64))
        return 0.5 * tensor * (1.0 + np.tanh(math.sqrt(2.0 / math.pi) * (tensor + 0.044715 * tensor**3)))
