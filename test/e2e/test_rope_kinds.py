"""Every kind of rotary embedding, as each exporter spells it: raised to one op, and right on the host and on simulated GPUs, over odd
lengths at past 0, 1 and capacity - 1."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import subprocess
import sys

import decoders
import numpy as np
import pytest
import test_attention_matrix as matrix
import tool
from decoder import config as shapes
from decoder import gqa, past, rope, scatter
from decoder import weights as weights_module

SPELLINGS = {"past": past, "gqa": gqa, "scatter": scatter}
LONGER = {"scaling_factor": 4.0, "original_positions": 24}  # for a context of 96 positions
KINDS = {
    "halves": {},
    "adjacent": {"adjacent": True},
    "partial": {"rotary": 8},
    "partial-adjacent": {"rotary": 8, "adjacent": True},
    **{scaling: {"scaling": scaling, **LONGER} for scaling in rope.SCALINGS if scaling},
    "yarn-adjacent": {"scaling": "yarn", "adjacent": True, **LONGER},
}
# The effect of a scaling on the tables is the same for all exporters.
CASES = [f"{spelling}-{kind}" for spelling in SPELLINGS for kind in KINDS if spelling == "past" or kind not in rope.SCALINGS]


def case_of(name):
    """(builder, case)"""
    spelling, _, kind = name.partition("-")
    config = shapes.Config(
        hidden=24, layers=1, heads=4, key_heads=2, head_size=16, wide=20, vocabulary=50, positions=96, score_scale=6.0, **KINDS[kind]
    )
    return SPELLINGS[spelling], matrix.Case(config, (kind,), 67, 15)


@pytest.mark.parametrize("name", CASES)
def test_decoder(driver, tmp_path, name):
    builder, case = case_of(name)
    values = weights_module.seeded(case.config, case.seed, np.dtype(np.float32))
    decoders.save.save(*builder.build(case.config, values), tmp_path / "m.onnx", False)
    package = tmp_path / "m.kiln"
    options = ["--dims", "rows=1..3,capacity=1..67,sequence=1..67", "--target", "native,sm_80,sm_90a", "-v"]
    report = tool.call("compile", tmp_path / "m.onnx", "-o", package, *options).stdout
    assert "1 attention" in report and "2 rope" in report, report
    right = matrix.expected(case, values)
    for device in decoders.DEVICES.values():  # a process has one simulated GPU
        command = [sys.executable, __file__, name, device, package, tmp_path / "logits.npy"]
        done = subprocess.run([*map(str, command)], env=driver, timeout=300, capture_output=True, text=True)
        assert done.returncode == 0 and not done.stderr, done.stderr
        error = np.abs(np.load(tmp_path / "logits.npy") - right).max() / np.abs(right).max()
        assert error <= matrix.TOLERANCE, f"{device}: logits differ by {error:.2e} of the largest"


def test_kinds_differ():
    """The tables of two kinds are far apart somewhere, so that none is taken for another."""
    configs = [case_of(f"past-{kind}")[1].config for kind in ("halves", *filter(None, rope.SCALINGS))]
    found = [rope.frequencies(config) * rope.factor(config) for config in configs]
    assert all(np.abs(one / other - 1).max() > 0.05 for i, one in enumerate(found) for other in found[:i])


if __name__ == "__main__":
    np.save(sys.argv[4], matrix.run_calls(case_of(sys.argv[1])[1], *sys.argv[2:4]))
