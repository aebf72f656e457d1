"""Kernels other than products on the simulated GPU and on the CPU, over odd sizes, axes, broadcasts and types, against
NumPy."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os

import gpu_cases
import numpy as np
import onnx
import pytest
import tool

import kiln

# Each kind and type runs on an A100 and, alternating, on one other GPU.
OTHERS = [("sm_86", "sim:l40s"), ("sm_89", "sim:l40s"), ("sm_90a", "sim:h200"), ("sm_120", "sim:rtx5090")]
# Relative to the largest element; integers and booleans are exact.
TOLERANCES = {"float32": 1e-5, "float16": 2e-3, "bfloat16": 1e-2}


@pytest.fixture(scope="module")
def driver(simulator):
    """The simulated driver of this build, for sessions of this process."""
    before = os.environ.get("KILN_SIM_DRIVER")
    os.environ["KILN_SIM_DRIVER"] = str(simulator)
    yield simulator
    del os.environ["KILN_SIM_DRIVER"]
    if before is not None:
        os.environ["KILN_SIM_DRIVER"] = before


def differences(nodes, outputs):
    for n, node in enumerate(nodes):
        found, expected = outputs[f"n{n}"], node.expected
        label = f"{node.op} {node.attributes} of {[array.shape for array in node.inputs]}"
        if found.shape != expected.shape or found.dtype != expected.dtype:
            yield f"{label}: {found.dtype}{found.shape}, not {expected.dtype}{expected.shape}"
            continue
        if expected.dtype.name in TOLERANCES:
            a, b = found.astype(np.float64), expected.astype(np.float64)
            wrong = ~(np.abs(a - b) <= TOLERANCES[expected.dtype.name] * np.abs(b).max(initial=0))
        else:
            wrong = found != expected
        if wrong.any():
            first = tuple(np.argwhere(wrong)[0])
            yield f"{label}: {wrong.sum()} of {wrong.size} differ, at {first}: {found[first]}, not {expected[first]}"


@pytest.mark.parametrize("kind, dtype", gpu_cases.GRID, ids=lambda value: getattr(value, "__name__", value))
def test_kernels(driver, tmp_path, capfd, kind, dtype):
    nodes = gpu_cases.nodes(kind, dtype)
    model, feeds = gpu_cases.model(nodes)
    onnx.save(model, tmp_path / "grid.onnx")
    target, gpu = OTHERS[gpu_cases.GRID.index((kind, dtype)) % len(OTHERS)]
    tool.call("compile", tmp_path / "grid.onnx", "-o", tmp_path / "grid.kiln", "--target", f"native,sm_80,{target}")
    for device in ("cpu", "sim:a100"):
        outputs = kiln.Session(tmp_path / "grid.kiln", device=device).run(feeds)
        problems = list(differences(nodes, outputs))
        assert not problems, f"on {device}:\n" + "\n".join(problems)
    # A process has one simulated GPU; verify runs in another process, with random operands, against the reference.
    report = tool.call("verify", tmp_path / "grid.kiln", "--device", gpu)
    assert report.stdout.splitlines()[-1] == "PASSED" and "kiln-sim" not in report.stderr
    # The simulated GPU would report races, bad addresses and the like there.
    assert capfd.readouterr().err == ""
