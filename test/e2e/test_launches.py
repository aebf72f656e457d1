"""How many launches a layer of a decoder takes, and how many bytes a step says that it moves."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json

import decoders
import pytest
import tool

LAYERS, KEYS = 6, 2 * 32


@pytest.fixture(scope="module", params=[(spelling, target) for spelling in ("past", "gqa") for target in ("native", "sm_80")])
def tinylm(request, tmp_path_factory):
    """(spelling, target, package)."""
    spelling, target = request.param
    options = ["--dims", "rows=1..4,capacity=1..1024,sequence=1..512", "--target", target]
    return spelling, target, decoders.compile_tinylm(tmp_path_factory.mktemp(spelling), *options, spelling=spelling)


def entries(package):
    found = json.loads(tool.call("inspect", package, "--json").stdout)
    return {entry["entry"]: entry for entry in [found, *found["other_entries"]]}


# One layer: norm; query, key and value; rotation and cache write; attention; output projection; norm; gate and up; down projection.
LAYER = ["row", "matmul", "kv_write", "attention", "matmul", "row", "matmul", "matmul"]
# Outside the layers: embeddings, positions and their cosines and sines, lengths of the keys, the last norm, the head,
# new lengths and their copy to state; in prefill also the last positions' indices, and two gathers of them in the last
# layer. Models from torch multiply positions by frequencies; with GroupQueryAttention rows of tables are gathered.
AROUND = {("past", "decode"): 10, ("past", "prefill"): 13, ("gqa", "decode"): 9, ("gqa", "prefill"): 12}


@pytest.mark.parametrize("entry", ["prefill", "decode"])
def test_eight_launches_a_layer(tinylm, entry):
    spelling, target, package = tinylm
    steps = entries(package)[entry]["steps"]
    checks = int(target != "native")  # GPUs check token ids in a kernel
    assert len(steps) == LAYERS * len(LAYER) + AROUND[spelling, entry] + checks
    launches = [step["hero"] for step in steps if step["hero"]][checks:]
    heroes = [hero for hero in launches if hero != "pointwise"]
    first = int(spelling == "past")  # positions times frequencies
    assert heroes[first:] == LAYERS * LAYER + ["row", "matmul"]
    # All layers between the first attention and the last layer have the same launches.
    inner = launches[launches.index("attention") + 1 :]
    assert inner[: 8 * (LAYERS - 2)] == (LAYERS * LAYER)[4 : 4 + 8 * (LAYERS - 2)]


# Quantized activations: with E4M3 the norms quantize, and an extra kernel does before the output and down projections;
# with block scales, an extra kernel also follows each norm.
QUANTIZED = {
    "fp8": (["--precision", "fp8", "--activations", "fp8"], ["row", "matmul", "kv_write", "attention", *["row", "matmul"] * 3]),
    "int8": (["--precision", "int8"], ["row", "row", "matmul", "kv_write", "attention", "row", "matmul", "row", "row", "matmul", "row", "matmul"]),
}


@pytest.mark.parametrize("precision", QUANTIZED)
def test_launches_that_quantize(tmp_path, precision):
    """In a package for GPUs, where a launch costs more than another pass over a row in registers."""
    options, layer = QUANTIZED[precision]
    package = decoders.compile_tinylm(tmp_path, *options, "--target", "sm_90a", "--dims", "rows=1..4,capacity=1..1024,sequence=1..512", spelling="past")
    heroes = [step["hero"] for step in entries(package)["decode"]["steps"] if step["hero"]]
    inner = heroes[heroes.index("attention") + 1 :]
    rest = layer[layer.index("attention") + 1 :]
    assert inner[: len(rest) + len(layer) * (LAYERS - 2)] == rest + layer * (LAYERS - 2)


def test_bytes_of_a_step(tinylm):
    """Weights, the rows of the caches that are read, and the new rows."""
    spelling, target, package = tinylm
    if target != "native":
        pytest.skip("a simulated GPU takes seconds for a step, and says the same bytes")
    options = ["--prompt", 500, "--gen", 3, "--duration", "0.05", "--json"]
    found = json.loads(tool.call("bench", package, *options).stdout)["step_bytes"]
    length = 502
    weights = next(arena["max_bytes"] for arena in entries(package)["decode"]["arenas"] if arena["kind"] == "weights")
    cache = LAYERS * 2 * KEYS * 4 * length
    rows = LAYERS * 2 * KEYS * 4
    assert found == pytest.approx(weights + cache + rows, rel=0.02)
