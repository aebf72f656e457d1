"""What products cost on the simulated GPU: bytes, sectors, tensor instructions, no bank conflict in a main loop."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import gpu_counters
import pytest
import test_gpu_products
from gpu_counters import BYTES, ceil

LAYOUTS = ["NN", "NT", "TN", "TT"]
EVEN, ODD = (320, 384, 160), (131, 77, 521)
# Columns of a panel where weights are not packed: of multiply-adds; bytes of them, of tensor cores.
FMA_COLUMNS, TENSOR_BYTES = 16, 128
WARP = 32
# Tiles of fewer rows, and epilogues of which two or four neighbours are aligned.
LOW = [(16, 384, 160), (20, 100, 300), (33, 90, 96)]


def cases():
    for kind in ("FLOAT", "TF32", "FLOAT16", "BFLOAT16"):
        for layout in LAYOUTS:
            yield "sm_80", kind, layout, EVEN
            yield "sm_80", kind, layout, ODD
        yield "sm_90a", kind, "NN", ODD
    for layout in LAYOUTS:
        yield "sm_90a", "FLOAT16", layout, EVEN
        yield "sm_90a", "BFLOAT16", layout, EVEN
    for size in LOW:
        for layout in LAYOUTS:
            yield "sm_80", "FLOAT", layout, size
        yield "sm_80", "TF32", "NN", size
        yield "sm_80", "FLOAT16", "NT", size
    yield "sm_90a", "FLOAT", "NT", EVEN
    yield "sm_90a", "TF32", "TN", EVEN


def measure(driver, folder, target, kind, layout, size, weights=False):
    options = ["--precision", "tf32"] if kind == "TF32" else []
    kind = "FLOAT" if kind == "TF32" else kind
    model = test_gpu_products.product(folder / "m.onnx", *size, kind=kind, layout=layout, weights=weights)
    [launch] = gpu_counters.measure(model, folder, driver, target, *options)
    return launch


@pytest.mark.parametrize("target, kind, layout, size", [*cases()])
def test_products(driver, tmp_path, target, kind, layout, size):
    launch = measure(driver, tmp_path, target, kind, layout, size)
    m, n, k = size
    element = BYTES.get(kind, 4)
    config, operands, result = launch.config, (m * k + k * n) * element, m * n * element
    width = FMA_COLUMNS if kind == "FLOAT" else TENSOR_BYTES // element
    columns = config["panels"] * width
    down, across, steps = ceil(m, config["rows"]), ceil(n, columns), ceil(k, config["depth"])
    padded = 2 * down * config["rows"] * across * columns * steps * config["depth"]
    # Blocks that share K leave their sums and count; the last one adds them.
    split, tile = config.get("split", 1), config["rows"] * columns
    sums = 4 * down * across * split * tile if split > 1 else 0
    moved = result + 2 * sums + 4 * launch.counters["atomics"]
    assert launch.counters["atomics"] == (down * across * split if split > 1 else 0)
    if launch.kind == "warpgroup_gemm":
        # Whole boxes, on their way in and out: what hangs over the edge is no byte of memory.
        tma, boxes = launch.counters["tma"], steps * (config["rows"] + columns) * config["depth"]
        assert tma["shared_bytes"] == down * across * (boxes + config["rows"] * columns) * element
        assert launch.bytes == tma["global_bytes"] + moved - result
        read = tma["global_bytes"] - result
    else:
        read = launch.bytes - moved
    # Every block reads its rows and columns once, and nothing in place of panels that are not there.
    assert read == k * (m * across + n * down) * element
    assert launch.tensor_flops == (0 if kind == "FLOAT" else padded)
    if kind == "FLOAT":
        assert launch.counters["flops"]["f32"] == padded + down * across * tile * (split - 1)
    assert launch.conflicts_in_main_loops() == {}
    # The epilogue too, but for the strip of 64 rows of which each thread has four neighbours: two meet in a bank.
    pairs = across * down * tile // WARP if (kind, layout, config["rows"]) == ("FLOAT", "TT", 64) else 0
    assert launch.counters["shared"]["bank_conflicts"] == pairs
    assert launch.counters["local"]["bytes"] == 0
    if size == EVEN:
        tickets = ceil(4 * down * across, gpu_counters.SECTOR) * gpu_counters.SECTOR if split > 1 else 0
        assert launch.distinct == operands + result + sums + tickets
        assert launch.efficiency >= 0.95


@pytest.mark.parametrize("layout, size, weights", [("NN", (131, 80, 160), False), ("NT", (131, 80, 160), False),
                                                   ("NN", (131, 77, 160), False), ("NN", (131, 80, 160), True),
                                                   ("NT", (131, 77, 160), True)])
def test_panels_past_the_last_are_not_read(driver, tmp_path, layout, size, weights):
    """Where K is whole, too: the mask of a block's last panels is one of their columns then."""
    launch = measure(driver, tmp_path, "sm_80", "FLOAT", layout, size, weights)
    m, n, k = size
    panels, config = ceil(n, FMA_COLUMNS), launch.config
    assert panels % config["panels"] != 0, "every block is full: nothing is proved"
    # Weights are packed in panels, of which the last is filled up.
    columns = FMA_COLUMNS * panels if weights else n
    down, across, split = ceil(m, config["rows"]), ceil(panels, config["panels"]), config.get("split", 1)
    sums = 8 * down * across * split * config["rows"] * config["panels"] * FMA_COLUMNS if split > 1 else 0
    read = launch.bytes - sums - 4 * launch.counters["atomics"] - m * n * 4
    assert read == k * (m * across + columns * down) * 4


def test_16_bit_products_of_sm_90a_are_on_warpgroups(driver, tmp_path):
    assert measure(driver, tmp_path, "sm_90a", "BFLOAT16", "NN", EVEN).kind == "warpgroup_gemm"
    assert measure(driver, tmp_path, "sm_90a", "BFLOAT16", "NN", ODD).kind == "block_gemm"
