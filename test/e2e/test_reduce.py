"""Reductions of a whole encoder: as a module and as an ONNX model, to what shows a decision or a planted bug."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import re
import signal
import subprocess
import sys
import time

import onnx
import pytest
import tool

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERIFY = "kiln-opt --kiln-test-verify-each='pipeline=builtin.module({})'"


@pytest.fixture(scope="module")
def minilm(tmp_path_factory):
    """The encoder as an ONNX model and, beside it, as the module after import."""
    model = tmp_path_factory.mktemp("minilm") / "minilm.onnx"
    subprocess.run([sys.executable, ROOT / "models/build.py", "minilm-shape", "--seed", "0", "-o", model], check=True)
    tool.call("compile", model, "--compile-to=import", "-o", model.with_suffix(".mlir"))
    return model


def run(program, *arguments):
    return subprocess.run([tool.binary(program), *arguments], capture_output=True, text=True, timeout=300)


def reduce(program, path, output, *arguments):
    done = run(program, *(["reduce"] if program == "kiln" else []), path, "-o", output, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def ops_of(path):
    """Names of the ops in the program of a module."""
    return re.findall(r"^    (?:%\S+ = )?(graph\.\w+)", path.read_text(), re.MULTILINE)


def test_attention_of_a_module(minilm, tmp_path):
    """From some 460 ops to those that make an attention, within a minute; the result is a valid graph."""
    small = tmp_path / "small.mlir"
    begin = time.monotonic()
    reduce("kiln-reduce", minilm.with_suffix(".mlir"), small, "--test", "kiln-opt --kiln-graph-pipeline", "--message", "graph.attention", "--success")
    assert time.monotonic() - begin < 60
    assert "graph.softmax" in ops_of(small)
    assert len(ops_of(small)) <= 12
    assert run("kiln-opt", small, "--kiln-verify-graph").returncode == 0


def test_attention_of_a_model(minilm, tmp_path):
    small = tmp_path / "small.onnx"
    reduce("kiln", minilm, small, "--test", "kiln compile {} --compile-to=graph", "--message", "graph.attention", "--success")
    model = onnx.load(small)
    onnx.checker.check_model(model)
    assert len(model.graph.node) <= 12
    assert small.stat().st_size < 10_000
    assert "graph.attention" in tool.call("compile", small, "--compile-to=graph").stdout


@pytest.mark.parametrize("bug", ["add-to-sub", "swap-operands"])
def test_planted_bugs(minilm, bug, tmp_path):
    """A wrong pass is shown by three ops at most. (Twice an epsilon of 1e-12 changes nothing that --verify=each would see.)"""
    small = tmp_path / "small.mlir"
    passes = f"canonicalize,func.func(kiln-raise-layer-norm),kiln-test-plant-bug{{bug={bug}}}"
    message = "KILN-E0257: pass 'kiln-test-plant-bug'"
    reduce("kiln-reduce", minilm.with_suffix(".mlir"), small, "--test", VERIFY.format(passes), "--message", message, "--timeout", "60s")
    assert 1 <= len(ops_of(small)) <= 3


def test_interrupted_reduction_keeps_what_it_has(minilm, tmp_path):
    script = tmp_path / "slow.sh"
    script.write_text("#!/bin/sh\nsleep 0.3\ngrep -q graph.softmax $1\n")
    script.chmod(0o755)
    small = tmp_path / "small.mlir"
    command = [tool.binary("kiln-reduce"), minilm.with_suffix(".mlir"), "--script", script, "-o", small, "-v"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stderr.readline()  # The first kind of edits is done.
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "the result may become smaller" in errors
    assert "graph.softmax" in ops_of(small)
    assert len(ops_of(small)) < len(ops_of(minilm.with_suffix(".mlir")))
