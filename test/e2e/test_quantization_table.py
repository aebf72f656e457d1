"""docs/benchmarks/quantization.json, as test/bench/perplexities.py measured it: what each format may cost tinylm, and which algorithm is better."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import pathlib

import pytest

TABLE = pathlib.Path(__file__).resolve().parents[2] / "docs/benchmarks/quantization.json"
KEY = ("precision", "algorithm", "cache", "activations", "range")


@pytest.fixture(scope="module")
def losses():
    """How far perplexity is above that of f32, by precision, algorithm, format of the cache and of activations, and range."""
    cases = {tuple(case.get(name, "") for name in KEY): case["perplexity"] for case in json.loads(TABLE.read_text())["cases"]}
    exact = cases["f32", "", "", "", ""]
    return {key: perplexity / exact - 1 for key, perplexity in cases.items()}


@pytest.mark.parametrize("precision, algorithm, cache, activations, limit", [
    ("fp8", "rtn", "", "", 0.003), ("fp8", "rtn", "", "fp8", 0.003), ("int8", "rtn", "", "", 0.003),
    ("int4", "gptq", "", "", 0.01), ("nvfp4", "rtn", "", "", 0.01), ("nvfp4", "gptq", "", "", 0.01), ("mxfp4", "gptq", "", "", 0.01),
    ("f32", "", "int8", "", 0.003), ("f32", "", "fp8", "", 0.003),
])  # fmt: skip
def test_what_formats_cost(losses, precision, algorithm, cache, activations, limit):
    assert losses[precision, algorithm, cache, activations, ""] <= limit


@pytest.mark.parametrize("precision, algorithm", [("int4", "gptq"), ("int4", "awq"), ("nvfp4", "gptq"), ("nvfp4", "awq"), ("mxfp4", "gptq")])
def test_calibration_is_better_than_rounding(losses, precision, algorithm):
    """AWQ does not help MXFP4, as the guide says: its scales are powers of two."""
    assert losses[precision, algorithm, "", "", ""] < losses[precision, "rtn", "", "", ""]
