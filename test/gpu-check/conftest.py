# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import subprocess
import tarfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("KILN_BUILD", ROOT / "build"))
SIMULATOR = BUILD / "lib/libkiln_sim_cuda.so"
SELECT = [
    "gemm_bf16_nn_65", "gemm_bf16_nn_1x264", "gemm_f16_nn_64x128x2048", "gemm_f32_nt_65",
    "gemm_f16_nn_70x48x80_weights_gelu", "attention_bf16_causal", "layer_norm_f32_31", "reducesum_f16_0_2",
    "elementwise_f32", "movement_bf16", "casts", "integers", "tiny", "8x256", "attention_bf16_64_d64",
]


def clean_environment(**more):
    """Nothing that points into the build tree: an unpacked archive has to do with itself."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("KILN_")}
    return {**kept, **more}


class Outcome:
    def __init__(self, done):
        self.status, self.stdout, self.stderr = done.returncode, done.stdout, done.stderr


class Checker:
    """The program of an unpacked archive."""

    def __init__(self, folder):
        self.folder = folder

    def __call__(self, *words, status=0, **environment):
        command = [str(self.folder / "gpu-check"), *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, env=clean_environment(**environment))
        assert done.returncode == status, f"{command} ended with {done.returncode}\n{done.stdout}{done.stderr}"
        return Outcome(done)


@pytest.fixture(scope="session")
def packed(tmp_path_factory):
    """The archive of a small selection, and what packing said."""
    if not SIMULATOR.exists():
        pytest.skip(f"{SIMULATOR} is absent (KILN_BUILD_SIM is off)")
    archive = tmp_path_factory.mktemp("packed") / "check.tar"
    command = [str(ROOT / "tools/gpu-check"), "pack", str(archive), "--select", ",".join(SELECT)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, env={**os.environ, "KILN_BUILD": str(BUILD)})
    assert done.returncode == 0, done.stdout + done.stderr
    return archive, done.stdout


@pytest.fixture()
def checker(packed, tmp_path):
    """A fresh copy, so that a test may spoil it."""
    with tarfile.open(packed[0]) as tar:
        tar.extractall(tmp_path)
    return Checker(tmp_path / "gpu-check")
