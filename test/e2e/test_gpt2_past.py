"""gpt2_past.onnx of ONNX Runtime's test data: 12 layers, keys and values of a layer in one tensor, one token at a time."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import kiln
import numpy as np
import onnxruntime
import pytest
import tool


@pytest.fixture(scope="module")
def model(exported_graph):
    return exported_graph("gpt2_past.onnx")


def test_steps_agree_with_onnxruntime(model, tmp_path):
    """32 steps for each of three rows; its table of positions has 8, so a sequence begins anew after 8."""
    tool.call("compile", model, "-o", tmp_path / "m.kiln", "-q")
    session = kiln.Session(tmp_path / "m.kiln", dims={"rows": 3, "capacity": 8})
    assert session.entries == ["decode"] and [tensor.name for tensor in session.inputs] == ["input_ids", "counts"]
    peer = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    names = [output.name for output in peer.get_outputs()]
    pasts = [entry.name for entry in peer.get_inputs()][1:]
    random = np.random.default_rng(0)
    for step in range(32):
        if step % 8 == 0:
            session.reset_state()
            state = {name: np.zeros((2, 3, 2, 0, 2), np.float32) for name in pasts}
        ids = random.integers(0, 8, (3, 1))
        expected = dict(zip(names, peer.run(None, {"input_ids": ids} | state)))
        state = {name: expected[name.replace("past", "present")] for name in pasts}
        found = session.run({"input_ids": ids, "counts": np.ones(3, np.int64)})["last_state"]
        np.testing.assert_allclose(found, expected["last_state"][:, -1:], rtol=0, atol=1e-4)


def test_without_state(model, tmp_path):
    tool.call("compile", model, "-o", tmp_path / "m.kiln", "--no-state", "-q")
    session = kiln.Session(tmp_path / "m.kiln")
    assert session.entries == ["main"] and len(session.inputs) == 13
