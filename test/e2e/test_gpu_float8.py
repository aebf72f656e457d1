"""Weights of fp8 and mxfp8 on the simulated GPU, read as bytes: every number of the format, what they read and where,
that packages are as small as for hosts alone, and that assemblers say nothing. test/unit/Kernels has odd sizes."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json

import decoders
import gpu_counters
import ml_dtypes
import numpy as np
import pytest
import test_gpu_scaled
import test_ptx
import tool
from gpu_counters import CONFIG, ceil
from onnx import helper, numpy_helper
from test_gpu_scaled import product

FORMATS = ["fp8", "mxfp8"]
BLOCK = 32
DEVICES = {**gpu_counters.DEVICES, "sm_89": "sim:l40s"}
DIMS = ["--dims", "rows=1..2,capacity=1..512,sequence=1..256"]


def compile_for(model, targets, precision, *options):
    package = model.with_name(f"{precision}.kiln")
    tool.call("compile", model, "-o", package, "-q", "--target", targets, "--precision", precision, *options)
    return package


@pytest.mark.parametrize("target", DEVICES)
@pytest.mark.parametrize("precision", FORMATS)
@pytest.mark.parametrize("m", [1, 64])
def test_every_number_of_the_format(driver, tmp_path, precision, m, target):
    """Times one, by multiply-adds and on tensor cores: a weight with the largest magnitude 448 has the scale 1."""
    codes = np.arange(256, dtype=np.uint8).view(ml_dtypes.float8_e4m3fn).astype(np.float32)
    numbers = np.where(np.isnan(codes), 448, codes)
    weight = np.zeros((64, 256), np.float32)
    weight[::BLOCK], weight[1::BLOCK] = numbers, 448  # each block of each column has a 448
    nodes = [helper.make_node("MatMul", ["x", "w"], ["y"], "product")]
    model = test_gpu_scaled.write(tmp_path / "m.onnx", m, 256, 64, nodes, [numpy_helper.from_array(weight, "w")])
    np.save(tmp_path / "x.npy", np.eye(m, 64, dtype=np.float32))
    package = compile_for(model, target, precision)
    found = test_gpu_scaled.results(package, DEVICES[target], driver, "-i", f"x=@{tmp_path / 'x.npy'}")
    assert np.array_equal(found, weight[:m])


N, K = 256, 1024


def weight_bytes(precision, n):
    return n * K + (n * K // BLOCK if precision == "mxfp8" else 0)


def measure(driver, folder, target, precision, m, n):
    """The launch of the product, and its config by name."""
    launches = gpu_counters.measure(product(folder / "m.onnx", m, n, K), folder, driver, target, "--precision", precision)
    [launch] = [launch for launch in launches if launch.counters["kernel"].startswith("matmul")]
    [(kind, fields)] = [found for found in CONFIG.findall(gpu_counters.kernels(folder / "ir")) if found[0] != "pointwise"]
    return launch, kind, {name: int(value) for name, value in gpu_counters.FIELD.findall(fields)}


@pytest.mark.parametrize("precision", FORMATS)
@pytest.mark.parametrize("target, m", [("sm_80", 1), ("sm_90a", 1), ("sm_90a", 3)])
def test_few_rows_read_weights_once(driver, tmp_path, precision, m, target):
    """Each byte by one thread; no shared memory in the loop, nothing in local memory."""
    n = 1024
    launch, kind, _ = measure(driver, tmp_path, target, precision, m, n)
    assert kind == "gemv" and launch.tensor_flops == 0 and launch.counters["local"]["bytes"] == 0
    assert launch.distinct == weight_bytes(precision, n) + 4 * m * (K + n)
    conflicts = [line for line, _ in launch.counters["shared"]["conflict_lines"]]
    assert not [line for line in conflicts if any(a <= line <= b for a, b in launch.loops())]
    assert any("cvt.rn.f16x2.e4m3x2" in line for line in launch.text) == (target != "sm_80")


@pytest.mark.parametrize("target", ["sm_80", "sm_90a"])
@pytest.mark.parametrize("precision", FORMATS)
@pytest.mark.parametrize("m", [64, 320])
def test_tiles_stage_bytes(driver, tmp_path, precision, m, target):
    """For tensor cores; every block reads its rows and columns once, and no two threads of a warp meet in a bank."""
    launch, kind, config = measure(driver, tmp_path, target, precision, m, N)
    columns, split, steps = config["panels"] * 64, config.get("split", 1), ceil(K, config["block_k"])
    down, across = ceil(m, config["rows"]), ceil(N, columns)
    tile = config["rows"] * columns
    sums = 4 * down * across * split * tile if split > 1 else 0
    tickets = ceil(4 * down * across, gpu_counters.SECTOR) * gpu_counters.SECTOR if split > 1 else 0
    assert kind == "block_gemm"
    assert launch.tensor_flops == 2 * down * across * tile * steps * config["block_k"]
    assert launch.distinct == weight_bytes(precision, N) + 4 * m * (K + N) + sums + tickets
    if precision == "fp8":
        moved = 4 * m * N + 2 * sums + 4 * launch.counters["atomics"]
        assert launch.bytes - moved == K * (4 * m * across + N * down)
    assert launch.counters["shared"]["bank_conflicts"] == 0 and launch.counters["local"]["bytes"] == 0


@pytest.mark.parametrize("precision", FORMATS)
@pytest.mark.parametrize("targets", ["native", "sm_80", "native,sm_90a"])
def test_packages_hold_bytes(tmp_path, precision, targets):
    """Of numbers, and of their scales, each in whole lines."""
    package = compile_for(product(tmp_path / "m.onnx", 1, N, K), targets, precision)
    arenas = {arena["kind"]: arena["max_bytes"] for arena in json.loads(tool.call("inspect", package, "--json").stdout)["arenas"]}
    assert arenas["weights"] == weight_bytes(precision, N) + (64 if precision == "fp8" else 0)


@pytest.mark.parametrize("precision, target", [("fp8", "sm_80"), ("mxfp8", "sm_89"), ("fp8", "sm_90a"), ("mxfp8", "sm_90a")])
def test_a_decoder(driver, tmp_path, precision, target):
    package = decoders.compile_tinylm(tmp_path, "--precision", precision, "--target", f"native,{target}", *DIMS, spelling="past")
    report = json.loads(tool.call("inspect", package, "--precision", "--json").stdout)["precision_report"]
    assert sum("tf32 on tensor cores" in entry["why"] for entry in report) == 25
    expected, lengths = decoders.run_steps(package, "cpu")
    found, found_lengths = decoders.run_elsewhere(package, DEVICES[target], tmp_path, {**driver, "KILN_SIM_CHECK": "all"})
    assert (found_lengths == lengths).all()
    np.testing.assert_allclose(found, expected, rtol=0, atol=2e-3 * np.abs(expected).max())


ASSEMBLED = [("m", 1024, 1024), (1, 4096, 4096), (8, 4096, 1024), (64, 1000, 768), (512, 2048, 2048)]


@pytest.mark.parametrize("precision", FORMATS)
@pytest.mark.parametrize("m, n, k", ASSEMBLED)
def test_every_target_assembles_without_spills(tmp_path, precision, m, n, k):
    ranges = ["--dims", "m=1..512"] if m == "m" else []
    test_ptx.check(product(tmp_path / "m.onnx", m, n, k), tmp_path, test_ptx.TARGETS, "--precision", precision, *ranges)
