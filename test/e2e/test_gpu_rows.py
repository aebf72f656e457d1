"""Rows whose length is a symbol, held in registers or in shared memory by the most that its range allows, on the
simulated GPU: every kernel against the reference in double precision, at short, odd and full lengths."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pytest
import test_gpu_counters_rows
import tool

SCHEDULES = ["eager,forward", "late,random,7", "random,reverse,3"]
# (range, lengths): of a few threads, of a warp, of a block, in shared memory, read again.
RANGES = [(13, [1, 13]), (512, [1, 31, 512]), (2000, [1999]), (9000, [33, 9000]), (30000, [257, 30000]), (90000, [515])]


@pytest.mark.parametrize("most, lengths", RANGES, ids=[str(most) for most, _ in RANGES])
@pytest.mark.parametrize("target, device, name, kind", [
    ("sm_80", "sim:a100", "softmax", "FLOAT"), ("sm_90a", "sim:h200", "layer_norm", "FLOAT"),
    ("sm_90a", "sim:h200", "softmax", "BFLOAT16"), ("sm_80", "sim:a100", "rms_norm", "FLOAT16")])
def test_rows_of_symbolic_length(driver, tmp_path, target, device, name, kind, most, lengths):
    model = test_gpu_counters_rows.norm(tmp_path / "m.onnx", name, kind, 5, "s", residual=True)
    tool.call("compile", model, "-o", tmp_path / "m.kiln", "--target", target, "--dims", f"s=1..{most}")
    for length in lengths:
        for schedule in SCHEDULES:
            found = tool.call("verify", tmp_path / "m.kiln", "--device", device, "--dims", f"s={length}",
                              env={**driver, "KILN_SIM_SCHEDULE": schedule})
            assert found.stdout.endswith("PASSED\n") and "kiln-sim" not in found.stderr, found.stdout + found.stderr
