"""Activations in E2M1 beside weights in E2M1 (--precision nvfp4 --activations nvfp4, and mxfp4), on hosts and on the simulated
GPU: against exact numbers for odd sizes, what instructions multiply, that weights are read once, and that assemblers say nothing."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json

import decoders
import gpu_counters
import ml_dtypes
import numpy as np
import pytest
import test_gpu_float8_activations
import test_gpu_fp4_by_float8
import test_ptx
import tool
from test_gpu_float8_activations import DEVICES, DIMS
from test_gpu_scaled import SCHEDULES

FORMATS = ["nvfp4", "mxfp4"]
BLOCK = {"nvfp4": 16, "mxfp4": 32}
# MMA instructions of sm_120a, in packages only for it.
SHAPE = "mma.sync.aligned.m16n8k64.row.col.kind::"
NATIVE = {"nvfp4": SHAPE + "mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3",
          "mxfp4": SHAPE + "mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0"}


def scales_of(precision, largest):
    """Of blocks, from their largest magnitudes [M, K / B, 1], as kernels round them."""
    f32 = np.float32
    if precision == "mxfp4":
        return np.exp2(np.ceil(np.log2(np.maximum(largest, f32(1e-32)).astype(np.float64) / 6))).astype(f32)
    row = np.maximum(largest.max(1, keepdims=True), f32(1e-32))
    scale = (largest * (f32(448) / row)).astype(ml_dtypes.float8_e4m3fn).astype(f32)
    return scale * (row * f32(1 / (6 * 448)))


def rounded(precision, x):
    """Numbers that kernels multiply, times their scales."""
    blocks = x.reshape(len(x), -1, BLOCK[precision])
    scale = scales_of(precision, np.abs(blocks).max(2, keepdims=True))
    numbers = (blocks * (np.float32(1) / np.maximum(scale, np.float32(1e-36)))).clip(-6, 6).astype(ml_dtypes.float4_e2m1fn)
    return (numbers.astype(np.float64) * scale.astype(np.float64)).reshape(x.shape)


class Case(test_gpu_float8_activations.Case):
    """y = relu(x w + bias); the weight is numbers of the format. Blocks of a row differ in size."""

    def __init__(self, folder, precision, m, n, k, rows=None):
        self.precision = precision
        super().__init__(folder, m, n, k, rows)
        self.x *= np.exp2(np.random.default_rng(k).integers(-6, 3, (1, k // 16))).repeat(16, 1).astype(np.float32)

    def weight(self, k, n):
        weight = test_gpu_fp4_by_float8.numbers((k, n), n + k)
        weight[:: BLOCK[self.precision]] = np.abs(weight[::32]).repeat(32 // BLOCK[self.precision], 0)[: -(-k // BLOCK[self.precision])]
        return weight

    def compile(self, targets, *options):
        return super().compile(self.precision, targets, *options, activations=self.precision)

    def error(self, y):
        x = rounded(self.precision, self.x)
        expected = np.maximum(x @ self.w.astype(np.float64) + self.bias, 0)
        assert np.abs(expected).max() > 1 and np.isfinite(y).all()
        return (np.abs(y - expected) / (np.abs(x) @ np.abs(self.w) + 1)).max()


def multiplies(package, folder):
    texts = [path.read_text() for path in test_ptx.ptx_of(package, folder / "ptx")]
    return {line.split()[0] for text in texts for line in text.splitlines() if line.strip().startswith("mma.sync")}


SIZES = [(1, 37, 32), (3, 80, 96), (8, 130, 64), (17, 16, 32), (65, 77, 160), (130, 200, 64), (5, 1, 288), (33, 40, 192)]


@pytest.mark.parametrize("target", DEVICES)
@pytest.mark.parametrize("precision", FORMATS)
@pytest.mark.parametrize("m, n, k", SIZES)
def test_odd_sizes(driver, tmp_path, precision, m, n, k, target):
    case = Case(tmp_path, precision, m, n, k)
    case.check(case.compile(f"native,{target}"), target, driver, SCHEDULES[(m + n) % 3])


NATIVE_SIZES = [(1, 37, 64), (8, 130, 128), (9, 16, 256), (17, 1, 320), (65, 77, 192), (130, 200, 64), (33, 40, 448)]


@pytest.mark.parametrize("precision", FORMATS)
@pytest.mark.parametrize("m, n, k", NATIVE_SIZES)
def test_scales_of_instructions(driver, tmp_path, precision, m, n, k):
    case = Case(tmp_path, precision, m, n, k)
    package = case.compile("sm_120a")
    assert multiplies(package, tmp_path) == {NATIVE[precision]}
    environment = {**driver, "KILN_SIM_SCHEDULE": SCHEDULES[(m + n) % 3], "KILN_SIM_CHECK": "all"}
    assert case.error(case.run(package, DEVICES["sm_120a"], environment)) <= (k + 8) * 2.0**-24


@pytest.mark.parametrize("precision", FORMATS)
@pytest.mark.parametrize("rows", [1, 8, 9, 65, 200])
def test_scales_of_instructions_in_launches(driver, tmp_path, precision, rows):
    case = Case(tmp_path, precision, "m", 48, 256, rows)
    package = case.compile("sm_120a", "--dims", "m=1..200")
    environment = {**driver, "KILN_SIM_SCHEDULE": SCHEDULES[rows % 3], "KILN_SIM_CHECK": "all"}
    assert case.error(case.run(package, DEVICES["sm_120a"], environment)) <= (256 + 8) * 2.0**-24


@pytest.mark.parametrize("precision", FORMATS)
def test_scales_of_instructions_against_the_reference(driver, tmp_path, precision):
    package = Case(tmp_path, precision, 5, 40, 128).compile("sm_120a")
    outcome = tool.call("verify", package, "--device", DEVICES["sm_120a"], env={**driver, "KILN_SIM_CHECK": "all"})
    assert outcome.stdout.endswith("PASSED\n") and not outcome.stderr, outcome.stdout + outcome.stderr


@pytest.mark.parametrize("precision", FORMATS)
def test_steps_that_instructions_do_not_take(driver, tmp_path, precision):
    """K that is no multiple of 64, and another target in the package: integers, the same numbers."""
    case = Case(tmp_path, precision, 9, 40, 96)
    package = case.compile("sm_120a")
    assert all(".s32.s8.u8.s32" in text for text in multiplies(package, tmp_path / "a"))
    assert case.error(case.run(package, DEVICES["sm_120a"], driver)) <= (96 + 8) * 2.0**-24
    package = Case(tmp_path, precision, 9, 40, 128).compile("sm_120,sm_120a")
    assert all(".s32.s8.u8.s32" in text for text in multiplies(package, tmp_path / "b"))


N, K = 256, 1024


@pytest.mark.parametrize("precision", FORMATS)
def test_weights_are_read_once(driver, tmp_path, precision):
    """Half a byte each and their scales; no bank conflicts, nothing in local memory; no instruction scales or unpacks a weight."""
    launches = gpu_counters.measure(Case(tmp_path, precision, 1, N, K).model, tmp_path, driver, "sm_120a", "--precision", precision,
                                    "--activations", precision)
    [launch] = [launch for launch in launches if any("mma.sync" in line for line in launch.text)]
    scales = K // BLOCK[precision]
    activations = K + max(scales, gpu_counters.SECTOR) + gpu_counters.SECTOR  # codes, scales of blocks, one of the row
    assert launch.distinct == N * K // 2 + N * scales + activations + 4 * N + 4 * N  # bias and result
    assert launch.counters["shared"]["bank_conflicts"] == 0 and launch.counters["local"]["bytes"] == 0
    assert all(NATIVE[precision] in line for line in launch.text if "mma.sync" in line)
    assert launch.tensor_flops == 2 * 16 * N * K


def test_blocks_of_sixteen(driver, tmp_path):
    """NVFP4 takes every multiple of 16; in MXFP4 such a product stays f32, and the report says so."""
    case = Case(tmp_path, "nvfp4", 5, 40, 48)
    case.check(case.compile("native,sm_120a"), "sm_120a", driver, SCHEDULES[0])
    package = Case(tmp_path, "mxfp4", 5, 40, 48).compile("native")
    [entry] = json.loads(tool.call("inspect", package, "--precision", "--json").stdout)["precision_report"]
    assert entry["became"] == "f32" and "its K is no multiple of 32" in entry["why"]


@pytest.mark.parametrize("target", DEVICES)
@pytest.mark.parametrize("precision", FORMATS)
@pytest.mark.parametrize("rows", [1, 9, 200])
def test_rows_of_the_launch(driver, tmp_path, precision, rows, target):
    case = Case(tmp_path, precision, "m", 48, 256, rows)
    case.check(case.compile(f"native,{target}", "--dims", "m=1..200"), target, driver, SCHEDULES[rows % 3])


@pytest.mark.parametrize("precision", FORMATS)
def test_the_reference(driver, tmp_path, precision):
    """kiln verify compares with the reference's definition, and the report says what is multiplied."""
    case = Case(tmp_path, precision, 5, 40, 128)
    package = case.compile("native," + ",".join(DEVICES))
    environment = {**driver, "KILN_SIM_SCHEDULE": SCHEDULES[1], "KILN_SIM_CHECK": "all"}
    tool.assert_verified(package, ["cpu", *DEVICES.values()], environment)
    [entry] = json.loads(tool.call("inspect", package, "--precision", "--json").stdout)["precision_report"]
    assert entry["became"] == precision and entry["stored"]["activations"] == precision
    assert "activations in the same" in entry["why"]


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("precision", FORMATS)
def test_rows_that_are_no_numbers(driver, tmp_path, precision, value):
    case = Case(tmp_path, precision, 4, 20, 64)
    case.x[2, 5] = value
    case.x[3] = 0
    for targets, device in [("native", "cpu"), ("sm_80", DEVICES["sm_80"]), ("sm_120a", DEVICES["sm_120a"])]:
        found = case.run(case.compile(targets), device, driver)
        assert np.isnan(found[2]).all() and np.isfinite(found[[0, 1, 3]]).all(), targets
        np.testing.assert_array_equal(found[3], np.maximum(case.bias, 0))


@pytest.mark.parametrize("precision", FORMATS)
@pytest.mark.parametrize("target", ["sm_80", "sm_120a"])
def test_a_decoder(driver, tmp_path, precision, target):
    options = ["--precision", precision, "--activations", precision, *DIMS]
    package = decoders.compile_tinylm(tmp_path, *options, "--target", f"native,{target}", spelling="past")
    expected, lengths = decoders.run_steps(package, "cpu")
    found, found_lengths = decoders.run_elsewhere(package, DEVICES[target], tmp_path, {**driver, "KILN_SIM_CHECK": "all"})
    assert (found_lengths == lengths).all()
    np.testing.assert_allclose(found, expected, rtol=0, atol=2e-1 * np.abs(expected).max())


@pytest.mark.parametrize("precision", FORMATS)
@pytest.mark.parametrize("m, n, k", [("m", 1024, 1024), (1, 4096, 4096), (64, 1000, 768), (512, 2048, 2048)])
def test_every_target_assembles_without_spills(tmp_path, precision, m, n, k):
    ranges = ["--dims", "m=1..512"] if m == "m" else []
    model = Case(tmp_path, precision, m, n, k, rows=1).model
    test_ptx.check(model, tmp_path, test_ptx.TARGETS, "--precision", precision, "--activations", precision, *ranges)
    alone = tmp_path / "alone"
    alone.mkdir()
    texts = test_ptx.check(model, alone, ["sm_120a"], "--precision", precision, "--activations", precision, *ranges)
    for path in texts:
        assert (NATIVE[precision] in path.read_text()) == path.name.startswith("matmul")


@pytest.mark.parametrize("precision, activations", [("int4", "nvfp4"), ("mxfp4", "nvfp4"), ("nvfp4", "mxfp4"), ("fp8", "mxfp4")])
def test_other_formats_are_refused(tmp_path, precision, activations):
    outcome = tool.call("compile", Case(tmp_path, "nvfp4", 3, 16, 64).model, "-o", tmp_path / "m.kiln", "--precision", precision,
                        "--activations", activations, status=None)
    tool.assert_error(outcome, "KILN-E0001", "--activations", f"{activations}, and f32", precision, status=2)


def test_activations_of_four_bits_need_weights_of_four_bits(tmp_path):
    outcome = tool.call("compile", Case(tmp_path, "nvfp4", 3, 16, 64).model, "-o", tmp_path / "m.kiln", "--activations", "nvfp4",
                        status=None)
    tool.assert_error(outcome, "KILN-E0001", "--activations", "no weights are quantized", "--precision nvfp4", status=2)
