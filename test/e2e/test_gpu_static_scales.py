"""Static scales of activations on the simulated GPU: codes are the host's, whatever schedule threads have."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
import pytest
import test_gpu_scaled
import test_ptx
import tool
from test_gpu_float8_activations import DEVICES, LIMITS
from test_gpu_scaled import SCHEDULES
from test_ranges import layers, range_of

FORMATS = {"int8": ["--precision", "int8"], "int4": ["--precision", "int4"], "fp8": ["--precision", "fp8", "--activations", "fp8"],
           "mxfp8": ["--precision", "mxfp8", "--activations", "fp8"]}  # fmt: skip
SIZES = [(1, 37, 192), (3, 80, 96), (17, 16, 320), (130, 40, 128)]


def static(folder, m, k, precision):
    np.savez(folder / "samples.npz", x=np.random.default_rng(1).standard_normal((10000 // k + 1, m, k)).astype(np.float32))
    rounding = ["--algorithm", "rtn"] if precision.startswith("int") else []
    return [*FORMATS[precision], *rounding, "--calib", folder / "samples.npz", "--range", "percentile:99.9"]


@pytest.mark.parametrize("target", DEVICES)
@pytest.mark.parametrize("precision", FORMATS)
@pytest.mark.parametrize("m, n, k", SIZES)
def test_results_are_the_hosts(driver, tmp_path, m, n, k, precision, target):
    """Of integers to the bit; sums of E4M3 are off by as much as with scales of rows. What is beyond the range or no number is the same code."""
    model = test_gpu_scaled.product(tmp_path / "m.onnx", m, n, k)
    package = test_gpu_scaled.compile_product(model, *static(tmp_path, m, k, precision), target=target)
    environment = {**driver, "KILN_SIM_SCHEDULE": SCHEDULES[(m + n) % 3], "KILN_SIM_CHECK": "all"}
    x = 2 * np.random.default_rng(2).standard_normal((m, k)).astype(np.float32)
    x[0, :4] = np.inf, -np.inf, np.nan, 1e30
    np.save(tmp_path / "x.npy", x)
    expected, found = (test_gpu_scaled.results(package, device, environment, "-i", f"x=@{tmp_path / 'x.npy'}") for device in ("cpu", DEVICES[target]))
    assert np.isfinite(expected).all() and np.abs(expected).max() > 0
    if precision.startswith("int"):
        assert found.tobytes() == expected.tobytes()
    else:
        # Both differ from the exact product of the quantized values, which are up to a sixteenth above the real ones.
        codes = np.nan_to_num(np.minimum(np.abs(x), range_of(package)[0]["limit"])) * 17 / 16
        most = codes @ (np.abs(test_gpu_scaled.weight(n, k)) * 17 / 16)
        assert (np.abs(found - expected) <= (max(LIMITS.get(target, 0), (k + 8) * 2.0**-24) + (k + 8) * 2.0**-24) * most).all()
    outcome = tool.call("verify", package, "--device", DEVICES[target], env={**driver, "KILN_SIM_CHECK": "all"})
    assert outcome.stdout.endswith("PASSED\n") and not outcome.stderr, outcome.stdout + outcome.stderr


@pytest.mark.parametrize("target", ["sm_80", "sm_89", "sm_90a"])
@pytest.mark.parametrize("precision", ["int8", "int4", "fp8"])
@pytest.mark.parametrize("rows", [1, 37])
def test_codes_of_norms_and_epilogues(driver, tmp_path, precision, target, rows):
    """Kernels of norms and of products write codes, and GPUs sum them beside; every kernel is that of the reference."""
    model, samples = layers(tmp_path)
    package = tmp_path / "m.kiln"
    rounding = ["--algorithm", "rtn"] if precision.startswith("int") else []
    tool.call("compile", model, "-o", package, "-q", "--dims", "n=1..64", "--target", f"native,{target}", *FORMATS[precision], *rounding,
              "--calib", samples, "--range", "max")  # fmt: skip
    environment = {**driver, "KILN_SIM_SCHEDULE": SCHEDULES[rows % 3], "KILN_SIM_CHECK": "all"}
    np.save(tmp_path / "x.npy", np.random.default_rng(2).standard_normal((rows, 128)).astype(np.float32))
    expected, found = (test_gpu_scaled.results(package, device, environment, "-i", f"x=@{tmp_path / 'x.npy'}") for device in ("cpu", DEVICES[target]))
    # Norms and gelu differ from the host's in the last bits, so a quantized value may be the adjacent one.
    assert np.linalg.norm(found - expected) < 0.01 * np.linalg.norm(expected)
    outcome = tool.call("verify", package, "--device", DEVICES[target], env={**driver, "KILN_SIM_CHECK": "all"})
    assert outcome.stdout.endswith("PASSED\n") and not outcome.stderr, outcome.stdout + outcome.stderr


@pytest.mark.parametrize("precision", ["int8", "int4", "mxfp8", "fp8"])
def test_layers_assemble_without_spills(tmp_path, precision):
    model, samples = layers(tmp_path)
    rounding = ["--algorithm", "rtn"] if precision.startswith("int") else []
    test_ptx.check(model, tmp_path, test_ptx.TARGETS, *FORMATS[precision], *rounding, "--calib", samples, "--range", "max", "--dims", "n=1..64")


@pytest.mark.parametrize("precision", FORMATS)
@pytest.mark.parametrize("m, k", [(1, 4096), (512, 768)])
def test_every_target_assembles_without_spills(tmp_path, precision, m, k):
    model = test_gpu_scaled.product(tmp_path / "m.onnx", m, 256, k)
    test_ptx.check(model, tmp_path, test_ptx.TARGETS, *static(tmp_path, m, k, precision))
