"""kiln compile --calib --algorithm: what AWQ and SmoothQuant gain, and that every spelling of a decoder is calibrated alike."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import math

import decoders
import kiln
import numpy as np
import onnx
import pytest
import tool
from decoders import perplexity
from test_calibration import compile_model
from test_quantization import DIMS, calibration_text, correlated_product  # noqa: F401 (a fixture)

# Decoders


def hessians(state):
    """X^T X of every input of products, as a calibration for awq keeps them: k x k floats, and a footer."""
    found = []
    for number in range(len(list(state.glob("matrix-*")))):
        content = np.fromfile(state / f"matrix-{number}", np.float32)
        k = math.isqrt(content.size)
        found.append(content[: k * k].reshape(k, k))
    return found


def test_every_spelling_of_a_decoder(calibration_text, tmp_path):  # noqa: F811
    """Samples run without state, from empty caches, also where ops write these in place: the same sums but for rounding."""
    found = []
    for spelling in ("past", "gqa", "scatter"):
        (tmp_path / spelling).mkdir()
        options = ["--precision", "int4", "--algorithm", "awq", "--calib", calibration_text, "--calib-samples", "8"]
        options += ["--calib-state", tmp_path / spelling / "state"]
        decoders.compile_tinylm(tmp_path / spelling, *options, *DIMS, spelling=spelling)
        found.append(hessians(tmp_path / spelling / "state"))
    assert len(found[0]) >= 12  # six layers and the head; matmuls with the same input count once
    for other in found[1:]:
        assert len(other) == len(found[0])
        for sums, expected in zip(other, found[0]):
            np.testing.assert_allclose(sums, expected, rtol=0, atol=1e-5 * np.abs(expected).max())


# AWQ


@pytest.mark.parametrize("precision", ["int4", "nvfp4"])
def test_awq_lowers_the_perplexity(calibration_text, tmp_path, precision):  # noqa: F811
    def compiled(name, *options):
        (tmp_path / name).mkdir()
        return decoders.compile_tinylm(tmp_path / name, "--precision", precision, *options, *DIMS)

    awq = ["--algorithm", "awq", "--calib", calibration_text, "--calib-samples", "64"]
    package = compiled("awq", *awq)
    assert perplexity(package) < perplexity(compiled("mse", "--algorithm", "mse")) < perplexity(compiled("rtn")) + 1e-3
    entries = json.loads(tool.call("inspect", package, "--precision", "--json").stdout)["precision_report"]
    assert sum("by awq" in entry["why"] for entry in entries) == 25
    assert tool.call("verify", package, timeout=300).stdout.endswith("PASSED\n")
    assert compiled("again", *awq, "--threads", "1").read_bytes() == package.read_bytes()


def test_awq_spares_channels_that_count(tmp_path):
    """Some inputs are far larger than the others: their weights' errors are what the product loses."""
    model, weight, _ = correlated_product(tmp_path)
    random = np.random.default_rng(1)
    size = np.where(np.arange(64) % 8 == 0, 30, 1).astype(np.float32)
    samples = [(random.standard_normal((96, 64)) * size).astype(np.float32) for _ in range(3)]
    np.savez(tmp_path / "samples.npz", x=np.stack(samples[:2]))
    errors = []
    for options in (["--algorithm", "mse"], ["--algorithm", "awq", "--calib", tmp_path / "samples.npz"]):
        compile_model(model, tmp_path / "m.kiln", "--dims", "n=1..128", *options)
        found = kiln.Session(tmp_path / "m.kiln").run({"x": samples[2]})["y"]
        errors.append(np.linalg.norm(found - samples[2] @ weight))
    assert errors[1] < 0.7 * errors[0]


# Too few samples


@pytest.mark.parametrize("algorithm, rows", [("gptq", 1), ("awq", 1), ("smoothquant", 8), ("gptq", 0), ("awq", 0), ("smoothquant", 0)])
def test_samples_of_too_few_rows(tmp_path, algorithm, rows):
    """A row of 64 channels says nothing of most directions, and zeros (0 rows) of none: what is not known is rounded about as without
    samples. Largest magnitudes, which SmoothQuant divides by, need some rows (the guide says so)."""
    model, weight, _ = correlated_product(tmp_path)
    random = np.random.default_rng(1)
    sample = random.standard_normal((rows, 64)).astype(np.float32) if rows else np.zeros((4, 64), np.float32)
    np.savez(tmp_path / "samples.npz", x=sample)
    x, errors = random.standard_normal((96, 64)).astype(np.float32), []
    for options in ([], ["--algorithm", algorithm, "--calib", tmp_path / "samples.npz"]):
        compile_model(model, tmp_path / "m.kiln", "--dims", "n=1..128", *options)
        found = kiln.Session(tmp_path / "m.kiln").run({"x": x})["y"]
        assert np.isfinite(found).all()
        errors.append(np.linalg.norm(found - x @ weight))
    assert errors[1] < 1.5 * errors[0]


# SmoothQuant


@pytest.mark.parametrize("precision, gain", [("int8", 0.5), ("int4", 0.9)])
def test_smoothquant_moves_outliers_into_weights(tmp_path, precision, gain):
    """A few channels of the activations are far larger than the others, which get few of the codes of 8 bits then."""
    model, weight, _ = correlated_product(tmp_path)
    random = np.random.default_rng(1)
    size = np.where(np.arange(64) % 16 == 3, 60, 1).astype(np.float32)
    samples = [(random.standard_normal((96, 64)) * size).astype(np.float32) for _ in range(3)]
    np.savez(tmp_path / "samples.npz", x=np.stack(samples[:2]))
    # The weight's rows for these channels are small, so that the other rows determine the weight's scales.
    weight = (weight / size[:, None]).astype(np.float32)
    proto = onnx.load(model)
    proto.graph.initializer[0].CopyFrom(onnx.numpy_helper.from_array(weight, "w"))
    onnx.save(proto, model)
    errors, packages = [], []
    for options in ([], ["--algorithm", "smoothquant", "--calib", tmp_path / "samples.npz"]):
        tool.call("compile", model, "-o", tmp_path / "m.kiln", "--precision", precision, "--dims", "n=1..128", *options)
        found = kiln.Session(tmp_path / "m.kiln").run({"x": samples[2]})["y"]
        errors.append(np.linalg.norm(found - samples[2] @ weight))
    assert errors[1] < gain * errors[0]
    report = tool.call("inspect", tmp_path / "m.kiln", "--precision").stdout
    assert "by smoothquant" in report and tool.call("verify", tmp_path / "m.kiln").stdout.endswith("PASSED\n")
    first = (tmp_path / "m.kiln").read_bytes()
    tool.call("compile", model, "-o", tmp_path / "m.kiln", "--precision", precision, "--dims", "n=1..128", *options, "--threads", "1")
    assert (tmp_path / "m.kiln").read_bytes() == first


def test_smoothquant_goes_on_from_what_it_kept(tmp_path):
    model, _, _ = correlated_product(tmp_path)
    np.savez(tmp_path / "samples.npz", x=np.random.default_rng(1).standard_normal((3, 96, 64)).astype(np.float32))
    options = ["--dims", "n=1..128", "--calib", tmp_path / "samples.npz", "--calib-state", tmp_path / "state"]
    first = compile_model(model, tmp_path / "m.kiln", "--algorithm", "smoothquant", *options)
    again = compile_model(model, tmp_path / "again.kiln", "--algorithm", "smoothquant", *options)
    assert "were done already" not in first.stdout and "3 of 3 runs were done already" in again.stdout
    assert (tmp_path / "m.kiln").read_bytes() == (tmp_path / "again.kiln").read_bytes()
    outcome = compile_model(model, tmp_path / "again.kiln", *options, status=None)
    tool.assert_error(outcome, "KILN-E0126", "of another calibration", status=3)
    matrix = tmp_path / "state/matrix-0"
    matrix.write_bytes(matrix.read_bytes()[:-1])
    outcome = compile_model(model, tmp_path / "again.kiln", "--algorithm", "smoothquant", *options, status=None)
    tool.assert_error(outcome, "KILN-E0126", "is damaged", "matrix-0", status=3)


def test_smoothquant_without_outliers_changes_little(tmp_path):
    """Channels of one size on both sides: errors are about those of rounding to nearest."""
    model, weight, _ = correlated_product(tmp_path)
    samples = np.random.default_rng(1).standard_normal((3, 96, 64)).astype(np.float32)
    np.savez(tmp_path / "samples.npz", x=samples[:2])
    errors = []
    for options in ([], ["--algorithm", "smoothquant", "--calib", tmp_path / "samples.npz"]):
        tool.call("compile", model, "-o", tmp_path / "m.kiln", "--precision", "int8", "--dims", "n=1..128", *options)
        found = kiln.Session(tmp_path / "m.kiln").run({"x": samples[2]})["y"]
        errors.append(np.linalg.norm(found - samples[2] @ weight))
    assert errors[1] < 1.2 * errors[0]


def test_smoothquant_of_channels_that_are_zero(tmp_path):
    """Of the samples, of the weight, or of both: no quotient, and no NaN."""
    model, weight, _ = correlated_product(tmp_path)
    weight = weight.copy()
    weight[8:24] = 0
    proto = onnx.load(model)
    proto.graph.initializer[0].CopyFrom(onnx.numpy_helper.from_array(weight, "w"))
    onnx.save(proto, model)
    x = np.random.default_rng(1).standard_normal((1, 96, 64)).astype(np.float32)
    x[..., 16:32] = 0
    np.savez(tmp_path / "samples.npz", x=x)
    tool.call("compile", model, "-o", tmp_path / "m.kiln", "--precision", "int8", "--dims", "n=1..128", "--algorithm", "smoothquant",
              "--calib", tmp_path / "samples.npz")  # fmt: skip
    found = kiln.Session(tmp_path / "m.kiln").run({"x": x[0]})["y"]
    assert np.abs(found - x[0] @ weight).max() < 0.02 * np.abs(x[0] @ weight).max()


def test_smoothquant_lowers_the_perplexity(calibration_text, tmp_path):  # noqa: F811
    """Of a model whose norms make some channels large, as norms of large models do; tinylm's own are even."""
    model = decoders.tinylm_with_outliers(tmp_path)

    def compiled(name, *options):
        tool.call("compile", model, "-o", tmp_path / f"{name}.kiln", "-q", *options, *DIMS)
        return perplexity(tmp_path / f"{name}.kiln")

    exact, rounded = compiled("f32"), compiled("rtn", "--precision", "int8")
    smooth = compiled("smooth", "--precision", "int8", "--algorithm", "smoothquant", "--calib", calibration_text, "--calib-samples", "64")
    print(exact, rounded, smooth)
    assert abs(smooth - exact) < 0.2 * abs(rounded - exact)
