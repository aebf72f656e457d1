"""The programs run from where `cmake --install` puts them."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import pytest

TOOLS = ["kiln", "kiln-lsp-server", "kiln-opt", "kiln-ptx", "kiln-reduce", "kiln-translate"]
LIT = pathlib.Path(sys.executable).parent / "lit"


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


@pytest.fixture
def project(installed, tmp_path):
    """The example of lit tests as a user copies it, and a function that runs a command there with Kiln, LLVM and the system in PATH."""
    folder = tmp_path / "tests"
    shutil.copytree(installed.parent / "share" / "kiln" / "examples" / "lit-project", folder)
    llvm = os.environ.get("LLVM_TOOLS", "/usr/lib/llvm-22/bin")
    environment = {"PATH": f"{installed}:{llvm}:/usr/bin:/bin", "LLVM_TOOLS": llvm}

    def call(*command):
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)

    return folder, call


def test_lit_tests_against_an_installed_kiln(project):
    """All of them run, and none is left out."""
    folder, call = project
    tests = [path for path in folder.iterdir() if path.suffix in (".mlir", ".onnxtxt")]
    done = call(LIT, "-v", folder)
    assert done.returncode == 0, done.stdout
    assert f"Passed: {len(tests)} (100.00%)" in done.stdout


def test_checks_are_written_outside_of_the_tree(project):
    """A line that is missing comes back, and lit fails without the op that it names."""
    folder, call = project
    path = folder / "raise-gelu.mlir"
    text = path.read_text()
    path.write_text(text.replace("CHECK-NEXT: %[[GELU:", "CHECK-NEXT: %[[TANH:", 1).replace("graph.unary gelu", "graph.unary tanh", 1))
    assert call(LIT, path).returncode == 1
    done = call("kiln-update-lit-checks", path)
    assert done.returncode == 0, done.stderr
    assert path.read_text() == text


def test_specification_is_installed(installed):
    assert "### `graph.matmul`" in (installed.parent / "share" / "doc" / "kiln" / "spec" / "graph.md").read_text()


def test_language_server_over_its_pipes(installed):
    """As editors start it: messages with a header, and the documentation of an op in the answer."""
    document = {"uri": "file:///a.mlir"}
    text = "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = graph.unary relu %x : (tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}"
    calls = [
        {"id": 0, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
        {"method": "textDocument/didOpen", "params": {"textDocument": {**document, "languageId": "mlir", "version": 1, "text": text}}},
        {"id": 1, "method": "textDocument/hover", "params": {"textDocument": document, "position": {"line": 1, "character": 10}}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    ]
    bodies = [json.dumps({"jsonrpc": "2.0", **call}) for call in calls]
    sent = "".join(f"Content-Length: {len(body)}\r\n\r\n{body}" for body in bodies)
    done = subprocess.run([installed / "kiln-lsp-server"], input=sent, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    answers = [json.loads(body) for body in re.split(r"Content-Length: \d+\s+", done.stdout) if body]
    hover = next(answer["result"]["contents"]["value"] for answer in answers if answer.get("id") == 1)
    assert hover.startswith('"graph.unary"\n\n_A function of one tensor, element by element_')
