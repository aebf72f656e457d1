"""Small sums of ranks on simulated GPUs over peer memory, by kernels of the package."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import pathlib
import subprocess
import sys

import kiln
import pytest
import test_ptx
import tool
from test_gpu_ranks import assert_same_bits, run
from test_ranks import Meshes, assert_close, inputs_of

from bert import config, encoder, save, weights  # isort: skip

SHAPE = config.Config(hidden=128, layers=2, heads=8, intermediate=256, vocabulary=100, positions=24)
DIMS = ["--dims", "batch=1..2,sequence=1..16", "--target", "native,sm_80,sm_90a"]
SCHEDULES = [f"{work},{warps},5" for work in ("eager", "late", "random") for warps in ("forward", "reverse", "random")]
HELPER = pathlib.Path(__file__).parent / "peer_sums.py"


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bert")
    save.save(*encoder.build(SHAPE, weights.seeded(SHAPE, 5), config.Outputs(sentence=True)), folder / "bert.onnx")
    return Meshes(folder / "bert.onnx", folder, *DIMS)


@pytest.fixture(scope="module")
def gpus(simulator):
    """The environment of so many simulated GPUs; further variables by name."""

    def environment(count, **more):
        devices = ",".join(["a100"] * count)
        return {**os.environ, "KILN_CUDA_DRIVER": str(simulator), "KILN_SIM_DEVICES": devices, "KILN_COLLECTIVES": "peer", **more}

    return environment


@pytest.mark.parametrize("ranks", [2, 4, 8])
def test_bits_of_the_host_path(bert, gpus, ranks, tmp_path):
    package = bert.of_mesh(f"tp={ranks}")
    expected = run(package, "cuda", tmp_path, gpus(ranks, KILN_COLLECTIVES="host"))
    assert_close(expected, kiln.Session(bert.of_mesh("")).run(inputs_of(2, 9)))
    assert_same_bits(run(package, "cuda", tmp_path, gpus(ranks)), expected)
    assert_same_bits(run(package, "cuda", tmp_path, gpus(ranks, KILN_COLLECTIVES="auto")), expected)


def sum_directly(ptx, gpus, ranks, kind, *numbers, status=0, **more):
    """Runs one kernel on so many GPUs without Kiln's runtime; what was printed."""
    environment = gpus(ranks, **more)
    command = [sys.executable, HELPER, environment["KILN_CUDA_DRIVER"], ptx, ranks, kind, *numbers]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr
