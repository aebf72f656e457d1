"""Kernels over rows, columns, transposed operands and concatenations assemble without spills. test/unit/Kernels checks what they
compute, read and write."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import gpu_counters
import numpy as np
import pytest
import test_ptx

KINDS = ["FLOAT", "FLOAT16", "BFLOAT16"]
# An op, and its number of parameter vectors.
NORMS = {"softmax": ("Softmax", 0), "layer_norm": ("LayerNormalization", 2), "rms_norm": ("SimplifiedLayerNormalization", 1)}
TRANSPOSED = ("Transpose", ["x"], "t", {"perm": [0, 2, 1]})
OTHER_TRANSPOSED = ("Transpose", ["v"], "u", {"perm": [0, 2, 1]})


def norm_of_sum(path, name, kind, rows, length):
    op, parameters = NORMS[name]
    names = "sb"[:parameters]
    inputs = {"x": [rows, length], "r": [rows, length], **{p: [length] for p in names}}
    nodes = [("Add", ["x", "r"], "sum", {}), (op, ["sum", *names], "y", {"axis": -1})]
    return gpu_counters.write_model(path, nodes, inputs, {"y": [rows, length]}, kind)


def test_rows_of_symbolic_length_in_registers_assemble_without_spills(tmp_path):
    for most in (512, 1024, 16384):
        model = norm_of_sum(tmp_path / "m.onnx", "layer_norm", "FLOAT", 4, "s")
        test_ptx.check(model, tmp_path, ["sm_80", "sm_90a"], "--dims", f"s=1..{most}")


@pytest.mark.parametrize("name, kind, length", [("softmax", "FLOAT", 1023), ("layer_norm", "BFLOAT16", 1024),
                                                ("softmax", "BFLOAT16", 16384), ("layer_norm", "FLOAT", 16384)])
def test_rows_in_registers_assemble_without_spills(tmp_path, name, kind, length):
    test_ptx.check(norm_of_sum(tmp_path / "m.onnx", name, kind, 4, length), tmp_path, ["sm_80", "sm_90a"])


@pytest.mark.parametrize("name, kind, length", [("softmax", "FLOAT", 64), ("layer_norm", "FLOAT", 768), ("rms_norm", "BFLOAT16", 1023),
                                                ("layer_norm", "FLOAT16", 2048), ("softmax", "FLOAT16", 4096)])
def test_tiles_of_rows_assemble_without_spills(tmp_path, name, kind, length):
    op, parameters = NORMS[name]
    names, rows = "sb"[:parameters], 196
    inputs = {"x": [2, length, rows], "r": [2, rows, length], **{p: [length] for p in names}}
    nodes = [TRANSPOSED, ("Add", ["t", "r"], "z", {}), (op, ["z", *names], "y", {"axis": -1})]
    model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, inputs, {"y": [2, rows, length]}, kind)
    test_ptx.check(model, tmp_path, test_ptx.TARGETS)


def concat(*parts, axis, result="z"):
    return "Concat", [*parts], result, {"axis": axis}


SOFTMAX = ("Softmax", ["z"], "y", {"axis": -1})
# name: (nodes, inputs, output, constants): tiles of a transpose below a concatenation.
TILES = {
    "front": ([TRANSPOSED, concat("a", "t", axis=1, result="y")], {"x": [2, 96, 64], "a": [2, 1, 96]}, [2, 65, 96], {}),
    "between": ([TRANSPOSED, concat("a", "t", "b", axis=1, result="y")], {"x": [1, 64, 128], "a": [1, 8, 64], "b": [1, 3, 64]},
                [1, 139, 64], {}),
    "last_keys": ([TRANSPOSED, concat("a", "t", axis=2, result="y")], {"x": [2, 16, 64], "a": [2, 64, 48]}, [2, 64, 64], {}),
}
# Rows below a concatenation: of a few threads, of a warp, of a block; too long for registers.
ROWS = {
    "short": ([concat("a", "b", axis=2), SOFTMAX], {"a": [2, 128, 64], "b": [2, 128, 32]}, [2, 128, 96], {}),
    "three": ([concat("a", "b", "c", axis=2), SOFTMAX], {"a": [2, 64, 256], "b": [2, 64, 16], "c": [2, 64, 496]}, [2, 64, 768], {}),
    "long": ([concat("a", "b", axis=2), SOFTMAX], {"a": [1, 16, 8192], "b": [1, 16, 4096]}, [1, 16, 12288], {}),
    "sum": ([concat("a", "b", axis=2), ("ReduceSum", ["z", "axes"], "y", {"keepdims": 0})],
            {"a": [2, 128, 512], "b": [2, 128, 256]}, [2, 128], {"axes": np.array([2])}),
    "padded": ([("Pad", ["x", "by"], "z", {}), SOFTMAX], {"x": [2, 128, 64]}, [2, 128, 96], {"by": np.array([0, 0, 16, 0, 0, 16])}),
    "in_two": ([concat("a", "b", axis=2), ("Relu", ["z"], "r", {}), concat("c", "r", axis=2, result="w"),
                ("Softmax", ["w"], "y", {"axis": -1})], {"a": [2, 64, 64], "b": [2, 64, 32], "c": [2, 64, 160]}, [2, 64, 256], {}),
    "transposed_front": ([TRANSPOSED, concat("t", "a", axis=2), SOFTMAX], {"x": [2, 64, 128], "a": [2, 128, 32]}, [2, 128, 96], {}),
    "transposed_behind": ([TRANSPOSED, concat("a", "t", axis=2), SOFTMAX], {"x": [2, 512, 128], "a": [2, 128, 256]}, [2, 128, 768], {}),
    "transposed_both": ([TRANSPOSED, OTHER_TRANSPOSED, concat("t", "u", axis=2), SOFTMAX], {"x": [2, 64, 128], "v": [2, 32, 128]},
                        [2, 128, 96], {}),
}


def check(case, folder, kind):
    nodes, inputs, output, constants = case
    model = gpu_counters.write_model(folder / "m.onnx", nodes, inputs, {"y": output}, kind, constants)
    test_ptx.check(model, folder, test_ptx.TARGETS)


@pytest.mark.parametrize("name", TILES)
def test_tiles_below_a_concatenation_assemble_without_spills(tmp_path, name):
    check(TILES[name], tmp_path, KINDS[len(name) % 3])


@pytest.mark.parametrize("number, name", [*enumerate(ROWS)])
def test_rows_below_a_concatenation_assemble_without_spills(tmp_path, number, name):
    check(ROWS[name], tmp_path, KINDS[number % 3])


def test_embeddings_assemble_without_spills(tmp_path):
    """A class token, transposed patches, positions, a norm."""
    channels, patches = 768, 196
    nodes = [TRANSPOSED, concat("a", "t", axis=1), ("Add", ["z", "p"], "e", {}), ("LayerNormalization", ["e", "s", "b"], "y", {"axis": -1})]
    inputs = {"x": [2, channels, patches], "a": [2, 1, channels], "p": [patches + 1, channels], "s": [channels], "b": [channels]}
    check((nodes, inputs, [2, patches + 1, channels], {}), tmp_path, "FLOAT16")


@pytest.mark.parametrize("op, shape, axes, kind", [
    ("ReduceMean", (1, 128, 384), [1], "FLOAT"), ("ReduceLogSumExp", (64, 36), [0], "FLOAT16"),
    ("ReduceProd", (4096, 4), [0], "FLOAT"), ("ReduceL2", (2, 4096, 20), [1], "BFLOAT16"),
    ("ReduceMean", (300, 3), [0], "DOUBLE")])
def test_reductions_of_columns_assemble_without_spills(tmp_path, op, shape, axes, kind):
    result = [n for i, n in enumerate(shape) if i not in axes]
    nodes = [(op, ["x"], "y", {"axes": axes, "keepdims": 0})]
    model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, {"x": list(shape)}, {"y": result}, kind)
    test_ptx.check(model, tmp_path, test_ptx.TARGETS)


@pytest.mark.parametrize("shape, kind", [((2, 1000, 64), "FLOAT"), ((64, 36), "BFLOAT16")])
def test_staged_columns_assemble_without_spills(tmp_path, shape, kind):
    nodes = [("Softmax", ["x"], "y", {"axis": len(shape) - 2})]
    model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, {"x": list(shape)}, {"y": list(shape)}, kind)
    test_ptx.check(model, tmp_path, test_ptx.TARGETS)
