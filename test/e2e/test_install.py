"""The programs run from where `cmake --install` puts them."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import shlex
import subprocess

import pytest

TOOLS = ["kiln", "kiln-lsp-server", "kiln-opt", "kiln-reduce", "kiln-translate"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed")
    command = ["cmake", "--install", os.environ["KILN_BUILD"], "--prefix", folder]
    subprocess.run(command, check=True, capture_output=True)
    return folder / "bin"


@pytest.mark.parametrize("name", TOOLS)
def test_installed_program_starts(installed, name):
    environment = {key: value for key, value in os.environ.items() if key != "LD_LIBRARY_PATH"}
    done = subprocess.run([installed / name, "--help"], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr


def test_the_simulated_gpu_is_found_where_it_is_installed(installed, simulator, small_package, tmp_path):
    """Without a variable that says where it is, whether the program is named by its file or found by PATH."""
    environment = {key: value for key, value in os.environ.items() if key != "KILN_SIM_DRIVER"}
    environment["PATH"] = f"{installed}:{environment['PATH']}"
    package = tmp_path / "m.kiln"
    run = ["run", package, "--device", "sim:a100"]
    for command in (
        [installed / "kiln", "compile", small_package[0], "-o", package, "--target", "sm_80", "--dims", "batch=1..4,seq=1..16"],
        [installed / "kiln", *run],
        ["kiln", *run],
    ):
        # Run by a shell, which uses PATH.
        line = shlex.join(map(str, command))
        done = subprocess.run(line, shell=True, capture_output=True, text=True, env=environment, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
