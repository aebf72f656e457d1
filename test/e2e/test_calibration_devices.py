"""Samples that run on a GPU (--calib-device)."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os

import kiln
import numpy as np
import pytest
import tool
from test_ranges import layers


@pytest.mark.parametrize("options", [["--algorithm", "gptq"], ["--algorithm", "rtn", "--range", "mse"]])
def test_samples_run_on_a_gpu(simulator, tmp_path, options):
    """Nearly the sums and the same limits as on the CPU; what is kept of one is refused for the other."""
    model, samples = layers(tmp_path)
    command = ["compile", model, "--precision", "int4", "--calib", samples, "--dims", "n=1..64", "--target", "native,sm_80", "-q", *options]
    packages = [tmp_path / "cpu.kiln", tmp_path / "gpu.kiln"]
    environment = {**os.environ, "KILN_CUDA_DRIVER": str(simulator), "KILN_SIM_COUNTERS": str(tmp_path / "counters")}
    for package, device in zip(packages, ([], ["--calib-device", "sim:a100"]), strict=True):
        tool.call(*command, "-o", package, "--calib-state", tmp_path / f"{package.stem}.state", *device, env=environment)
        assert (tmp_path / "counters").exists() == bool(device)  # kernels ran on the device
    x = np.random.default_rng(5).standard_normal((40, 128)).astype(np.float32)
    cpu, gpu = (kiln.Session(package).run({"x": x})["y"] for package in packages)
    assert np.linalg.norm(gpu - cpu) < 0.02 * np.linalg.norm(cpu)
    outcome = tool.call(*command, "-o", tmp_path / "m.kiln", "--calib-state", tmp_path / "cpu.state", "--calib-device", "sim:a100", status=None, env=environment)
    tool.assert_error(outcome, "KILN-E0126", "state", status=3)


def test_devices_of_samples_that_do_not_serve(tmp_path):
    model, samples = layers(tmp_path)
    command = ["compile", model, "-o", tmp_path / "m.kiln", "--precision", "int4", "--calib-device", "sim:a100"]
    tool.assert_error(tool.call(*command, "--calib", samples, status=2), "KILN-E0001", "a GPU among the targets", status=2)
    tool.assert_error(tool.call(*command, status=2), "KILN-E0001", "there is nothing to run", status=2)
