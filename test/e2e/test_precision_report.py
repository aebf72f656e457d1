"""kiln inspect --precision: how weights are stored, what their codes are off by, what the cost model predicts, and accuracy levels."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json

import kiln
import numpy as np
import pytest
import tool
from onnx import helper
from test_calibration import many_products
from test_quantized_numbers import K, N, ROWS, save

STORED = {
    "int8": {"weight": "int8", "activations": "int8", "scales": "bf16", "block": 64, "zero_points": True},
    "int4": {"weight": "int4", "activations": "int8", "scales": "bf16", "block": 32, "zero_points": True},
    "nvfp4": {"weight": "E2M1", "activations": "int8", "scales": "E4M3", "block": 16, "zero_points": False},
    "mxfp4": {"weight": "E2M1", "activations": "int8", "scales": "E8M0", "block": 32, "zero_points": False},
    "fp8": {"weight": "E4M3", "activations": "f32", "scales": "f32", "block": 0, "zero_points": False},
    "mxfp6": {"weight": "E2M3", "activations": "int8", "scales": "E8M0", "block": 32, "zero_points": False},
    "mxfp6_e3m2": {"weight": "E3M2", "activations": "f32", "scales": "E8M0", "block": 32, "zero_points": False},
    "mxfp8": {"weight": "E4M3", "activations": "f32", "scales": "E8M0", "block": 32, "zero_points": False},
}  # fmt: skip


def report_of(package):
    return json.loads(tool.call("inspect", package, "--precision", "--json").stdout)


def weight_model(path):
    """Columns of very different sizes: what an error is relative to is not the same for all."""
    rng = np.random.default_rng(0)
    weight = (rng.standard_normal((K, N)) * np.exp2(np.arange(N) / 4)).astype(np.float32)
    return save(path, [helper.make_node("MatMul", ["x", "w"], ["y"], name="product")], {"w": weight}), weight


@pytest.mark.parametrize("precision", STORED)
def test_the_error_of_codes_is_measured(tmp_path, precision):
    """As rows of the identity show it: their activations are exact, up to the last bits of a scale."""
    model, weight = weight_model(tmp_path / "m.onnx")
    tool.call("compile", model, "-o", tmp_path / "m.kiln", "-q", "--precision", precision)
    (entry,) = report_of(tmp_path / "m.kiln")["precision_report"]
    assert entry["stored"] == STORED[precision] and entry["weight_bytes_before"] == 4 * K * N
    session, rows = kiln.Session(tmp_path / "m.kiln", threads=1), np.zeros((64 // ROWS * ROWS + ROWS, K), np.float32)
    rows[:K] = np.eye(K)
    found = np.concatenate([session.run({"x": rows[at : at + ROWS]})["y"] for at in range(0, len(rows), ROWS)])[:K]
    error = np.sqrt(np.square(found - weight.astype(np.float64)).sum() / np.square(weight.astype(np.float64)).sum())
    assert entry["weight_error"] == pytest.approx(error, rel=2e-3)
    assert f"{100 * entry['weight_error']:.2f} %" in tool.call("inspect", tmp_path / "m.kiln", "--precision").stdout


def test_errors_of_algorithms(tmp_path):
    """Ranges by squared error leave less; GPTQ leaves more of the weight, for the sake of the product."""
    model = many_products(tmp_path, k=128, count=2)
    errors = {}
    for algorithm in ("rtn", "mse", "gptq", "awq"):
        options = ["--calib", tmp_path / "samples.npz"] if algorithm in ("gptq", "awq") else []
        tool.call("compile", model, "-o", tmp_path / "m.kiln", "-q", "--precision", "mxfp4", "--dims", "n=1..32", "--algorithm", algorithm, *options)
        entries = report_of(tmp_path / "m.kiln")["precision_report"]
        errors[algorithm] = [entry["weight_error"] for entry in entries if entry["became"] == "mxfp4"]
    assert all(len(found) == 2 and 0.01 < min(found) for found in errors.values())
    assert np.less_equal(errors["mse"], errors["rtn"]).all() and np.greater(errors["gptq"], errors["rtn"]).all()


def test_errors_beside_a_budget(tmp_path):
    """Weights come from what the search has quantized before; blame is in the table, and kiln explain refers to it."""
    model = many_products(tmp_path, k=64, count=3)
    tool.call("compile", model, "-o", tmp_path / "plain.kiln", "-q", "--precision", "int4", "--dims", "n=1..32")
    plain = {entry["node"]: entry["weight_error"] for entry in report_of(tmp_path / "plain.kiln")["precision_report"] if entry["became"] == "int4"}
    text = tool.call("compile", model, "-o", tmp_path / "m.kiln", "--precision", "int4", "--dims", "n=1..32", "--accuracy",
                     f"cosine>=0.9:{tmp_path / 'samples.npz'}").stdout  # fmt: skip
    entries = report_of(tmp_path / "m.kiln")["precision_report"]
    quantized = [entry for entry in entries if entry["became"] == "int4"]
    assert quantized and all(entry["weight_error"] == plain[entry["node"]] for entry in quantized)
    assert "accuracy" in text
    assert "kiln explain --accuracy" in tool.call("explain", tmp_path / "m.kiln").stdout
    assert "kiln explain --accuracy" not in tool.call("explain", tmp_path / "plain.kiln").stdout


@pytest.mark.parametrize("precision", [*STORED, "bf16", "tf32"])
def test_predictions(tmp_path, precision):
    """For every target; what is predicted to be slower than f32 is warned of, and nothing else."""
    model, _ = weight_model(tmp_path / "m.onnx")
    targets = ["x86-64-v3", "x86-64-v4", "sm_80", "sm_90a"]
    outcome = tool.call("compile", model, "-o", tmp_path / "m.kiln", "--precision", precision, "--target", ",".join(targets))
    report = report_of(tmp_path / "m.kiln")
    (entry,) = report["precision_report"]
    assert [speed["target"] for speed in entry["predicted_speedup"]] == targets
    # The only matmul is the total.
    assert report["predicted_speedup"] == entry["predicted_speedup"]
    for speed in entry["predicted_speedup"]:
        slower = min(speed["decode"], speed["prefill"]) < 0.995
        assert (f"slower on {speed['target']} than in f32 (" in outcome.stderr) == slower, outcome.stderr
        if precision not in ("bf16", "tf32", "mxfp8", "fp8", "mxfp6_e3m2"):
            assert speed["decode"] > 2
    assert "not measured: x86-64-v3 " in tool.call("inspect", tmp_path / "m.kiln", "--precision").stdout


@pytest.mark.parametrize("precision, target, warns", [("mxfp8", "x86-64-v3", True), ("mxfp8", "sm_80", False), ("int4", "x86-64-v3", False)])
def test_what_is_slower_is_warned_of(tmp_path, precision, target, warns):
    """Hosts convert E4M3 for every product, which costs prompts more than the smaller weight saves; -q is silent."""
    model, _ = weight_model(tmp_path / "m.onnx")
    command = ["compile", model, "-o", tmp_path / "m.kiln", "--precision", precision, "--target", target]
    assert (f"warning: the cost model predicts that 1 product is slower on {target} than in f32 (" in tool.call(*command).stderr) == warns
    assert tool.call(*command, "-q").stderr == ""


@pytest.mark.parametrize("level", [0, 4])
def test_accuracy_levels(tmp_path, level):
    """What level 4 gives, and what another one costs."""
    rng = np.random.default_rng(0)
    weights = {"codes": rng.integers(0, 256, (N, K // 32, 16)).astype(np.uint8), "scales": np.full(N * K // 32, 0.02, np.float32)}
    node = helper.make_node("MatMulNBits", ["x", "codes", "scales"], ["y"], domain="com.microsoft", K=K, N=N, bits=4, block_size=32,
                            accuracy_level=level)  # fmt: skip
    model = save(tmp_path / "m.onnx", [node], weights)
    tool.call("compile", model, "-o", tmp_path / "m.kiln", "-q", "--target", "x86-64-v3")
    (entry,) = [entry for entry in report_of(tmp_path / "m.kiln")["precision_report"] if "accuracy_level" in entry]
    text = tool.call("inspect", tmp_path / "m.kiln", "--precision").stdout
    stored = K * N // 2 + 4 * K * N // 32
    assert entry["accuracy_level"] == level and f"MatMulNBits at accuracy level {level}: 1 read" in text
    if level == 4:
        assert entry["weight_bytes_after"] == stored and entry["predicted_speedup"][0]["decode"] > 2
        assert "activations are rounded to 8 bits" in text and "weight_error" not in entry
    else:
        assert entry["weight_bytes_expanded"] == 4 * K * N and entry["weight_bytes_at_level_4"] == stored
        assert entry["predicted_speedup_at_level_4"][0]["decode"] > 2 and "at level 4 codes of" in text
