"""Attention as exporters write it out assembles without spills. test/unit/Kernels checks what it computes."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
import onnx
import pytest
import test_ptx
from onnx import TensorProto, helper

def attention(path, heads, queries, keys, depth, columns=None, kind="BFLOAT16", mask=None, shared=1, batch=1):
    """softmax(q k' / sqrt(depth) + mask) v as exporters write it. `mask` is the shape of what is added, `shared` how
    many query heads have one key head."""
    element = getattr(TensorProto, kind)
    columns = columns or depth
    own = heads // shared
    shapes = {"q": [batch, heads, queries, depth], "k": [batch, own, keys, depth], "v": [batch, own, keys, columns]}
    inputs = [helper.make_tensor_value_info(name, element, shape) for name, shape in shapes.items()]
    nodes, constants = [], [helper.make_tensor("scale", element, [], [depth**-0.5])]
    operands = {"k": "k", "v": "v"}
    if shared > 1:
        for name in "kv":
            extent = shapes[name][2:]
            for suffix, values in (("five", [batch, own, 1, *extent]), ("wide", [batch, own, shared, *extent]),
                                   ("four", [batch, heads, *extent])):
                array = np.array(values, dtype=np.int64)
                constants.append(onnx.numpy_helper.from_array(array, f"{name}_{suffix}"))
            nodes += [
                helper.make_node("Reshape", [name, f"{name}_five"], [f"{name}1"]),
                helper.make_node("Expand", [f"{name}1", f"{name}_wide"], [f"{name}2"]),
                helper.make_node("Reshape", [f"{name}2", f"{name}_four"], [f"{name}3"]),
            ]
            operands[name] = f"{name}3"
    nodes += [
        helper.make_node("Transpose", [operands["k"]], ["kt"], perm=[0, 1, 3, 2]),
        helper.make_node("MatMul", ["q", "kt"], ["s"]),
        helper.make_node("Mul", ["s", "scale"], ["scaled"]),
    ]
    scores = "scaled"
    if mask:
        inputs.append(helper.make_tensor_value_info("mask", element, mask))
        nodes.append(helper.make_node("Add", ["scaled", "mask"], ["masked"]))
        scores = "masked"
    nodes += [
        helper.make_node("Softmax", [scores], ["p"], axis=-1),
        helper.make_node("MatMul", ["p", operands["v"]], ["y"]),
    ]
    output = helper.make_tensor_value_info("y", element, [batch, heads, queries, columns])
    graph = helper.make_graph(nodes, "attention", inputs, [output], constants)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)
    return path


@pytest.mark.parametrize("depth", [32, 64, 96, 128, 256])
@pytest.mark.parametrize("mask", [None, [1, 1, 512, 512]], ids=["plain", "masked"])
def test_heads_assemble_without_spills(tmp_path, depth, mask):
    model = attention(tmp_path / "m.onnx", 4, 512, 512, depth, mask=mask)
    test_ptx.check(model, tmp_path, ["sm_80", "sm_86", "sm_90a"])
