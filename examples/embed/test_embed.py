"""The example end to end: the real weights, compiled, find the sentences a person would pick."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
KILN = pathlib.Path(os.environ.get("KILN", ROOT / "build/bin/kiln"))
MINILM = pathlib.Path(os.environ.get("KILN_MINILM", ROOT / "build/models/minilm"))

pytestmark = pytest.mark.skipif(not (KILN.exists() and MINILM.exists()), reason="needs a build and the weights; see tools/test")


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("embed")
    builder = [sys.executable, ROOT / "models/build.py", "minilm", "--weights", MINILM, "-o", folder / "minilm.onnx"]
    subprocess.run(builder, check=True)
    subprocess.run([KILN, "compile", folder / "minilm.onnx", "-o", folder / "minilm.kiln"], check=True)
    return folder / "minilm.kiln"


@pytest.fixture(scope="module")
def eight_bits(package):
    """The same model with weights and activations in 8 bits."""
    found = package.with_name("int8.kiln")
    subprocess.run([KILN, "compile", package.with_suffix(".onnx"), "-o", found, "--precision", "int8"], check=True)
    return found


def embed(package, *arguments):
    command = [sys.executable, HERE / "embed.py", "--model", package, "--tokenizer", MINILM / "tokenizer.json", *arguments]
    return subprocess.run(command, capture_output=True, text=True)


NEAREST = pytest.mark.parametrize(
    "query,nearest",
    [
        ("a cat lying in the sun", "A kitten is napping in the sun."),
        ("I can't sign in", "I forgot my login and cannot get into my account."),
        ("sourdough loaf", "She is baking bread with rye flour."),
    ],
)


@NEAREST
def test_nearest_sentence(package, query, nearest):
    result = embed(package, "--top", "1", query)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[1].endswith(nearest)


@NEAREST
def test_nearest_sentence_by_int8(package, eight_bits, query, nearest):
    assert eight_bits.stat().st_size < 0.7 * package.stat().st_size
    result = embed(eight_bits, "--top", "1", query)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[1].endswith(nearest)


def test_check_is_within_the_tolerance(package):
    result = embed(package, "--check", "--onnx", package.with_suffix(".onnx"), "--weights", MINILM)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "within 2e-05 of the double-precision reference" in result.stdout


def test_a_package_that_is_missing(tmp_path):
    result = embed(tmp_path / "none.kiln", "x")
    assert result.returncode == 3 and "KILN-E0002" in result.stderr


def test_usage(tmp_path):
    assert embed(tmp_path / "none.kiln").returncode == 2
