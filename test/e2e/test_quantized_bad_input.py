"""Quantized weights, the bad-input list: full disks, packages that lack scales, zero points that are no codes, K that no block divides."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import resource

import kiln
import numpy as np
import onnx
import packages
import pytest
import tool
from onnx import TensorProto, helper, numpy_helper
from test_calibration import many_products
from test_quantized_numbers import K, N, ROWS, run, save

# Simulates a full disk by a limit on file sizes, which any user can set.


def limited(size):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.fixture(scope="module")
def calibrated(tmp_path_factory):
    """A model whose matrices are larger than its package, and the command that calibrates it."""
    folder = tmp_path_factory.mktemp("calibrated")
    model = many_products(folder, k=512, count=2)
    return ["compile", model, "--precision", "int4", "--target", "x86-64-v3", "--dims", "n=1..32", "--calib", folder / "samples.npz"]


@pytest.mark.parametrize("size, what", [(16 << 10, "kiln"), (768 << 10, "matrices")])
def test_no_room_for_calibration(calibrated, tmp_path, size, what):
    """For the package that observes products, and for the matrices behind it."""
    (tmp_path / "temporary").mkdir()
    environment = {**os.environ, "TMPDIR": str(tmp_path / "temporary")}
    outcome = tool.call(*calibrated, "-o", tmp_path / "m.kiln", status=None, preexec_fn=limited(size), env=environment)
    tool.assert_error(outcome, "KILN-E0701", "kiln-calibration", what, status=4, parts=("found ",))
    assert os.listdir(tmp_path / "temporary") == [] and os.listdir(tmp_path) == ["temporary"]


def test_no_room_for_the_state_of_a_calibration(calibrated, tmp_path):
    """Nothing half-written stays, and the same command goes on when there is room."""
    state = tmp_path / "state"
    command = [*calibrated, "-o", tmp_path / "m.kiln", "--calib-state", state]
    outcome = tool.call(*command, status=None, preexec_fn=limited(768 << 10))
    tool.assert_error(outcome, "KILN-E0701", "state", status=4, parts=("found ",))
    assert os.listdir(state) == ["calibration"] and os.listdir(tmp_path) == ["state"]
    tool.call(*command)
    assert sorted(os.listdir(state)) == ["calibration", "matrix-0", "matrix-1"]


def test_no_room_for_a_quantized_package(calibrated, tmp_path):
    (tmp_path / "m.kiln").write_bytes(b"before")
    outcome = tool.call(*calibrated[:-2], "-o", tmp_path / "m.kiln", status=None, preexec_fn=limited(4096))
    tool.assert_error(outcome, "KILN-E0701", "m.kiln", status=4)
    assert os.listdir(tmp_path) == ["m.kiln"] and (tmp_path / "m.kiln").read_bytes() == b"before"


# Packages


@pytest.mark.parametrize("precision", ["int4", "nvfp4", "mxfp8"])
def test_a_package_that_is_cut_within_its_scales(tmp_path, precision):
    """As a file that ends too early, and as a section that says so itself, with the right hashes."""
    weight = np.random.default_rng(0).standard_normal((K, N)).astype(np.float32)
    model = save(tmp_path / "m.onnx", [helper.make_node("MatMul", ["x", "w"], ["y"])], {"w": weight})
    tool.call("compile", model, "-o", tmp_path / "m.kiln", "-q", "--precision", precision)
    whole = (tmp_path / "m.kiln").read_bytes()
    # Quantized values precede scales: K * N / 2 or K * N bytes of a section of that size plus the scales.
    section = packages.section(whole, "weights")
    scales = section.size - K * N * (8 if precision == "mxfp8" else 4) // 8
    assert section.offset + section.size == len(whole) and 0 < scales < 1024
    for count in (1, scales // 2, scales):
        for data, codes in ((whole[:-count], ("KILN-E0502",)), (packages.cut(whole, count), ("KILN-E0507",))):
            (tmp_path / "bad.kiln").write_bytes(data)
            for command in ("run", "inspect", "verify"):
                outcome = tool.call(command, tmp_path / "bad.kiln", status=None)
                assert outcome.status == 3 and outcome.code in codes, (command, count, outcome.stderr)


# Models


@pytest.mark.parametrize("options", [[], ["--precision", "int4"]])
def test_zero_points_that_are_no_codes(tmp_path, options):
    """Of MatMulNBits: between codes, below and above all of them. The weight is then expanded, and exact."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 256, (N, K // 32, 16)).astype(np.uint8)
    scales = rng.uniform(0.01, 0.03, N * K // 32).astype(np.float32)
    zeros = rng.choice([7.5, -3, 99, 15.25, 1e6], N * K // 32).astype(np.float32)
    node = helper.make_node("MatMulNBits", ["x", "codes", "scales", "zeros"], ["y"], domain="com.microsoft", K=K, N=N, bits=4, block_size=32,
                            accuracy_level=0)  # fmt: skip
    model = save(tmp_path / "m.onnx", [node], {"codes": codes, "scales": scales, "zeros": zeros})
    numbers = np.stack([codes & 15, codes >> 4], axis=3).reshape(N, K).astype(np.float32)
    spread = [np.repeat(array.reshape(N, K // 32), 32, axis=1) for array in (zeros, scales)]
    weight = ((numbers - spread[0]) * spread[1]).astype(np.float64)
    x = rng.standard_normal((ROWS, K)).astype(np.float32)
    found = run(model, x, *options)
    # Quantized again by --precision, like any other weight.
    limit = (0.1 if options else 1e-5) * (np.abs(x) @ np.abs(weight).T)
    assert (np.abs(found - x @ weight.T) <= limit).all()


@pytest.mark.parametrize("precision", ["int8", "int4", "nvfp4", "mxfp4", "mxfp6", "mxfp6_e3m2", "mxfp8"])
def test_a_k_that_no_block_divides(tmp_path, precision):
    """Such a product stays f32, to the bit, and the report says why."""
    weight = np.random.default_rng(0).standard_normal((40, N)).astype(np.float32)
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [ROWS, size]) for name, size in (("x", 40), ("y", N))]
    graph = helper.make_graph([helper.make_node("MatMul", ["x", "w"], ["y"])], "g", values[:1], values[1:], [numpy_helper.from_array(weight, "w")])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10), tmp_path / "m.onnx")
    results = []
    for name in ("f32", precision):
        tool.call("compile", tmp_path / "m.onnx", "-o", tmp_path / f"{name}.kiln", "-q", "--precision", name)
        x = np.random.default_rng(1).standard_normal((ROWS, 40)).astype(np.float32)
        results.append(kiln.Session(tmp_path / f"{name}.kiln", threads=1).run({"x": x})["y"])
    np.testing.assert_array_equal(*results)
    (entry,) = json.loads(tool.call("inspect", tmp_path / f"{precision}.kiln", "--precision", "--json").stdout)["precision_report"]
    assert entry["became"] == "f32" and "its K is no multiple of" in entry["why"]
