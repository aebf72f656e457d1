"""What an error says to do is what works: options that its fix names compile the models of the lit tests of errors."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import sys

import pytest
import tool

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test/conformance"))

from advice import error_of, options_of  # noqa: E402


def ways(model, package):
    """The options that the error of a model names, each a way to compile it, and the error."""
    error = error_of(tool.call("compile", model, "-o", package, "-q", status=None).stderr)
    return [option for option in options_of(error[2]) if len(option) > 1 or option == ["--no-state"]] if error else [], error


@pytest.fixture(scope="module")
def models():
    return sorted((ROOT / "test/Import").glob("error-*.onnxtxt"))


def test_options_that_an_error_names_compile_the_model(models, tmp_path):
    tried = 0
    for model in models:
        options, error = ways(model, tmp_path / "m.kiln")
        for option in options:
            done = tool.call("compile", model, "-o", tmp_path / "m.kiln", "-q", *option, status=None)
            assert done.status == 0, f"{model.name}: {error}: {option}: {done.stderr}"
            tried += 1
    assert tried >= 3
