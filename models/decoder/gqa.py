"""com.microsoft GroupQueryAttention with its cache as input and output: what onnxruntime-genai's builder writes."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from . import reference
from . import weights as weights_module
from .past import PAST, PRESENT
from .writer import BuilderWriter, ids, model, pairs, value

MICROSOFT = "com.microsoft"
MASK = "attn_mask_reformat/attn_mask_subgraph"


def build(config, weights):
    """Returns (model, initializers) with input_ids, attention_mask and the past of each layer."""
    weights_module.check(weights, weights_module.shapes(config))
    decoder = _Decoder(config, weights)
    decoder.run()
    cache = lambda length: ["batch_size", config.key_heads, length, config.head_size]
    inputs = [
        ids("input_ids", "batch_size", "sequence_length"),
        ids("attention_mask", "batch_size", "total_sequence_length"),
        *pairs(config, PAST, cache("past_sequence_length")),
    ]
    logits = value("logits", ["batch_size", "sequence_length", config.vocabulary])
    outputs = [logits, *pairs(config, PRESENT, cache("total_sequence_length"))]
    return model(decoder.writer, inputs, outputs, {"": 22, MICROSOFT: 1}, 10, "onnxruntime-genai")


class _Decoder:
    def __init__(self, config, weights):
        self.config = config
        self.weights = weights
        self.writer = BuilderWriter()

    def run(self):
        writer, config = self.writer, self.config
        with writer.scope("model"):
            with writer.scope(MASK):
                self.keys_before, self.total = self._lengths()
            self.tables = self._tables()
            with writer.scope("embed_tokens"):
                hidden = self._embeddings()
            residual = None  # the sum of the layers so far; the first norm has none
            for layer in range(config.layers):
                with writer.scope(f"layers.{layer}"):
                    hidden, residual = self._layer(hidden, residual, layer)
            with writer.scope(f"layers.{config.layers}"):
                name = f"model.layers.{config.layers}.final_norm_layernorm"
                hidden, _ = self._norm(hidden, residual, name, "model.norm.weight", last=True)
        with writer.scope("lm_head"):
            self._head(hidden)

    def _lengths(self):
        """(keys of each row - 1, keys of the longest row), i32, both from the mask."""
        writer = self.writer
        counted = writer.node("ReduceSum", "attention_mask", writer.i64([1]), keepdims=0)
        before = writer.node("Cast", writer.node("Sub", counted, writer.i64([1])), to=TensorProto.INT32)
        total = writer.node("Gather", writer.node("Shape", "attention_mask"), writer.i64(1), axis=0)
        self.total_scalar = total
        return before, writer.node("Cast", total, to=TensorProto.INT32)

    def _tables(self):
        """The names of the tables of cosine and sine."""
        writer, config = self.writer, self.config
        if not config.long_factors:
            found = zip(("cos_cache", "sin_cache"), reference.tables(config))
            return [writer.weight(name, table.astype(np.float32)) for name, table in found]
        with writer.scope("rotemb_caches_subgraph"):
            limit = writer.i64(config.original_positions)
            longer = writer.node("Greater", self.total_scalar, limit)
            branches = {
                "then_branch": self._branch("large", reference.tables(config, long=True)),
                "else_branch": self._branch("small", reference.tables(config, positions=config.original_positions)),
            }
            return writer.many("If", [longer], ["cos_cache", "sin_cache"], **branches)

    def _branch(self, size, tables):
        """A side of the If: two constant tables."""
        nodes, outputs = [], []
        for role, table in zip(("cos", "sin"), tables):
            name = f"{role}_cache_{size}"
            constant = numpy_helper.from_array(table.astype(np.float32), name)
            node = f"/{size}/{role}_cache/Constant"
            nodes.append(helper.make_node("Constant", [], [name], name=node, value=constant))
            outputs.append(value(name, table.shape))
        return helper.make_graph(nodes, f"{size}_rotemb_caches_graph", [], outputs)

    def _embeddings(self):
        writer, name = self.writer, "model.embed_tokens.weight"
        rows = writer.node("Gather", writer.weight(name, self.weights[name]), "input_ids")
        if self.weights[name].dtype == weights_module.BF16:
            rows = writer.node("Cast", rows, to=TensorProto.FLOAT)
        if self.config.embedding_scale != 1:
            rows = writer.node("Mul", rows, writer.f32(self.config.embedding_scale))
        return rows

    def _head(self, hidden):
        writer, limit = self.writer, self.config.logit_cap
        if self.config.tied:
            name = "model.embed_tokens.weight"
            matrix = writer.node("Transpose", name, perm=[1, 0])
            if self.weights[name].dtype == weights_module.BF16:
                matrix = writer.node("Cast", matrix, to=TensorProto.FLOAT)
        else:
            matrix = writer.parameter("lm_head.MatMul.weight", self.weights["lm_head.weight"].T)
        logits = writer.node("MatMul", hidden, matrix, output=None if limit else "logits")
        if limit:
            with writer.scope("softcap"):
                found = writer.node("Tanh", writer.node("Div", logits, writer.f32(limit)))
                writer.node("Mul", found, writer.f32(limit), output="logits")

    def _scale(self, name):
        """Of a norm, with what is added to it."""
        scale = self.weights[name]
        if self.config.norm_offset:
            scale = weights_module.array(scale).astype(np.float32) + np.float32(self.config.norm_offset)
        return scale

    def _norm(self, hidden, residual, name, weight=None, last=False):
        """(norm of hidden + residual, hidden + residual)."""
        writer, epsilon = self.writer, self.config.epsilon
        scale = writer.parameter(f"{name}.weight", self._scale(weight or f"{name}.weight"))
        with writer.scope(name.rsplit(".", 1)[-1]):
            if residual is None:
                attributes = dict(axis=-1, epsilon=epsilon, stash_type=1)
                return writer.node("SimplifiedLayerNormalization", hidden, scale, **attributes), hidden
            base = writer._unique("SkipLayerNorm")
            outputs = [f"{base}/output_0"] if last else [f"{base}/output_0", "", "", f"{base}/output_3"]
            node = helper.make_node(
                "SkipSimplifiedLayerNormalization", [residual, hidden, scale], outputs, name=base, domain=MICROSOFT,
                epsilon=epsilon,
            )  # fmt: skip
            writer.nodes.append(node)
            return outputs[0], outputs[-1]

    def _matmul(self, tensor, name, matrix):
        with self.writer.scope(name.rsplit(".", 1)[-1]):
            return self.writer.node("MatMul", tensor, self.writer.parameter(f"{name}.MatMul.weight", matrix))

    def _layer(self, hidden, residual, layer):
        config, name = self.config, f"model.layers.{layer}"
        normal, residual = self._norm(hidden, residual, f"{name}.input_layernorm")
        with self.writer.scope("attn"):
            attended = self._attention(normal, layer, f"{name}.self_attn", f"{name}.attn")
        if config.post_norms:
            attended, _ = self._norm(attended, None, f"{name}.post_attention_layernorm")
        before = "pre_feedforward_layernorm" if config.post_norms else "post_attention_layernorm"
        normal, residual = self._norm(attended, residual, f"{name}.{before}")
        with self.writer.scope("mlp"):
            gated = self._mlp(normal, f"{name}.mlp")
        if config.post_norms:
            gated, _ = self._norm(gated, None, f"{name}.post_feedforward_layernorm")
        return gated, residual

    def _mlp(self, tensor, name):
        writer = self.writer
        if self.config.packed:  # the builder takes the two apart
            joined = weights_module.array(self.weights[f"{name}.gate_up_proj.weight"]).T
            matrices = np.split(joined, 2, axis=1)
        else:
            matrices = [self.weights[f"{name}.{role}_proj.weight"].T for role in ("gate", "up")]
        gate, up = (
            self._matmul(tensor, f"{name}.{role}_proj", matrix) for role, matrix in zip(("gate", "up"), matrices)
        )
        with writer.scope("act_fn"):
            if self.config.gelu:
                gate = writer.node("FastGelu", gate, domain=MICROSOFT)
            else:
                gate = writer.node("Mul", gate, writer.node("Sigmoid", gate))
        down = self.weights[f"{name}.down_proj.weight"].T
        return self._matmul(writer.node("Mul", gate, up), f"{name}.down_proj", down)

    def _projected(self, tensor, source, name):
        """Query, key and value in one tensor, by one product."""
        writer, config = self.writer, self.config
        names = [f"{source}.{part}" for part in weights_module.projections(config)]
        matrices = [self.weights[f"{part}.weight"].T for part in names]
        matrix = matrices[0] if config.packed else weights_module.Joined(matrices)
        joined = self._matmul(tensor, f"{name}.qkv_proj", matrix)
        if not config.bias:
            return joined
        bias = np.concatenate([weights_module.array(self.weights[f"{part}.bias"]) for part in names])
        with writer.scope("qkv_proj"):
            return writer.node("Add", joined, writer.parameter(f"{name}.qkv_proj.Add.bias", bias))

    def _normed_heads(self, joined, source, name):
        """Query, key and value apart, the heads of query and key through their norms."""
        writer, config = self.writer, self.config
        sizes = [config.heads * config.head_size] + [config.key_heads * config.head_size] * 2
        with writer.scope("qkv_proj"):
            parts = writer.many("Split", [joined, writer.i64(sizes)], 3, axis=-1)
        for index, role in enumerate("qk"):
            with writer.scope(f"{role}_norm"):
                scale = writer.parameter(f"{name}.{role}_norm.layernorm.weight", self._scale(f"{source}.{role}_norm.weight"))
                heads = writer.node("Reshape", parts[index], writer.i64([0, -1, config.head_size]))
                attributes = dict(axis=-1, epsilon=config.epsilon, stash_type=1)
                heads = writer.node("SimplifiedLayerNormalization", heads, scale, **attributes)
                parts[index] = writer.node("Reshape", heads, writer.i64([0, -1, sizes[index]]))
        return parts

    def _attention(self, tensor, layer, source, name):
        writer, config = self.writer, self.config
        joined = self._projected(tensor, source, name)
        heads = self._normed_heads(joined, source, name) if config.head_norms else [joined, "", ""]
        past = [PAST.format(layer=layer, role=role) for role in ("key", "value")]
        present = [PRESENT.format(layer=layer, role=role) for role in ("key", "value")]
        base = writer._unique("GroupQueryAttention")
        inputs = [*heads, *past, self.keys_before, self.total, *self.tables, "", "", ""]
        attributes = dict(
            num_heads=config.heads, kv_num_heads=config.key_heads, scale=config.scale, softcap=config.score_cap,
            local_window_size=config.window_of(layer) or -1, do_rotary=1, rotary_interleaved=int(config.adjacent),
        )  # fmt: skip
        writer.nodes.append(
            helper.make_node("GroupQueryAttention", inputs, [f"{base}/output_0", *present], base, domain=MICROSOFT, **attributes)
        )
        matrix = self.weights[f"{source}.o_proj.weight"].T
        return self._matmul(f"{base}/output_0", f"{name}.o_proj", matrix)
