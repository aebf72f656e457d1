"""Slices and pads whose sizes are minima and maxima of dims: compiled with default flags, right at every size."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os

import numpy as np
import onnx
import onnx.parser
import onnxruntime
import pytest
import tool

import kiln

HEAD = '<ir_version: 9, opset_import: ["" : 18]> agraph (float[u, v, 4] x) => '
NUMBERS = """<int64[1] zero = {0}, int64[1] one = {1}, int64[1] two = {2}, int64[1] five = {5}, int64[1] nine = {9}, int64[1] sixteen = {16},
              int64[1] hundred = {100}, int64[1] more = {200}, int64[1] minus = {-5}, int64[1] end = {9223372036854775807}, int64[4] zeros = {0, 0, 0, 0}>"""

# Outputs of a model, and its nodes.
MODELS = {
    "first": ("float[a, v, 4] y", "n9 = Slice(x, zero, nine, zero) y = Relu(n9)"),
    "middle": ("float[a, v, 4] y", "s = Slice(x, hundred, more, zero) y = Neg(s)"),
    "last": ("float[u, a, 4] y", "s = Slice(x, minus, end, one) y = Softmax<axis = 1>(s)"),
    "both": ("float[a, b, 4] y", "r = Slice(x, zero, nine, zero) s = Slice(r, minus, end, one) y = Exp(s)"),
    "product": ("float[u, a, a] y", "s = Slice(x, zero, nine, one) t = Transpose<perm = [0, 2, 1]>(s) y = MatMul(s, t)"),
    "upper-half": ("float[a, v, 4] y", "q = Shape<start = 0, end = 1>(x) p = Add(q, one) h = Div(p, two) s = Slice(x, zero, h, zero) y = Neg(s)"),
    "sum": ("float[v, 4] y", "s = Slice(x, zero, nine, zero) y = ReduceSum<keepdims = 0>(s, zero)"),
    "halves": ("float[u, v, 4] y", """q = Shape<start = 1, end = 2>(x) h = Div(q, two) f = Slice(x, zero, h, one) g = Slice(x, h, end, one)
                                      e = Neg(g) y = Concat<axis = 1>(e, f)"""),
    "pads-or-crops": ("float[u, 16, 4] y", """q = Shape<start = 1, end = 2>(x) c = Sub(sixteen, q) p = Concat<axis = 0>(zeros, c, zero)
                                              a = Pad(x, p) y = Relu(a)"""),
    "clipped": ("float[u, a, 4] y", """q = Shape<start = 1, end = 2>(x) l = Squeeze(two) k = Squeeze(nine) c = Clip(q, l, k)
                                       s = Slice(x, one, c, one) y = Neg(s)"""),
    "smaller": ("float[a, v, 4] y", """q = Shape<start = 0, end = 1>(x) r = Shape<start = 1, end = 2>(x) k = Min(q, r, nine)
                                       s = Slice(x, zero, k, zero) y = Neg(s)"""),
}
SIZES = ((1, 1), (9, 9), (8, 10), (10, 3), (4, 17), (130, 2), (230, 1), (3, 260))


@pytest.fixture(autouse=True)
def simulated(simulator, monkeypatch):
    """The simulated driver of this build, for sessions of this process."""
    monkeypatch.setitem(os.environ, "KILN_SIM_DRIVER", str(simulator))


def save(folder, name):
    outputs, nodes = MODELS[name]
    model = onnx.parser.parse_model(HEAD + f"({outputs}) {NUMBERS} {{ {nodes} }}")
    onnx.save(model, folder / "m.onnx")
    return onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])


@pytest.mark.parametrize("device", ["cpu", "sim:a100"])
@pytest.mark.parametrize("name", MODELS)
def test_every_size_is_right(tmp_path, name, device):
    judge = save(tmp_path, name)
    done = tool.call("compile", tmp_path / "m.onnx", "-o", tmp_path / "m.kiln", "--target", "native,sm_80")
    assert "narrowed" not in done.stderr and "u=1..512,v=1..512" in done.stdout + done.stderr
    session, generator = kiln.Session(tmp_path / "m.kiln", device=device), np.random.default_rng(3)
    for n, m in SIZES:
        x = generator.standard_normal((n, m, 4)).astype(np.float32)
        (expected,), found = judge.run(None, {"x": x}), session.run({"x": x})["y"]
        assert expected.shape == found.shape, (n, m)
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5, err_msg=f"{n}, {m}")


def test_sizes_are_stated(tmp_path):
    """inspect and the session say the formula and how much a slice can be."""
    save(tmp_path, "both")
    tool.call("compile", tmp_path / "m.onnx", "-o", tmp_path / "m.kiln", "-q")
    about = json.loads(tool.call("inspect", tmp_path / "m.kiln", "--json").stdout)
    rows, columns = about["outputs"][0]["dims"][:2]
    assert (rows["min"], rows["max"], columns["min"], columns["max"]) == (1, 9, 1, 5), about["outputs"]
    assert "min(u, 9)" in tool.call("inspect", tmp_path / "m.kiln").stdout
