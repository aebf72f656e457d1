"""How many launches a layer of a decoder takes, and how many bytes a step says that it moves."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import subprocess
import sys

import decoders
import pytest
import tool

LAYERS, KEYS = 6, 2 * 32


@pytest.fixture(scope="module", params=["past", "gqa"])
def tinylm(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    command = [sys.executable, decoders.MODELS / "build.py", "tinylm", "--spelling", request.param, "-o", folder / "m.onnx"]
    subprocess.run([*map(str, command)], check=True)
    options = ["--dims", "rows=1..4,capacity=1..1024,sequence=1..512", "--target", "native,sm_80"]
    tool.call("compile", folder / "m.onnx", "-o", folder / "m.kiln", "-q", *options)
    return request.param, folder / "m.kiln"


def entries(package):
    found = json.loads(tool.call("inspect", package, "--json").stdout)
    return {entry["entry"]: entry for entry in [found, *found["other_entries"]]}


# One layer: norm; query, key and value; rotation and cache write; attention; output projection; norm; gate and up; down projection.
LAYER = ["row", "matmul", "kv_write", "attention", "matmul", "row", "matmul", "matmul"]
# Around the layers: embeddings, positions and their cosines and sines, lengths of the keys, the last norm, the head, new lengths and
# their copy into state; in prefill also where the last positions are, and two gathers of them in the last layer. As torch writes it,
# positions are multiplied by frequencies; in GroupQueryAttention rows of tables are gathered.
AROUND = {("past", "decode"): 10, ("past", "prefill"): 13, ("gqa", "decode"): 9, ("gqa", "prefill"): 12}


@pytest.mark.parametrize("entry", ["prefill", "decode"])
def test_eight_launches_a_layer(tinylm, entry):
    spelling, package = tinylm
    steps = entries(package)[entry]["steps"]
    assert len(steps) == LAYERS * len(LAYER) + AROUND[spelling, entry]
    launches = [step["hero"] for step in steps if "hero" in step]
    heroes = [hero for hero in launches if hero != "pointwise"]
    first = 1 if spelling == "past" and heroes[0] == "matmul" else 0  # positions times frequencies
    assert heroes[first:] == LAYERS * LAYER + ["row", "matmul"]
    # Between the first attention and the last layer, nothing else.
    inner = launches[launches.index("attention") + 1 :]
    assert inner[: 8 * (LAYERS - 2)] == (LAYERS * LAYER)[4 : 4 + 8 * (LAYERS - 2)]


def test_bytes_of_a_step(tinylm):
    """Weights, the rows of the caches that are read, and the new rows."""
    package = tinylm[1]
    options = ["--prompt", 500, "--gen", 3, "--duration", "0.05", "--json"]
    found = json.loads(tool.call("bench", package, *options).stdout)["step_bytes"]
    length = 502
    weights = next(arena["max_bytes"] for arena in entries(package)["decode"]["arenas"] if arena["kind"] == "weights")
    cache = LAYERS * 2 * KEYS * 4 * length
    rows = LAYERS * 2 * KEYS * 4
    assert found == pytest.approx(weights + cache + rows, rel=0.02)
