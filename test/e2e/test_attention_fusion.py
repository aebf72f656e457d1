"""Masks that are computed and ops behind attention: one kernel where that reads less memory, several where it does not,
and the reference's results either way, on the CPU and on simulated GPUs."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import fused_attention
import onnx
import pytest
import tool

DEVICES = {"native": "cpu", "sm_80": "sim:a100", "sm_90a": "sim:h200"}


def compiled(tmp_path, case):
    onnx.save(case.model(), tmp_path / "m.onnx")
    tool.call("compile", tmp_path / "m.onnx", "-o", tmp_path / "m.kiln", "--target", ",".join(DEVICES), "--verify", "each", "-q")
    return tmp_path / "m.kiln"


def kernels(package):
    return tool.call("inspect", package, "--kernels").stdout


def check(driver, package):
    for device in DEVICES.values():
        outcome = tool.call("verify", package, "--device", device, env=driver)
        assert outcome.stdout.endswith("PASSED\n") and not outcome.stderr, device + outcome.stdout + outcome.stderr


SHAPES = [
    dict(kind="FLOAT", queries=33, keys=47, depth=20),
    dict(kind="FLOAT16", queries=65, keys=40, depth=64),
    dict(kind="BFLOAT16", queries=70, keys=130, depth=80),
    dict(kind="BFLOAT16", queries=1, keys=19, depth=32),
]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{shape['kind']}-{shape['queries']}")
@pytest.mark.parametrize("mask", fused_attention.MASKS)
def test_computed_mask(driver, tmp_path, mask, shape):
    package = compiled(tmp_path, fused_attention.FusedAttention(mask=mask, **shape))
    # With a single query the mask is small and computed once by its own kernel.
    fused = mask == "none" or mask in fused_attention.FUSED_MASKS and shape["queries"] > 1
    assert ("pointwise" not in kernels(package)) == fused
    check(driver, package)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{shape['kind']}-{shape['queries']}")
@pytest.mark.parametrize("behind", fused_attention.BEHIND)
def test_ops_behind(driver, tmp_path, behind, shape):
    package = compiled(tmp_path, fused_attention.FusedAttention(behind=behind, **shape))
    # A cast is fused unless it widens the type; f32 stays f32.
    fused = behind in fused_attention.FUSED_BEHIND or behind == "cast" and shape["kind"] == "FLOAT"
    assert ("pointwise" not in kernels(package)) == fused
    check(driver, package)


@pytest.mark.parametrize("causal", [False, True])
def test_mask_and_ops_behind(driver, tmp_path, causal):
    case = fused_attention.FusedAttention("BFLOAT16", 65, 65, 64, mask="slope", behind="merged_gate", causal=causal)
    package = compiled(tmp_path, case)
    assert "pointwise" not in kernels(package)
    check(driver, package)
