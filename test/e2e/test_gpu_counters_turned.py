"""What row kernels over operands that lie across the rows cost on the simulated GPU: every byte once and in whole sectors,
though several passes walk over a row. test/unit/Kernels checks what they compute."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import gpu_counters
import pytest
import test_ptx
from gpu_counters import BYTES, SECTOR

KINDS = ["FLOAT", "FLOAT16", "BFLOAT16"]
NORMS = {
    "softmax": ("Softmax", 0),
    "layer_norm": ("LayerNormalization", 2),
    "rms_norm": ("SimplifiedLayerNormalization", 1),
}
TURN = ("Transpose", ["x"], "t", {"perm": [0, 2, 1]})


def norm(path, name, kind, length, rows, batch=2, before=(), inputs=()):
    """A row op over the channels of x [batch, length, rows]. `before`: nodes that make z of t, the transposed x, and of
    the `inputs`."""
    op, parameters = NORMS[name]
    names = "sb"[:parameters]
    nodes = [TURN, *before, (op, ["z" if before else "t", *names], "y", {"axis": -1})]
    dims = {"x": [batch, length, rows], **dict(inputs), **{p: [length] for p in names}}
    return gpu_counters.write_model(path, nodes, dims, {"y": [batch, rows, length]}, kind)


def check(launch, asked, touched, whole):
    """`whole`: lines of every tensor are a multiple of a sector."""
    assert launch.bytes == asked
    assert touched <= launch.distinct < touched + 8 * SECTOR  # ends of tensors
    assert launch.counters["local"]["bytes"] == 0
    if whole:
        assert launch.efficiency >= 0.95


# Channels and rows: in the registers of a few threads, of a warp, of a block; tiles that are cut off on either side.
SIZES = [(64, 256), (96, 64), (768, 196), (768, 64), (1000, 48), (2048, 32), (40, 48)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NORMS)
@pytest.mark.parametrize("number, size", [*enumerate(SIZES)])
def test_rows_across_are_read_once(driver, tmp_path, number, size, name, kind):
    length, rows = size
    model = norm(tmp_path / "m.onnx", name, kind, length, rows)
    [launch] = gpu_counters.measure(model, tmp_path, driver, ["sm_80", "sm_90a"][number % 2])
    assert launch.kind == "staging"
    data, parameters = 2 * length * rows * BYTES[kind], NORMS[name][1] * length * BYTES[kind]
    # Scale and bias are read for every row, from L1.
    check(launch, 2 * data + 2 * rows * parameters, 2 * data + parameters,
          whole=all(n * BYTES[kind] % SECTOR == 0 for n in size))
    # Into shared memory and out of it once.
    assert launch.counters["shared"]["bytes"] >= 2 * data


FUSED = {
    "residual": ([("Add", ["t", "r"], "z", {})], {"r": [2, 64, 768]}, 1),
    "positions": ([("Add", ["t", "p"], "z", {})], {"p": [64, 768]}, 0),
    "gelu": ([("Erf", ["t"], "e", {}), ("Mul", ["t", "e"], "z", {})], {}, 0),
    "two": ([("Transpose", ["v"], "u", {"perm": [0, 2, 1]}), ("Mul", ["t", "u"], "z", {})], {"v": [2, 768, 64]}, 1),
    "per_row": ([("Mul", ["t", "c"], "z", {})], {"c": [64, 1]}, 0),
}


@pytest.mark.parametrize("target", ["sm_80", "sm_90a"])
@pytest.mark.parametrize("number, name", [*enumerate(FUSED)])
def test_what_is_fused_is_read_once_too(driver, tmp_path, number, name, target):
    nodes, inputs, more = FUSED[name]
    kind, op = KINDS[number % 3], [*NORMS][number % 3]
    model = norm(tmp_path / "m.onnx", op, kind, 768, 64, before=nodes, inputs=inputs)
    [launch] = gpu_counters.measure(model, tmp_path, driver, target)
    assert launch.kind == "staging"
    data = 2 * 768 * 64 * BYTES[kind]
    parameters = NORMS[op][1] * 768 * BYTES[kind]
    if name == "positions":  # for each of the batch, from L2
        asked, touched = 3 * data, 2.5 * data
    else:
        asked = touched = (2 + more) * data
    if name == "per_row":
        assert launch.distinct == touched + parameters + 64 * BYTES[kind]
        assert launch.efficiency >= 0.9  # 2 bytes a row in a sector
        return
    check(launch, asked + 2 * 64 * parameters, touched + parameters, whole=True)


@pytest.mark.parametrize("kind, length, rows", [("FLOAT", 64, 256), ("FLOAT", 768, 64), ("FLOAT16", 96, 64),
                                                ("FLOAT16", 768, 64), ("BFLOAT16", 2048, 32)])
def test_few_banks_are_taken(driver, tmp_path, kind, length, rows):
    """None of eight rows of f32. Threads that write more rows, or neighbours of 16 bits, share banks with another wherever
    rows begin as wide reads want them."""
    model = norm(tmp_path / "m.onnx", "layer_norm", kind, length, rows)
    [launch] = gpu_counters.measure(model, tmp_path, driver, "sm_80")
    shared = launch.counters["shared"]
    assert shared["bank_conflicts"] <= (0 if length == 768 and kind == "FLOAT" else (shared["reads"] + shared["writes"]) / 2)


def test_a_reduction_of_what_lies_across_and_what_does_not(driver, tmp_path):
    nodes = [("Transpose", ["x"], "t", {"perm": [1, 0]}), ("Add", ["t", "r"], "z", {}),
             ("ReduceMax", ["z"], "y", {"axes": [1], "keepdims": 0})]
    model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, {"x": [96, 64], "r": [64, 96]}, {"y": [64]})
    [launch] = gpu_counters.measure(model, tmp_path, driver, "sm_80")
    assert launch.kind == "staging"
    check(launch, (2 * 96 * 64 + 64) * 4, (2 * 96 * 64 + 64) * 4, whole=True)


def test_rows_of_which_one_target_holds_eight(driver, tmp_path):
    """Shared memory of sm_90a does, that of sm_80 would not: test_gpu_counters_boundaries.py."""
    [launch] = gpu_counters.measure(norm(tmp_path / "m.onnx", "softmax", "FLOAT", 6000, 8, batch=1), tmp_path, driver, "sm_90a")
    assert launch.kind == "staging"
    check(launch, 2 * 48000 * 4, 2 * 48000 * 4, whole=True)


@pytest.mark.parametrize("name, kind, length", [("softmax", "FLOAT", 64), ("layer_norm", "FLOAT", 768), ("rms_norm", "BFLOAT16", 1023),
                                                ("layer_norm", "FLOAT16", 2048), ("softmax", "FLOAT16", 4096)])
def test_tiles_of_rows_assemble_without_spills(tmp_path, name, kind, length):
    model = norm(tmp_path / "m.onnx", name, kind, length, 196, before=[("Add", ["t", "r"], "z", {})],
                 inputs={"r": [2, 196, length]})
    test_ptx.check(model, tmp_path, test_ptx.TARGETS)
