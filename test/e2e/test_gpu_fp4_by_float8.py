"""Weights in MXFP4 beside activations in E4M3 (--precision mxfp4 --activations fp8), on hosts and on the simulated GPU: against
exact numbers for odd sizes, what instructions multiply, that weights are read once, and that assemblers say nothing."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import re

import decoders
import gpu_counters
import numpy as np
import pytest
import test_gpu_float8_activations
import test_ptx
import tool
from test_gpu_float8_activations import DEVICES, DIMS, NATIVE, rounded
from test_gpu_scaled import SCHEDULES

BLOCK = 32
SCALED = "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e2m1.f32.ue8m0"
E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6], np.float32)


def numbers(shape, seed):
    """Of E2M1, times a power of two for each block of each column, in which a 6 is the largest."""
    random = np.random.default_rng(seed)
    values = E2M1[random.integers(0, 8, shape)] * random.choice([-1, 1], shape).astype(np.float32)
    values[::BLOCK] = 6
    powers = 2.0 ** random.integers(-3, 4, (-(-shape[0] // BLOCK), shape[1]))
    return (values * powers.repeat(BLOCK, 0)[: shape[0]]).astype(np.float32)


class Case(test_gpu_float8_activations.Case):
    """y = relu(x w + bias) of such a weight."""

    def weight(self, k, n):
        return numbers((k, n), n + k)

    def compile(self, targets, *options):
        return super().compile("mxfp4", targets, *options)


SIZES = [(1, 37, 32), (3, 80, 96), (8, 130, 64), (17, 16, 32), (65, 77, 160), (130, 200, 64), (5, 1, 288)]


@pytest.mark.parametrize("target", DEVICES)
@pytest.mark.parametrize("m, n, k", SIZES)
def test_odd_sizes(driver, tmp_path, m, n, k, target):
    case = Case(tmp_path, m, n, k)
    case.check(case.compile(f"native,{target}"), target, driver, SCHEDULES[(m + n) % 3])


@pytest.mark.parametrize("target", DEVICES)
@pytest.mark.parametrize("rows", [1, 8, 9, 65, 200])
def test_rows_of_the_launch(driver, tmp_path, rows, target):
    case = Case(tmp_path, "m", 48, 256, rows)
    case.check(case.compile(f"native,{target}", "--dims", "m=1..200"), target, driver, SCHEDULES[rows % 3])


def test_the_reference(driver, tmp_path):
    """kiln verify compares with the reference's definition, and the report says what is multiplied."""
    case = Case(tmp_path, 5, 40, 128)
    package = case.compile("native," + ",".join(DEVICES))
    environment = {**driver, "KILN_SIM_SCHEDULE": SCHEDULES[1], "KILN_SIM_CHECK": "all"}
    tool.assert_verified(package, ["cpu", *DEVICES.values()], environment)
    [entry] = json.loads(tool.call("inspect", package, "--precision", "--json").stdout)["precision_report"]
    assert entry["became"] == "mxfp4" and entry["stored"]["activations"] == "fp8"
    assert "activations in E4M3 with a scale per row" in entry["why"] and entry["weight_error"] == 0


@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_rows_that_are_no_numbers(driver, tmp_path, value):
    case = Case(tmp_path, 4, 20, 64)
    package = case.compile("native,sm_120a")
    case.x[2, 5] = value
    for device in ["cpu", DEVICES["sm_120a"]]:
        found = case.run(package, device, driver)
        assert np.isnan(found[2]).all() and np.isfinite(found[[0, 1, 3]]).all()


N, K = 256, 1024


@pytest.mark.parametrize("target", ["sm_80", "sm_90a", "sm_120a"])
def test_weights_are_read_once(driver, tmp_path, target):
    """Half a byte each, in whole sectors; no bank conflicts, nothing in local memory; what is multiplied."""
    launches = gpu_counters.measure(Case(tmp_path, 1, N, K).model, tmp_path, driver, target, "--precision", "mxfp4",
                                    "--activations", "fp8")
    [launch] = [launch for launch in launches if any("mma.sync" in line for line in launch.text)]
    weights = N * K // 2 + N * K // BLOCK
    assert launch.distinct == weights + K + gpu_counters.SECTOR + 4 * N + 4 * N  # activations, a scale, the bias, the result
    assert launch.counters["shared"]["bank_conflicts"] == 0 and launch.counters["local"]["bytes"] == 0
    expected = {"sm_80": "f16", "sm_90a": NATIVE, "sm_120a": SCALED}[target]
    assert all(expected in line for line in launch.text if "mma.sync" in line)
    assert launch.tensor_flops == 2 * 16 * N * K


def test_unpacking_in_the_loop(driver, tmp_path):
    """On sm_120a four bit operations for a word of eight numbers; elsewhere tables as well."""
    counts = {}
    for target in ["sm_120", "sm_120a"]:
        package = Case(tmp_path, 1, N, K).compile(target)
        [text] = [path.read_text() for path in test_ptx.ptx_of(package, tmp_path / target) if "mma.sync" in path.read_text()]
        multiplies = text.count("mma.sync")
        bits = len(re.findall(r"\b(?:and|or|shl|shr)\.b32\s|\bprmt\.b32\s", text))
        counts[target] = bits / multiplies
        assert ("prmt.b32" in text) == (target == "sm_120")
    assert counts["sm_120a"] < 5 and 10 < counts["sm_120"] < 15


def test_rounding_is_not_that_of_codes(driver, tmp_path):
    """Activations keep E4M3's three bits, whatever else is in their row."""
    case = Case(tmp_path, 2, 16, 64)
    case.x[:] = 1e-3 * np.arange(1, 65)
    case.x[:, 0] = 100
    y = case.run(case.compile("native"), "cpu", driver)
    x, scales = rounded(case.x)
    np.testing.assert_allclose(y, np.maximum(scales * (x @ case.w.astype(np.float64)) + case.bias, 0), rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("target", ["sm_80", "sm_90a", "sm_120a"])
def test_a_decoder(driver, tmp_path, target):
    options = ["--precision", "mxfp4", "--activations", "fp8", "--target", f"native,{target}", *DIMS]
    package = decoders.compile_tinylm(tmp_path, *options, spelling="past")
    expected, lengths = decoders.run_steps(package, "cpu")
    found, found_lengths = decoders.run_elsewhere(package, DEVICES[target], tmp_path, {**driver, "KILN_SIM_CHECK": "all"})
    assert (found_lengths == lengths).all()
    np.testing.assert_allclose(found, expected, rtol=0, atol=5e-2 * np.abs(expected).max())


@pytest.mark.parametrize("m, n, k", [("m", 1024, 1024), (1, 4096, 4096), (64, 1000, 768), (512, 2048, 2048)])
def test_every_target_assembles_without_spills(tmp_path, m, n, k):
    ranges = ["--dims", "m=1..512"] if m == "m" else []
    model = Case(tmp_path, m, n, k, rows=1).model
    texts = test_ptx.check(model, tmp_path, test_ptx.TARGETS, "--precision", "mxfp4", "--activations", "fp8", *ranges)
    for path in texts:
        assert (SCALED in path.read_text()) == (path.parent.name == "sm_120a" and path.name.startswith("matmul"))


def test_nvfp4_is_refused(tmp_path):
    outcome = tool.call("compile", Case(tmp_path, 3, 16, 64).model, "-o", tmp_path / "m.kiln", "--precision", "nvfp4",
                        "--activations", "fp8", status=None)
    tool.assert_error(outcome, "KILN-E0001", "--activations", "fp8, mxfp8, mxfp6_e3m2 or mxfp4, and f32", "nvfp4", status=2)
