"""What transposes below a concatenation cost on the simulated GPU: of a tile, an operand is read where it is selected and
nowhere else, in whole sectors. What they compute is checked against the reference, too."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import gpu_counters
import numpy as np
import pytest
import test_ptx
import tool
from gpu_counters import BYTES
from test_gpu_counters_turned import KINDS, SCHEDULES, agree, check

TURN = ("Transpose", ["x"], "t", {"perm": [0, 2, 1]})


def concat(*parts, axis):
    return "Concat", [*parts], "y", {"axis": axis}


# name: (nodes, inputs, output): x is turned; a token in front of its rows, behind them, on both sides; along its columns.
CASES = {
    "front": ([TURN, concat("a", "t", axis=1)], {"x": [2, 96, 64], "a": [2, 1, 96]}, [2, 65, 96]),
    "behind": ([TURN, concat("t", "a", axis=1)], {"x": [2, 96, 64], "a": [2, 32, 96]}, [2, 96, 96]),
    "between": ([TURN, concat("a", "t", "b", axis=1)], {"x": [1, 64, 128], "a": [1, 8, 64], "b": [1, 3, 64]}, [1, 139, 64]),
    "keys": ([TURN, concat("t", "a", axis=2)], {"x": [2, 64, 128], "a": [2, 128, 32]}, [2, 128, 96]),
    "last_keys": ([TURN, concat("a", "t", axis=2)], {"x": [2, 16, 64], "a": [2, 64, 48]}, [2, 64, 64]),
    "two": ([TURN, ("Transpose", ["v"], "u", {"perm": [0, 2, 1]}), concat("t", "u", axis=1)],
            {"x": [2, 64, 64], "v": [2, 64, 128]}, [2, 192, 64]),
}


def size(dims):
    return int(np.prod(dims))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("target", ["sm_80", "sm_90a"])
@pytest.mark.parametrize("name", CASES)
def test_what_is_selected_is_read_once(driver, tmp_path, name, target, kind):
    nodes, inputs, output = CASES[name]
    model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, inputs, {"y": output}, kind)
    [launch] = gpu_counters.measure(model, tmp_path, driver, target)
    assert launch.kind == "staging"
    check(launch, 2 * size(output) * BYTES[kind], 2 * size(output) * BYTES[kind], whole=True)


def embeddings(path, kind, channels, patches, batch=2):
    """A class token, transposed patches, positions, a norm."""
    nodes = [TURN, ("Concat", ["a", "t"], "z", {"axis": 1}), ("Add", ["z", "p"], "e", {}),
             ("LayerNormalization", ["e", "s", "b"], "y", {"axis": -1})]
    rows = patches + 1 if isinstance(patches, int) else f"{patches}+1"
    inputs = {"x": [batch, channels, patches], "a": [batch, 1, channels], "p": [rows, channels], "s": [channels], "b": [channels]}
    return gpu_counters.write_model(path, nodes, inputs, {"y": [batch, rows, channels]}, kind)


@pytest.mark.parametrize("kind", KINDS)
def test_rows_below_a_choice(driver, tmp_path, kind):
    channels, patches = 384, 64
    [launch] = gpu_counters.measure(embeddings(tmp_path / "m.onnx", kind, channels, patches), tmp_path, driver, "sm_80")
    assert launch.kind == "staging"
    rows = patches + 1
    asked = (2 * 2 * rows + 2 * rows + 2 * 2 * rows) * channels * BYTES[kind]
    check(launch, asked, (2 * 2 * rows + rows + 2) * channels * BYTES[kind], whole=True)


ODD = {
    "front": (lambda m, n: ([TURN, concat("a", "t", axis=1)], {"x": [2, n, m], "a": [2, 1, n]}, [2, m + 1, n])),
    "between": (lambda m, n: ([TURN, concat("a", "t", "b", axis=1)], {"x": [1, n, m], "a": [1, 5, n], "b": [1, 3, n]},
                              [1, m + 8, n])),
    "keys": (lambda m, n: ([TURN, concat("a", "t", "b", axis=2)], {"x": [1, n, m], "a": [1, m, 7], "b": [1, m, 4]},
                           [1, m, n + 11])),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("number, name", [*enumerate(ODD)])
@pytest.mark.parametrize("m, n", [(33, 70), (64, 31), (3, 65)])
def test_results_at_odd_sizes(driver, tmp_path, number, name, m, n, kind):
    nodes, inputs, output = ODD[name](m, n)
    model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, inputs, {"y": output}, kind)
    package, target = tmp_path / "m.kiln", ["sm_80", "sm_90a"][m % 2]
    tool.call("compile", model, "-o", package, "--target", target)
    agree(driver, package, gpu_counters.DEVICES[target], SCHEDULES[number])


@pytest.mark.parametrize("axis", [1, 2])
@pytest.mark.parametrize("number, kind", [*enumerate(KINDS)])
def test_results_at_symbolic_seams(driver, tmp_path, number, kind, axis):
    inputs = {"x": ["b", "n", "m"], "a": ["b", "k", "n"] if axis == 1 else ["b", "m", "k"]}
    nodes = [TURN, concat("a", "t", axis=axis)]
    output = ["b", "r", "n"] if axis == 1 else ["b", "m", "r"]
    model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, inputs, {"y": output}, kind)
    package = tmp_path / "m.kiln"
    tool.call("compile", model, "-o", package, "--target", "sm_80")
    for i, dims in enumerate(["b=2,n=33,m=70,k=5", "b=1,n=64,m=64,k=64", "b=3,n=2,m=5,k=1", "b=1,n=40,m=40,k=100"]):
        agree(driver, package, "sim:a100", SCHEDULES[(number + i) % 3], "--dims", dims)


@pytest.mark.parametrize("patches", [33, 196])
@pytest.mark.parametrize("number, kind", [*enumerate(KINDS)])
def test_results_of_rows_below_a_choice(driver, tmp_path, number, kind, patches):
    model, package = embeddings(tmp_path / "m.onnx", kind, 100, patches), tmp_path / "m.kiln"
    tool.call("compile", model, "-o", package, "--target", "sm_90a")
    agree(driver, package, "sim:h200", SCHEDULES[number])


@pytest.mark.parametrize("name", ["front", "between", "last_keys"])
def test_tiles_assemble_without_spills(tmp_path, name):
    nodes, inputs, output = CASES[name]
    model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, inputs, {"y": output}, KINDS[len(name) % 3])
    test_ptx.check(model, tmp_path, test_ptx.TARGETS)


def test_rows_assemble_without_spills(tmp_path):
    test_ptx.check(embeddings(tmp_path / "m.onnx", "FLOAT16", 768, 196), tmp_path, test_ptx.TARGETS)


# name: (nodes, inputs, output, type, constants, config): choices in choices, along both sides, along one twice, of other types.
NESTED = {
    "both_sides": ([TURN, ("Concat", ["a", "t"], "c", {"axis": 1}), concat("c", "b", axis=2)],
                   {"x": [1, 60, 64], "a": [1, 8, 60], "b": [1, 72, 20]}, [1, 72, 80], "FLOAT", {}, "staging"),
    "one_side": ([TURN, ("Concat", ["a", "t"], "c", {"axis": 1}), concat("b", "c", axis=1)],
                 {"x": [1, 60, 64], "a": [1, 8, 60], "b": [1, 5, 60]}, [1, 77, 60], "BFLOAT16", {}, "staging"),
    "pad": ([TURN, ("Pad", ["t", "by"], "y", {})], {"x": [1, 40, 50]}, [1, 57, 48], "FLOAT",
            {"by": np.array([0, 3, 5, 0, 4, 3])}, "staging"),
    "padded_rows": ([TURN, ("Pad", ["t", "by"], "z", {}), ("Softmax", ["z"], "y", {"axis": -1})], {"x": [1, 40, 50]},
                    [1, 57, 40], "FLOAT16", {"by": np.array([0, 3, 0, 0, 4, 0])}, "staging"),
    "padded_columns": ([TURN, ("Pad", ["t", "by"], "z", {}), ("Softmax", ["z"], "y", {"axis": -1})], {"x": [1, 40, 50]},
                       [1, 50, 47], "FLOAT16", {"by": np.array([0, 0, 3, 0, 0, 4])}, "staging"),
    "doubles": ([TURN, concat("t", "a", axis=2)], {"x": [2, 70, 130], "a": [2, 130, 2]}, [2, 130, 72], "DOUBLE", {}, "staging"),
    "bytes": ([TURN, concat("a", "t", axis=1)], {"x": [2, 70, 130], "a": [2, 3, 70]}, [2, 133, 70], "INT8", {}, "staging"),
}


@pytest.mark.parametrize("number, name", [*enumerate(NESTED)])
def test_results_of_choices_in_choices(driver, tmp_path, number, name):
    nodes, inputs, output, kind, constants, config = NESTED[name]
    model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, inputs, {"y": output}, kind, constants)
    package, target = tmp_path / "m.kiln", ["sm_80", "sm_90a"][number % 2]
    tool.call("compile", model, "-o", package, "--target", target, "--save-temps", tmp_path / "ir")
    assert gpu_counters.CONFIG.findall(gpu_counters.kernels(tmp_path / "ir"))[0][0] == config
    agree(driver, package, gpu_counters.DEVICES[target], SCHEDULES[number % 3])
