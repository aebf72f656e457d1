"""Ranks on simulated GPUs: on one of them or on one each, as threads and as processes."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os

import kiln
import numpy as np
import pytest
import tool
from test_ranks import Meshes, assert_close, inputs_of, run_processes

from bert import config, encoder, save, weights  # isort: skip  (decoders names their folder)

SMALL = config.Config(hidden=128, layers=2, heads=4, intermediate=256, vocabulary=100, positions=24)
DIMS = {"batch": "1..2", "sequence": "1..16"}
PROMPT = "/// Returns true if "


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bert")
    save.save(*encoder.build(SMALL, weights.seeded(SMALL, 5), config.Outputs(sentence=True)), folder / "bert.onnx")
    dims = ",".join(f"{name}={range}" for name, range in DIMS.items())
    return Meshes(folder / "bert.onnx", folder, "--dims", dims, "--target", "native,sm_80")


def run(package, device, folder, environment, *options):
    inputs = inputs_of(2, 9)
    for name, values in inputs.items():
        np.save(folder / f"{name}.npy", values)
        options += ("--input", f"{name}=@{folder}/{name}.npy")
    names = ("last_hidden_state", "sentence_embedding")
    written = [f"--output={name}=@{folder}/{name}.npy" for name in names]
    outcome = tool.call("run", package, "--device", device, *options, *written, env=environment)
    assert outcome.stderr == "", outcome.stderr
    return {name: np.load(folder / f"{name}.npy") for name in names}


def assert_same_bits(found, expected):
    assert found.keys() == expected.keys()
    assert all(found[name].tobytes() == values.tobytes() for name, values in expected.items())


@pytest.fixture(scope="module")
def two_gpus(simulator):
    """The environment in which the CUDA driver is a simulated one with two GPUs."""
    return {**os.environ, "KILN_CUDA_DRIVER": str(simulator), "KILN_SIM_DEVICES": "a100,a100"}


def test_tensor_parallel_ranks(bert, driver, two_gpus, tmp_path):
    expected = kiln.Session(bert.of_mesh("")).run(inputs_of(2, 9))
    package = bert.of_mesh("tp=2")
    shared = run(package, "sim:a100", tmp_path, driver)
    assert_close(shared, expected)
    # The same with a GPU per rank, and with ranks that share the second one.
    assert_same_bits(run(package, "cuda", tmp_path, two_gpus), shared)
    assert_same_bits(run(package, "cuda:1", tmp_path, two_gpus), shared)


@pytest.mark.parametrize("mesh", ["pp=2", "pp=2,tp=2"])
def test_pipelines_have_the_bits_of_their_kernels(bert, driver, tmp_path, mesh):
    one = "" if mesh == "pp=2" else "tp=2"
    expected, found = (run(bert.of_mesh(each), "sim:a100", tmp_path, driver) for each in (one, mesh))
    assert_same_bits(found, expected)


def test_sequence_parallel_ranks_have_the_bits_of_tensor_parallel_ones(bert, driver, tmp_path):
    meshes = Meshes(bert.model, tmp_path, "--dims", "batch=1..2,sequence=1..24", "--target", "native,sm_80")
    expected, found = (run(meshes.of_mesh(mesh), "sim:a100", tmp_path, driver) for mesh in ("tp=2", "sp=2"))
    assert_same_bits(found, expected)


def test_context_parallel_ranks_have_the_bits_of_one(bert, driver, two_gpus, tmp_path):
    dims = ["--dims", "batch=1..2,sequence=1..24", "--target", "native,sm_80", "--batch-invariant"]
    meshes = Meshes(bert.model, tmp_path, *dims)
    expected, found = (run(meshes.of_mesh(mesh), "sim:a100", tmp_path, driver) for mesh in ("", "cp=2"))
    assert_same_bits(found, expected)
    assert_same_bits(run(meshes.of_mesh("cp=2"), "cuda", tmp_path, two_gpus), expected)


def test_products_of_tensor_and_context_parallelism(bert, driver, simulator, tmp_path):
    """Whatever way is asked for: along an axis of a stage ranks meet over the host."""
    dims = ["--dims", "batch=1..2,sequence=1..24", "--target", "native,sm_80", "--batch-invariant"]
    meshes = Meshes(bert.model, tmp_path, *dims)
    expected, found = (run(meshes.of_mesh(mesh), "sim:a100", tmp_path, driver) for mesh in ("tp=2", "tp=2,cp=2"))
    assert_same_bits(found, expected)
    gpus = {**os.environ, "KILN_CUDA_DRIVER": str(simulator), "KILN_SIM_DEVICES": "a100,a100,a100,a100"}
    for way in ("auto", "nccl"):
        assert_same_bits(run(meshes.of_mesh("tp=2,cp=2"), "cuda", tmp_path, {**gpus, "KILN_COLLECTIVES": way}), expected)


def test_processes(bert, driver, tmp_path):
    package = bert.of_mesh("tp=2")
    run(package, "sim:a100", tmp_path, driver)
    inputs = [f"--input={name}=@{tmp_path}/{name}.npy" for name in inputs_of(1, 1)]
    first, second = run_processes("run", package, "--device", "sim:a100", "--compare", tmp_path, *inputs, environment=driver)
    assert "PASSED" in first and not second


def test_text_of_tensor_parallel_ranks(driver, tmp_path):
    """Prefill and decode, with the caches of each rank's heads on its GPU."""
    import decoders

    dims = ["--dims", "rows=1,capacity=1..64,sequence=1..32", "--target", "native,sm_80"]
    decoders.compile_tinylm(tmp_path, *dims)
    tinylm = Meshes(tmp_path / "past.onnx", tmp_path, *dims)
    options = ["--prompt", PROMPT, "--max-new", 4, "--json"]
    expected = json.loads(tool.call("generate", tinylm.of_mesh(""), *options).stdout)
    found = json.loads(tool.call("generate", tinylm.of_mesh("tp=2"), "--device", "sim:a100", *options, env=driver).stdout)
    assert found["tokens"] == expected["tokens"] and len(found["tokens"]) == 4


def test_more_ranks_than_gpus(bert, two_gpus):
    outcome = tool.call("run", bert.of_mesh("tp=4"), "--device", "cuda", env=two_gpus, status=4)
    tool.assert_error(outcome, "KILN-E0702", "device cuda:2", "found 2", status=4)
