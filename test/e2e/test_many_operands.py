"""Ops that read more tensors than a launch on a GPU has parameters, and ops that would do so as one kernel."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
import onnx
import pytest
import tool
from onnx import TensorProto, helper

import kiln


def one_concat(names):
    return [helper.make_node("Concat", names, ["y"], axis=1)]


def sum_of_concats(names):
    """A kernel of few ops would read all of them."""
    parts = [names[i : i + 50] for i in range(0, len(names), 50)]
    nodes = [helper.make_node("Concat", part, [f"c{i}"], axis=1) for i, part in enumerate(parts)]
    return [*nodes, helper.make_node("Sum", [f"c{i}" for i in range(len(parts))], ["y"])]


@pytest.mark.parametrize("build", [one_concat, sum_of_concats])
def test_more_operands_than_parameters(simulator, monkeypatch, tmp_path, build):
    monkeypatch.setenv("KILN_SIM_DRIVER", str(simulator))
    names = [f"x{i}" for i in range(600)]
    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [3, 2]) for name in names]
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
    graph = helper.make_graph(build(names), "g", inputs, outputs)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    onnx.save(model, tmp_path / "m.onnx")
    package = tmp_path / "m.kiln"
    tool.call("compile", tmp_path / "m.onnx", "-o", package, "--target", "native,sm_80")
    generator = np.random.default_rng(0)
    # Small integers: sums are exact in any order.
    feeds = {name: generator.integers(-9, 10, (3, 2)).astype(np.float32) for name in names}
    joined = np.concatenate(list(feeds.values()), axis=1)
    expected = joined if build is one_concat else joined.reshape(3, 12, 100).sum(axis=1)
    for device in ("cpu", "sim:a100"):
        found = kiln.Session(package, device=device).run(feeds)["y"]
        np.testing.assert_array_equal(found, expected, err_msg=device)
