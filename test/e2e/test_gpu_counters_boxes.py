"""What transposes with short dims on either side cost on the simulated GPU: short dims go through shared memory as a whole,
so that runs of several of them make whole sectors, in the order of the operand and of the result."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import gpu_counters
import pytest
import test_gpu_counters_movement as movement
import test_ptx
from gpu_counters import SECTOR
from test_gpu_counters_movement import BYTES, size, transpose, transposed, write

# The last dim of the operand is short, or that of the result, or both; two and three dims make a run.
PLACES = [
    ([64, 4, 64, 2], [0, 3, 2, 1]),
    ([64, 4, 64, 2], [2, 0, 1, 3]),
    ([2, 64, 64, 4], [0, 2, 1, 3]),
    ([2, 64, 64, 4], [3, 1, 2, 0]),
    ([64, 64, 4, 2], [0, 1, 3, 2]),
    ([64, 64, 4, 2], [3, 0, 2, 1]),
    ([4, 64, 2, 64], [1, 3, 0, 2]),
    ([2, 32, 32, 3], [0, 2, 1, 3]),
    ([32, 3, 16, 16], [0, 3, 2, 1]),
    ([2, 8, 4, 16, 4, 16], [0, 1, 3, 5, 2, 4]),
]


def is_run(launch):
    """One side of the tile is contiguous along several dims."""
    return launch.kind == "staging" and len(launch.config["tile"]) > 2


def check(launch, moved):
    assert launch.bytes == moved
    assert moved <= launch.distinct < moved + 8 * SECTOR  # ends of tensors
    assert launch.efficiency >= 0.95
    assert launch.counters["local"]["bytes"] == 0


@pytest.mark.parametrize("kind", ["FLOAT", "FLOAT16", "DOUBLE", "INT8"])
@pytest.mark.parametrize("number, place", [*enumerate(PLACES)])
def test_boxes_move_whole_sectors(driver, tmp_path, number, place, kind):
    shape, perm = place
    model = transposed(tmp_path / "m.onnx", shape, perm, kind)
    [launch] = gpu_counters.measure(model, tmp_path, driver, movement.TARGETS[number % 2])
    check(launch, 2 * size(shape) * BYTES[kind])
    # Four neighbours of 64 bits are a sector.
    assert is_run(launch) or kind == "DOUBLE"


def test_dims_that_need_no_box(driver, tmp_path):
    """Long dims, whole sectors, and short dims in front of the other side's: as before."""
    for shape, perm, kind in [([64, 512], [1, 0], "staging"), ([2, 64, 4, 64], [0, 2, 1, 3], "pointwise"),
                              ([64, 64, 2, 8], [0, 2, 1, 3], "pointwise"), ([2, 3, 64, 32], [0, 2, 3, 1], "staging")]:
        [launch] = gpu_counters.measure(transposed(tmp_path / "m.onnx", shape, perm, "FLOAT"), tmp_path, driver, "sm_80")
        assert launch.kind == kind and not is_run(launch) and launch.efficiency >= 0.95


@pytest.mark.parametrize("target", movement.TARGETS)
def test_a_fused_body(driver, tmp_path, target):
    """Two operands in the box, one that lies as the result does, one that broadcasts along the outer dim of its run."""
    shape, out = [16, 64, 64, 4], [16, 64, 64, 4]
    nodes = [transpose("a", [0, 2, 1, 3], "t"), transpose("b", [0, 2, 1, 3], "u"), ("Mul", ["t", "u"], "p", {}),
             ("Add", ["p", "c"], "s", {}), ("Add", ["s", "d"], "q", {}), ("Sigmoid", ["q"], "y", {})]
    model = write(tmp_path / "m.onnx", nodes, {"a": shape, "b": shape, "c": out, "d": [4]}, out, "FLOAT")
    [launch] = gpu_counters.measure(model, tmp_path, driver, target)
    assert is_run(launch) and launch.efficiency >= 0.95
    assert launch.distinct == 4 * size(shape) * 4 + SECTOR


@pytest.mark.parametrize("kind", ["FLOAT", "FLOAT16", "DOUBLE", "INT8"])
@pytest.mark.parametrize("place", [PLACES[0], PLACES[3], PLACES[7]])
def test_boxes_assemble_without_spills(tmp_path, place, kind):
    test_ptx.check(transposed(tmp_path / "m.onnx", *place, kind), tmp_path, test_ptx.TARGETS)
