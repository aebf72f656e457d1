"""Weights of fp8 and mxfp8 on the simulated GPU, read as bytes: near the host for odd sizes, what they read and where, that
packages are as small as for hosts alone, and that assemblers say nothing."""

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
from test_gpu_scaled import SCHEDULES, product

FORMATS = ["fp8", "mxfp8"]
BLOCK = 32
DEVICES = {**gpu_counters.DEVICES, "sm_89": "sim:l40s"}
# Of tensor cores, which round activations to tf32, and of multiply-adds.
ROUNDED, EXACT = 1e-3, 1e-6
DIMS = ["--dims", "rows=1..2,capacity=1..512,sequence=1..256"]


def compile_for(model, targets, precision, *options):
    package = model.with_name(f"{precision}.kiln")
    tool.call("compile", model, "-o", package, "-q", "--target", targets, "--precision", precision, *options)
    return package


def assert_near(found, expected, limit):
    assert np.abs(expected).max() > 0 and np.isfinite(expected).all()
    np.testing.assert_allclose(found, expected, rtol=0, atol=limit * np.abs(expected).max())


def assert_near_host(package, target, driver, schedule, *options, limit=ROUNDED):
    environment = {**driver, "KILN_SIM_SCHEDULE": schedule, "KILN_SIM_CHECK": "all"}
    expected = test_gpu_scaled.results(package, "cpu", driver, *options)
    found = test_gpu_scaled.results(package, DEVICES[target], environment, *options)
    assert_near(found, expected, limit)
    outcome = tool.call("verify", package, "--device", DEVICES[target], *options, env=environment)
    assert outcome.stdout.endswith("PASSED\n") and not outcome.stderr, outcome.stdout + outcome.stderr


def blocks_of(precision, k):
    return -(-k // BLOCK) * BLOCK if precision == "mxfp8" else k


SIZES = [(1, 37, 45), (3, 80, 100), (8, 130, 65), (17, 16, 32), (65, 77, 161), (130, 200, 96)]


@pytest.mark.parametrize("target", DEVICES)
@pytest.mark.parametrize("precision", FORMATS)
@pytest.mark.parametrize("m, n, k", SIZES)
def test_odd_sizes(driver, tmp_path, precision, m, n, k, target):
    """In panels of 16 columns, which a package for hosts as well has."""
    package = compile_for(product(tmp_path / "m.onnx", m, n, blocks_of(precision, k)), f"native,{target}", precision)
    assert_near_host(package, target, driver, SCHEDULES[(m + n) % 3], limit=EXACT if m == 1 else ROUNDED)


@pytest.mark.parametrize("precision", FORMATS)
@pytest.mark.parametrize("m, n, k", SIZES)
def test_panels_of_64_columns(driver, tmp_path, precision, m, n, k):
    """Which a package for GPUs alone has."""
    model = product(tmp_path / "m.onnx", m, n, blocks_of(precision, k))
    x = np.random.default_rng(k).standard_normal((m, blocks_of(precision, k))).astype(np.float32)
    np.save(tmp_path / "x.npy", x)
    given = ["-i", f"x=@{tmp_path / 'x.npy'}"]
    expected = test_gpu_scaled.results(compile_for(model, "native", precision), "cpu", driver, *given)
    package = compile_for(model, "sm_80", precision)
    found = test_gpu_scaled.results(package, "sim:a100", {**driver, "KILN_SIM_CHECK": "all"}, *given)
    assert_near(found, expected, EXACT if m == 1 else ROUNDED)


@pytest.mark.parametrize("precision", FORMATS)
@pytest.mark.parametrize("rows", [1, 8, 9, 64, 65, 200])
def test_rows_of_the_launch(driver, tmp_path, precision, rows):
    package = compile_for(product(tmp_path / "m.onnx", "m", 48, 64), "native,sm_80", precision, "--dims", "m=1..200")
    assert_near_host(package, "sm_80", driver, SCHEDULES[rows % 3], "--dims", f"m={rows}")


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
    columns, split, steps = config["panels"] * 64, config.get("split", 1), ceil(K, config["depth"])
    down, across = ceil(m, config["rows"]), ceil(N, columns)
    tile = config["rows"] * columns
    sums = 4 * down * across * split * tile if split > 1 else 0
    tickets = ceil(4 * down * across, gpu_counters.SECTOR) * gpu_counters.SECTOR if split > 1 else 0
    assert kind == "block_gemm"
    assert launch.tensor_flops == 2 * down * across * tile * steps * config["depth"]
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
