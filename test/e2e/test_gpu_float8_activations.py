"""Activations in E4M3 beside weights in E4M3 (--activations fp8), on hosts and on the simulated GPU: against exact numbers for
odd sizes, what instructions multiply, that weights are read once, and that assemblers say nothing."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import re

import decoders
import gpu_counters
import ml_dtypes
import numpy as np
import pytest
import test_gpu_scaled
import test_ptx
import tool
from onnx import helper, numpy_helper
from test_gpu_scaled import SCHEDULES

FORMATS = ["fp8", "mxfp8"]
DEVICES = {**gpu_counters.DEVICES, "sm_89": "sim:l40s", "sm_120": "sim:rtx5090", "sm_120a": "sim:rtx5090"}
E4M3 = ml_dtypes.float8_e4m3fn
BLOCK = 32
NATIVE = "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32"
SCALED = "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0"
# Max error relative to |x| |w| if accumulators are not f32: each step of 16 truncates 16 products and the previous sum
# to 2^-13 of the largest term, and a block has 8 steps.
LIMITS = {"sm_89": 8 * 17 * 2.0**-13}


def instruction(precision, target):
    """What multiplies; null: f16."""
    if target in ("sm_80", "sm_86"):
        return None
    return SCALED if target == "sm_120a" and precision != "fp8" else NATIVE


DIMS = ["--dims", "rows=1..2,capacity=1..512,sequence=1..256"]


def numbers(shape, seed):
    """Random ones of E4M3, with a 448 in every block of every column: then every scale is 1."""
    values = np.random.default_rng(seed).standard_normal(shape).clip(-3, 3) * 100
    values[::BLOCK] = 448
    return values.astype(np.float32).astype(E4M3).astype(np.float32)


def rounded(x):
    """As kernels round it: numbers of E4M3, and a scale per row."""
    x = x.astype(np.float32)
    largest = np.abs(x).max(1, keepdims=True)
    inverse = np.float32(448) / np.maximum(largest, np.float32(1e-36))
    return (x * inverse).astype(E4M3).astype(np.float64), (largest * np.float32(1 / 448)).astype(np.float64)


class Case:
    """y = relu(x w + bias), and x as an input."""

    def __init__(self, folder, m, n, k, rows=None):
        rows = rows or m
        self.folder, self.w, self.bias = folder, self.weight(k, n), np.linspace(-1, 1, n).astype(np.float32)
        nodes = [helper.make_node("MatMul", ["x", "w"], ["p"], "product"), helper.make_node("Add", ["p", "bias"], ["s"]),
                 helper.make_node("Relu", ["s"], ["y"])]
        weights = [numpy_helper.from_array(self.w, "w"), numpy_helper.from_array(self.bias, "bias")]
        self.model = test_gpu_scaled.write(folder / "m.onnx", m, n, k, nodes, weights)
        self.x = np.random.default_rng(rows).standard_normal((rows, k)).astype(np.float32)
        self.x[:, 0] *= 3 + np.arange(rows)  # each row has a largest value of its own

    def weight(self, k, n):
        return numbers((k, n), n + k)

    def compile(self, precision, targets, *options, activations="fp8"):
        package = self.folder / "m.kiln"
        tool.call("compile", self.model, "-o", package, "-q", "--target", targets, "--precision", precision, "--activations",
                  activations, *options)
        return package

    def run(self, package, device, environment):
        where = self.folder / "x.npy"
        np.save(where, self.x)
        return test_gpu_scaled.results(package, device, environment, "-i", f"x=@{where}")

    def error(self, y):
        """The largest, over |x| |w|."""
        x, scales = rounded(self.x)
        expected = np.maximum(scales * (x @ self.w.astype(np.float64)) + self.bias, 0)
        assert np.abs(expected).max() > 1 and np.isfinite(y).all()
        return (np.abs(y - expected) / (scales * (np.abs(x) @ np.abs(self.w)) + 1)).max()

    def check(self, package, target, driver, schedule):
        environment = {**driver, "KILN_SIM_SCHEDULE": schedule, "KILN_SIM_CHECK": "all"}
        exact = (self.x.shape[1] + 8) * 2.0**-24
        assert self.error(self.run(package, "cpu", driver)) <= exact
        assert self.error(self.run(package, DEVICES[target], environment)) <= max(LIMITS.get(target, 0), exact)


SIZES = [(1, 37, 48), (3, 80, 96), (8, 130, 64), (17, 16, 32), (65, 77, 160), (130, 200, 16), (5, 1, 272)]


def steps_of(precision, k):
    return -(-k // BLOCK) * BLOCK if precision == "mxfp8" else k


@pytest.mark.parametrize("target", DEVICES)
@pytest.mark.parametrize("precision", FORMATS)
@pytest.mark.parametrize("m, n, k", SIZES)
def test_odd_sizes(driver, tmp_path, precision, m, n, k, target):
    case = Case(tmp_path, m, n, steps_of(precision, k))
    case.check(case.compile(precision, f"native,{target}"), target, driver, SCHEDULES[(m + n) % 3])


@pytest.mark.parametrize("target", DEVICES)
@pytest.mark.parametrize("rows", [1, 8, 9, 65, 200])
def test_rows_of_the_launch(driver, tmp_path, rows, target):
    case = Case(tmp_path, "m", 48, 256, rows)
    case.check(case.compile("fp8", f"native,{target}", "--dims", "m=1..200"), target, driver, SCHEDULES[rows % 3])


@pytest.mark.parametrize("precision", [*FORMATS, "mxfp6_e3m2"])
def test_the_reference(driver, tmp_path, precision):
    """kiln verify compares with the reference's definition, and the report says what is multiplied."""
    case = Case(tmp_path, 5, 40, 128)
    package = case.compile(precision, "native," + ",".join(DEVICES))
    environment = {**driver, "KILN_SIM_SCHEDULE": SCHEDULES[1], "KILN_SIM_CHECK": "all"}
    for device in ["cpu", *DEVICES.values()]:
        outcome = tool.call("verify", package, "--device", device, env=environment)
        assert outcome.stdout.endswith("PASSED\n") and not outcome.stderr, outcome.stdout + outcome.stderr
    report = json.loads(tool.call("inspect", package, "--precision", "--json").stdout)
    [entry] = report["precision_report"]
    assert report["activations"] == "fp8" and entry["became"] == precision
    assert entry["stored"]["activations"] == "fp8" and "activations in E4M3 with a scale per row" in entry["why"]
    assert len(entry["predicted_speedup"]) == 6


@pytest.mark.parametrize("target", ["sm_80", "sm_89"])
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_rows_that_are_no_numbers(driver, tmp_path, target, value):
    """Their results are none, on every target, and those of other rows are what they were."""
    case = Case(tmp_path, 4, 20, 64)
    package = case.compile("fp8", f"native,{target}")
    case.x[1] = 0
    expected = case.run(package, "cpu", driver)
    case.x[2, 5] = value
    for device in ["cpu", DEVICES[target]]:
        found = case.run(package, device, driver)
        assert np.isnan(found[2]).all()
        np.testing.assert_allclose(found[[0, 1, 3]], expected[[0, 1, 3]], rtol=1e-3, atol=1e-2)
        assert np.array_equal(found[1], np.maximum(case.bias, 0))


def test_two_levels_of_sums(driver, tmp_path):
    """Where tensor cores keep 13 bits, blocks of 128 steps that f32 adds up lose less than sums of all of K."""
    case = Case(tmp_path, 16, 32, 4096)
    errors = {}
    for activations in ["fp8", "fp8-fast"]:
        package = case.compile("fp8", ",".join(DEVICES), activations=activations)
        for target in DEVICES:
            errors[target, activations] = case.error(case.run(package, DEVICES[target], driver))
    assert 1e-6 < 2 * errors["sm_89", "fp8"] < errors["sm_89", "fp8-fast"] < 1e-3
    assert all(error < 2.0**-20 for (target, _), error in errors.items() if target != "sm_89")


N, K = 256, 1024


def launch_of(folder, driver, target, precision, m, *options):
    launches = gpu_counters.measure(Case(folder, m, N, K).model, folder, driver, target, "--precision", precision, "--activations",
                                    "fp8", *options)
    [launch] = [launch for launch in launches if any("mma.sync" in line for line in launch.text)]
    return launch


@pytest.mark.parametrize("target", ["sm_80", "sm_90a", "sm_120a"])
@pytest.mark.parametrize("precision", FORMATS)
def test_weights_are_read_once(driver, tmp_path, precision, target):
    """And in whole sectors; no bank conflicts, nothing in local memory; bytes are multiplied where the target can."""
    launch = launch_of(tmp_path, driver, target, precision, 1)
    weights = N * K + (N * K // BLOCK if precision == "mxfp8" else 0)
    assert launch.distinct == weights + K + gpu_counters.SECTOR + 4 * N + 4 * N  # activations, a scale, the bias, the result
    assert launch.counters["shared"]["bank_conflicts"] == 0 and launch.counters["local"]["bytes"] == 0
    multiplies = [line for line in launch.text if "mma.sync" in line]
    expected = instruction(precision, target)
    assert all(expected in line if expected else "f16" in line for line in multiplies)
    # FLOPs of the tensor cores: 8 of 16 rows of an instruction are padding.
    assert launch.tensor_flops == 2 * 16 * N * K


@pytest.mark.parametrize("target", ["sm_80", "sm_90a"])
def test_instructions_in_the_loop(driver, tmp_path, target):
    """Bytes are operands as they are; elsewhere four of them become two pairs by 9 bit operations: a word of a column for each
    instruction, and one of a row for each two."""
    launch = launch_of(tmp_path, driver, target, "fp8", 1)
    [loop] = [(a, b) for a, b in launch.loops() if any("mma.sync" in line for line in launch.text[a - 1 : b])]
    text = launch.text[loop[0] - 1 : loop[1]]
    multiplies = sum("mma.sync" in line for line in text)
    widens = sum(bool(re.match(r"\s*(and\.b32|or\.b32|shl\.b32|shr\.u32)\s", line)) for line in text)
    assert multiplies > 0 and widens == (multiplies * 9 * 3 / 2 if target == "sm_80" else 0)


def test_packages_hold_bytes(tmp_path):
    case = Case(tmp_path, 1, N, K)
    for precision, scales in [("fp8", 64), ("mxfp8", N * K // BLOCK)]:
        package = case.compile(precision, "native,sm_90a")
        arenas = {arena["kind"]: arena["max_bytes"] for arena in json.loads(tool.call("inspect", package, "--json").stdout)["arenas"]}
        assert arenas["weights"] == N * K + scales + 4 * N


def test_refused(tmp_path):
    """Formats that are not multiplied with E4M3, and products whose K is no multiple of 16, which keep f32."""
    case = Case(tmp_path, 3, 16, 64)
    out = ["-o", tmp_path / "m.kiln"]
    policy = tmp_path / "policy.json"
    policy.write_text(json.dumps({"precision": "fp8", "activations": "fp8", "rules": [{"nodes": "product", "precision": "int4"}]}))
    for options in [("int4", "--activations", "fp8"), (policy,)]:
        outcome = tool.call("compile", case.model, *out, "--precision", *options, status=None)
        tool.assert_error(outcome, "KILN-E0001", "--activations", "fp8, mxfp8, mxfp6_e3m2 or mxfp4, and f32", "int4", status=2)
    outcome = tool.call("compile", case.model, *out, "--precision", "f32", "--activations", "fp8", status=None)
    tool.assert_error(outcome, "KILN-E0001", "--activations", "--precision with a format of quantized weights", "f32", status=2)
    policy.write_text(json.dumps({"precision": "mxfp8", "activations": "fp8"}))
    tool.call("compile", case.model, *out, "-q", "--precision", policy)
    assert json.loads(tool.call("inspect", out[1], "--json").stdout)["provenance"]["activations"] == "fp8"
    package = Case(tmp_path, 3, 16, 40).compile("fp8", "native,sm_90a")
    [entry] = json.loads(tool.call("inspect", package, "--precision", "--json").stdout)["precision_report"]
    assert entry["stored"]["activations"] == "tf32" and entry["why"].endswith("its K is no multiple of 16")


@pytest.mark.parametrize("precision, target", [("fp8", "sm_80"), ("mxfp8", "sm_89"), ("fp8", "sm_90a"), ("mxfp8", "sm_90a"), ("mxfp8", "sm_120a")])
def test_a_decoder(driver, tmp_path, precision, target):
    options = ["--precision", precision, "--activations", "fp8", "--target", f"native,{target}", *DIMS]
    package = decoders.compile_tinylm(tmp_path, *options, spelling="past")
    report = json.loads(tool.call("inspect", package, "--precision", "--json").stdout)["precision_report"]
    assert sum("activations in E4M3" in entry["why"] for entry in report) == 25
    expected, lengths = decoders.run_steps(package, "cpu")
    found, found_lengths = decoders.run_elsewhere(package, DEVICES[target], tmp_path, {**driver, "KILN_SIM_CHECK": "all"})
    assert (found_lengths == lengths).all()
    np.testing.assert_allclose(found, expected, rtol=0, atol=5e-2 * np.abs(expected).max())


ASSEMBLED = [("m", 1024, 1024), (1, 4096, 4096), (64, 1000, 768), (512, 2048, 2048)]


@pytest.mark.parametrize("precision", FORMATS)
@pytest.mark.parametrize("m, n, k", ASSEMBLED)
def test_every_target_assembles_without_spills(tmp_path, precision, m, n, k):
    ranges = ["--dims", "m=1..512"] if m == "m" else []
    for activations in ["fp8", *(["fp8-fast"] if precision == "fp8" else [])]:
        model = Case(tmp_path, m, n, k, rows=1).model
        texts = test_ptx.check(model, tmp_path, test_ptx.TARGETS, "--precision", precision, "--activations", activations, *ranges)
        for target in test_ptx.TARGETS:
            own = [path.read_text() for path in texts if path.parent.name == target]
            for multiplies in [NATIVE, SCALED]:
                assert any(multiplies in text for text in own) == (multiplies == instruction(precision, target))
