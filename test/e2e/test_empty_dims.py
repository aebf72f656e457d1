"""Dims that are always 0, with kernels that divide by extents when they are planned: products, attention, rows."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
import pytest
import tool

import kiln

HEAD = '<ir_version: 9, opset_import: ["" : 20]> agraph '
MODELS = {
    "rows": ("(float[n, 8] x, float[8, 4] w) => (float[n, 4] y) { y = MatMul(x, w) }", (0, 8), (8, 4), (0, 4)),
    "columns": ("(float[8, 8] x, float[8, n] w) => (float[8, n] y) { y = MatMul(x, w) }", (8, 8), (8, 0), (8, 0)),
    "depth": ("(float[8, n] x, float[n, 4] w) => (float[8, 4] y) { y = MatMul(x, w) }", (8, 0), (0, 4), (8, 4)),
    "batch": ("(float[n, 3, 8] x, float[n, 8, 4] w) => (float[n, 3, 4] y) { a = MatMul(x, w) y = Softmax(a) }",
              (0, 3, 8), (0, 8, 4), (0, 3, 4)),
    "heads": ("""(float[2, n, 8, 4] x, float[2, n, 4, 8] w) => (float[2, n, 8, 8] y)
                 { a = MatMul(x, w) p = Softmax(a) y = MatMul(p, p) }""", (2, 0, 8, 4), (2, 0, 4, 8), (2, 0, 8, 8)),
}


@pytest.mark.parametrize("name", MODELS)
def test_dims_of_nothing(simulator, monkeypatch, tmp_path, name):
    monkeypatch.setenv("KILN_SIM_DRIVER", str(simulator))
    text, x, w, y = MODELS[name]
    (tmp_path / "m.onnxtxt").write_text(HEAD + text)
    tool.call("compile", tmp_path / "m.onnxtxt", "-o", tmp_path / "m.kiln", "--target", "native,sm_80", "--dims", "n=0..0")
    for device in ("cpu", "sim:a100"):
        feeds = {"x": np.ones(x, np.float32), "w": np.ones(w, np.float32)}
        found = kiln.Session(tmp_path / "m.kiln", device=device).run(feeds)["y"]
        np.testing.assert_array_equal(found, np.zeros(y, np.float32))


def test_a_query_without_keys(simulator, monkeypatch, tmp_path):
    """A product of nothing is 0: dims that may be 0 have no attention, which would divide by the sum of no weights."""
    monkeypatch.setenv("KILN_SIM_DRIVER", str(simulator))
    text = """(float[2, s, 4] q, float[2, 4, t] k, float[2, t, 4] v) => (float[2, s, 4] y)
              { a = MatMul(q, k) p = Softmax(a) y = MatMul(p, v) }"""
    (tmp_path / "m.onnxtxt").write_text(HEAD + text)
    tool.call("compile", tmp_path / "m.onnxtxt", "-o", tmp_path / "m.kiln", "--target", "native,sm_80", "--dims", "t=0..8")
    for device in ("cpu", "sim:a100"):
        session = kiln.Session(tmp_path / "m.kiln", device=device)
        for t in (0, 3):
            feeds = {"q": np.ones((2, 5, 4)), "k": np.ones((2, 4, t)), "v": np.full((2, t, 4), 2.0)}
            found = session.run({name: value.astype(np.float32) for name, value in feeds.items()})["y"]
            np.testing.assert_allclose(found, np.full((2, 5, 4), 2.0 if t else 0.0), rtol=1e-6)
