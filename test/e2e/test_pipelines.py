# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kiln-opt repeats each phase of a compile with the passes that --print-pipeline prints, and gives the same dump.

The table: targets (a CPU, a GPU, both) by options (precision, ranks, state).
"""

import subprocess
import sys

import decoders
import pytest
import tool

PHASES = ("import", "graph", "kernels", "code", "plan")
TARGETS = ("native", "sm_90a", "native,sm_90a")
OPTIONS = {"f32": (), "bf16": ("--precision", "bf16"), "int4": ("--precision", "int4"), "ranks": ("--ranks", "2"),
           "no-state": ("--no-state",), "limits": ("--memory-limit", "8GiB", "--dims", "rows=1..2,capacity=16..64")}  # fmt: skip


@pytest.fixture(scope="module")
def tinylm(tmp_path_factory):
    model = tmp_path_factory.mktemp("tinylm") / "past.onnx"
    subprocess.run([sys.executable, decoders.MODELS / "build.py", "tinylm", "-o", model], check=True)
    return model


def repeat(source, passes):
    command = [tool.binary("kiln-opt"), source, "--mlir-print-debuginfo", f"--pass-pipeline={passes}"]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("options", OPTIONS)
def test_phases(tinylm, tmp_path, target, options):
    command = ["compile", tinylm, "--target", target, *OPTIONS[options]]
    printed = dict(line.split(" ", 1) for line in tool.call(*command, "--print-pipeline", "all").stdout.splitlines())
    assert tuple(printed) == PHASES
    tool.call(*command, "--compile-to=plan", "-o", tmp_path / "plan.mlir", "--save-temps", tmp_path)
    for number, phase in enumerate(PHASES):
        assert (tmp_path / f"{number}-{phase}.passes").read_text().strip() == printed[phase]
    for number, (before, phase) in enumerate(zip(PHASES, PHASES[1:])):
        repeated = repeat(tmp_path / f"{number}-{before}.mlir", printed[phase])
        assert repeated.returncode == 0, repeated.stderr
        assert repeated.stdout.strip() == (tmp_path / f"{number + 1}-{phase}.mlir").read_text().strip()
