"""Exports of tinylm by onnxruntime's own quantizers: MatMulNBits, dynamic int8, and pairs of QuantizeLinear and DequantizeLinear."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import subprocess
import sys

import numpy as np
import onnx
from onnx import helper, numpy_helper

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
TEXT = MODELS / "tinylm/held_out.bin"


def build(folder):
    """tinylm with its weights in f32, as quantizers want them."""
    path = folder / "past.onnx"
    subprocess.run([sys.executable, MODELS / "build.py", "tinylm", "--spelling", "past", "-o", path], check=True)
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


EXPORTS = {
    "int4": lambda source, path: nbits(source, path, 4, 4),
    "int8": lambda source, path: nbits(source, path, 8, 4),
    "int4 exact": lambda source, path: nbits(source, path, 4, 0),
    "dynamic": dynamic,
    "pairs": pairs,
}
