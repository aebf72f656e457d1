"""Decoders as real exporters wrote them (exporter-models.tar.xz), compiled with state, against ONNX Runtime step by step."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import tarfile

import decoders
import numpy as np
import onnx
import onnxruntime
import pytest
import tool
from decoders import tokens

# Of torch.onnx.export with TorchScript (legacy) and with torch.export (dynamo), and of onnxruntime-genai's builder.
MODELS = (
    "gpt2-past-dynamo", "llama-past-dynamo", "llama-past-legacy", "mistral-past-legacy", "phi3-past-dynamo", "qwen3-past-dynamo",
    "llama-fp32-genai", "llama-int4-genai", "qwen3-fp32-genai",
)  # fmt: skip
DEVICES = {"cpu": "native", "sim:a100": "sm_80"}
TOLERANCE = 1e-4  # of the largest logit; all is computed in f32
# Products of the int4 model round activations to 8 bits (accuracy_level 4). Where both have almost a tie, one code differs, and so
# do the logits of that position and of those behind it.
ONE_CODE = 0.02


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """The folder of the exported models."""
    archive = tool.data_file("exporter-models.tar.xz")
    folder = tmp_path_factory.mktemp("exported")
    with tarfile.open(archive) as tar:
        for member in tar:
            if pathlib.PurePath(member.name).name in {f"{name}.onnx" for name in MODELS}:
                (folder / pathlib.PurePath(member.name).name).write_bytes(tar.extractfile(member).read())
    return folder


class Peer:
    """One sequence with ONNX Runtime: a run per call, whose presents are the pasts of the next."""

    def __init__(self, path):
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self.inputs = {entry.name for entry in onnx.load(path).graph.input}
        heads_and_size = {entry.name: (entry.shape[1], 16) for entry in self.session.get_inputs() if "past" in entry.name}
        self.pasts = {name: np.zeros((1, heads, 0, size), np.float32) for name, (heads, size) in heads_and_size.items()}
        self.length = 0

    def run(self, ids):
        before, self.length = self.length, self.length + ids.shape[1]
        feeds = {
            "input_ids": ids,
            "attention_mask": np.ones((1, self.length), np.int64),
            "position_ids": np.arange(before, self.length)[None],
        }
        feeds = {name: value for name, value in feeds.items() if name in self.inputs}
        names = [entry.name for entry in self.session.get_outputs()]
        found = dict(zip(names, self.session.run(names, feeds | self.pasts)))
        self.pasts = {name: found[name.replace("past_key_values", "present").replace("past", "present")] for name in self.pasts}
        return found["logits"]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", MODELS)
def test_steps_agree_with_onnxruntime(exported, driver, tmp_path, name, device):
    package = tmp_path / "m.kiln"
    tool.call("compile", exported / f"{name}.onnx", "-o", package, "--dims", decoders.DIMS, "--target", DEVICES[device], "-q")
    peers = [Peer(exported / f"{name}.onnx") for _ in range(2)]
    expected = []
    for step, count in enumerate(decoders.STEPS):
        ids = tokens(step, 2, count)
        expected.append(np.concatenate([peer.run(ids[row : row + 1]) for row, peer in enumerate(peers)]))
    expected[0] = expected[0][:, -1:]
    expected = np.concatenate(expected, axis=1)
    found, lengths = decoders.run_elsewhere(package, device, tmp_path, driver)
    errors = np.abs(found - expected).max(axis=2) / np.abs(expected).max()
    assert errors.max() <= (ONE_CODE if "int4" in name else TOLERANCE) and np.median(errors) <= TOLERANCE
    assert lengths.tolist() == [sum(decoders.STEPS)] * 2
