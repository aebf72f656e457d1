"""Products ask for their weights before they wait for earlier kernels, and for nothing else. test/unit/Kernels checks that results
stay what they were."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pytest
import test_gpu_products
import test_ptx

WAIT, TENSORS, LINES = "griddepcontrol.wait;", "cp.async.bulk.prefetch.tensor", "prefetch.global.L2"
# Warpgroups, skinny GEMM, tiles of mma.sync and of FMA, split-K.
CASES = [
    (dict(m=200, n=320, k=512), "sm_90a", TENSORS),
    (dict(m=70, n=90, k=1000), "sm_90a", TENSORS),
    (dict(m=4, n=320, k=1000), "sm_90a", LINES),
    (dict(m=1, n=77, k=130, kind="FLOAT"), "sm_90a", LINES),
    (dict(m=20, n=100, k=96), "sm_90a", LINES),
    (dict(m=131, n=77, k=521, kind="FLOAT"), "sm_90a", LINES),
    (dict(m=33, n=64, k=2048, kind="FLOAT16"), "sm_120", LINES),
]


@pytest.mark.parametrize("case, target, instruction", CASES)
def test_weights_come_before_the_wait(tmp_path, case, target, instruction):
    model = test_gpu_products.product(tmp_path / "m.onnx", **case, weights=True)
    [text] = test_ptx.check(model, tmp_path, [target])
    # The producer warp waits after its prefetch; other warps wait by themselves.
    early, *late = text.read_text().split(WAIT)
    assert instruction in early and len(late) == (2 if instruction == TENSORS else 1)
    assert not any("prefetch" in text for text in late)


@pytest.mark.parametrize("target, weights", [("sm_90a", False), ("sm_80", True)])
@pytest.mark.parametrize("m", [4, 20, 200])
def test_what_other_kernels_write_is_not_asked_for(tmp_path, m, target, weights):
    model = test_gpu_products.product(tmp_path / "m.onnx", m, 320, 512, weights=weights)
    [text] = test_ptx.check(model, tmp_path, [target])
    assert "prefetch" not in text.read_text()
