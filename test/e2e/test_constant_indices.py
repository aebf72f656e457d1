"""Indices that are part of the model, in numbers around the limits of what the importer tracks and of what a constant of
the graph holds."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
import onnx
import onnx.reference
import pytest
import tool
from onnx import TensorProto, helper, numpy_helper

import kiln

# 128 i64 are 1024 bytes, a constant; up to 256 elements are tracked during import; 49 * 49 is a table of relative
# positions.
COUNTS = [128, 129, 255, 256, 257, 49 * 49]
ROWS = 13


def gather(count):
    return "Gather", [ROWS, 4], lambda g: g.integers(-ROWS, ROWS, count), None, {"axis": 0}


def gather_elements(count):
    return "GatherElements", [ROWS, count], lambda g: g.integers(-ROWS, ROWS, (1, count)), None, {"axis": 0}


def gather_nd(count):
    return "GatherND", [ROWS, 4], lambda g: g.integers(0, ROWS, (count, 1)), None, {}


def scatter_elements(count):
    return "ScatterElements", [count], lambda g: g.permutation(count), [count], {}


def scatter_nd(count):
    return "ScatterND", [count, 3], lambda g: g.permutation(count)[:, None], [count, 3], {}


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("kind", [gather, gather_elements, gather_nd, scatter_elements, scatter_nd])
def test_indices(simulator, monkeypatch, tmp_path, kind, count):
    monkeypatch.setenv("KILN_SIM_DRIVER", str(simulator))
    generator = np.random.default_rng(count)
    op, shape, make, updates, attributes = kind(count)
    indices = make(generator).astype(np.int64)
    feeds = {"x": generator.standard_normal(shape).astype(np.float32)}
    if updates:
        feeds["u"] = generator.standard_normal(updates).astype(np.float32)
    node = helper.make_node(op, ["x", "i", *(["u"] if updates else [])], ["y"], **attributes)
    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, a.shape) for name, a in feeds.items()]
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
    graph = helper.make_graph([node], "g", inputs, outputs, [numpy_helper.from_array(indices, "i")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    onnx.save(model, tmp_path / "m.onnx")
    tool.call("compile", tmp_path / "m.onnx", "-o", tmp_path / "m.kiln", "--target", "native,sm_80")
    (expected,) = onnx.reference.ReferenceEvaluator(model).run(None, feeds)
    for device in ("cpu", "sim:a100"):
        found = kiln.Session(tmp_path / "m.kiln", device=device).run(feeds)["y"]
        np.testing.assert_array_equal(found, expected, err_msg=f"{op} on {device}")
