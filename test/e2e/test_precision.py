"""--precision: what is computed in fewer bits, what is said about it, and how far results move."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json

import pytest
import tool

DIMS = ["--dims", "batch=2,max_seq_len_in_batch=9"]


@pytest.fixture(scope="module", params=["f32", "tf32", "f16", "bf16"])
def compiled(request, bert_toy, tmp_path_factory):
    package = tmp_path_factory.mktemp(request.param) / "bert_toy.kiln"
    report = tool.call("compile", bert_toy, "-o", package, "--precision", request.param).stdout
    return request.param, package, report


def test_the_report_says_what_became_of_what(compiled):
    precision, package, report = compiled
    provenance = json.loads(tool.call("inspect", package, "--json").stdout)["provenance"]
    assert provenance["precision"] == precision
    entries = provenance["precision_report"]
    if precision == "f32":
        assert entries == [] and "products in" not in report
        return
    became = {(e["op"], e["became"]) for e in entries}
    assert ("matmul", precision) in became and ("layer_norm", "f32") in became
    assert ("attention", "f32" if precision == "tf32" else precision) in became
    assert all(e["node"] and e["why"] for e in entries)
    matmuls = sum(e["op"] == "matmul" and e["became"] == precision for e in entries)
    assert f"products in {precision}: " in report and f"{matmuls} matmul" in report
    assert "layer_norm in f32: norms, softmax and reductions are computed in f32" in report


def test_weights_shrink(compiled):
    precision, package, _ = compiled
    arenas = json.loads(tool.call("inspect", package, "--json").stdout)["arenas"]
    weights = next(a["max_bytes"] for a in arenas if a["kind"] == "weights")
    graph = tool.call("inspect", package, "--graph").stdout
    assert ("bf16" in graph) == (precision == "bf16") and ("f16>" in graph) == (precision in ("f16", "bf16"))
    assert weights > 0


def test_interfaces_keep_their_types(compiled):
    _, package, _ = compiled
    text = tool.call("inspect", package).stdout
    assert "output   prediction_scores f32" in text


def test_kernels_and_model_stay_within_their_limits(compiled, bert_toy):
    _, package, _ = compiled
    text = tool.call("verify", package, "--model", bert_toy, *DIMS).stdout
    assert text.endswith("PASSED\n") and "prediction_scores" in text


def test_rounding_happens(bert_toy, compiled, tmp_path):
    """A tolerance of f32 is exceeded by the 16-bit products: the limits above are not idle."""
    precision, package, _ = compiled
    outcome = tool.call("verify", package, "--model", bert_toy, "--tolerance", "1e-5", *DIMS, status=None)
    assert outcome.status == (1 if precision in ("f16", "bf16") else 0), outcome.stdout


def test_verify_each(bert_toy, tmp_path):
    tool.call("compile", bert_toy, "-o", tmp_path / "m.kiln", "--precision", "bf16", "--verify=each", timeout=600)


def test_unknown_precision(bert_toy, tmp_path):
    outcome = tool.call("compile", bert_toy, "-o", tmp_path / "m.kiln", "--precision", "int3", status=None)
    tool.assert_error(outcome, "KILN-E0001", "--precision", "f32, tf32, bf16, f16, int8, mxfp8, fp8, mxfp6, mxfp6_e3m2, int4, nvfp4 or mxfp4", "int3", status=2)
