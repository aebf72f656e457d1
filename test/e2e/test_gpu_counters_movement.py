"""What kernels that move the contiguous dim cost on the simulated GPU: every byte once, in whole sectors on both sides, and
no bank conflicts on the way through shared memory. test/unit/Kernels checks what they compute."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import gpu_counters
import numpy as np
import onnx
import pytest
import test_ptx
from gpu_counters import SECTOR
from onnx import TensorProto, helper

BYTES = {"FLOAT": 4, "FLOAT16": 2, "BFLOAT16": 2, "DOUBLE": 8, "INT8": 1, "BOOL": 1, "UINT16": 2, "INT32": 4, "INT64": 8}
TARGETS = ["sm_80", "sm_90a"]


def size(dims):
    return int(np.prod(dims))


def write(path, nodes, inputs, output, kind, kinds=(), constants=()):
    """`nodes`: (op, inputs, result, attributes), the last of which makes y; `inputs`: dims by name; `kinds`: types by name
    where they are not `kind`."""
    kinds = dict(kinds)
    values = {
        name: helper.make_tensor_value_info(name, getattr(TensorProto, kinds.get(name, kind)), dims)
        for name, dims in {**inputs, "y": output}.items()
    }
    graph = helper.make_graph(
        [helper.make_node(op, sources, [result], **attributes) for op, sources, result, attributes in nodes],
        "counted",
        [values[name] for name in inputs],
        [values["y"]],
        [onnx.numpy_helper.from_array(np.asarray(array), name) for name, array in dict(constants).items()],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)
    return path


def transpose(source, perm, result="y"):
    return "Transpose", [source], result, {"perm": perm}


def transposed(path, shape, perm, kind):
    return write(path, [transpose("x", perm)], {"x": shape}, [shape[p] for p in perm], kind)


def check(launch, moved, whole=True, short=False):
    """`moved`: bytes of all tensors; `whole`: lines of every tensor are a multiple of a sector; `short`: elements of one
    or two bytes in lines of less than 128, for which no pitch keeps all out of each other's banks."""
    assert launch.bytes == moved
    assert moved <= launch.distinct < moved + 8 * SECTOR  # ends of tensors
    assert launch.counters["local"]["bytes"] == 0
    shared = launch.counters["shared"]
    assert shared["bank_conflicts"] <= ((shared["reads"] + shared["writes"]) // 4 if short else 0)
    if whole:
        assert launch.efficiency >= 0.95


# Whole tiles, tiles that are cut off on either side, outer dims on either side, every place of the contiguous dim.
PLACES = [
    ([64, 512], [1, 0]),
    ([96, 160], [1, 0]),
    ([3, 64, 128], [0, 2, 1]),
    ([32, 5, 64], [2, 1, 0]),
    ([64, 3, 32], [2, 0, 1]),
    ([64, 3, 96], [1, 2, 0]),
    ([2, 64, 4, 64], [0, 2, 3, 1]),
    ([2, 3, 64, 32], [3, 1, 0, 2]),
]


@pytest.mark.parametrize("kind", BYTES)
@pytest.mark.parametrize("number, place", [*enumerate(PLACES)])
def test_transposes_move_whole_sectors(driver, tmp_path, number, place, kind):
    shape, perm = place
    model = transposed(tmp_path / "m.onnx", shape, perm, kind)
    [launch] = gpu_counters.measure(model, tmp_path, driver, TARGETS[number % 2])
    assert launch.kind == "staging"
    lines = [shape[-1], shape[perm[-1]]]
    whole = all(length * BYTES[kind] % SECTOR == 0 for length in lines)
    short = BYTES[kind] <= 2 and launch.config["tile"][1] * BYTES[kind] < 128
    check(launch, 2 * size(shape) * BYTES[kind], whole, short)
    # Into shared memory and out of it once, if no tile is cut off.
    if lines[0] % launch.config["tile"][1] == 0 and lines[1] % launch.config["tile"][0] == 0:
        assert launch.counters["shared"]["bytes"] == 2 * size(shape) * BYTES[kind]


# Kernels without a tile: what is next to each other in the result is so in the operand, or is one thread's.
KEPT = [([2, 64, 4, 64], [0, 2, 1, 3]), ([4, 16, 16], [1, 2, 0]), ([64, 2, 96], [1, 0, 2])]


@pytest.mark.parametrize("shape, perm", KEPT)
def test_transposes_that_need_no_tile(driver, tmp_path, shape, perm):
    [launch] = gpu_counters.measure(transposed(tmp_path / "m.onnx", shape, perm, "FLOAT"), tmp_path, driver, "sm_80")
    assert launch.kind == "pointwise" and launch.counters["shared"]["bytes"] == 0
    check(launch, 2 * size(shape) * 4)


@pytest.mark.parametrize("kind", ["FLOAT", "FLOAT16", "DOUBLE", "INT8"])
@pytest.mark.parametrize("shape", [[33, 77], [2, 9], [7, 3], [65, 129], [130, 2], [3, 200]])
def test_odd_sizes_ask_for_every_byte_once(driver, tmp_path, shape, kind):
    [launch] = gpu_counters.measure(transposed(tmp_path / "m.onnx", shape, [1, 0], kind), tmp_path, driver, "sm_80")
    assert launch.bytes == 2 * size(shape) * BYTES[kind]
    assert launch.distinct < launch.bytes + 4 * SECTOR


A, B = [64, 512], [512, 64]
T = [1, 0]
# name: (nodes, inputs, output, type, types of some, bytes moved, more bytes asked for)
FUSED = {
    "some": ([transpose("a", T, "t"), ("Add", ["t", "b"], "y", {})], {"a": A, "b": B}, B, "FLOAT", {}, 3 * 32768 * 4),
    "both": ([transpose("a", T, "t"), transpose("b", T, "u"), ("Mul", ["t", "u"], "s", {}), ("Sub", ["s", "c"], "y", {})],
             {"a": A, "b": A, "c": B}, B, "BFLOAT16", {}, 4 * 32768 * 2),
    "back": ([transpose("a", T, "t"), ("Exp", ["t"], "e", {}), ("Sigmoid", ["e"], "y", {})], {"a": A}, B, "FLOAT16", {},
             2 * 32768 * 2),
    "where": ([transpose("c", T, "t"), ("Where", ["t", "a", "b"], "y", {})], {"c": A, "a": B, "b": B}, B, "FLOAT",
              {"c": "BOOL"}, 32768 * (1 + 3 * 4)),
    "narrow": ([transpose("a", T, "t"), ("Cast", ["t"], "y", {"to": TensorProto.FLOAT16})], {"a": A}, B, "FLOAT",
               {"y": "FLOAT16"}, 32768 * 6),
    "widen": ([transpose("a", T, "t"), ("Cast", ["t"], "y", {"to": TensorProto.INT64})], {"a": A}, B, "INT8",
              {"y": "INT64"}, 32768 * 9),
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", FUSED)
def test_fused_bodies(driver, tmp_path, name, target):
    nodes, inputs, output, kind, kinds, moved = FUSED[name]
    model = write(tmp_path / "m.onnx", nodes, inputs, output, kind, kinds)
    [launch] = gpu_counters.measure(model, tmp_path, driver, target)
    assert launch.kind == "staging"
    check(launch, moved)


@pytest.mark.parametrize("kind", ["FLOAT", "BFLOAT16"])
def test_operands_across_different_dims(driver, tmp_path, kind):
    """A tile serves one of them; the other is transposed by a kernel of its own, in whole sectors, too."""
    cube = [64, 64, 64]
    nodes = [transpose("a", [0, 2, 1], "t"), transpose("b", [2, 1, 0], "u"), ("Add", ["t", "u"], "s", {}),
             ("Sigmoid", ["s"], "y", {})]
    model = write(tmp_path / "m.onnx", nodes, {"a": cube, "b": cube}, cube, kind)
    first, second = gpu_counters.measure(model, tmp_path, driver, "sm_80")
    check(first, 2 * size(cube) * BYTES[kind])
    check(second, 3 * size(cube) * BYTES[kind])


def test_a_bias_along_either_side(driver, tmp_path):
    """What is the same along a row or down a column is read beside the tile, from L1."""
    nodes = [transpose("a", T, "t"), ("Mul", ["t", "r"], "s", {}), ("Add", ["s", "c"], "y", {})]
    model = write(tmp_path / "m.onnx", nodes, {"a": A, "r": [64], "c": [512, 1]}, B, "FLOAT")
    [launch] = gpu_counters.measure(model, tmp_path, driver, "sm_80")
    assert launch.counters["shared"]["bank_conflicts"] == 0 and launch.efficiency >= 0.95
    assert launch.distinct == (2 * 32768 + 64 + 512) * 4


@pytest.mark.parametrize("kind", ["FLOAT", "FLOAT16", "DOUBLE", "INT8", "BOOL"])
def test_tiles_assemble_without_spills(tmp_path, kind):
    test_ptx.check(transposed(tmp_path / "m.onnx", [96, 160], T, kind), tmp_path, test_ptx.TARGETS)


@pytest.mark.parametrize("name", ["both", "where", "widen"])
def test_fused_bodies_assemble_without_spills(tmp_path, name):
    nodes, inputs, output, kind, kinds, _ = FUSED[name]
    test_ptx.check(write(tmp_path / "m.onnx", nodes, inputs, output, kind, kinds), tmp_path, test_ptx.TARGETS)
