"""Small models and bert_toy against ONNX Runtime, over several dims."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json

import models
import numpy as np
import onnx
import pytest
import tool

DIMS = "batch=1..4,seq=1..64"
SIZES = [(1, 1), (2, 7), (4, 64), (3, 33)]


def run(package, values, folder, *options):
    """`kiln run` on arrays; its outputs as arrays."""
    command = ["run", package, *options]
    for name, value in values.items():
        np.save(folder / f"in_{name}.npy", value)
        command += ["--input", f"{name}=@{folder}/in_{name}.npy"]
    description = json.loads(tool.call("inspect", package, "--json").stdout)
    names = [output["name"] for output in description["outputs"]]
    for name in names:
        command += ["--output", f"{name}=@{folder}/out_{name}.npy"]
    outcome = tool.call(*command)
    return {name: np.load(folder / f"out_{name}.npy") for name in names}, outcome


@pytest.mark.parametrize("name", models.ALL)
def test_small_models(name, tmp_path):
    model = models.parse(models.ALL[name])
    onnx.save(model, tmp_path / "m.onnx")
    symbols = {d.dim_param for i in model.graph.input for d in i.type.tensor_type.shape.dim if d.dim_param}
    options = ["--dims", ",".join(f"{s}=1..{4 if s == 'batch' else 64}" for s in sorted(symbols))] if symbols else []
    tool.call("compile", tmp_path / "m.onnx", "-o", tmp_path / "m.kiln", *options)
    for batch, seq in SIZES:
        values = models.inputs(model, {"batch": batch, "seq": seq, "n": seq})
        found, _ = run(tmp_path / "m.kiln", values, tmp_path)
        for output, expected in models.reference(model, values).items():
            assert models.distance(found[output], expected) < 2e-5, (name, output, batch, seq)


def test_text_is_accepted(tmp_path):
    (tmp_path / "m.onnxtxt").write_text(models.HEADER + models.ELEMENTWISE)
    tool.call("compile", tmp_path / "m.onnxtxt", "-o", tmp_path / "m.kiln", "--dims", DIMS)
    tool.call("run", tmp_path / "m.kiln")


def test_several_targets(tmp_path):
    models.write(tmp_path / "m.onnx", models.MLP)
    tool.call("compile", tmp_path / "m.onnx", "-o", tmp_path / "m.kiln", "--dims", DIMS, "--target", "x86-64-v3,x86-64-v4")
    description = json.loads(tool.call("inspect", tmp_path / "m.kiln", "--json").stdout)
    assert [t["name"] for t in description["targets"]] == ["x86-64-v3", "x86-64-v4"]
    tool.call("run", tmp_path / "m.kiln")


@pytest.fixture(scope="module")
def toy_package(bert_toy, tmp_path_factory):
    package = tmp_path_factory.mktemp("toy") / "toy.kiln"
    tool.call("compile", bert_toy, "-o", package)
    return package


def toy_dims(model, batch, seq):
    """Values for the names that the model gives its dims."""
    names = [d.dim_param for d in model.graph.input[0].type.tensor_type.shape.dim]
    return dict(zip(names, (batch, seq)))


@pytest.mark.parametrize("batch", [1, 2, 3, 4])
@pytest.mark.parametrize("seq", [1, 7, 128])
def test_bert_toy(bert_toy, toy_package, batch, seq, tmp_path):
    model = onnx.load(bert_toy)
    values = models.inputs(model, toy_dims(model, batch, seq))
    found, outcome = run(toy_package, values, tmp_path)
    for name, expected in models.reference(model, values).items():
        assert models.distance(found[name], expected) < 1e-4, (name, batch, seq)


@pytest.mark.parametrize("batch,seq", [(1, 1), (3, 7), (4, 128)])
def test_bert_toy_memory_is_the_formula(bert_toy, toy_package, batch, seq, tmp_path):
    model = onnx.load(bert_toy)
    options = []
    for name, value in models.inputs(model, toy_dims(model, batch, seq)).items():
        np.save(tmp_path / f"{name}.npy", value)
        options += ["--input", f"{name}=@{tmp_path}/{name}.npy"]
    stats = json.loads(tool.call("run", toy_package, "--stats=json", *options).stdout)
    activations = [a for a in stats["arenas"] if a["kind"] == "activations"]
    assert activations
    for arena in activations:
        # The high-water mark of writes, rounded up to 64 bytes as the formula is.
        assert arena["measured_bytes"] == arena["formula_bytes"] > 0
        assert -(-arena["high_water_bytes"] // 64) * 64 == arena["formula_bytes"]


def test_bert_toy_kernels(toy_package, bert_toy):
    outcome = tool.call("verify", toy_package, "--model", bert_toy, timeout=600)
    assert outcome.stdout.splitlines()[-1] == "PASSED"
    assert "FAILED" not in outcome.stdout
