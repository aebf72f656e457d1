"""Random cases of the operators that decoders are exported with, each with what it must give.

ONNX Runtime is the judge where its CPU runs the operator, in this form or in an equal one; onnx.reference where it does not know
the version.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

MICROSOFT = "com.microsoft"
SMALL = 256  # max elements of a constant, which the importer writes into the module; larger ones become weights, which
             # the reference cannot read


@dataclasses.dataclass
class Case:
    """A node; `peer` is another one that gives the same, of inputs of its own, where the judge does not run this one."""

    op: str
    inputs: dict  # name -> array, None if the input is omitted
    attributes: dict
    outputs: tuple = ("y",)
    domain: str = MICROSOFT
    opset: int = 23
    peer: "Case | None" = None
    rows: tuple = ()  # valid rows of results: (batch, number of rows) for sequences that are shorter than others

    def model(self, constant):
        """With its inputs as constants, or as inputs."""
        given = {name: array for name, array in self.inputs.items() if array is not None}
        names = [name if name in given else "" for name in self.inputs]
        while names and not names[-1]:
            names.pop()
        nodes = [helper.make_node(self.op, names, self.outputs, domain=self.domain, **self.attributes)]
        values, tensors = [], []
        for name, array in given.items():
            if not constant:
                values.append(helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape))
            elif array.size > SMALL:
                nodes[:0] = joined(name, array, tensors)
            else:
                tensors.append(numpy_helper.from_array(array, name))
        results = [onnx.ValueInfoProto(name=name) for name in self.outputs if name]
        graph = helper.make_graph(nodes, "g", values, results, tensors)
        opsets = [helper.make_opsetid("", self.opset), helper.make_opsetid(MICROSOFT, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10)

    def expected(self):
        """{output: array} of the judge."""
        judged = self.peer or self
        model = judged.model(constant=False)
        feeds = {name: array for name, array in judged.inputs.items() if array is not None}
        names = [name for name in judged.outputs if name]
        if judged.opset > 24:
            found = ReferenceEvaluator(model).run(names, feeds)
        else:
            options = onnxruntime.SessionOptions()
            options.log_severity_level, options.intra_op_num_threads = 4, 1
            session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
            found = session.run(names, feeds)
        return dict(zip((name for name in self.outputs if name), found))


def joined(name, array, tensors):
    """Nodes that make the array from small constants, which they add."""
    parts = np.split(array.ravel(), range(SMALL, array.size, SMALL))
    names = [f"{name}_{index}" for index in range(len(parts))]
    tensors += [numpy_helper.from_array(part, part_name) for part, part_name in zip(parts, names)]
    tensors.append(numpy_helper.from_array(np.array(array.shape), f"{name}_shape"))
    return [helper.make_node("Concat", names, [f"{name}_flat"], axis=0),
            helper.make_node("Reshape", [f"{name}_flat", f"{name}_shape"], [name])]  # fmt: skip


def floats(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32)


def maybe(rng, chance, value):
    """The value, made by a function, or None."""
    return value() if rng.random() < chance else None


def rotary_tables(rng, positions, half):
    angles = rng.random((positions, half)) * 6
    return np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)


# ---- com.microsoft GroupQueryAttention -------------------------------------------------------------------------------


def normed(heads, scale, epsilon):
    return heads / np.sqrt((heads.astype(np.float64) ** 2).mean(-1, keepdims=True) + epsilon) * scale


def group_query(rng):
    key_heads, shared, size = int(rng.integers(1, 3)), int(rng.choice([1, 2, 4])), 16
    batch, past, new = int(rng.integers(1, 3)), int(rng.choice([0, 0, 1, 2, 5])), int(rng.choice([1, 1, 2, 3, 4]))
    if batch > 1 and past:
        new = 1  # a restriction of ONNX Runtime
    heads, total = key_heads * shared, past + new
    parts = [floats(rng, batch, new, count * size) for count in (heads, key_heads, key_heads)]
    attributes = {"num_heads": heads, "kv_num_heads": key_heads}
    causal = rng.random() < 0.8
    if not causal:
        attributes["causal"] = 0
    elif rng.random() < 0.4:
        attributes["local_window_size"] = int(rng.integers(1, total + 2))
    for name, chance, value in [("softcap", 0.3, 1.5), ("scale", 0.3, 0.4), ("smooth_softmax", 0.3, 1)]:
        if rng.random() < chance:
            attributes[name] = value
    hasPast = past or rng.random() < 0.5
    inputs = dict(zip(("query", "key", "value"), parts))
    if rng.random() < 0.4:
        inputs = {"query": np.concatenate(parts, axis=2), "key": None, "value": None}
    inputs |= {name: floats(rng, batch, key_heads, past, size) if hasPast else None for name in ("past_key", "past_value")}
    inputs |= {"seqlens_k": np.full(batch, total - 1, np.int32), "total_sequence_length": np.array(total, np.int32)}
    inputs |= {"cos_cache": None, "sin_cache": None, "position_ids": None}
    if rng.random() < 0.5:
        attributes |= {"do_rotary": 1, "rotary_interleaved": int(rng.integers(0, 2))}
        inputs["cos_cache"], inputs["sin_cache"] = rotary_tables(rng, total + 2, size // 2)
        if rng.random() < 0.3:
            inputs["position_ids"] = np.tile(np.arange(past, total), (batch, 1))
    bias = (int(rng.choice([1, batch])), int(rng.choice([1, heads])), new, total)
    inputs["attention_bias"] = maybe(rng, 0.3, lambda: floats(rng, *bias))
    inputs["head_sink"] = maybe(rng, 0.3, lambda: floats(rng, heads))
    outputs = ("y", "present_key", "present_value") if hasPast else ("y",)
    case = Case("GroupQueryAttention", inputs, attributes, outputs)
    if rng.random() < 0.3:
        with_norms(rng, case, parts, (heads, key_heads), size)
    return case


def with_norms(rng, case, parts, counts, size):
    """ONNX Runtime's CPU has no norms of query and key: its inputs are normed before."""
    scales, epsilon = [floats(rng, size) for _ in range(2)], float(rng.choice([1e-6, 0.5]))
    normal = [
        normed(part.reshape(*part.shape[:2], count, size), scale, epsilon).reshape(part.shape).astype(np.float32)
        for part, count, scale in zip(parts, counts, scales)
    ]  # fmt: skip
    changed = dict(zip(("query", "key", "value"), [*normal, parts[2]]))
    case.peer = dataclasses.replace(case, inputs={**case.inputs, **changed})
    if epsilon != 1e-6:
        case.attributes = {**case.attributes, "qk_norm_epsilon": epsilon}
    case.inputs = {**case.inputs, "k_scale": None, "v_scale": None, "q_norm_weight": scales[0], "k_norm_weight": scales[1]}


def group_query_codes(rng):
    """With a cache of 8 bits; its scales make codes that saturate, too."""
    case = group_query(rng)
    while case.peer or case.inputs["past_key"] is None:  # ONNX Runtime's CPU provider has no norms; no cache
        case = group_query(rng)
    _, heads, _, size = case.inputs["past_key"].shape
    per_channel = rng.random() < 0.5  # for both operands: ONNX Runtime's CPU provider supports nothing else
    for letter in "kv":
        name = "past_key" if letter == "k" else "past_value"
        case.inputs[name] = rng.integers(-128, 128, case.inputs[name].shape).astype(np.int8)
        scale = rng.uniform(0.01, 0.04, (1, heads, 1, size) if per_channel else 1)
        case.inputs[f"{letter}_scale"] = scale.astype(np.float32)
        case.attributes[f"{letter}_quant_type"] = "PER_CHANNEL" if per_channel else "PER_TENSOR"
    case.attributes["kv_cache_bit_width"] = 8
    return case


# ---- com.microsoft MultiHeadAttention and Attention ------------------------------------------------------------------


def padding(rng, batch, new, total, ranks):
    """A mask of keys: lengths, which may be given as sums too, [batch, total] or [batch, new, total]."""
    rank = int(rng.choice(ranks))
    if rank == 0:
        return None
    if rank == 1:
        lengths = rng.integers(1, total + 1, batch)
        sums = [0, *np.cumsum(np.full(batch, new))], [0, *np.cumsum(lengths)]
        return np.concatenate([lengths, *sums] if rng.random() < 0.3 else [lengths]).astype(np.int32)
    mask = rng.integers(0, 2, (batch, total) if rank == 2 else (batch, new, total)).astype(np.int32)
    mask[..., 0] = 1
    return mask


def multi_head(rng):
    heads, size, values = int(rng.integers(1, 4)), int(rng.choice([2, 4, 6])), int(rng.choice([2, 4, 6]))
    batch, new, past = int(rng.integers(1, 3)), int(rng.integers(1, 4)), int(rng.choice([0, 0, 1, 4]))
    form = rng.choice(["separate", "cross", "split", "packed keys", "packed"])
    if past or form != "separate":
        values = size
    keys = int(rng.integers(1, 5)) if form in ("cross", "split", "packed keys") and not past else new
    past = 0 if form == "split" else past
    total = past + keys
    query, key = floats(rng, batch, new, heads * size), floats(rng, batch, keys, heads * size)
    value = floats(rng, batch, keys, heads * values)
    inputs = {"query": query, "key": key, "value": value}
    inputs["bias"] = maybe(rng, 0.4, lambda: floats(rng, heads * (2 * size + values)))
    inputs["key_padding_mask"] = padding(rng, batch, new, total, [0, 0, 1, 2, 3] if not past else [0, 0, 2, 3])
    bias = (int(rng.choice([1, batch])), int(rng.choice([1, heads])), new, total)
    inputs["attention_bias"] = maybe(rng, 0.3, lambda: floats(rng, *bias))
    inputs |= {name: floats(rng, batch, heads, past, size) if past else None for name in ("past_key", "past_value")}
    attributes = {"num_heads": heads}
    if form in ("separate", "packed") and rng.random() < 0.4:
        attributes["unidirectional"] = 1
    if rng.random() < 0.3:
        attributes["scale"] = 0.4
    outputs = ("y", "present_key", "present_value") if past else ("y",)
    case = Case("MultiHeadAttention", inputs, attributes, outputs)
    split = lambda flat, count: flat.reshape(*flat.shape[:2], count, -1)
    if form == "split":
        case.inputs |= {name: split(inputs[name], heads).transpose(0, 2, 1, 3) for name in ("key", "value")}
        case.inputs["bias"] = None
    elif form.startswith("packed"):
        # ONNX Runtime's CPU provider supports only separate operands.
        case.peer = dataclasses.replace(case, inputs=dict(inputs))
        parts = [split(part, heads) for part in (query, key, value)]
        changed = {"key": np.stack(parts[1:], 3), "value": None}
        if form == "packed":
            changed = {"query": np.stack(parts, 3), "key": None, "value": None}
        case.inputs = {**inputs, **changed}
    return case


def joint(rng):
    """Attention of com.microsoft, with its product."""
    heads, size, width = int(rng.integers(1, 4)), int(rng.choice([2, 4])), int(rng.choice([3, 8]))
    batch, new, past = int(rng.integers(1, 3)), int(rng.integers(1, 4)), int(rng.choice([0, 0, 1, 4]))
    total, values = past + new, size if past else int(rng.choice([2, 4]))
    hidden = heads * (2 * size + values)
    inputs = {"x": floats(rng, batch, new, width), "weights": floats(rng, width, hidden), "bias": floats(rng, hidden)}
    inputs["mask_index"] = padding(rng, batch, new, total, [0, 0, 1, 2, 3] if not past else [0, 0, 2, 3])
    inputs["past"] = floats(rng, 2, batch, heads, past, size) if past else None
    if not past:  # a restriction of ONNX Runtime
        bias = (int(rng.choice([1, batch])), int(rng.choice([1, heads])), new, total)
        inputs["attention_bias"] = maybe(rng, 0.3, lambda: floats(rng, *bias))
    attributes = {"num_heads": heads, "unidirectional": int(rng.integers(0, 2))}
    if values != size:
        attributes["qkv_hidden_sizes"] = [heads * size, heads * size, heads * values]
    return Case("Attention", inputs, attributes, ("y", "present") if past else ("y",))


def quantized_joint(rng):
    """QAttention: the product of bytes with scales and zero points. Signed weights have 7 bits: where a CPU has no VNNI,
    ONNX Runtime adds pairs of products of u8 and i8 in 16 bits, which saturate."""
    heads, size, width = int(rng.integers(1, 4)), int(rng.choice([2, 4])), int(rng.choice([3, 8]))
    batch, new, past = int(rng.integers(1, 3)), int(rng.integers(1, 4)), int(rng.choice([0, 0, 1, 4]))
    hidden = 3 * heads * size
    codes = {np.uint8: (0, 256), np.int8: (-64, 64)}
    left, right = np.uint8, [np.uint8, np.int8][rng.integers(0, 2)]
    inputs = {"x": rng.integers(*codes[left], (batch, new, width)).astype(left),
              "weights": rng.integers(*codes[right], (width, hidden)).astype(right), "bias": floats(rng, hidden)}  # fmt: skip
    columns = hidden if rng.random() < 0.5 else 1
    inputs["x_scale"] = np.array(0.01, np.float32)
    inputs["weight_scale"] = rng.uniform(0.005, 0.02, columns).astype(np.float32)
    inputs["mask_index"] = padding(rng, batch, new, past + new, [0, 0, 1, 2, 3] if not past else [0, 0, 2, 3])
    inputs["x_zero"] = maybe(rng, 0.7, lambda: np.array(rng.integers(*codes[left]), left))
    zeros = maybe(rng, 0.7, lambda: rng.integers(*codes[right], columns).astype(right))
    inputs["weight_zero"] = zeros if inputs["x_zero"] is not None else None
    inputs["past"] = floats(rng, 2, batch, heads, past, size) if past else None
    attributes = {"num_heads": heads, "unidirectional": int(rng.integers(0, 2))}
    return Case("QAttention", inputs, attributes, ("y", "present") if past else ("y",))


# ---- ONNX Attention and RotaryEmbedding ------------------------------------------------------------------------------


def standard(rng):
    """Attention of opset 23 to 25."""
    opset = int(rng.choice([23, 24, 25]))
    key_heads, shared, size = int(rng.integers(1, 3)), int(rng.choice([1, 2])), int(rng.choice([2, 4]))
    heads, batch, new, past = key_heads * shared, int(rng.integers(1, 3)), int(rng.integers(1, 5)), int(rng.choice([0, 0, 1, 4]))
    keys = new if past or rng.random() < 0.6 else int(rng.integers(1, 6))
    total = past + keys
    inputs = {"q": floats(rng, batch, heads, new, size), "k": floats(rng, batch, key_heads, keys, size),
              "v": floats(rng, batch, key_heads, keys, size)}  # fmt: skip
    mask = maybe(rng, 0.4, lambda: floats(rng, new, total))
    if mask is not None and rng.random() < 0.5:
        mask = mask > -1
        mask[:, 0] = True
    inputs["mask"] = mask
    inputs |= {name: floats(rng, batch, key_heads, past, size) if past else None for name in ("past_key", "past_value")}
    attributes = {"is_causal": int(rng.integers(0, 2))}
    if rng.random() < 0.3:
        attributes["softcap"] = 1.5
    if opset == 25:
        for side in ("left", "right"):
            if rng.random() < 0.6:
                attributes[f"{side}_window_size"] = int(rng.integers(0, total + 1))
    if not past and rng.random() < 0.4 and opset > 23:
        attributes.pop("is_causal")
        inputs["lengths"] = rng.integers(new, total + 1, batch) if total >= new else None
    outputs = ("y", "present_key", "present_value") if past else ("y",)
    if opset == 25 and rng.random() < 0.3:
        outputs = ("y", *(outputs[1:] or ("", "")), "scores")
        # For mode 0 onnx.reference also returns capped scores, although the specification says uncapped ones.
        attributes["qk_matmul_output_mode"] = 1 if "softcap" in attributes else int(rng.integers(0, 2))
    return Case("Attention", inputs, attributes, outputs, "", opset)


def rotary(rng):
    """RotaryEmbedding of ONNX, or of com.microsoft."""
    heads, size, batch, length = int(rng.integers(1, 4)), int(rng.choice([4, 8])), int(rng.integers(1, 3)), int(rng.integers(1, 5))
    half = int(rng.choice([size // 2, size // 4]))
    cosine, sine = rotary_tables(rng, 9, half)
    positions = rng.integers(0, 9, (batch, length))
    attributes = {"interleaved": int(rng.integers(0, 2))}
    x = floats(rng, batch, heads, length, size)
    if half * 2 != size or rng.random() < 0.5:
        x = x.transpose(0, 2, 1, 3).reshape(batch, length, heads * size)
        attributes |= {"num_heads": heads} | ({} if half * 2 == size else {"rotary_embedding_dim": 2 * half})
    if rng.random() < 0.5:
        return Case("RotaryEmbedding", {"x": x, "cos": cosine, "sin": sine, "positions": positions}, attributes, domain="")
    if rng.random() < 0.3:
        positions = rng.integers(0, 9 - length, 1)
    if rng.random() < 0.3:
        attributes["scale"] = 2.0  # ONNX Runtime ignores this attribute
    return Case("RotaryEmbedding", {"x": x, "positions": positions, "cos": cosine, "sin": sine}, attributes)


KINDS = {"gqa": group_query, "gqa8": group_query_codes, "mha": multi_head, "attention": joint, "qattention": quantized_joint,
          "standard": standard, "rotary": rotary}
