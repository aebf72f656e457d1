"""What each target does with each quantized format: the instructions that docs/guides/quantization.md names, results near those of
the host where a target lacks an instruction, and what is said of formats that cannot be combined."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

import numpy as np
import pytest
import test_gpu_float8_activations
import test_gpu_scaled
import test_ptx
import tool

INTEGERS = "s32.s8.u8.s32"
TF32, F16, BF16 = (f"f32.{kind}.{kind}.f32" for kind in ("tf32", "f16", "bf16"))
E4M3 = "f32.e4m3.e4m3.f32"
SCALED = "kind::mxf8f6f4.block_scale.scale_vec::1X.f32.{}.f32.ue8m0"
# Max error relative to the largest result, against the host: integer accumulation is exact. f32 becomes tf32, and
# tensor cores of sm_89 keep 13 bits of a sum of E4M3.
ERRORS = {INTEGERS: 0, TF32: 2e-3, E4M3: 2e-3, F16: 1e-5, BF16: 1e-5, SCALED.format("e4m3.e4m3"): 1e-5, SCALED.format("e4m3.e2m1"): 1e-5}
DEVICES = test_gpu_float8_activations.DEVICES
M, N, K = 64, 48, 128  # enough rows that no GEMV kernel is chosen


def everywhere(instruction):
    return dict.fromkeys(test_ptx.TARGETS, instruction)


def with_float8(blackwell):
    """Tensor cores below sm_89 have no E4M3 and multiply f16."""
    return everywhere(E4M3) | {"sm_80": F16, "sm_86": F16, "sm_120a": blackwell}


# By (precision, activations): MMA instructions on each target, as in the guide's tables.
MULTIPLIED = {
    **{(name, ""): everywhere(INTEGERS) for name in ("int8", "mxfp6", "int4", "nvfp4", "mxfp4")},
    **{(name, ""): everywhere(TF32) for name in ("fp8", "mxfp8", "mxfp6_e3m2")},
    **{(name, "bf16"): everywhere(BF16) for name in ("int8", "mxfp6", "int4", "nvfp4", "mxfp4")},
    **{(name, "f16"): everywhere(F16) for name in ("int8", "mxfp6", "int4", "nvfp4", "mxfp4")},
    ("fp8", "fp8"): with_float8(E4M3),
    ("fp8", "fp8-fast"): with_float8(E4M3),
    ("mxfp8", "fp8"): with_float8(SCALED.format("e4m3.e4m3")),
    ("mxfp6_e3m2", "fp8"): with_float8(SCALED.format("e4m3.e4m3")),
    ("mxfp4", "fp8"): with_float8(SCALED.format("e4m3.e2m1")),
    # A package for several targets quantizes activations to one format for all of them.
    ("nvfp4", "nvfp4"): everywhere(INTEGERS),
    ("mxfp4", "mxfp4"): everywhere(INTEGERS),
}
ALONE = {
    ("nvfp4", "nvfp4"): "kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3",
    ("mxfp4", "mxfp4"): "kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0",
}


def options_of(precision, activations):
    return ["--precision", precision, *(["--activations", activations] if activations else [])]


def compile_for(folder, targets, precision, activations):
    model = test_gpu_scaled.product(folder / "m.onnx", M, N, K)
    tool.call("compile", model, "-o", folder / "m.kiln", "-q", "--target", ",".join(targets), *options_of(precision, activations))
    return folder / "m.kiln"


def multiplied(package, folder):
    """By target: operands of the mma.sync of all kernels."""
    found = {}
    for path in test_ptx.ptx_of(package, folder / "ptx"):
        kinds = re.findall(r"mma\.sync\.aligned\.m16n8k\d+\.row\.col\.(\S+)", path.read_text())
        found.setdefault(path.parent.name, set()).update(kinds)
    return found


@pytest.mark.parametrize("precision, activations", MULTIPLIED)
def test_every_target_multiplies_every_format(driver, tmp_path, precision, activations):
    """By the instruction that the guide names, and on the simulated GPU near the result of the host."""
    package = compile_for(tmp_path, ["native", *test_ptx.TARGETS], precision, activations)
    assert multiplied(package, tmp_path) == {target: {kind} for target, kind in MULTIPLIED[precision, activations].items()}
    expected = test_gpu_scaled.results(package, "cpu", driver)
    assert np.isfinite(expected).all() and np.abs(expected).max() > 0
    for target, device in DEVICES.items():
        found = test_gpu_scaled.results(package, device, driver)
        error = np.abs(found - expected).max() / np.abs(expected).max()
        assert error <= ERRORS[MULTIPLIED[precision, activations][target]], target


@pytest.mark.parametrize("precision, activations", ALONE)
def test_a_package_for_one_target_alone(driver, tmp_path, precision, activations):
    """Blackwell's instructions of 4 bits; the same package on no other GPU, which says what it has."""
    package = compile_for(tmp_path, ["sm_120a"], precision, activations)
    assert multiplied(package, tmp_path) == {"sm_120a": {ALONE[precision, activations]}}
    assert np.isfinite(test_gpu_scaled.results(package, "sim:rtx5090", driver)).all()
    outcome = tool.call("run", package, "--device", "sim:l40s", env=driver, status=None)
    assert outcome.status != 0 and "sm_120a" in outcome.stderr, outcome.stderr


@pytest.mark.parametrize("target", ["native", "x86-64-v3", *test_ptx.TARGETS])
@pytest.mark.parametrize(
    "precision, activations, words",
    [
        ("int8", "fp8", ["fp8, mxfp8, mxfp6_e3m2 or mxfp4"]),
        ("int4", "fp8-fast", ["fp8, mxfp8, mxfp6_e3m2 or mxfp4"]),
        ("nvfp4", "fp8", ["fp8, mxfp8, mxfp6_e3m2 or mxfp4"]),
        ("mxfp6", "fp8", ["fp8, mxfp8, mxfp6_e3m2 or mxfp4"]),
        ("int4", "nvfp4", ["weights of their own format", "--precision nvfp4"]),
        ("nvfp4", "mxfp4", ["weights of their own format", "--precision mxfp4"]),
        ("int8", "int8", ["bf16, f16, fp8, fp8-fast, nvfp4 or mxfp4"]),
        ("int5", "", ["no precision has this name", "int8, mxfp8"]),
    ],
)
def test_formats_that_no_target_combines(tmp_path, target, precision, activations, words):
    model = test_gpu_scaled.product(tmp_path / "m.onnx", M, N, K)
    outcome = tool.call("compile", model, "-o", tmp_path / "m.kiln", "--target", target, *options_of(precision, activations), status=None)
    tool.assert_error(outcome, "KILN-E0001", *words, status=2)
    assert not (tmp_path / "m.kiln").exists()
