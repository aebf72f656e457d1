"""Each phase of kiln compile is a pipeline of kiln-opt: run on the dump of the phase before it, kiln-opt writes the very
bytes of the next dump."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import subprocess
import sys

import pytest
import tool

ROOT = pathlib.Path(__file__).resolve().parents[2]
PHASES = ["import", "graph", "kernels", "code", "plan"]


def dump(folder, phase):
    return folder / f"{PHASES.index(phase)}-{phase}.mlir"


def assert_phases(model, folder):
    dumps = folder / "dumps"
    tool.call("compile", model, "-o", folder / "m.kiln", "--save-temps", dumps)
    for before, phase in zip(PHASES, PHASES[1:]):
        command = [tool.binary("kiln-opt"), dump(dumps, before), f"--kiln-{phase}-pipeline", "-mlir-print-debuginfo"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        assert done.stdout == dump(dumps, phase).read_text(), f"kiln-opt differs from kiln compile in phase {phase}"


def test_small(small_package, tmp_path):
    assert_phases(small_package[0], tmp_path)


def test_bert_toy(bert_toy, tmp_path):
    assert_phases(bert_toy, tmp_path)


@pytest.fixture(scope="module")
def minilm(tmp_path_factory):
    """The shape of all-MiniLM-L6-v2 as exporters spell it, with seeded weights."""
    model = tmp_path_factory.mktemp("minilm") / "minilm.onnx"
    subprocess.run([sys.executable, ROOT / "models/build.py", "minilm-shape", "--seed", "0", "-o", model], check=True)
    return model


def test_minilm(minilm, tmp_path):
    assert_phases(minilm, tmp_path)


def test_minilm_kernels_are_verified(minilm, tmp_path):
    tool.call("compile", minilm, "-o", tmp_path / "m.kiln", "--verify=each", "--dims", "batch=1..2,sequence=1..32")
    text = tool.call("verify", tmp_path / "m.kiln", "--dims", "batch=2,sequence=7").stdout
    assert "49 launches of 13 kernels checked" in text and "PASSED" in text, text
