"""Attention on tensor cores, on the simulated GPU: every kernel against the reference in double precision, over head
sizes, masks, types and lengths."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
import onnx
import pytest
import test_gpu_products
import test_ptx
from onnx import TensorProto, helper

SCHEDULES = test_gpu_products.SCHEDULES


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


CASES = [
    dict(heads=2, queries=16, keys=16, depth=32),
    dict(heads=2, queries=70, keys=130, depth=64),
    dict(heads=1, queries=9, keys=65, depth=32, kind="FLOAT16"),
    dict(heads=2, queries=33, keys=47, depth=64, mask=[1, 1, 1, 47]),
    dict(heads=2, queries=65, keys=40, depth=32, mask=[1, 2, 65, 40]),
    dict(heads=4, queries=20, keys=36, depth=32, shared=2),
    dict(heads=1, queries=40, keys=40, depth=80, columns=48),
    dict(heads=1, queries=17, keys=33, depth=128, kind="FLOAT16", mask=[1, 1, 17, 33]),
    dict(heads=1, queries=20, keys=70, depth=256),
    dict(heads=2, queries=1, keys=100, depth=64, batch=2),
]


@pytest.mark.parametrize("schedule, case", [(SCHEDULES[i % 3], case) for i, case in enumerate(CASES)])
def test_attention_of_any_shape(driver, tmp_path, schedule, case):
    environment = {**driver, "KILN_SIM_SCHEDULE": schedule}
    text = test_gpu_products.verify(attention(tmp_path / "m.onnx", **case), tmp_path, environment)
    assert "attention" in text, "the products and the softmax were not fused"
    # Two products, exponentials by the hardware, and no multiply-add for a score.
    assert "mma.sync.aligned.m16n8k16" in text and "ex2.approx.f32" in text and "ldmatrix" in text


@pytest.mark.parametrize("depth", [32, 64, 96, 128, 256])
@pytest.mark.parametrize("mask", [None, [1, 1, 512, 512]], ids=["plain", "masked"])
def test_heads_assemble_without_spills(tmp_path, depth, mask):
    model = attention(tmp_path / "m.onnx", 4, 512, 512, depth, mask=mask)
    test_ptx.check(model, tmp_path, ["sm_80", "sm_86", "sm_90a"])
