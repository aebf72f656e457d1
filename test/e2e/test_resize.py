"""Resize with antialias, as vision models shrink tables of positions and images: against ONNX's reference evaluator."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import kiln
import numpy as np
import onnx
import pytest
import tool
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator


def save(path, shape, attributes, weights, names):
    """A Resize of x; `weights` are constants, and other names are inputs."""
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)]
    node = helper.make_node("Resize", ["x", *names], ["y"], antialias=1, **attributes)
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, [None] * len(shape))]
    graph = helper.make_graph([node], "resize", inputs, outputs, [numpy_helper.from_array(value, name) for name, value in weights.items()])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9), path)
    return path


def assert_like_the_reference(model, x, *options):
    tool.call("compile", model, "-o", model.with_suffix(".kiln"), "-q", *options)
    found = kiln.Session(model.with_suffix(".kiln")).run({"x": x})["y"]
    np.testing.assert_allclose(found, ReferenceEvaluator(str(model)).run(None, {"x": x})[0], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("mode", ["linear", "cubic"])
@pytest.mark.parametrize("exclude_outside", [0, 1])
@pytest.mark.parametrize("sizes", [(5, 3), (7, 11), (1, 2), (16, 9)])
def test_sizes(tmp_path, mode, exclude_outside, sizes):
    """One dim may shrink while the other grows."""
    x = np.random.default_rng(0).standard_normal((1, 2, 11, 8)).astype(np.float32)
    attributes = {"mode": mode, "exclude_outside": exclude_outside, "coordinate_transformation_mode": "half_pixel", "cubic_coeff_a": -0.5}
    weights = {"sizes": np.array([1, 2, *sizes])}
    assert_like_the_reference(save(tmp_path / "m.onnx", x.shape, attributes, weights, ["", "", "sizes"]), x)


@pytest.mark.parametrize("mode", ["linear", "cubic"])
@pytest.mark.parametrize("coordinates", ["half_pixel", "asymmetric", "pytorch_half_pixel"])
@pytest.mark.parametrize("scale", [0.25, 0.375, 0.5, 2.0])
def test_scales_of_a_dim_that_varies(tmp_path, mode, coordinates, scale):
    attributes = {"mode": mode, "coordinate_transformation_mode": coordinates}
    model = save(tmp_path / "m.onnx", ["n", 3], attributes, {"scales": np.array([scale, 1], np.float32)}, ["", "scales"])
    for rows in (8, 13, 40):
        x = np.random.default_rng(rows).standard_normal((rows, 3)).astype(np.float32)
        assert_like_the_reference(model, x, "--dims", "n=8..64")
