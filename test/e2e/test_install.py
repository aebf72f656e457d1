"""The programs run from where `cmake --install` puts them."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
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
