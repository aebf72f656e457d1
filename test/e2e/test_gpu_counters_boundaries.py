"""What row kernels below a concatenation along the rows cost on the simulated GPU: every lane reads of the operand that it
chooses and of no other, neighbours in one access where seams are aligned. test/unit/Kernels checks what they compute."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import gpu_counters
import numpy as np
import pytest
import test_ptx
from gpu_counters import BYTES
from test_gpu_counters_turned import KINDS, TURN, check

ACROSS = ("Transpose", ["v"], "u", {"perm": [0, 2, 1]})
SOFTMAX = ("Softmax", ["z"], "y", {"axis": -1})
SUM = ("ReduceSum", ["z", "axes"], "y", {"keepdims": 0})
PAD = ("Pad", ["x", "by"], "z", {})


def concat(*parts):
    return "Concat", [*parts], "z", {"axis": 2}


# name: (nodes, inputs, output, constants, config): rows of a few threads, of a warp, of a block; longer than registers hold.
CASES = {
    "short": ([concat("a", "b"), SOFTMAX], {"a": [2, 128, 64], "b": [2, 128, 32]}, [2, 128, 96], {}, "pointwise"),
    "three": ([concat("a", "b", "c"), SOFTMAX], {"a": [2, 64, 256], "b": [2, 64, 16], "c": [2, 64, 496]}, [2, 64, 768], {},
              "pointwise"),
    "long": ([concat("a", "b"), SOFTMAX], {"a": [1, 16, 8192], "b": [1, 16, 4096]}, [1, 16, 12288], {}, "pointwise"),
    "sum": ([concat("a", "b"), SUM], {"a": [2, 128, 512], "b": [2, 128, 256]}, [2, 128], {"axes": np.array([2])}, "pointwise"),
    "padded": ([PAD, SOFTMAX], {"x": [2, 128, 64]}, [2, 128, 96], {"by": np.array([0, 0, 16, 0, 0, 16])}, "pointwise"),
    "in_two": ([concat("a", "b"), ("Relu", ["z"], "r", {}), ("Concat", ["c", "r"], "w", {"axis": 2}),
                ("Softmax", ["w"], "y", {"axis": -1})],
               {"a": [2, 64, 64], "b": [2, 64, 32], "c": [2, 64, 160]}, [2, 64, 256], {}, "pointwise"),
    "turned_front": ([TURN, concat("t", "a"), SOFTMAX], {"x": [2, 64, 128], "a": [2, 128, 32]}, [2, 128, 96], {}, "staging"),
    "turned_behind": ([TURN, concat("a", "t"), SOFTMAX], {"x": [2, 512, 128], "a": [2, 128, 256]}, [2, 128, 768], {}, "staging"),
    "turned_both": ([TURN, ACROSS, concat("t", "u"), SOFTMAX], {"x": [2, 64, 128], "v": [2, 32, 128]}, [2, 128, 96], {},
                    "staging"),
}


def size(dims):
    return int(np.prod(dims))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("number, name", [*enumerate(CASES)])
def test_each_operand_is_read_where_it_is_chosen(driver, tmp_path, number, name, kind):
    nodes, inputs, output, constants, config = CASES[name]
    model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, inputs, {"y": output}, kind, constants)
    target = ["sm_80", "sm_90a"][(number + len(kind)) % 2]
    [launch] = gpu_counters.measure(model, tmp_path, driver, target)
    assert launch.kind == config
    asked = (sum(size(dims) for dims in inputs.values()) + size(output)) * BYTES[kind]
    check(launch, asked, asked, whole=True)


# name: (nodes, inputs, output, configs): the tile of a transpose is one operand's as a whole or not; a transpose behind a
# reshape; a reduction over what neighbours lie along, but not the last dim.
BESIDE = {
    "batch": ([TURN, ("Concat", ["t", "b"], "y", {"axis": 0})], {"x": [4, 64, 96], "b": [2, 96, 64]}, [6, 96, 64], ["staging"]),
    "heads": ([("Transpose", ["x"], "t", {"perm": [0, 1, 3, 2]}), ("Concat", ["b", "t"], "z", {"axis": 1}), SOFTMAX],
              {"x": [2, 3, 128, 64], "b": [2, 1, 64, 128]}, [2, 4, 64, 128], ["staging"]),
    "joined": ([("Reshape", ["x", "to"], "r", {}), ("Transpose", ["r"], "y", {"perm": [1, 0]})], {"x": [4, 128, 80]}, [80, 512],
               ["staging"]),
    "padded_windows": ([TURN, ("Reshape", ["t", "to"], "w", {}), ("Pad", ["w", "by"], "y", {})], {"x": [16, 96, 96]},
                       [17, 98, 6, 16], ["staging"]),
    "columns": ([TURN, ("Softmax", ["t"], "y", {"axis": 1})], {"x": [8, 64, 128]}, [8, 128, 64], ["staging", "pointwise"]),
}
CONSTANTS = {"joined": {"to": np.array([512, 80])},
             "padded_windows": {"to": np.array([16, 96, 6, 16]), "by": np.array([0, 1, 0, 0, 1, 1, 0, 0])}}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("number, name", [*enumerate(BESIDE)])
def test_what_is_turned_beside_other_operands(driver, tmp_path, number, name, kind):
    nodes, inputs, output, configs = BESIDE[name]
    model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, inputs, {"y": output}, kind, CONSTANTS.get(name, {}))
    launches = gpu_counters.measure(model, tmp_path, driver, ["sm_80", "sm_90a"][(number + len(kind)) % 2])
    found = gpu_counters.CONFIG.findall(gpu_counters.kernels(tmp_path / "ir"))
    assert [config[0] for config in found] == configs
    read = sum(size(dims) for dims in inputs.values()) * BYTES[kind]
    for launch in launches:
        asked = read + size(output) * BYTES[kind]
        check(launch, asked, asked, whole=True)
        read = asked - read


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("target, length", [("sm_80", 6000), ("sm_80", 20000), ("sm_90a", 16384)])
def test_rows_that_shared_memory_does_not_hold_are_turned_before(driver, tmp_path, kind, target, length):
    if kind != "FLOAT" and length < 10000:
        length *= 2  # of half as many bytes
    nodes = [TURN, ("Softmax", ["t"], "y", {"axis": -1})]
    model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, {"x": [1, length, 16]}, {"y": [1, 16, length]}, kind)
    copy, rows = gpu_counters.measure(model, tmp_path, driver, target)
    data = 2 * 16 * length * BYTES[kind]
    check(copy, data, data, whole=True)
    check(rows, data, data, whole=True)


@pytest.mark.parametrize("number, name", [*enumerate(CASES)])
def test_rows_below_a_choice_assemble_without_spills(tmp_path, number, name):
    nodes, inputs, output, constants, _ = CASES[name]
    model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, inputs, {"y": output}, KINDS[number % 3], constants)
    test_ptx.check(model, tmp_path, test_ptx.TARGETS)
