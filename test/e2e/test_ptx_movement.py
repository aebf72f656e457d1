"""Kernels that move the contiguous dim assemble without spills. test/unit/Kernels checks what they compute, read and write."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import onnx
import pytest
import test_ptx
from onnx import TensorProto, helper


def transpose(source, perm, result="y"):
    return "Transpose", [source], result, {"perm": perm}


def write(path, nodes, inputs, output, kind, kinds=()):
    """`nodes`: (op, inputs, result, attributes), the last of which makes y; `inputs`: dims by name; `kinds`: types by name
    where they are not `kind`."""
    kinds = dict(kinds)
    values = {
        name: helper.make_tensor_value_info(name, getattr(TensorProto, kinds.get(name, kind)), dims)
        for name, dims in {**inputs, "y": output}.items()
    }
    graph = helper.make_graph(
        [helper.make_node(op, sources, [result], **attributes) for op, sources, result, attributes in nodes],
        "moved", [values[name] for name in inputs], [values["y"]])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)
    return path


def transposed(path, shape, perm, kind):
    return write(path, [transpose("x", perm)], {"x": shape}, [shape[p] for p in perm], kind)


A, B = [64, 512], [512, 64]
T = [1, 0]
# name: (nodes, inputs, output, type, exceptions to the type)
FUSED = {
    "both": ([transpose("a", T, "t"), transpose("b", T, "u"), ("Mul", ["t", "u"], "s", {}), ("Sub", ["s", "c"], "y", {})],
             {"a": A, "b": A, "c": B}, B, "BFLOAT16", {}),
    "where": ([transpose("c", T, "t"), ("Where", ["t", "a", "b"], "y", {})], {"c": A, "a": B, "b": B}, B, "FLOAT", {"c": "BOOL"}),
    "widen": ([transpose("a", T, "t"), ("Cast", ["t"], "y", {"to": TensorProto.INT64})], {"a": A}, B, "INT8", {"y": "INT64"}),
}
# The last dim of the operand, of the result, or of both is short.
SHORT_DIMS = [([64, 4, 64, 2], [0, 3, 2, 1]), ([2, 64, 64, 4], [3, 1, 2, 0]), ([2, 32, 32, 3], [0, 2, 1, 3])]


@pytest.mark.parametrize("kind", ["FLOAT", "FLOAT16", "DOUBLE", "INT8", "BOOL"])
def test_tiles_assemble_without_spills(tmp_path, kind):
    test_ptx.check(transposed(tmp_path / "m.onnx", [96, 160], T, kind), tmp_path, test_ptx.TARGETS)


@pytest.mark.parametrize("name", FUSED)
def test_fused_bodies_assemble_without_spills(tmp_path, name):
    test_ptx.check(write(tmp_path / "m.onnx", *FUSED[name]), tmp_path, test_ptx.TARGETS)


@pytest.mark.parametrize("kind", ["FLOAT", "FLOAT16", "DOUBLE", "INT8"])
@pytest.mark.parametrize("place", SHORT_DIMS)
def test_short_dims_assemble_without_spills(tmp_path, place, kind):
    test_ptx.check(transposed(tmp_path / "m.onnx", *place, kind), tmp_path, test_ptx.TARGETS)
