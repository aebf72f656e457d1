"""Exports of tinylm by onnxruntime's own quantizers: MatMulNBits, dynamic int8, and pairs of QuantizeLinear and DequantizeLinear;
and with caches of 8 bits in GroupQueryAttention.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import subprocess
import sys

import numpy as np
import onnx
from onnx import helper, numpy_helper

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
TEXT = MODELS / "tinylm/held_out.bin"


def spell(spelling, folder):
    path = folder / f"{spelling}.onnx"
    subprocess.run([sys.executable, MODELS / "build.py", "tinylm", "--spelling", spelling, "-o", path], check=True)
    return path


def build(folder):
    """tinylm with its weights in f32, as quantizers want them."""
    path = spell("past", folder)
    model = onnx.load(path)
    stored = {weight.name: weight for weight in model.graph.initializer}
    kept = []
    for node in model.graph.node:
        if node.op_type == "Cast" and node.input[0] in stored and stored[node.input[0]].data_type == onnx.TensorProto.BFLOAT16:
            wide = numpy_helper.to_array(stored[node.input[0]]).astype(np.float32)
            model.graph.initializer.append(numpy_helper.from_array(wide, node.output[0]))
        else:
            kept.append(node)
    del model.graph.node[:]
    model.graph.node.extend(kept)
    used = {name for node in kept for name in node.input}
    unused = [weight for weight in model.graph.initializer if weight.name not in used]
    for weight in unused:
        model.graph.initializer.remove(weight)
    widened = folder / "f32.onnx"
    onnx.save(model, widened)
    return widened


def quantize_blocks(weight, bits, block):
    """What onnxruntime's MatMulNBitsQuantizer calls for a weight [K, N]: codes, scales and zero points."""
    from onnxruntime.capi import _pybind_state as native

    k, n = weight.shape
    blocks = -(-k // block)
    codes = np.zeros((n, blocks, block * bits // 8), np.uint8)
    scales = np.zeros(n * blocks, np.float32)
    zeros = np.zeros(n * -(-blocks * bits // 8), np.uint8)
    quantize = {4: native.quantize_matmul_4bits, 8: native.quantize_matmul_8bits}[bits]
    quantize(codes, weight, scales, zeros, block, n, k, False)
    return codes, scales, zeros


def nbits(source, path, bits, level, block=32):
    """Every product with a weight as MatMulNBits, which is what MatMulNBitsQuantizer makes of a model."""
    model = onnx.load(source)
    stored = {weight.name: weight for weight in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type != "MatMul" or node.input[1] not in stored:
            continue
        weight = np.ascontiguousarray(numpy_helper.to_array(stored[node.input[1]]))
        parts = quantize_blocks(weight, bits, block)
        names = [f"{node.input[1]}_{part}" for part in ("codes", "scales", "zeros")]
        model.graph.initializer.extend(numpy_helper.from_array(part, name) for part, name in zip(parts, names))
        node.CopyFrom(helper.make_node("MatMulNBits", [node.input[0], *names], list(node.output), node.name, domain="com.microsoft",
                                       K=weight.shape[0], N=weight.shape[1], bits=bits, block_size=block, accuracy_level=level))
    used = {name for node in model.graph.node for name in node.input}
    for weight in [weight for weight in model.graph.initializer if weight.name not in used]:
        model.graph.initializer.remove(weight)
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    onnx.save(model, path)
    return path


def dynamic(source, path):
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(source, path, op_types_to_quantize=["MatMul"], per_channel=True, weight_type=QuantType.QInt8)
    return path


class Samples:
    """Pieces of the held-out text, as onnxruntime's calibration reads them."""

    def __init__(self, source, count=4, length=64):
        graph = onnx.load(source).graph
        text = np.frombuffer(TEXT.read_bytes(), np.uint8).astype(np.int64)
        self.feeds = []
        for number in range(count):
            feeds = {"input_ids": text[None, number * length : (number + 1) * length], "attention_mask": np.ones((1, length), np.int64),
                     "position_ids": np.arange(length)[None]}
            for entry in graph.input:
                if entry.name.startswith("past_key_values."):
                    sizes = [dim.dim_value for dim in entry.type.tensor_type.shape.dim]
                    feeds[entry.name] = np.zeros((1, sizes[1], 0, sizes[3]), np.float32)
            names = {entry.name for entry in graph.input}
            self.feeds.append({name: value for name, value in feeds.items() if name in names})

    def get_next(self):
        return self.feeds.pop(0) if self.feeds else None


def pairs(source, path):
    from onnxruntime.quantization import QuantFormat, QuantType, quantize_static

    stored = {weight.name for weight in onnx.load(source).graph.initializer}
    nodes = [node.name for node in onnx.load(source).graph.node if node.op_type == "MatMul" and node.input[1] in stored]
    quantize_static(source, path, Samples(source), quant_format=QuantFormat.QDQ, op_types_to_quantize=["MatMul"], per_channel=True,
                    activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8, nodes_to_quantize=nodes)
    return path


def largest(model):
    """Of each present, the largest magnitude per channel [1, heads, 1, size] over the samples."""
    from onnxruntime import InferenceSession

    session = InferenceSession(model, providers=["CPUExecutionProvider"])
    names = [entry.name for entry in session.get_outputs() if entry.name.startswith("present.")]
    samples = [session.run(names, feeds) for feeds in Samples(model).feeds]
    return {name: np.abs(found).max(axis=(0, 1, 3), keepdims=True)[0] for name, *found in zip(names, *samples)}


def cache(source, path, kind):
    """Keys and values in int8, their scales `kind`: found on samples, as a cache is calibrated."""
    plain = spell("gqa", source.parent)
    limits = largest(plain)
    model = onnx.load(plain)
    for node in model.graph.node:
        if node.op_type != "GroupQueryAttention":
            continue
        names = [f"{present}_scale" for present in node.output[1:3]]
        for name, present in zip(names, node.output[1:3]):
            limit = limits[present] if kind == "PER_CHANNEL" else limits[present].max(keepdims=True).reshape(1)
            model.graph.initializer.append(numpy_helper.from_array((limit / 127).astype(np.float32), name))
        node.input.extend([""] * (12 - len(node.input)) + names)
        node.attribute.extend(helper.make_attribute(name, kind) for name in ("k_quant_type", "v_quant_type"))
        node.attribute.append(helper.make_attribute("kv_cache_bit_width", 8))
    for entry in [*model.graph.input, *model.graph.output]:
        if entry.name.startswith(("past_key_values.", "present.")):
            entry.type.tensor_type.elem_type = onnx.TensorProto.INT8
    onnx.save(model, path)
    return path


EXPORTS = {
    "int4": lambda source, path: nbits(source, path, 4, 4),
    "int8": lambda source, path: nbits(source, path, 8, 4),
    "int4 exact": lambda source, path: nbits(source, path, 4, 0),
    "dynamic": dynamic,
    "pairs": pairs,
    "cache per tensor": lambda source, path: cache(source, path, "PER_TENSOR"),
    "cache per channel": lambda source, path: cache(source, path, "PER_CHANNEL"),
}
