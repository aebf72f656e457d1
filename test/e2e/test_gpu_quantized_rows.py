"""Activations that are quantized by the kernel of the norm before, on hosts and on the simulated GPU: the bits of the norm and
the product as models of their own, launches, and that assemblers say nothing."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json

import kiln
import numpy as np
import pytest
import test_gpu_scaled
import test_ptx
import tool
from onnx import helper, numpy_helper
from test_gpu_scaled import DEVICES, SCHEDULES

FORMATS = {"fp8": ["--precision", "fp8", "--activations", "fp8"], "int8": ["--precision", "int8"]}


def norm_of(kind, k):
    """Node and weights."""
    scale, bias = np.linspace(0.5, 1.5, k, dtype=np.float32), np.linspace(-1, 1, k, dtype=np.float32)
    weights = [numpy_helper.from_array(scale, "scale")]
    if kind == "rms":
        return helper.make_node("SimplifiedLayerNormalization", ["x", "scale"], ["h"], "norm", axis=-1), weights
    return helper.make_node("LayerNormalization", ["x", "scale", "bias"], ["h"], "norm", axis=-1), [*weights, numpy_helper.from_array(bias, "bias")]


class Case:
    """y = norm(x) w, and y + norm(x) if the norm is read twice, as one model; the norm and the product as two."""

    def __init__(self, folder, kind, m, n, k, twice=False):
        self.folder, self.twice = folder, twice
        norm, weights = norm_of(kind, k)
        product = helper.make_node("MatMul", ["h", "w"], ["p" if twice else "y"], "product")
        more = [helper.make_node("Add", ["p", "h"], ["y"])] if twice else []
        weight = numpy_helper.from_array(test_gpu_scaled.weight(n, k), "w")
        self.model = test_gpu_scaled.write(folder / "m.onnx", m, n, k, [norm, product, *more], [*weights, weight])
        norm.output[0] = "y"
        self.norm = test_gpu_scaled.write(folder / "norm.onnx", m, k, k, [norm], weights)
        product.input[0], product.output[0] = "x", "y"
        self.product = test_gpu_scaled.write(folder / "product.onnx", m, n, k, [product], [weight])

    def compile(self, model, targets, *options):
        package = model.with_suffix(".kiln")
        tool.call("compile", model, "-o", package, "-q", "--target", targets, *options)
        return package


def steps_of(package):
    return [step["hero"] for step in json.loads(tool.call("inspect", package, "--json").stdout)["steps"]]


SIZES = [(1, 37, 192), (3, 80, 96), (17, 16, 320), (5, 24, 2080), (130, 40, 128)]


@pytest.mark.parametrize("target", DEVICES)
@pytest.mark.parametrize("precision", FORMATS)
@pytest.mark.parametrize("kind", ["rms", "layer"])
@pytest.mark.parametrize("m, n, k", SIZES)
def test_bits_are_those_of_models_apart(driver, tmp_path, m, n, k, kind, precision, target):
    case = Case(tmp_path, kind, m, n, k)
    whole = case.compile(case.model, f"native,{target}", *FORMATS[precision])
    norm, product = case.compile(case.norm, f"native,{target}"), case.compile(case.product, f"native,{target}", *FORMATS[precision])
    # int8 has a scale per block of at most 128, so the norm is fused only if its row is one block.
    assert steps_of(whole) == (["row", "matmul"] if precision == "fp8" or k == 128 else ["row", "row", "matmul"])
    assert steps_of(product) == ["row", "matmul"]
    where = tmp_path / "x.npy"
    np.save(where, np.random.default_rng(m).standard_normal((m, k)).astype(np.float32) * 3)
    environment = {**driver, "KILN_SIM_SCHEDULE": SCHEDULES[(m + n) % 3], "KILN_SIM_CHECK": "all"}
    for device in ["cpu", DEVICES[target]]:
        found = test_gpu_scaled.results(whole, device, environment, "-i", f"x=@{where}")
        rows = tmp_path / "rows.npy"
        np.save(rows, test_gpu_scaled.results(norm, device, environment, "-i", f"x=@{where}"))
        expected = test_gpu_scaled.results(product, device, environment, "-i", f"x=@{rows}")
        assert np.abs(expected).max() > 0 and found.tobytes() == expected.tobytes()


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_rows_that_are_no_numbers(tmp_path, value):
    """Their results are none, and those of other rows are what they were."""
    case = Case(tmp_path, "rms", 4, 20, 64)
    session = kiln.Session(case.compile(case.model, "native", *FORMATS["fp8"]), threads=1)
    x = np.random.default_rng(0).standard_normal((4, 64)).astype(np.float32)
    x[1] = 0
    expected = session.run({"x": x})["y"]
    x[2, 5] = value
    found = session.run({"x": x})["y"]
    assert np.isnan(found[2]).all() and not found[1].any()
    assert np.array_equal(found[[0, 1, 3]], expected[[0, 1, 3]])


@pytest.mark.parametrize("precision", FORMATS)
@pytest.mark.parametrize("m, k", [("m", 768), (1, 4096), (512, 12288)])
def test_every_target_assembles_without_spills(tmp_path, precision, m, k):
    ranges = ["--dims", "m=1..512"] if m == "m" else []
    test_ptx.check(Case(tmp_path, "rms", m, 64, k).model, tmp_path, test_ptx.TARGETS, *FORMATS[precision], *ranges)
