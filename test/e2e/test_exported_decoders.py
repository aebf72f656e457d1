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

# Exported by torch.onnx.export with TorchScript (legacy) and with torch.export (dynamo), and by onnxruntime-genai's
# builder.
SHARED = (
    "gpt2-past-dynamo", "llama-past-dynamo", "llama-past-legacy", "mistral-past-legacy", "phi3-past-dynamo", "qwen3-past-dynamo",
    "llama-fp32-genai", "llama-int4-genai", "qwen3-fp32-genai",
)  # fmt: skip
# exports/export.py documents the exporter of each model.
ARCHIVES = [pathlib.Path(__file__).with_name("exports") / name for name in ("decoders.tar.xz", "decoders5.tar.xz")]


def names_in(path):
    with tarfile.open(path) as archive:
        return [pathlib.PurePath(name).stem for name in archive.getnames()]


OWN = {name: archive for archive in ARCHIVES for name in names_in(archive)}
MODELS = tuple(OWN)
# One scale covers all rows of a run; a peer has only one row.
PER_RUN = ("gpt2-dynq",)
DEVICES = {"cpu": "native", "sim:a100": "sm_80"}
TOLERANCE = 1e-4  # relative to the largest logit; everything is computed in f32
# Matmuls of the int4 model round activations to 8 bits (accuracy_level 4). Near a tie the two may round differently,
# which changes the logits of that position and of later ones.
ONE_CODE = 0.02


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """Where a model of any archive is, by name."""
    folder = tmp_path_factory.mktemp("exported")

    def path(name):
        if not (folder / f"{name}.onnx").exists():
            with tarfile.open(OWN[name] if name in OWN else tool.data_file("exporter-models.tar.xz")) as tar:
                member = next(entry for entry in tar if pathlib.PurePath(entry.name).name == f"{name}.onnx")
                (folder / f"{name}.onnx").write_bytes(tar.extractfile(member).read())
        return folder / f"{name}.onnx"

    return path


class Peer:
    """One sequence with ONNX Runtime: a run per call, whose presents are the pasts of the next."""

    def __init__(self, path):
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        if "qdq" in path.name:
            # ONNX Runtime's fused quantization kernels round in other places than the model.
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        # A graph in a branch loses undeclared inputs during optimization.
        self.inputs = {entry.name for entry in onnx.load(path).graph.input}
        shapes = {entry.name: entry.shape[1:] for entry in self.session.get_inputs() if "past" in entry.name}
        for shape in shapes.values():
            shape[-1] = shape[-1] if isinstance(shape[-1], int) else 16
        empty = {name: [1, *(dim if isinstance(dim, int) else 0 for dim in shape)] for name, shape in shapes.items()}
        self.pasts = {name: np.zeros(shape, np.float32) for name, shape in empty.items()}
        self.length = 0

    def run(self, ids):
        before, self.length = self.length, self.length + ids.shape[1]
        feeds = {
            "input_ids": ids,
            "attention_mask": np.ones((1, self.length), np.int64),
            "position_ids": np.arange(before, self.length)[None],
            "use_cache_branch": np.array([before > 0]),
        }
        feeds = {name: value for name, value in feeds.items() if name in self.inputs}
        names = [entry.name for entry in self.session.get_outputs()]
        found = dict(zip(names, self.session.run(names, feeds | self.pasts)))
        self.pasts = {name: found[name.replace("past_key_values", "present").replace("past", "present")] for name in self.pasts}
        return found["logits"]

    def step(self, ids):
        """As run; graphs that were traced for one token after the prompt get one at a time."""
        if "use_cache_branch" not in self.inputs or self.length == 0:
            return self.run(ids)
        return np.concatenate([self.run(ids[:, i : i + 1]) for i in range(ids.shape[1])], axis=1)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", [name for name in SHARED + MODELS if name not in PER_RUN])
def test_steps_agree_with_onnxruntime(exported, driver, tmp_path, name, device):
    package = tmp_path / "m.kiln"
    # In MPT only the graph for prompts is causal.
    dims = decoders.DIMS.replace("sequence=1..16", "sequence=1") if name == "mpt-merged" else decoders.DIMS
    tool.call("compile", exported(name), "-o", package, "--dims", dims, "--target", DEVICES[device], "-q")
    peers = [Peer(exported(name)) for _ in range(2)]
    expected = []
    for step, count in enumerate(decoders.STEPS):
        ids = tokens(step, 2, count)
        expected.append(np.concatenate([peer.step(ids[row : row + 1]) for row, peer in enumerate(peers)]))
    expected[0] = expected[0][:, -1:]
    expected = np.concatenate(expected, axis=1)
    found, lengths = decoders.run_elsewhere(package, device, tmp_path, driver)
    errors = np.abs(found - expected).max(axis=2) / np.abs(expected).max()
    assert errors.max() <= (ONE_CODE if "int4" in name else TOLERANCE) and np.median(errors) <= TOLERANCE
    assert lengths.tolist() == [sum(decoders.STEPS)] * 2


PROMPT, NEW = [5, 17, 33, 2, 90, 64, 7], 64
# Relative to the largest logit: within this, either of the two largest tokens may be chosen.
TIE = 1e-4


@pytest.mark.parametrize("name", MODELS)
def test_generate_says_what_onnxruntime_says(exported, tmp_path, name):
    """Up to a tie, from the first compile without any option on."""
    tool.call("compile", exported(name), "-o", tmp_path / "m.kiln", "-q")
    prompt = ",".join(map(str, PROMPT))
    options = ("--prompt-ids", prompt, "--max-new", NEW, "--capacity", len(PROMPT) + NEW, "-q")
    found = [int(word) for word in tool.call("generate", tmp_path / "m.kiln", *options).stdout.replace(",", " ").split()]
    peer = Peer(exported(name))
    ids, compared = PROMPT, 0
    for token in found:
        logits = peer.run(np.array([ids]))[0, -1]
        second, first = np.sort(logits)[-2:]
        if token != logits.argmax() and first - second <= TIE * np.abs(logits).max():
            break
        assert token == logits.argmax()
        ids, compared = [token], compared + 1
    assert len(found) == NEW and compared >= NEW // 4
