"""Indices out of range: a coded error that names the input, the place, the value and the limit, on the host and on GPUs."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import models
import numpy as np
import pytest
import tool

TABLE = models._matrix("table", 10, 4, 1)

# Name: (model, its input of indices, rows that they index, shape of the indices)
CASES = {
    "gather": (f"g (int64[n,s] ids) => (float[n,s,4] y) <{TABLE}> {{ [take] y = Gather <axis = 0> (table, ids) }}", 10, (2, 3)),
    "int32": (f"g (int32[n,s] ids) => (float[n,s,4] y) <{TABLE}> {{ y = Gather <axis = 0> (table, ids) }}", 10, (2, 3)),
    "cast": (f"g (int32[n] ids) => (float[n,1,4] y) <{TABLE}, int64[1] one = {{1}}> {{ w = Cast <to = 7> (ids) u = Unsqueeze (w, one) y = Gather <axis = 0> (table, u) }}", 10, (6,)),
    "elements": ("g (float[4,5] x, int64[2,5] ids) => (float[2,5] y) { y = GatherElements <axis = 0> (x, ids) }", 4, (2, 5)),
    "inner elements": ("g (float[4,5] x, int64[4,2] ids) => (float[4,2] y) { y = GatherElements <axis = 1> (x, ids) }", 5, (4, 2)),
    "scatter elements": ("g (float[4,5] x, int64[2,5] ids, float[2,5] u) => (float[4,5] y) { y = ScatterElements <axis = 0> (x, ids, u) }", 4, (2, 5)),
    "fewer elements": ("g (float[4,5] x, int64[2,3] ids, float[2,3] u) => (float[4,5] y) { y = ScatterElements <axis = 0> (x, ids, u) }", 4, (2, 3)),
    "gather nd": ("g (float[4,5] x, int64[6,2] ids) => (float[6] y) { y = GatherND (x, ids) }", (4, 5), (6, 2)),
    "scatter nd": ("g (float[4,5] x, int64[3,2] ids, float[3] u) => (float[4,5] y) { y = ScatterND (x, ids, u) }", (4, 5), (3, 2)),
    "rows nd": ("g (float[4,5] x, int64[3,1] ids, float[3,5] u) => (float[4,5] y) { y = ScatterND (x, ids, u) }", (4,), (3, 1)),
}


@pytest.fixture(scope="module", params=CASES)
def case(request, tmp_path_factory):
    text, rows, shape = CASES[request.param]
    folder = tmp_path_factory.mktemp("case")
    model = models.write(folder / "m.onnx", text)
    dims = [f"{name}=0..8" for name in "ns" if f"[{name}," in text or f",{name}]" in text or f"[{name}]" in text]
    options = ["--dims", ",".join(dims)] if dims else []
    tool.call("compile", model, "-o", folder / "m.kiln", "--target", "native,sm_80", *options)
    tool.call("compile", model, "-o", folder / "clamped.kiln", "--clamp-indices", *options)
    dtype = np.int32 if "int32[" in text.split("ids")[0] else np.int64
    return folder, np.broadcast_to(np.array(rows), shape[-1:]), shape, dtype


def run(folder, ids, package="m.kiln", *options, **more):
    np.save(folder / "ids.npy", ids)
    return tool.call("run", folder / package, "-i", f"ids=@{folder / 'ids.npy'}", *options, status=None, **more)


def bad_ids(rows, shape, dtype):
    """Each place in turn, beyond either end and far away."""
    rng = np.random.default_rng(0)
    for place in np.ndindex(shape):
        limit = int(rows[place[-1]])
        for value in (limit, -limit - 1, np.iinfo(dtype).max, np.iinfo(dtype).min):
            ids = np.stack([rng.integers(-int(n), int(n), shape[:-1]) for n in rows], axis=-1).astype(dtype)
            ids[place] = value
            yield place, value, limit, ids


def test_host(case):
    folder, rows, shape, dtype = case
    good = np.stack([np.resize(np.arange(-int(n), int(n)), shape[:-1]) for n in rows], axis=-1).astype(dtype)
    assert run(folder, good).status == 0
    for place, value, limit, ids in list(bad_ids(rows, shape, dtype))[::5]:
        outcome = run(folder, ids)
        where = "element [" + ",".join(map(str, place)) + "]"
        tool.assert_error(outcome, "KILN-E0614", 'input "ids"', where, f"{-limit}..{limit - 1}", f"found {value}", status=2)
        assert run(folder, ids, "clamped.kiln").status == 0


def test_simulator(case, driver):
    folder, rows, shape, dtype = case
    place, value, limit, ids = next(bad_ids(rows, shape, dtype))
    outcome = run(folder, ids, "m.kiln", "--device", "sim:a100", env=driver)
    tool.assert_error(outcome, "KILN-E0614", 'input "ids"', f"found {value}", status=2)


def test_first_place_wins(tmp_path):
    model = models.write(tmp_path / "m.onnx", CASES["gather"][0])
    tool.call("compile", model, "-o", tmp_path / "m.kiln", "--dims", "n=1..8,s=1..8")
    ids = np.full((2, 3), 99, dtype=np.int64)
    ids[0, 0] = 1
    for threads in "1", "2":
        tool.assert_error(run(tmp_path, ids, "m.kiln", "--threads", threads), "KILN-E0614", "[0,1]", "'take'", status=2)


def test_the_report_says_so(tmp_path):
    model = models.write(tmp_path / "m.onnx", CASES["gather"][0])
    outcome = tool.call("compile", model, "-o", tmp_path / "m.kiln", "--clamp-indices")
    assert "--clamp-indices" in outcome.stdout
    assert "clamp" not in tool.call("compile", model, "-o", tmp_path / "m.kiln").stdout
