"""The whole sentence encoder in bf16 on simulated GPUs: within the bound of its precision, the same bits in every order of
execution, and nothing for the simulator to report."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import subprocess
import sys

import pytest
import tool

ROOT = pathlib.Path(__file__).resolve().parents[2]
DIMS = ["--dims", "batch=1,sequence=16"]
SCHEDULES = ["eager,forward", "late,reverse", "random,forward,3", "random,random,8"]
DEVICES = {"sm_80": "sim:a100", "sm_90a": "sim:h200"}


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    """All six layers of MiniLM with made-up weights."""
    model = tmp_path_factory.mktemp("encoder") / "minilm.onnx"
    subprocess.run([sys.executable, ROOT / "models" / "build.py", "minilm-shape", "-o", model],
                   check=True, capture_output=True, timeout=300)
    return model


@pytest.fixture(scope="module", params=DEVICES)
def package(request, encoder):
    path = encoder.parent / f"{request.param}.kiln"
    tool.call("compile", encoder, "-o", path, "--target", request.param, "--precision", "bf16", "-q")
    return path, DEVICES[request.param]


def test_kernels_and_outputs_agree_with_the_reference(driver, encoder, package):
    path, device = package
    outcome = tool.call("verify", path, "--device", device, "--model", encoder, *DIMS, env=driver)
    assert outcome.stdout.endswith("PASSED\n") and "FAILED" not in outcome.stdout
    assert "sentence_embedding" in outcome.stdout and "0.1" in outcome.stdout


def test_every_order_gives_the_same_bits(driver, package):
    path, device = package

    def run(schedule, *options):
        outcome = tool.call("run", path, "--device", device, *DIMS, *options,
                            env={**driver, "KILN_SIM_SCHEDULE": schedule})
        assert outcome.stderr == "", outcome.stderr
        return outcome.stdout.split("time:")[0]

    first = run(SCHEDULES[0])
    assert "last_hidden_state   f32[1,16,384]" in first
    for schedule in SCHEDULES[1:]:
        assert run(schedule) == first, schedule
    assert run(SCHEDULES[0], "--no-graph") == first
    assert run(SCHEDULES[3], "--no-graph") == first
