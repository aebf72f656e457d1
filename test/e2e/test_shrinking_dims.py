"""Dims that shrink as a symbol grows, or go up and down: what a package states and reserves covers every size they take,
not those at the ends of the range."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os

import numpy as np
import onnx
import pytest
import tool

import kiln

HEAD = '<ir_version: 9, opset_import: ["" : 20]> agraph '


@pytest.fixture(autouse=True)
def simulated(simulator, monkeypatch):
    """The simulated driver of this build, for sessions of this process."""
    monkeypatch.setitem(os.environ, "KILN_SIM_DRIVER", str(simulator))


def rest(array):
    return np.full(1000 - array.size, 1.5, np.float32)


def product(array):
    return np.full((40 - array.size, 8), 1 / max(40 - array.size, 1), np.float32)


def tail(array):
    return -array[:, -1:4]


def remainder(array):
    return np.full(array.size % 7, 2, np.float32)


def twice(array):
    return np.full((array.size // 3, 20 - array.size), 3, np.float32)


# Text of the model, range of s, shape of x, sizes to run, and the model in NumPy.
MODELS = {
    "rest": (
        """(float[s] x) => (float[t] y) <int64[1] l = {1000}, float k = {1.5}>
           { q = Shape(x) n = Sub(l, q) e = Expand(k, n) y = Relu(e) }""",
        (1, 1000), lambda s: (s,), (1000, 1, 500, 999, 2), rest),
    "product": (
        """(float[s] x) => (float[t, 8] y)
           <int64[1] l = {40}, int64[1] e8 = {8}, float[1, 8] row = {1, 2, 3, 4, 5, 6, 7, 8}, float one = {1}, int64[2] w8 = {8, 8}>
           { q = Shape(x) m = Sub(l, q) n = Concat<axis = 0>(m, e8) a = Expand(row, n)
             w = Expand(one, w8) p = MatMul(a, w) y = Softmax<axis = 0>(p) }""",
        (1, 40), lambda s: (s,), (40, 1, 17, 39, 2), product),
    "tail": (
        """(float16[3, s] x) => (float16[3, t] y) <int64[1] b = {-1}, int64[1] e = {4}, int64[1] a = {1}>
           { n = Neg(x) y = Slice(n, b, e, a) }""",
        (4, 5), lambda s: (3, s), (5, 4), tail),
    "remainder": (
        """(float[s] x) => (float[t] y) <int64[1] l = {7}, float k = {2}>
           { q = Shape(x) n = Mod(q, l) y = Expand(k, n) }""",
        (1, 14), lambda s: (s,), (14, 6, 1, 13, 7), remainder),
    "twice": (
        """(float[s] x) => (float[t, u] y) <int64[1] l = {3}, int64[1] m = {20}, float k = {3}>
           { q = Shape(x) d = Div(q, l) r = Sub(m, q) n = Concat<axis = 0>(d, r) y = Expand(k, n) }""",
        (1, 20), lambda s: (s,), (20, 10, 1, 3, 19), twice),
}


def compile_model(folder, name, *options):
    text, (least, most), *_ = MODELS[name]
    (folder / "m.onnxtxt").write_text(HEAD + text)
    return tool.call("compile", folder / "m.onnxtxt", "-o", folder / "m.kiln", "--target", "native,sm_80", "--dims",
                     f"s={least}..{most}", *options, status=None)


@pytest.mark.parametrize("device", ["cpu", "sim:a100"])
@pytest.mark.parametrize("name", MODELS)
def test_every_size_fits(tmp_path, name, device):
    done = compile_model(tmp_path, name)
    assert done.status == 0, done.stderr
    shape, sizes, expected = MODELS[name][2:]
    session = kiln.Session(tmp_path / "m.kiln", device=device)
    generator = np.random.default_rng(5)
    dtype = np.float16 if name == "tail" else np.float32
    for size in sizes:
        x = generator.standard_normal(shape(size)).astype(dtype)
        np.testing.assert_allclose(session.run({"x": x})["y"], expected(x), rtol=1e-5)


@pytest.mark.parametrize("name", MODELS)
def test_what_is_stated_covers_every_size(tmp_path, name):
    done = compile_model(tmp_path, name)
    assert done.status == 0, done.stderr
    about = json.loads(tool.call("inspect", tmp_path / "m.kiln", "--json").stdout)
    arenas = {arena["kind"]: arena["max_bytes"] for arena in about["arenas"]}
    dims = about["outputs"][0]["dims"]
    shape, sizes, expected = MODELS[name][2:]
    for size in sizes:
        y = expected(np.zeros(shape(size), np.float16 if name == "tail" else np.float32))
        assert y.nbytes <= arenas["output"]
        assert all(dim["min"] <= n <= dim["max"] for dim, n in zip(dims, y.shape))
    # Limits below the reported total are refused, with that number.
    total = sum(arenas.values())
    assert compile_model(tmp_path, name, "--memory-limit", total).status == 0
    tool.assert_error(compile_model(tmp_path, name, "--memory-limit", total - 1), "KILN-E0302", str(total))


def test_sessions_state_what_they_reserve(tmp_path):
    """A session of fewer dims needs less, and no more than its own."""
    assert compile_model(tmp_path, "product").status == 0
    capacities = []
    for dims in ({"s": (1, 40)}, {"s": (30, 40)}, {"s": (40, 40)}):
        session = kiln.Session(tmp_path / "m.kiln", dims=dims)
        capacities.append(sum(arena.capacity for arena in session.memory))
    assert capacities[0] > capacities[1] > capacities[2], capacities


def test_negative_dims_are_refused(tmp_path):
    text = MODELS["rest"][0]
    (tmp_path / "m.onnxtxt").write_text(HEAD + text)
    done = tool.call("compile", tmp_path / "m.onnxtxt", "-o", tmp_path / "m.kiln", "--dims", "s=1..2000", status=None)
    tool.assert_error(done, "KILN-E0123", "output 'y'", "-1000 at s=2000", "--dims", status=2)
    assert not (tmp_path / "m.kiln").exists()
