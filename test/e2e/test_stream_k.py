"""Stream-K: the last wave of tiles cut evenly over blocks. Against the reference in double precision under several
schedules, with the bits of one run in all of them, in graphs and step by step; what blocks move; what is refused; ptxas."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import re

import pytest
import test_ptx
import tool
from test_gpu_products import product
from test_split import TICKET, run_everywhere

OPTIONS = ["--target", "native,sm_90a"]
WAVE, COLUMNS, STEP = 132, 64, 64  # tiles per wave on an H200; columns of the narrowest tile; K per step

# Work units into which the K steps of the last wave's tiles are divided.
CASES = {
    "one_tile": (dict(m=128, n=64, k=640), 7),
    "uneven": (dict(m=300, n=136, k=1000, weights=True), 17),
    "whole_splits": (dict(m=260, n=64, k=512, kind="FLOAT16"), 6),
    "a_step_each": (dict(m=256, n=64, k=200), 8),
    "transposed": (dict(m=200, n=192, k=400, layout="TT"), 8),
    "batches": (dict(m=130, n=64, k=320, batch=2), 9),
    "columns_of_a_panel": (dict(m=140, n=72, k=704, layout="NT"), 11),
    "behind_a_full_wave": (dict(m=1536, n=768, k=192), 20),
}


def configs_file(model, folder, units, more="", options=OPTIONS):
    """A file that gives a product the narrowest tile, and cuts its last wave into so many units; rows of the tile."""
    tool.call("compile", model, "-o", folder / "plain.kiln", *options)
    kernels = json.loads(tool.call("explain", folder / "plain.kiln", "--json").stdout)
    [kernel] = [k for k in kernels if "matmul" in k["key"] and k["target"] == "sm_90a"]
    found = [re.match(r"#tile.warpgroup_gemm_config<(.*)>", c["config"]) for c in kernel["candidates"]]
    texts = [re.sub(r", (split|tail_blocks) = \d+", "", match[1]) for match in found if match]
    narrowest = min(texts, key=lambda text: int(re.search(r"panels = (\d+)", text)[1]))
    path = folder / "configs.txt"
    path.write_text(f"{kernel['key']} sm_90a warpgroup_gemm {narrowest}, tail_blocks = {units}{more}\n")
    return path, int(re.search(r"rows = (\d+)", narrowest)[1])


def tiles_of(case, rows):
    return case.get("batch", 1) * -(-case["m"] // rows) * -(-case["n"] // COLUMNS)


def segments(tail, steps, units):
    """Pairs of a unit and a tile of which it has steps."""
    cuts = [unit * tail * steps // units for unit in range(units + 1)]
    return sum((end - 1) // steps - begin // steps + 1 for begin, end in zip(cuts, cuts[1:]))


@pytest.mark.parametrize("name", CASES)
def test_products(name, driver, tmp_path):
    case, units = CASES[name]
    model = product(tmp_path / "m.onnx", **case)
    path, _ = configs_file(model, tmp_path, units)
    tool.call("compile", model, "-o", tmp_path / "cut.kiln", *OPTIONS, "--configs", path)
    run_everywhere(tmp_path / "cut.kiln", "sm_90a", tmp_path, driver)


@pytest.mark.parametrize("name", ["uneven", "behind_a_full_wave"])
def test_what_they_move(name, driver, tmp_path):
    """Every step of K is loaded once, as without; every unit arrives once at each tile that it has steps of."""
    case, units = CASES[name]
    model = product(tmp_path / "m.onnx", **case)
    path, rows = configs_file(model, tmp_path, units)
    launches = []
    for text in (path.read_text(), path.read_text().replace(f", tail_blocks = {units}", "")):
        path.write_text(text)
        tool.call("compile", model, "-o", tmp_path / "m.kiln", *OPTIONS, "--configs", path)
        counters = tmp_path / f"counters{len(launches)}.json"
        environment = {**driver, "KILN_SIM_COUNTERS": str(counters)}
        tool.call("run", tmp_path / "m.kiln", "--device", "sim:h200", env=environment)
        launches += [json.loads(line) for line in counters.read_text().splitlines()]
    cut, whole = launches
    tiles, steps = tiles_of(case, rows), -(-case["k"] // STEP)
    arrivals = segments(tiles % WAVE, steps, units)
    assert cut["atomics"] == arrivals and whole["atomics"] == 0
    assert cut["tma"]["global_bytes"] == whole["tma"]["global_bytes"]
    assert cut["grid"] == [min(WAVE, tiles - tiles % WAVE + units * 2), 1, 1]
    partials = 4 * arrivals * rows * COLUMNS
    assert cut["global"]["bytes"] - whole["global"]["bytes"] == 2 * partials + 4 * arrivals
    assert cut["shared"]["bank_conflicts"] == 0 and cut["local"]["bytes"] == 0


@pytest.mark.parametrize("units, more", [(1, ""), (6, ""), (96, ""), (133, ""), (17, ", split = 2")])
def test_refused(units, more, tmp_path):
    """Not more units than tiles; more than steps, or than a wave has tiles; split-K beside it."""
    model = product(tmp_path / "m.onnx", m=300, n=104, k=960)
    path, _ = configs_file(model, tmp_path, units, more)
    outcome = tool.call("compile", model, "-o", tmp_path / "cut.kiln", *OPTIONS, "--configs", path, status=2)
    assert "number of units of stream-K (tail_blocks)" in outcome.stderr and f"found {units}" in outcome.stderr, outcome


@pytest.mark.parametrize("name", CASES)
def test_they_assemble(name, tmp_path):
    case, units = CASES[name]
    model = product(tmp_path / "m.onnx", **case)
    path, _ = configs_file(model, tmp_path, units, options=["--target", "sm_90a"])
    texts = test_ptx.check(model, tmp_path, ["sm_90a"], "--configs", path)
    assert all(TICKET.search(text.read_text()) for text in texts)


@pytest.mark.parametrize("m, n, k, units", [(2176, 4096, 16384, 80), (2304, 2048, 16384, 132), (4096, 4096, 4096, 0)])
def test_chosen_where_the_last_wave_is_short(m, n, k, units, tmp_path):
    """Two waves and 8 tiles, or one and a half; not where a wave is nearly full. Wide tiles stay in registers."""
    texts = test_ptx.check(product(tmp_path / "m.onnx", m, n, k), tmp_path, ["sm_90a"])
    assert all(bool(TICKET.search(text.read_text())) == (units > 0) for text in texts)
    [kernel] = json.loads(tool.call("explain", tmp_path / "gpu.kiln", "--json").stdout)
    found = re.search(r"tail_blocks = (\d+)", kernel["candidates"][0]["config"])
    assert (int(found[1]) if found else 0) == units
