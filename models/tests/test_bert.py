"""The model builders against ONNX Runtime and the double-precision reference."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import dataclasses
import hashlib
import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import onnx
import onnxruntime
import pytest

from bert import config as shapes
from bert import encoder, reference, save, weights

MODELS = pathlib.Path(__file__).resolve().parents[1]
MINILM = pathlib.Path(os.environ.get("KILN_MINILM", MODELS.parent / "build/models/minilm"))
SMALL = shapes.Config(hidden=24, layers=2, heads=3, intermediate=40, vocabulary=50, positions=16)
ALL_OUTPUTS = shapes.Outputs(sentence=True, normalize=True, pooler=True)


def build(path, config, values, outputs, **options):
    save.save(*encoder.build(config, values, outputs, options.pop("decomposed_norm", False)), path, **options)
    return path


def feeds(config, batch, length, seed=0):
    """Random ids; the rows end in different amounts of padding."""
    random = np.random.default_rng(seed)
    mask = np.ones((batch, length), np.int64)
    for row in range(batch):
        mask[row, length - row % length :] = 0
    return {
        "input_ids": random.integers(0, config.vocabulary, (batch, length)),
        "attention_mask": mask,
        "token_type_ids": random.integers(0, config.token_types, (batch, length)),
    }


def run_onnxruntime(path, inputs):
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(names, inputs)))


def check_against_reference(path, config, values, outputs, inputs, tolerance=2e-5):
    expected = reference.run(config, values, **inputs, outputs=outputs)
    found = run_onnxruntime(path, inputs)
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert found[name].shape == value.shape
        assert np.abs(found[name] - value).max() <= tolerance * np.abs(value).max(), name


@pytest.mark.parametrize("gelu", ["erf", "tanh"])
@pytest.mark.parametrize("decomposed", [False, True])
@pytest.mark.parametrize("batch,length", [(1, 1), (3, 7), (2, 16)])
def test_small_encoder_matches_onnxruntime(tmp_path, gelu, decomposed, batch, length):
    config = dataclasses.replace(SMALL, gelu=gelu)
    values = weights.seeded(config, 3, pooler=True)
    path = build(tmp_path / "m.onnx", config, values, ALL_OUTPUTS, decomposed_norm=decomposed)
    check_against_reference(path, config, values, ALL_OUTPUTS, feeds(config, batch, length))


@pytest.mark.skipif(not MINILM.exists(), reason="the weights of MiniLM are not there; tools/test fetches them")
def test_minilm_matches_onnxruntime_and_reference(tmp_path):
    path = tmp_path / "minilm.onnx"
    run_builder("minilm", "--weights", MINILM, "-o", path)
    config, values = shapes.read_config(MINILM), weights.read_checkpoint(MINILM)
    outputs = shapes.Outputs(sentence=True, normalize=True)
    assert config == shapes.MINILM and shapes.read_outputs(MINILM) == outputs
    check_against_reference(path, config, values, outputs, feeds(config, 3, 13))


def test_graph_is_valid_and_spelled_as_the_exporter_does(tmp_path):
    path = build(tmp_path / "m.onnx", SMALL, weights.seeded(SMALL, 0), shapes.Outputs(sentence=True, normalize=True))
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    counts = collections.Counter(node.op_type for node in model.graph.node)
    layers = SMALL.layers
    assert counts["MatMul"] == 8 * layers and counts["Erf"] == layers and counts["Softmax"] == layers
    assert counts["LayerNormalization"] == 2 * layers + 1 and counts["Transpose"] == 4 * layers
    assert model.opset_import[0].version == 17
    assert [value.name for value in model.graph.input] == list(encoder.INPUTS)
    dims = [dim.dim_param for dim in model.graph.input[0].type.tensor_type.shape.dim]
    assert dims == ["batch", "sequence"]
    names = [node.name for node in model.graph.node]
    assert len(set(names)) == len(names)


def test_decomposed_norm_has_no_layer_normalization(tmp_path):
    path = build(tmp_path / "m.onnx", SMALL, weights.seeded(SMALL, 0), shapes.Outputs(), decomposed_norm=True)
    assert "LayerNormalization" not in {node.op_type for node in onnx.load(path).graph.node}


def test_external_data_holds_the_same_weights(tmp_path):
    values = weights.seeded(SMALL, 5)
    inside = build(tmp_path / "inside.onnx", SMALL, values, shapes.Outputs())
    outside = build(tmp_path / "outside.onnx", SMALL, values, shapes.Outputs(), external=True)
    inputs = feeds(SMALL, 2, 5)
    first, second = run_onnxruntime(inside, inputs), run_onnxruntime(outside, inputs)
    assert np.array_equal(first["last_hidden_state"], second["last_hidden_state"])
    assert outside.stat().st_size < inside.stat().st_size


def test_same_seed_same_bytes_and_another_seed_other_bytes(tmp_path):
    sums = []
    for index, seed in enumerate((1, 1, 2)):
        path = build(tmp_path / f"{index}.onnx", SMALL, weights.seeded(SMALL, seed), shapes.Outputs())
        sums.append(hashlib.sha256(path.read_bytes()).hexdigest())
    assert sums[0] == sums[1] != sums[2]


def write_checkpoint(folder, values, dtype, **changes):
    """A checkpoint with old names (bert., gamma, beta) in a safetensors file made by hand."""
    header, blobs, offset = {}, [], 0
    for name, array in values.items():
        if "LayerNorm" in name:
            name = name.replace(".weight", ".gamma").replace(".bias", ".beta")
        blob = (array.view(np.uint32) >> 16).astype(np.uint16).tobytes() if dtype == "BF16" else array.tobytes()
        header["bert." + name] = {"dtype": dtype, "shape": array.shape, "data_offsets": [offset, offset + len(blob)]}
        blobs.append(blob)
        offset += len(blob)
    text = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(len(text).to_bytes(8, "little") + text + b"".join(blobs))
    raw = dict(
        model_type="bert", hidden_size=SMALL.hidden, num_hidden_layers=SMALL.layers, num_attention_heads=SMALL.heads,
        intermediate_size=SMALL.intermediate, vocab_size=SMALL.vocabulary, max_position_embeddings=SMALL.positions,
    )
    (folder / "config.json").write_text(json.dumps(raw | changes))


def run_builder(*arguments):
    command = [sys.executable, MODELS / "build.py", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True)


@pytest.mark.parametrize("dtype", ["F32", "BF16"])
def test_checkpoint_folder(tmp_path, dtype):
    values = weights.seeded(SMALL, 7, pooler=True)
    if dtype == "BF16":
        values = {name: (v.view(np.uint32) & 0xFFFF0000).view(np.float32) for name, v in values.items()}
    write_checkpoint(tmp_path, values, dtype)
    run_builder("checkpoint", tmp_path, "--pooler", "-o", tmp_path / "m.onnx")
    outputs = shapes.Outputs(pooler=True)
    check_against_reference(tmp_path / "m.onnx", SMALL, values, outputs, feeds(SMALL, 2, 9))


@pytest.mark.parametrize(
    "changes,message",
    [
        ({"model_type": "roberta"}, "expected 'bert'"),
        ({"hidden_act": "relu"}, "hidden_act"),
        ({"position_embedding_type": "relative_key"}, "absolute"),
        ({"vocab_size": 51}, "word_embeddings"),
        ({"num_hidden_layers": 3}, "encoder.layer.2"),
    ],
)
def test_checkpoint_that_is_refused(tmp_path, changes, message):
    write_checkpoint(tmp_path, weights.seeded(SMALL, 7), "F32", **changes)
    with pytest.raises(subprocess.CalledProcessError) as failure:
        run_builder("checkpoint", tmp_path, "-o", tmp_path / "m.onnx")
    assert failure.value.returncode == 3 and message in failure.value.stderr
    assert not (tmp_path / "m.onnx").exists()
