"""Models in the caches of model hubs: the model and its external data are links to files elsewhere."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
import onnx
import pytest
import tool
from onnx import TensorProto, helper, numpy_helper


@pytest.fixture
def cache(tmp_path):
    """hub/snapshots/1/{model.onnx, model.onnx_data} are links into hub/blobs; other/ is no part of the hub."""
    blobs, snapshot, other = (tmp_path / "hub" / "blobs", tmp_path / "hub" / "snapshots" / "1", tmp_path / "other")
    for folder in (blobs, snapshot, other):
        folder.mkdir(parents=True)
    weight = np.arange(64 * 64, dtype=np.float32).reshape(64, 64)
    tensor = numpy_helper.from_array(weight, "w")
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 64])]
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 64])]
    graph = helper.make_graph([helper.make_node("MatMul", ["x", "w"], ["y"])], "g", inputs, outputs, [tensor])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    onnx.save(model, tmp_path / "inside.onnx")
    onnx.save(model, blobs / "m", save_as_external_data=True, location="model.onnx_data", size_threshold=0)
    (blobs / "model.onnx_data").rename(blobs / "d")
    (snapshot / "model.onnx").symlink_to("../../blobs/m")
    (snapshot / "model.onnx_data").symlink_to("../../blobs/d")
    return tmp_path


def test_links_are_refused_unless_their_folder_is_named(cache):
    model, package = cache / "hub" / "snapshots" / "1" / "model.onnx", cache / "m.kiln"
    for command in (["compile", model, "-o", package], ["check", model]):
        outcome = tool.call(*command, status=3)
        assert "KILN-E0117" in outcome.stdout + outcome.stderr
        assert "--external-data-from" in outcome.stdout + outcome.stderr
        tool.call(*command, "--external-data-from", cache / "hub")
        # A link to another folder, and one whose path only shares a prefix.
        (cache / "hu").mkdir(exist_ok=True)
        for folder in ("other", "hu", "none"):
            tool.call(*command, "--external-data-from", cache / folder, status=3)
    tool.call("compile", cache / "inside.onnx", "-o", cache / "same.kiln")
    x = np.random.default_rng(0).standard_normal((1, 64)).astype(np.float32)
    np.save(cache / "x.npy", x)
    results = []
    for name in ("m", "same"):
        tool.call("run", cache / f"{name}.kiln", "--input", f"x=@{cache}/x.npy", "--output", f"y=@{cache}/{name}.npy")
        results.append(np.load(cache / f"{name}.npy"))
    assert np.array_equal(*results)


def test_a_folder_that_is_a_link_stays_refused(cache):
    """Only the file itself may be a link: a folder on the way could be exchanged."""
    folder = cache / "hub" / "snapshots" / "1"
    (cache / "hub" / "blobs" / "model.onnx_data").write_bytes((cache / "hub" / "blobs" / "d").read_bytes())
    model = onnx.load(folder / "model.onnx", load_external_data=False)
    for entry in model.graph.initializer[0].external_data:
        if entry.key == "location":
            entry.value = "up/model.onnx_data"
    (folder / "up").symlink_to("../../blobs")
    (folder / "n.onnx").write_bytes(model.SerializeToString())
    command = ["compile", folder / "n.onnx", "-o", cache / "n.kiln", "--external-data-from", cache / "hub"]
    tool.assert_error(tool.call(*command, status=None), "KILN-E0117", "symbolic link 'up'")


def test_a_model_that_is_a_link_compiles(cache):
    """Its own bytes are those the user named."""
    (cache / "link").mkdir()
    (cache / "link" / "m.onnx").symlink_to(cache / "inside.onnx")
    tool.call("compile", cache / "link" / "m.onnx", "-o", cache / "m.kiln")
