"""The encoder as an ONNX graph: embeddings, layers, and what a sentence encoder or pooler adds."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math

import numpy as np
from onnx import TensorProto, helper

from . import spelling, weights as weights_module
from .config import Outputs
from .writer import Writer

OPSET = 17
INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def build(config, weights, outputs=Outputs(), decomposed_norm=False):
    """Returns (model, initializers); `save.save` joins the two into a file."""
    if config.layers < 1 or config.hidden % config.heads:
        raise ValueError(f"no such encoder: {config}")
    weights_module.check(weights, config, outputs.pooler)
    encoder = _Encoder(config, weights, decomposed_norm)
    encoder.run(outputs)
    writer = encoder.writer
    batch_seq = ["batch", "sequence"]
    results = [_value("last_hidden_state", TensorProto.FLOAT, [*batch_seq, config.hidden])]
    if outputs.sentence:
        results.append(_value("sentence_embedding", TensorProto.FLOAT, ["batch", config.hidden]))
    if outputs.pooler:
        results.append(_value("pooler_output", TensorProto.FLOAT, ["batch", config.hidden]))
    graph = helper.make_graph(
        writer.nodes, "main_graph", [_value(name, TensorProto.INT64, batch_seq) for name in INPUTS], results
    )
    # IR 8 is what opset 17 shipped with; older readers refuse newer ones.
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
    model.producer_name = "kiln-models"
    return model, writer.initializers


def _value(name, dtype, shape):
    return helper.make_tensor_value_info(name, dtype, shape)


class _Encoder:
    def __init__(self, config, weights, decomposed_norm):
        self.config = config
        self.weights = weights
        self.decomposed_norm = decomposed_norm
        self.writer = Writer()

    def run(self, outputs):
        hidden = self._embeddings()
        with self.writer.scope("encoder"):
            mask = spelling.extended_mask(self.writer, "attention_mask")
            for layer in range(self.config.layers):
                last = layer == self.config.layers - 1
                with self.writer.scope(f"layer.{layer}"):
                    hidden = self._layer(hidden, mask, f"encoder.layer.{layer}", "last_hidden_state" if last else None)
        if outputs.sentence:
            self._sentence(hidden, outputs.normalize)
        if outputs.pooler:
            self._pooler(hidden)

    def _norm(self, tensor, name, output=None):
        with self.writer.scope("LayerNorm"):
            return spelling.layer_norm(
                self.writer, tensor, self.weights, name, self.config.epsilon, self.decomposed_norm, output
            )

    def _dense(self, tensor, name):
        with self.writer.scope("dense"):
            return spelling.dense(self.writer, tensor, self.weights, name)

    def _embeddings(self):
        writer = self.writer
        with writer.scope("embeddings"):
            positions = writer.weight("embeddings.position_ids", np.arange(self.config.positions, dtype=np.int64)[None])
            length = spelling.dim(writer, "input_ids", 1)
            positions = writer.node("Slice", positions, writer.i64([0]), length, writer.i64([1]), writer.i64([1]))
            words = writer.node("Gather", self._table("word_embeddings"), "input_ids")
            types = writer.node("Gather", self._table("token_type_embeddings"), "token_type_ids")
            places = writer.node("Gather", self._table("position_embeddings"), positions)
            total = writer.node("Add", writer.node("Add", words, types), places)
            return self._norm(total, "embeddings.LayerNorm")

    def _table(self, kind):
        name = f"embeddings.{kind}.weight"
        return self.writer.weight(name, self.weights[name])

    def _layer(self, hidden, mask, name, output):
        writer = self.writer
        with writer.scope("attention"):
            with writer.scope("self"):
                context = self._attention(hidden, mask, f"{name}.attention.self")
            with writer.scope("output"):
                projected = self._dense(context, f"{name}.attention.output.dense")
                attended = self._norm(
                    writer.node("Add", projected, hidden), f"{name}.attention.output.LayerNorm"
                )
        with writer.scope("intermediate"):
            wide = self._dense(attended, f"{name}.intermediate.dense")
            with writer.scope("intermediate_act_fn"):
                wide = spelling.gelu(writer, wide, self.config.gelu)
        with writer.scope("output"):
            narrow = self._dense(wide, f"{name}.output.dense")
            return self._norm(writer.node("Add", narrow, attended), f"{name}.output.LayerNorm", output)

    def _attention(self, hidden, mask, name):
        writer = self.writer
        query = self._heads(hidden, f"{name}.query", [0, 2, 1, 3])
        # The exporter merges the key's two transposes into one.
        key = self._heads(hidden, f"{name}.key", [0, 2, 3, 1])
        value = self._heads(hidden, f"{name}.value", [0, 2, 1, 3])
        scores = writer.node("MatMul", query, key)
        scores = writer.node("Div", scores, writer.f32(math.sqrt(self.config.head_size)))
        weights = writer.node("Softmax", writer.node("Add", scores, mask), axis=-1)
        context = writer.node("Transpose", writer.node("MatMul", weights, value), perm=[0, 2, 1, 3])
        return spelling.reshape(writer, context, context, [self.config.hidden])

    def _heads(self, hidden, name, perm):
        with self.writer.scope(name.rsplit(".", 1)[-1]):
            flat = spelling.dense(self.writer, hidden, self.weights, name)
        split = spelling.reshape(self.writer, flat, flat, [self.config.heads, self.config.head_size])
        return self.writer.node("Transpose", split, perm=perm)

    def _sentence(self, hidden, normalize):
        writer = self.writer
        with writer.scope("pooling"):
            mask = writer.node("Unsqueeze", "attention_mask", writer.i64([-1]))
            mask = writer.node("Cast", writer.node("Expand", mask, writer.node("Shape", hidden)), to=1)
            total = writer.node("ReduceSum", writer.node("Mul", hidden, mask), writer.i64([1]), keepdims=0)
            count = writer.node("ReduceSum", mask, writer.i64([1]), keepdims=0)
            count = writer.node("Clip", count, writer.f32(1e-9))
            mean = writer.node("Div", total, count, output=None if normalize else "sentence_embedding")
        if normalize:
            with writer.scope("normalize"):
                norm = writer.node("ReduceL2", mean, axes=[1], keepdims=1)
                norm = writer.node("Clip", norm, writer.f32(1e-12))
                norm = writer.node("Expand", norm, writer.node("Shape", mean))
                writer.node("Div", mean, norm, output="sentence_embedding")

    def _pooler(self, hidden):
        writer = self.writer
        with writer.scope("pooler"):
            first = writer.node("Gather", hidden, writer.i64(0), axis=1)
            names = [writer.weight(n, self.weights[n]) for n in ("pooler.dense.weight", "pooler.dense.bias")]
            with writer.scope("dense"):
                mixed = writer.node("Gemm", first, *names, alpha=1.0, beta=1.0, transB=1)
            writer.node("Tanh", mixed, output="pooler_output")
