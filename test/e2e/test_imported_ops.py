"""Ops that become several graph ops: long rows, ties and special values, on the host and on the simulated GPU."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
import onnx
import onnxruntime
import pytest
import tool
from onnx import helper, numpy_helper

import kiln

RANDOM = np.random.default_rng(7)
DEVICES = ("cpu", "sim:a100")


def floats(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def few(*shape):
    """Small whole numbers: many are equal."""
    return RANDOM.integers(-3, 4, shape).astype(np.float32)


def save(path, op, feeds, constants, outputs, symbolic, attributes):
    """A model of one node."""
    inputs = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(a.dtype), symbolic or a.shape)
              for name, a in feeds.items()]
    names = [f"y{i}" for i in range(outputs)]
    node = helper.make_node(op, [*feeds, *constants], names, **attributes)
    weights = [numpy_helper.from_array(a, name) for name, a in constants.items()]
    graph = helper.make_graph([node], "g", inputs, [onnx.ValueInfoProto(name=name) for name in names], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    onnx.save(model, path)
    return model


def run_both(folder, op, feeds, constants=None, outputs=1, symbolic=None, options=(), **attributes):
    """What each device computes, and ONNX Runtime."""
    model = save(folder / "m.onnx", op, feeds, constants or {}, outputs, symbolic, attributes)
    tool.call("compile", folder / "m.onnx", "-o", folder / "m.kiln", "--target", "native,sm_80", *options)
    expected = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"]).run(None, feeds)
    for device in DEVICES:
        found = kiln.Session(folder / "m.kiln", device=device).run(feeds)
        yield device, [found[f"y{i}"] for i in range(outputs)], expected


@pytest.fixture(autouse=True)
def driver(simulator, monkeypatch):
    monkeypatch.setenv("KILN_SIM_DRIVER", str(simulator))


@pytest.mark.parametrize("length", [5, 128, 129, 320, 4096])
@pytest.mark.parametrize("flags", [(0, 0), (1, 1)])
def test_cumsum_of_any_length(tmp_path, length, flags):
    x = RANDOM.integers(0, 2, (2, length)).astype(np.int64)
    for device, found, expected in run_both(tmp_path, "CumSum", {"x": x}, {"a": np.array(1)}, symbolic=["b", "n"],
                                            options=["--dims", "n=1..5000"], exclusive=flags[0], reverse=flags[1]):
        np.testing.assert_array_equal(found[0], expected[0], err_msg=device)


def test_cumsum_keeps_infinities_where_they_are(tmp_path):
    x = floats(200)
    x[150] = np.inf
    for device, found, expected in run_both(tmp_path, "CumSum", {"x": x}, {"a": np.array(0)}):
        np.testing.assert_allclose(found[0], expected[0], rtol=1e-5, atol=1e-5, err_msg=device)


@pytest.mark.parametrize("shape,k,largest", [([3, 40], 40, 1), ([2, 1000], 5, 1), ([2, 1000], 3, 0), ([600], 300, 1),
                                               ([3, 130], 7, 1), ([2, 3001], 40, 0)])
def test_top_k_breaks_ties_by_place(tmp_path, shape, k, largest):
    for device, found, expected in run_both(tmp_path, "TopK", {"x": few(*shape)}, {"k": np.array([k])}, 2, largest=largest):
        for mine, other in zip(found, expected):
            np.testing.assert_array_equal(mine, other, err_msg=device)


def test_argmax_of_rows_with_nan(tmp_path):
    x = few(4, 50)
    x[1, [7, 20]] = np.nan
    x[2] = -np.inf
    for device, found, _ in run_both(tmp_path, "ArgMax", {"x": x}, axis=1, keepdims=0):
        np.testing.assert_array_equal(found[0], np.argmax(x, axis=1), err_msg=device)


@pytest.mark.parametrize("equation,shapes", [
    ("bhld,lrd->bhlr", [(2, 3, 5, 8), (5, 7, 8)]),
    ("...ij,...jk", [(2, 3, 4), (2, 4, 6)]),
    ("iij,jk,k->ik", [(4, 4, 3), (3, 5), (5,)]),
])
def test_einsum(tmp_path, equation, shapes):
    feeds = {f"x{i}": floats(*shape) for i, shape in enumerate(shapes)}
    for device, found, _ in run_both(tmp_path, "Einsum", feeds, equation=equation):
        expected = np.einsum(equation, *feeds.values())
        np.testing.assert_allclose(found[0], expected, rtol=1e-4, atol=1e-4, err_msg=device)


@pytest.mark.parametrize("op", ["Sin", "Cos"])
def test_angles_of_any_size(tmp_path, op):
    x = np.concatenate([floats(64) * np.float32(size) for size in (1, 1e5, 1e10, 1e30, 5e37)])
    for device, found, _ in run_both(tmp_path, op, {"x": x}):
        expected = getattr(np, op.lower())(x.astype(np.float64))
        np.testing.assert_allclose(found[0], expected, rtol=2e-7, atol=1e-9, err_msg=device)


def bucket(distance, buckets, farthest):
    """T5's bucket of a distance of at least 0."""
    exact = buckets // 2
    if distance < exact:
        return distance
    part = np.log(np.float32(distance) / np.float32(exact)) / np.log(np.float32(farthest) / np.float32(exact))
    return min(exact + int(np.float32(part) * np.float32(buckets - exact)), buckets - 1)


def compile_contrib(folder, op, feeds, constants, **attributes):
    """ONNX Runtime has these for CUDA only."""
    inputs = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape) for name, a in feeds.items()]
    node = helper.make_node(op, [*feeds, *constants], ["y"], domain="com.microsoft", **attributes)
    weights = [numpy_helper.from_array(a, name) for name, a in constants.items()]
    graph = helper.make_graph([node], "g", inputs, [onnx.ValueInfoProto(name="y")], weights)
    imports = [helper.make_opsetid("", 18), helper.make_opsetid("com.microsoft", 1)]
    onnx.save(helper.make_model(graph, opset_imports=imports, ir_version=9), folder / "m.onnx")
    tool.call("compile", folder / "m.onnx", "-o", folder / "m.kiln", "--target", "native,sm_80")


@pytest.mark.parametrize("both", [0, 1])
def test_relative_position_bias(tmp_path, both):
    table, queries, keys = floats(32, 3), 5, 140
    sizes = {"q": np.array(queries), "k": np.array(keys)}
    compile_contrib(tmp_path, "RelativePositionBias", {"t": table}, sizes, max_distance=128, is_bidirectional=both)
    expected = np.empty((1, 3, queries, keys), np.float32)
    for i in range(queries):
        for j in range(keys):
            size = min(abs(i - j) if both else max(i - j, 0), 128)
            row = bucket(size, 16 if both else 32, 128) + (16 if both and j > i else 0)
            expected[0, :, i, j] = table[row]
    for device in DEVICES:
        found = kiln.Session(tmp_path / "m.kiln", device=device).run({"t": table})["y"]
        np.testing.assert_array_equal(found, expected, err_msg=device)


def test_gated_relative_position_bias(tmp_path):
    batch, length, heads, width, gates = 2, 5, 3, 4, 8
    query, bias = floats(batch, length, heads * width), floats(heads * width)
    positions, weight, gate_bias, scale = floats(1, heads, length, length), floats(width, gates), floats(gates), floats(1, heads, 1, 1)
    feeds = {"q": query, "b": bias, "p": positions, "w": weight, "g": gate_bias, "s": scale}
    compile_contrib(tmp_path, "GatedRelativePositionBias", feeds, {}, num_heads=heads)
    split = (query + bias).reshape(batch, length, heads, width).transpose(0, 2, 1, 3)
    gate = (split @ weight + gate_bias).reshape(batch, heads, length, 2, gates // 2).sum(-1)
    update, reset = np.split(1 / (1 + np.exp(-gate)), 2, axis=-1)
    expected = (update * (reset * scale - 1) + 2) * positions
    for device in DEVICES:
        found = kiln.Session(tmp_path / "m.kiln", device=device).run(feeds)["y"]
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5, err_msg=device)
