"""Gated units with biases are one kernel, on the CPU and on a simulated GPU."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
import onnx
import pytest
import tool
from onnx import helper, numpy_helper

WIDTH, COLUMNS = 48, 128


def arrays(kind):
    random = np.random.default_rng(7)
    shapes = {"w": [WIDTH, COLUMNS], "v": [WIDTH, COLUMNS], "b": [COLUMNS], "c": [COLUMNS]}
    return {name: random.standard_normal(shape).astype(kind) for name, shape in shapes.items()}


def write(path, kind):
    element = helper.np_dtype_to_tensor_dtype(np.dtype(kind))
    nodes = [("MatMul", ["x", "w"], "g0"), ("Add", ["g0", "b"], "g"), ("Sigmoid", ["g"], "s"), ("Mul", ["g", "s"], "a"),
             ("MatMul", ["x", "v"], "u0"), ("Add", ["c", "u0"], "u"), ("Mul", ["a", "u"], "y")]
    graph = helper.make_graph(
        [helper.make_node(op, inputs, [output], name=output) for op, inputs, output in nodes], "gated",
        [helper.make_tensor_value_info("x", element, ["n", WIDTH])], [helper.make_tensor_value_info("y", element, ["n", COLUMNS])],
        [numpy_helper.from_array(values, name) for name, values in arrays(kind).items()])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)
    return path


def expected(x, kind):
    w = {name: values.astype(np.float64) for name, values in arrays(kind).items()}
    gate = x.astype(np.float64) @ w["w"] + w["b"]
    return gate / (1 + np.exp(-gate)) * (x.astype(np.float64) @ w["v"] + w["c"])


@pytest.mark.parametrize("kind, bound", [(np.float32, 1e-5), (np.float16, 4e-3)])
def test_one_kernel(driver, tmp_path, kind, bound):
    model = write(tmp_path / "m.onnx", kind)
    tool.call("compile", model, "-o", tmp_path / "m.kiln", "--dims", "n=1..70", "--target", "native,sm_80", "--save-temps", tmp_path / "ir")
    graph = (tmp_path / "ir" / "2-kernels.mlir").read_text()
    assert graph.count("graph.kernel ") == 1, graph
    for n in (1, 3, 70):
        x = np.random.default_rng(n).standard_normal([n, WIDTH]).astype(kind)
        np.save(tmp_path / "x.npy", x)
        for device in ("cpu", "sim:a100"):
            tool.call("run", tmp_path / "m.kiln", "--device", device, "--input", f"x=@{tmp_path}/x.npy", "--output", f"y=@{tmp_path}/y.npy", env=driver)
            right = expected(x, kind)
            assert np.abs(np.load(tmp_path / "y.npy") - right).max() <= bound * np.abs(right).max(), (device, n)
