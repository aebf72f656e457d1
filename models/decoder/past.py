"""Past and present as separate keys and values, everything in parts: what torch.onnx.export and optimum write."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from . import rope
from . import torch_style as torch
from . import weights as weights_module
from .writer import Writer, ids, model, pairs, value

PAST = "past_key_values.{layer}.{role}"
PRESENT = "present.{layer}.{role}"


def build(config, weights):
    """Returns (model, initializers) with input_ids, attention_mask, position_ids and the past of each layer."""
    weights_module.check(weights, weights_module.shapes(config))
    decoder = _Decoder(config, weights)
    decoder.run()
    total = "past_sequence_length + sequence_length"
    cache = lambda length: ["batch_size", config.key_heads, length, config.head_size]
    inputs = [
        ids("input_ids", "batch_size", "sequence_length"),
        ids("attention_mask", "batch_size", total),
        ids("position_ids", "batch_size", "sequence_length"),
        *pairs(config, PAST, cache("past_sequence_length")),
    ]
    logits = value("logits", ["batch_size", "sequence_length", config.vocabulary])
    outputs = [logits, *pairs(config, PRESENT, cache(total))]
    return model(decoder.writer, inputs, outputs, {"": torch.OPSET}, 8, "pytorch")


class _Decoder:
    def __init__(self, config, weights):
        self.config = config
        self.weights = weights
        self.writer = Writer()

    def run(self):
        writer, config = self.writer, self.config
        with writer.scope("model"):
            with writer.scope("embed_tokens"):
                hidden = self._embeddings()
            total, positions = torch.lengths(writer, "past_key_values.0.key")
            # Models without a window get one mask for all layers.
            windows = {config.window_of(layer) for layer in range(config.layers)}
            visible = {window: torch.visible_keys(writer, total, positions, window) for window in sorted(windows)}
            self.bias = torch.alibi(writer, total, positions, config.head_slopes) if config.slopes else None
            with writer.scope("rotary_emb"):
                self.cosine, self.sine = self._rotary_tables()
            for layer in range(config.layers):
                with writer.scope(f"layers.{layer}"):
                    hidden = self._layer(hidden, layer, visible[config.window_of(layer)])
            hidden = self._norm(hidden, "model.norm")
        with writer.scope("lm_head"):
            self._head(hidden)

    def _parameter(self, name):
        return self.writer.parameter(name, self.weights[name])

    def _embeddings(self):
        writer, name = self.writer, "model.embed_tokens.weight"
        # The rows are widened, not the table.
        rows = writer.node("Gather", writer.weight(name, self.weights[name]), "input_ids")
        if self.weights[name].dtype == weights_module.BF16:
            rows = writer.node("Cast", rows, to=1)
        if self.config.embedding_scale != 1:
            rows = writer.node("Mul", rows, writer.f32(self.config.embedding_scale))
        return rows

    def _head(self, hidden):
        writer, limit, output = self.writer, self.config.logit_cap, "logits"
        if self.config.tied:
            name = "model.embed_tokens.weight"
            matrix = writer.node("Transpose", name, perm=[1, 0])
            if self.weights[name].dtype == weights_module.BF16:
                matrix = writer.node("Cast", matrix, to=1)
        else:
            matrix = writer.parameter("onnx::MatMul_lm_head.weight", self.weights["lm_head.weight"].T)
        logits = writer.node("MatMul", hidden, matrix, output=None if limit else output)
        if limit:
            torch.cap(writer, logits, limit, output)

    def _norm(self, tensor, name):
        writer = self.writer
        with writer.scope(name.rsplit(".", 1)[-1]):
            mean = writer.node("ReduceMean", writer.node("Pow", tensor, writer.f32(2.0)), axes=[-1], keepdims=1)
            size = writer.node("Sqrt", writer.node("Add", mean, writer.f32(self.config.epsilon)))
            normal = writer.node("Mul", tensor, writer.node("Div", writer.f32(1.0), size))
            scale = self._parameter(f"{name}.weight")
            if self.config.norm_offset:
                scale = writer.node("Add", scale, writer.f32(self.config.norm_offset))
            return writer.node("Mul", scale, normal)

    def _linear(self, tensor, name):
        writer = self.writer
        with writer.scope(name.rsplit(".", 1)[-1]):
            matrix = writer.parameter(f"onnx::MatMul_{name}.weight", self.weights[f"{name}.weight"].T)
            found = writer.node("MatMul", tensor, matrix)
            if f"{name}.bias" in self.weights:
                found = writer.node("Add", self._parameter(f"{name}.bias"), found)
            return found

    def _rotary_tables(self):
        """Cosine and sine of position times frequency, [batch, sequence, rotated], both elements of a pair alike."""
        writer, config = self.writer, self.config
        # A trace takes one side of transformers' branch on the length: that of short sequences.
        column = writer.f32(rope.frequencies(config)[None, :, None])
        batch = torch.scalar_dim(writer, "position_ids", 0)
        column = writer.node("Expand", column, torch.shape_of(writer, [batch, config.rotated // 2, 1]))
        row = writer.node("Cast", writer.node("Unsqueeze", "position_ids", writer.i64([1])), to=1)
        angles = writer.node("Transpose", writer.node("MatMul", column, row), perm=[0, 2, 1])
        angles = torch.stack_pairs(writer, angles, angles) if config.adjacent else writer.node("Concat", angles, angles, axis=-1)
        return [writer.node("Mul", writer.node(op, angles), writer.f32(rope.factor(config))) for op in ("Cos", "Sin")]

    def _layer(self, hidden, layer, visible):
        writer, config, name = self.writer, self.config, f"model.layers.{layer}"
        attended = self._norm(hidden, f"{name}.input_layernorm")
        with writer.scope("self_attn"):
            attended = self._attention(attended, layer, visible, f"{name}.self_attn")
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
        with writer.scope("act_fn"):
            if self.config.gelu:
                gate = torch.tanh_gelu(writer, gate)
            else:
                gate = writer.node("Mul", gate, writer.node("Sigmoid", gate))
        return self._linear(writer.node("Mul", gate, up), f"{name}.down_proj")

    def _projected(self, tensor, name, batch, length):
        """Query, key and value as [batch, heads, sequence, head size]."""
        writer, config = self.writer, self.config
        if config.packed:
            joined, keys = self._linear(tensor, f"{name}.qkv_proj"), config.key_heads * config.head_size
            parts = writer.i64([config.heads * config.head_size, keys, keys])
            found = writer.many("Split", [joined, parts], 3, axis=-1)
        else:
            found = [self._linear(tensor, f"{name}.{role}_proj") for role in "qkv"]
        heads = []
        for role, flat in zip("qkv", found):
            split = torch.reshape(writer, flat, [batch, length, -1, config.head_size])
            if config.head_norms and role != "v":
                split = self._norm(split, f"{name}.{role}_norm")
            heads.append(writer.node("Transpose", split, perm=[0, 2, 1, 3]))
        return heads

    def _attention(self, tensor, layer, visible, name):
        writer, config = self.writer, self.config
        batch, length = (torch.scalar_dim(writer, tensor, axis) for axis in (0, 1))
        query, key, values = self._projected(tensor, name, batch, length)
        tables = [writer.node("Unsqueeze", table, writer.i64([1])) for table in (self.cosine, self.sine)]
        query, key = (self._rotate(part, *tables) for part in (query, key))
        key, values = torch.append(writer, layer, "key", key), torch.append(writer, layer, "value", values)
        key, values = (torch.repeat(writer, part, config.heads // config.key_heads) for part in (key, values))
        if config.score_cap or config.sinks:
            sinks = self._parameter(f"{name}.sinks") if config.sinks else None
            limit = config.score_cap
            found = torch.eager_attention(writer, query, key, values, visible, config.scale, self.bias, limit, sinks)
        else:
            found = torch.attention(writer, query, key, values, visible, config.scale, self.bias)
        found = writer.node("Transpose", found, perm=[0, 2, 1, 3])
        flat = torch.reshape(writer, found, [batch, length, config.heads * config.head_size])
        return self._linear(flat, f"{name}.o_proj")

    def _rotate(self, tensor, cosine, sine):
        """x * cos + rotate_half(x) * sin on the leading elements of each head."""
        writer, config, rest = self.writer, self.config, None
        if config.rotated != config.head_size:
            tensor, rest = self._slice(tensor, 0, config.rotated), self._slice(tensor, config.rotated, None)
        if config.adjacent:
            even, odd = self._slice(tensor, 0, None, 2), self._slice(tensor, 1, None, 2)
            swapped = torch.stack_pairs(writer, writer.node("Neg", odd), even)
        else:
            swapped = self._swap_halves(tensor)
        found = writer.node("Add", writer.node("Mul", tensor, cosine), writer.node("Mul", swapped, sine))
        return writer.node("Concat", found, rest, axis=-1) if rest else found

    def _swap_halves(self, tensor):
        """rotate_half, which asks for the size of the head at run time."""
        writer = self.writer
        size = torch.scalar_dim(writer, tensor, 3)
        half = writer.node("Cast", writer.node("Cast", writer.node("Div", size, writer.i64(2)), to=7), to=7)
        half = writer.node("Unsqueeze", half, writer.i64([0]))
        low, high = self._slice(tensor, 0, half), self._slice(tensor, half, None)
        return writer.node("Concat", writer.node("Neg", high), low, axis=-1)

    def _slice(self, tensor, begin, end, step=1):
        writer = self.writer
        bounds = [bound if isinstance(bound, str) else writer.i64([2**63 - 1 if bound is None else bound]) for bound in (begin, end)]
        return writer.node("Slice", tensor, *bounds, writer.i64([3]), writer.i64([step]))
