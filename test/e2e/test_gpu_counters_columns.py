"""Row ops over another dim than the last on the simulated GPU: teams share the positions, so that lines shorter than a
sector are read as whole sectors, threads have something to do where columns are few, and what several passes walk over
is read once."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import gpu_counters
import numpy as np
import pytest
import test_ptx
from gpu_counters import BYTES, SECTOR

KINDS = ["FLOAT", "FLOAT16", "BFLOAT16"]
TARGETS = ["sm_80", "sm_90a"]
# (shape, axes): lines of a part of a sector, of several and a part, of many.
SHAPES = [((8, 64, 4), [1]), ((64, 36), [0]), ((4, 512, 8), [1]), ((2, 128, 384), [1]), ((3, 7, 5, 16), [0, 2])]


def check(launch, asked, touched, aligned):
    assert launch.bytes == asked
    assert touched <= launch.distinct < touched + 8 * SECTOR  # ends of tensors
    assert launch.counters["local"]["bytes"] == 0
    if aligned:
        assert launch.efficiency >= 0.95


def reduction(path, op, shape, axes, kind):
    result = [n for i, n in enumerate(shape) if i not in axes]
    nodes = [(op, ["x"], "y", {"axes": axes, "keepdims": 0})]
    return gpu_counters.write_model(path, nodes, {"x": list(shape)}, {"y": result}, kind), result


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape, axes", SHAPES)
def test_reductions_read_whole_sectors(driver, tmp_path, target, kind, shape, axes):
    model, result = reduction(tmp_path / "m.onnx", "ReduceMax", shape, axes, kind)
    [launch] = gpu_counters.measure(model, tmp_path, driver, target)
    total = (int(np.prod(shape)) + int(np.prod(result))) * BYTES[kind]
    # Lines of 36 two-byte elements: a warp has two of them, 4.5 sectors each way.
    short = shape[-1] == 36 and BYTES[kind] == 2
    check(launch, total, total, aligned=not short)
    if short:
        assert launch.efficiency >= 0.89
    assert launch.config["share"] > 1
    assert launch.counters["shared"]["bank_conflicts"] == 0


@pytest.mark.parametrize("kind", KINDS)
def test_threads_take_part(driver, tmp_path, kind):
    """Mean pooling: one column of a thread at most four positions; before, 96 threads (f32) had 128 positions each."""
    model, _ = reduction(tmp_path / "m.onnx", "ReduceMean", (1, 128, 384), [1], kind)
    [launch] = gpu_counters.measure(model, tmp_path, driver, "sm_80")
    strips = 384 // launch.config["lanes"]
    assert launch.counters["grid"][0] == strips
    walkers = strips * launch.config["share"] * launch.config["team"]
    per_thread = launch.config["lanes"] // launch.config["team"]
    assert walkers * per_thread * 4 >= 128 * 384
    assert walkers >= 3072


SOFTMAX = [((2, 64, 48), 1), ((3, 300, 16), 1), ((64, 36), 0), ((4, 512, 8), 1), ((2, 1000, 24), 1), ((64, 3, 64), 1)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape, axis", SOFTMAX)
def test_softmax_over_another_axis_reads_once(driver, tmp_path, kind, shape, axis):
    nodes = [("Softmax", ["x"], "y", {"axis": axis})]
    model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, {"x": list(shape)}, {"y": list(shape)}, kind)
    [launch] = gpu_counters.measure(model, tmp_path, driver, TARGETS[len(shape) % 2])
    data = 2 * int(np.prod(shape)) * BYTES[kind]
    check(launch, data, data, aligned=False)
    if shape[-1] != 36 or BYTES[kind] == 4:
        assert launch.efficiency >= 0.95
    assert launch.config["share"] > 1
    assert launch.counters["shared"]["bank_conflicts"] == 0


def test_softmax_of_symbolic_length_reads_once(driver, tmp_path):
    nodes = [("Add", ["x", "r"], "a", {}), ("Softmax", ["a"], "y", {"axis": 1})]
    shape = [2, "k", 32]
    model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, {"x": shape, "r": shape}, {"y": shape}, "FLOAT16")
    for length in (1, 37, 500):
        [launch] = gpu_counters.measure(model, tmp_path, driver, "sm_90a", "--dims", "k=1..500", dims=f"k={length}")
        data = 3 * 2 * length * 32 * 2
        check(launch, data, data, aligned=True)
        assert launch.counters["shared"]["bank_conflicts"] == 0


def test_what_does_not_fit_is_read_again(driver, tmp_path):
    shape = [1, 6000, 16]
    nodes = [("Softmax", ["x"], "y", {"axis": 1})]
    model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, {"x": shape}, {"y": shape})
    [launch] = gpu_counters.measure(model, tmp_path, driver, "sm_80")
    data = 6000 * 16 * 4
    check(launch, 4 * data, 2 * data, aligned=True)


@pytest.mark.parametrize("op, shape, axes, kind", [
    ("ReduceMean", (1, 128, 384), [1], "FLOAT"), ("ReduceLogSumExp", (64, 36), [0], "FLOAT16"),
    ("ReduceProd", (4096, 4), [0], "FLOAT"), ("ReduceL2", (2, 4096, 20), [1], "BFLOAT16"),
    ("ReduceMean", (300, 3), [0], "DOUBLE")])
def test_reductions_assemble_without_spills(tmp_path, op, shape, axes, kind):
    model, _ = reduction(tmp_path / "m.onnx", op, shape, axes, kind)
    test_ptx.check(model, tmp_path, test_ptx.TARGETS)


@pytest.mark.parametrize("shape, kind", [((2, 1000, 64), "FLOAT"), ((64, 36), "BFLOAT16")])
def test_staged_rows_assemble_without_spills(tmp_path, shape, kind):
    nodes = [("Softmax", ["x"], "y", {"axis": len(shape) - 2})]
    model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, {"x": list(shape)}, {"y": list(shape)}, kind)
    test_ptx.check(model, tmp_path, test_ptx.TARGETS)
