"""Attention as exporters spell it: softmax with NaN replaced by 0, capped scores, masks of windows, masks by the lowest
number of a type. Each is one kernel, on the CPU and on the simulated GPU, and gives what the nodes say, also to queries
that see nothing."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
import onnx
import pytest
import tool

LOWEST = {"float": -3.4028234663852886e38, "float16": -65504.0}
DTYPES = {"float": np.float32, "float16": np.float16}

CASES = {
    "safe": "a = Add(s, mask)  p = Softmax(a)  n = IsNaN(p)  w = Where(n, zero, p)",
    "safe_cap": "d = Div(s, cap)  t = Tanh(d)  u = Mul(t, cap)  a = Add(u, mask)  p = Softmax(a)  n = IsNaN(p)"
                "  w = Where(n, zero, p)",
    "cap": "d = Div(s, cap)  t = Tanh(d)  u = Mul(t, cap)  a = Add(u, mask)  w = Softmax(a)",
    "windows": "r = Reshape(s, five)  b = Add(r, windows)  a = Reshape(b, four)  w = Softmax(a)",
    "select": "m = Where(keep, s, lowest)  w = Softmax(m)",
    "lowest_twice": "m = Where(keep, s, lowest)  a = Add(m, mask)  w = Softmax(a)",
}


def write(path, steps, kind, depth, queries, lowest):
    steps = "\n  ".join(steps.split("  "))
    dims = f"6, 2, {queries}, {depth}"
    numbers = {"scale": 0.25, "zero": 0.0, "cap": 0.5, "lowest": lowest}
    text = f"""<ir_version: 9, opset_import: ["" : 20]>
g ({kind}[{dims}] q, {kind}[{dims}] k, {kind}[{dims}] v, {kind}[6, 1, 1, {queries}] mask,
   {kind}[1, 3, 1, {queries}, {queries}] windows, bool[1, 1, {queries}, {queries}] keep) => ({kind}[{dims}] y)
<int64[5] five = {{2, 3, 2, {queries}, {queries}}}, int64[4] four = {{6, 2, {queries}, {queries}}}>
{{
  kt = Transpose<perm = [0, 1, 3, 2]>(k)
  raw = MatMul(q, kt)
  s = Mul(raw, scale)
  {steps}
  y = MatMul(w, v)
}}
"""
    model = onnx.parser.parse_model(text)
    for name, value in numbers.items():
        array = np.array(value, DTYPES[kind])
        model.graph.initializer.append(onnx.numpy_helper.from_array(array, name))
    onnx.save(model, path)
    return path


def softmax(a):
    with np.errstate(invalid="ignore", over="ignore"):
        e = np.exp(a - a.max(-1, keepdims=True))
        return e / e.sum(-1, keepdims=True)


def expected(name, values, kind, lowest):
    """In double precision, but for sums of masks, which are infinite where they are in the model's type."""
    def double(x):
        return x.astype(np.float64)

    with np.errstate(over="ignore", invalid="ignore"):
        s = double(values["q"]) @ double(values["k"]).swapaxes(-1, -2) * 0.25
        if "cap" in name:
            s = 0.5 * np.tanh(s / 0.5)
        if name == "windows":
            batch, heads, rows, columns = s.shape
            s = (s.reshape(2, 3, heads, rows, columns) + double(values["windows"])).reshape(s.shape)
        elif name in ("select", "lowest_twice"):
            s = np.where(values["keep"], s, lowest)
            if name == "lowest_twice":
                s = s + double(values["mask"])
                s[s < 1.5 * lowest] = -np.inf
        else:
            s = s + double(values["mask"])
        w = softmax(s)
        if name.startswith("safe"):
            w = np.nan_to_num(w, nan=0.0)
        return w @ double(values["v"])


def inputs_of(name, kind, depth, queries, lowest):
    random = np.random.default_rng(len(name) + depth)
    values = {x: random.standard_normal((6, 2, queries, depth)).astype(DTYPES[kind]) for x in "qkv"}
    hidden = -np.inf if name != "lowest_twice" else lowest
    mask = np.where(random.random((6, 1, 1, queries)) < 0.3, hidden, 0)
    mask[:, :, :, -1] = 0
    if name.startswith("safe"):
        mask[2] = -np.inf  # a sequence without visible keys
    if name == "lowest_twice" and kind == "float":
        mask[1] = lowest
        mask[1, ..., -1] = 0  # left padding: the first queries see only keys masked by a finite value
    if name == "lowest_twice" and kind == "float16":
        mask[..., 0] = 0  # every query sees a key: in f16 the lowest value does not absorb the score
    values["mask"] = mask.astype(DTYPES[kind])
    windows = np.where(random.random((1, 3, 1, queries, queries)) < 0.4, -100.0, 0)
    values["windows"] = windows.astype(DTYPES[kind])
    keep = np.tril(np.ones((queries, queries), bool))
    if name == "select":
        keep[3] = False
    values["keep"] = keep.reshape(1, 1, queries, queries)
    return values


@pytest.mark.parametrize("kind, depth, queries", [("float", 32, 20), ("float16", 64, 33), ("float", 300, 9)])
@pytest.mark.parametrize("name", CASES)
def test_spelling(driver, tmp_path, name, kind, depth, queries):
    lowest = float(DTYPES[kind](LOWEST[kind]))
    model = write(tmp_path / "m.onnx", CASES[name], kind, depth, queries, lowest)
    package = tmp_path / "m.kiln"
    report = tool.call("compile", model, "-o", package, "--target", "native,sm_80", "--verify", "each").stdout
    assert depth > 256 or "1 attention" in report, report
    values = inputs_of(name, kind, depth, queries, lowest)
    arguments = []
    for key, value in values.items():
        np.save(tmp_path / f"{key}.npy", value)
        arguments += ["--input", f"{key}=@{tmp_path / key}.npy"]
    right = expected(name, values, kind, lowest)
    for device in ("cpu", "sim:a100"):
        tool.call("run", package, *arguments, "--output", f"y=@{tmp_path}/y.npy", "--device", device, env=driver)
        y = np.load(tmp_path / "y.npy").astype(np.float64)
        np.testing.assert_allclose(y, right, rtol=0, atol=5e-3 if kind == "float16" else 2e-5, err_msg=device)


def test_unfused_is_reported(tmp_path):
    steps = CASES["safe"] + "  extra = Identity(w)"
    model = write(tmp_path / "m.onnx", steps, "float", 32, 8, -1.0)
    proto = onnx.load(model)
    proto.graph.output.append(onnx.helper.make_tensor_value_info("extra", onnx.TensorProto.FLOAT, [6, 2, 8, 8]))
    onnx.save(proto, model)
    outcome = tool.call("compile", model, "-o", tmp_path / "m.kiln", "-v")
    assert "not 1 attention: the softmax has other users" in outcome.stdout
    assert "the softmax has other users" in outcome.stderr
