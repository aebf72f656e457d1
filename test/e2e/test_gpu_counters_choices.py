"""What transposes below a concatenation cost on the simulated GPU: of a tile, an operand is read where it is selected and
nowhere else, in whole sectors. test/unit/Kernels checks what they compute."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import gpu_counters
import numpy as np
import pytest
import test_ptx
from gpu_counters import BYTES
from test_gpu_counters_turned import KINDS, check

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


@pytest.mark.parametrize("name", ["front", "between", "last_keys"])
def test_tiles_assemble_without_spills(tmp_path, name):
    nodes, inputs, output = CASES[name]
    model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, inputs, {"y": output}, KINDS[len(name) % 3])
    test_ptx.check(model, tmp_path, test_ptx.TARGETS)


def test_rows_assemble_without_spills(tmp_path):
    test_ptx.check(embeddings(tmp_path / "m.onnx", "FLOAT16", 768, 196), tmp_path, test_ptx.TARGETS)


