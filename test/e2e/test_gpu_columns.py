"""Reductions and row ops over another dim than the last, whose positions teams share, on simulated GPUs: every kernel
against the reference in double precision, over odd sizes, types, kinds, symbolic dims and orders of execution."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools

import gpu_counters
import numpy as np
import onnx
import pytest
import tool

SCHEDULES = ["eager,forward", "late,random,7", "random,reverse,3"]
DEVICES = gpu_counters.DEVICES
FLOATS = ["FLOAT", "FLOAT16", "BFLOAT16", "DOUBLE"]
INTEGERS = ["INT8", "UINT8", "INT32", "UINT32", "INT64"]
# What is reduced is in the middle, in front, both; columns are one, few, odd, several strips.
SHAPES = [((3, 17, 2), [1]), ((40, 5), [0]), ((9, 3, 33), [0]), ((4, 9, 2, 36), [0, 2]), ((2, 130, 100), [1]),
          ((5, 1025, 3), [1]), ((2, 3, 4100), [1]), ((7, 64, 8), [1])]
FLOAT_OPS = ["ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2",
             "ReduceSumSquare", "ReduceLogSumExp"]
INTEGER_OPS = ["ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceSumSquare"]


def reductions(path, kind):
    """Every op meets every shape in one type or another."""
    ops = FLOAT_OPS if kind in FLOATS else INTEGER_OPS if kind[-1] != "8" else ["ReduceMax", "ReduceMin"]
    turns = min(3, len(ops))
    first = (FLOATS + INTEGERS).index(kind) % turns
    nodes, inputs, outputs, constants = [], {}, {}, {}
    for i, (shape, axes) in enumerate(SHAPES):
        inputs[f"x{i}"] = list(shape)
        constants[f"axes{i}"] = np.array(axes)
        for j, op in enumerate(ops):
            if (i + j) % turns != first:
                continue
            name = f"y{i}_{j}"
            outputs[name] = [n for d, n in enumerate(shape) if d not in axes]
            nodes.append((op, [f"x{i}", f"axes{i}"], name, {"keepdims": 0}))
    return gpu_counters.write_model(path, nodes, inputs, outputs, kind, constants, opset=18)


def verify(package, device, driver, *options):
    for schedule in SCHEDULES:
        found = tool.call("verify", package, "--device", device, *options,
                          env={**driver, "KILN_SIM_SCHEDULE": schedule})
        assert found.stdout.endswith("PASSED\n") and "kiln-sim" not in found.stderr, found.stdout + found.stderr


@pytest.mark.parametrize("kind", FLOATS + INTEGERS)
def test_reductions(driver, tmp_path, kind):
    model = reductions(tmp_path / "m.onnx", kind)
    target = list(DEVICES)[(FLOATS + INTEGERS).index(kind) % 2]
    tool.call("compile", model, "-o", tmp_path / "m.kiln", "--target", target, "--save-temps", tmp_path / "ir")
    # All but those of three positions and many columns.
    assert (tmp_path / "ir" / "3-code.mlir").read_text().count("share =") >= len(SHAPES) - 1
    verify(tmp_path / "m.kiln", DEVICES[target], driver)


ROWS = {"softmax": ([("Softmax", ["x"], "y", {"axis": 1})], ["x"]),
        "residual": ([("Add", ["x", "r"], "a", {}), ("Softmax", ["a"], "y", {"axis": 1})], ["x", "r"]),
        "scaled": ([("Softmax", ["x"], "s", {"axis": 1}), ("Mul", ["s", "r"], "y", {})], ["x", "r"])}


@pytest.mark.parametrize("kind", FLOATS)
@pytest.mark.parametrize("name", ROWS)
def test_rows(driver, tmp_path, name, kind):
    nodes, names = ROWS[name]
    target, device = list(DEVICES.items())[FLOATS.index(kind) % 2]
    for i, shape in enumerate([[3, 17, 5], [2, 129, 36], [40, 3, 64], [1, 700, 20]]):
        model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, dict.fromkeys(names, shape), {"y": shape}, kind)
        tool.call("compile", model, "-o", tmp_path / "m.kiln", "--target", target)
        verify(tmp_path / "m.kiln", device, driver)


@pytest.mark.parametrize("target, kind", [*itertools.product(DEVICES, ["FLOAT", "BFLOAT16"])])
def test_symbolic_dims(driver, tmp_path, target, kind):
    """Rows, positions and columns of any number, none of them included."""
    nodes = [("Softmax", ["x"], "y", {"axis": 1}), ("ReduceMean", ["x", "axes"], "z", {"keepdims": 0})]
    model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, {"x": ["b", "k", "c"]},
                                     {"y": ["b", "k", "c"], "z": ["b", "c"]}, kind, {"axes": np.array([1])}, opset=18)
    tool.call("compile", model, "-o", tmp_path / "m.kiln", "--target", target, "--dims", "b=1..4,k=1..300,c=1..200")
    for dims in ("b=1,k=1,c=1", "b=3,k=33,c=4", "b=2,k=300,c=37", "b=1,k=129,c=200"):
        verify(tmp_path / "m.kiln", DEVICES[target], driver, "--dims", dims)


def test_every_order_gives_the_same_bits(driver, tmp_path):
    nodes = [("Softmax", ["x"], "y", {"axis": 1}), ("ReduceMean", ["x", "axes"], "z", {"keepdims": 0})]
    model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, {"x": [3, 333, 20]}, {"y": [3, 333, 20], "z": [3, 20]},
                                     constants={"axes": np.array([1])}, opset=18)
    tool.call("compile", model, "-o", tmp_path / "m.kiln", "--target", "sm_80")

    def run(schedule, *options):
        outputs = [f"{name}=@{tmp_path / name}.npy" for name in "yz"]
        tool.call("run", tmp_path / "m.kiln", "--device", "sim:a100", "-o", outputs[0], "-o", outputs[1], *options,
                  env={**driver, "KILN_SIM_SCHEDULE": schedule})
        return [(tmp_path / f"{name}.npy").read_bytes() for name in "yz"]

    first = run(SCHEDULES[0])
    for schedule in SCHEDULES[1:]:
        assert run(schedule) == first
    assert run(SCHEDULES[1], "--no-graph") == first


def test_mean_pooling_with_a_mask(driver, tmp_path):
    """What a sentence encoder ends with: tokens that count, summed; the mask is one number per position."""
    nodes = [("Unsqueeze", ["mask", "last"], "m", {}), ("Mul", ["x", "m"], "w", {}),
             ("ReduceSum", ["w", "axes"], "sum", {"keepdims": 0}), ("ReduceSum", ["mask", "axes"], "n", {"keepdims": 1}),
             ("Div", ["sum", "n"], "y", {})]
    model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, {"x": [2, "k", 384], "mask": [2, "k"]}, {"y": [2, 384]},
                                     constants={"axes": np.array([1]), "last": np.array([2])}, opset=18)
    onnx.checker.check_model(onnx.load(model))
    tool.call("compile", model, "-o", tmp_path / "m.kiln", "--target", "sm_80", "--dims", "k=1..512")
    for k in (1, 100, 128):
        verify(tmp_path / "m.kiln", "sim:a100", driver, "--dims", f"k={k}")
