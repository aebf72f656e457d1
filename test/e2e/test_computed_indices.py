"""Indices out of range that a model computes: a coded error that names the node, the place, the value and the limit; nothing
where they are always in range, and nothing that users of a package see otherwise."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json

import models
import numpy as np
import pytest
import tool

TABLE = models._matrix("table", 10, 4, 1)
CONSTANTS = (
    f"<{TABLE}, int64 zero = {{0}}, int64 one = {{1}}, int64 nine = {{9}}, int64 ten = {{10}}, int64[1] two = {{2}},"
    " int64[1] last = {2}>"
)
SHAPE = (3, 2)

# Name: (inputs and outputs, nodes, [(a, b, words of the message or None)]). All elements of a are 0 except [0,1].
CHECKED = {
    "sum": (
        "(int64[n,s] a, int64[n,s] b) => (float[n,s,4] y)",
        "x = Add (a, b) [take] y = Gather <axis = 0> (table, x)",
        [(3, 6, None), (-4, -6, None), (4, 6, ("'take'", "index [0,1]", "-10..9", "found 10")), (-9, -2, ("-10..9", "found -11"))],
    ),
    "inner axis": (
        "(int64[n,s] a, int64[n,s] b) => (float[10,n,s] y)",
        "x = Add (a, b) [take] y = Gather <axis = 1> (table, x)",
        [(1, 2, None), (2, 2, ("'take'", "index [0,1]", "-4..3", "found 4"))],
    ),
    "positions": (
        "(int64[n,s] a, int64[n,s] b) => (float[n,s,4] y)",
        "k = Min (a, one) p = CumSum (k, one) x = Add (p, b) [take] y = Gather <axis = 0> (table, x)",
        [(5, 8, None), (5, 9, ("'take'", "index [0,1]", "found 10"))],
    ),
    "elements": (
        "(int64[n,s] a, int64[n,s] b, float[10,s] data) => (float[n,s] y)",
        "x = Add (a, b) [take] y = GatherElements <axis = 0> (data, x)",
        [(5, 4, None), (-5, -5, None), (5, 5, ("'take'", "index [0,1]", "-10..9", "found 10"))],
    ),
    "far": (
        "(int64[n,s] a, int64[n,s] b) => (float[n,s,4] y)",
        "x = Mul (a, b) [take] y = Gather <axis = 0> (table, x)",
        [(3, 3, None), (2**40, 2**20, ("found 140737488355327 or more",)), (-(2**40), 2**20, ("found -140737488355328 or less",))],
    ),
}

ALWAYS_INSIDE = {
    "clip": ("(int64[n] a) => (float[n,4] y)", "x = Clip (a, zero, nine) y = Gather <axis = 0> (table, x)"),
    "mod": ("(int64[n] a) => (float[n,4] y)", "x = Mod (a, ten) y = Gather <axis = 0> (table, x)"),
    "argmax": ("(float[n,4] a) => (float[10,n] y)", "p = ArgMax <axis = 1, keepdims = 0> (a) y = Gather <axis = 1> (table, p)"),
    "topk": ("(float[10,n] a) => (float[2,n] y)", "v, p = TopK <axis = 0> (a, two) y = GatherElements <axis = 0> (a, p)"),
    "positions": (
        "(float[n,4] a) => (float[n,4] y)",
        "d = Shape (a) k = Gather <axis = 0> (d, zero) x = Range (zero, k, one) y = Gather <axis = 0> (a, x)",
    ),
}


def build(folder, interface, nodes, *options):
    models.write(folder / "m.onnx", f"g {interface} {CONSTANTS} {{ {nodes} }}")
    dims = ["--dims", "n=1..4,s=1..8" if ",s]" in interface else "n=1..4"]
    return tool.call("compile", folder / "m.onnx", "-o", folder / "m.kiln", "--target", "native,sm_80", *dims, *options).stdout


def run(folder, feeds, *options, **more):
    for name, values in feeds.items():
        np.save(folder / f"{name}.npy", values)
    inputs = [word for name in feeds for word in ("-i", f"{name}=@{folder / (name + '.npy')}")]
    return tool.call("run", folder / "m.kiln", *inputs, *options, status=None, **more)


def feeds_of(interface, a, b):
    feeds = {"a": np.zeros(SHAPE, np.int64), "b": np.zeros(SHAPE, np.int64)}
    feeds["a"][0, 1], feeds["b"][0, 1] = a, b
    if "data" in interface:
        feeds["data"] = np.arange(20, dtype=np.float32).reshape(10, 2)
    return feeds


@pytest.mark.parametrize("name", CHECKED)
def test_runs(name, tmp_path, driver):
    interface, nodes, runs = CHECKED[name]
    assert "  indices  1 by the model\n" in build(tmp_path, interface, nodes)
    for options in ((), ("--threads", "1"), ("--device", "sim:a100")):
        for a, b, words in runs:
            outcome = run(tmp_path, feeds_of(interface, a, b), *options, env=driver)
            if words:
                tool.assert_error(outcome, "KILN-E0614", *words, status=2)
            else:
                assert outcome.status == 0, outcome.stderr
    assert "not checked" in build(tmp_path, interface, nodes, "--clamp-indices")
    for a, b, _ in runs:
        assert run(tmp_path, feeds_of(interface, a, b)).status == 0


@pytest.mark.parametrize("name", ALWAYS_INSIDE)
def test_no_check(name, tmp_path):
    interface, nodes = ALWAYS_INSIDE[name]
    assert " by the model" not in build(tmp_path, interface, nodes)


def test_nobody_sees_the_result_of_a_check(tmp_path):
    interface, nodes, _ = CHECKED["sum"]
    build(tmp_path, interface, nodes, "--verify=each")
    listed = json.loads(tool.call("inspect", tmp_path / "m.kiln", "--json").stdout)
    assert [output["name"] for output in listed["outputs"]] == ["y"]
    dims = ("--dims", "n=3,s=2")
    outcome = run(tmp_path, feeds_of(interface, 1, 1), "-o", f"y=@{tmp_path / 'y.npy'}")
    assert outcome.status == 0 and np.load(tmp_path / "y.npy").shape == (3, 2, 4), outcome.stderr
    # Random inputs give out-of-range indices, which is not the package's fault.
    for command in "verify", "bench":
        outcome = tool.call(command, tmp_path / "m.kiln", *dims)
        assert "the inputs are random" in outcome.stderr and "KILN-E" not in outcome.stderr
    tool.call("verify", tmp_path / "m.kiln", "--model", tmp_path / "m.onnx", *dims, "-i", f"a=@{tmp_path / 'a.npy'}", "-i", f"b=@{tmp_path / 'b.npy'}")
