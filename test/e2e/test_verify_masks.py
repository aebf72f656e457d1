"""kiln verify runs a model once more with masks that hide some, or all, of a row: models that differ there alone differ."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
import pytest
import tool
from onnx import TensorProto, helper, numpy_helper, save


def encoder(path, hidden, mask_type):
    """Attention of x with itself. `hidden` is what a mask of integers adds to scores; one of floats is added as it is, times
    `hidden`."""
    number = lambda name, value: numpy_helper.from_array(np.float32(value), name)  # noqa: E731
    mask = [helper.make_node("Mul", ["attention_mask", "hidden"], ["added"])]
    if mask_type == TensorProto.INT64:
        mask = [
            helper.make_node("Cast", ["attention_mask"], ["seen"], to=TensorProto.FLOAT),
            helper.make_node("Sub", ["one", "seen"], ["unseen"]),
            helper.make_node("Mul", ["unseen", "hidden"], ["added"]),
        ]
    nodes = [
        *mask,
        helper.make_node("Unsqueeze", ["added", "axis"], ["row"]),
        helper.make_node("Transpose", ["x"], ["t"], perm=[0, 2, 1]),
        helper.make_node("MatMul", ["x", "t"], ["scores"]),
        helper.make_node("Add", ["scores", "row"], ["masked"]),
        helper.make_node("Softmax", ["masked"], ["weights"], axis=-1),
        helper.make_node("MatMul", ["weights", "x"], ["y"]),
    ]
    initializers = [number("one", 1), number("hidden", hidden), numpy_helper.from_array(np.array([1]), "axis")]
    graph = helper.make_graph(
        nodes, "g",
        [helper.make_tensor_value_info("x", 1, ["batch", "seq", 16]),
         helper.make_tensor_value_info("attention_mask", mask_type, ["batch", "seq"])],
        [helper.make_tensor_value_info("y", 1, ["batch", "seq", 16])], initializers)
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)
    return path


# A float mask of 1 everywhere is added to all scores of a row and changes nothing.
@pytest.mark.parametrize("mask_type, other", [(TensorProto.INT64, 0.0), (TensorProto.FLOAT, 0.0)])
def test_a_difference_in_masked_rows_is_found(mask_type, other, tmp_path):
    model = encoder(tmp_path / "m.onnx", -1e4 if mask_type == TensorProto.INT64 else 1.0, mask_type)
    another = encoder(tmp_path / "other.onnx", other, mask_type)
    package = tmp_path / "m.kiln"
    tool.call("compile", model, "-o", package, "-q")
    right = tool.call("verify", package, "--model", model)
    assert "batch=4 seq=16, with masks that hide" in right.stdout and right.stdout.endswith("PASSED\n")
    assert "with masks" not in tool.call("verify", package, "--model", another, "--only-these-dims").stdout
    assert tool.call("verify", package, "--model", another, status=1).stdout.endswith("FAILED\n")


def test_masks_of_the_user_are_not_replaced(tmp_path):
    model = encoder(tmp_path / "m.onnx", -1e4, TensorProto.INT64)
    tool.call("compile", model, "-o", tmp_path / "m.kiln", "-q")
    np.save(tmp_path / "mask.npy", np.ones((1, 5), np.int64))
    outcome = tool.call("verify", tmp_path / "m.kiln", "--model", model, "--input", f"attention_mask=@{tmp_path / 'mask.npy'}")
    assert "with masks" not in outcome.stdout and outcome.stdout.endswith("PASSED\n")
