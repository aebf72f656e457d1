"""What a step of decoding asks of a GPU's driver: the graph as it is, the new ids in and their logits out."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import subprocess
import sys

import decoders
import pytest

# Runs in a process of its own, whose calls of the simulated driver are traced between the marks.
STEPS = """
import os, sys
sys.path.insert(0, sys.argv[1])
import decoders, kiln
decoder = kiln.Decoder(sys.argv[2], device=sys.argv[3], rows=2, capacity=64)
decoder.prefill([decoders.tokens(0, 5), decoders.tokens(1, 9)])
decoder.decode(decoders.tokens(2, 2, 1))
for step in range(5):
    os.write(2, b"STEP\\n")
    decoder.decode(decoders.tokens(step, 2, 1))
os.write(2, b"END\\n")
"""
ALLOWED = {
    "cuCtxPushCurrent_v2", "cuCtxPopCurrent_v2", "cuPointerGetAttribute", "cuStreamSynchronize", "cuGraphLaunch",
    "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2",
}  # fmt: skip


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    return decoders.Packages(tmp_path_factory.mktemp("decoders")).package("llama")


@pytest.mark.parametrize("device", ["sim:a100", "sim:h200"])
def test_steps_launch_one_graph_as_it_is(package, driver, device):
    """No parameter is set, nothing is allocated and no cache copied, though the sequences grow."""
    command = [sys.executable, "-c", STEPS, decoders.MODELS.parent / "test/e2e", package, device]
    environment = driver | {"KILN_SIM_TRACE": "-"}
    done = subprocess.run([*map(str, command)], check=True, env=environment, capture_output=True, text=True, timeout=300)
    *steps, rest = done.stderr.split("STEP\n")[1:]
    steps.append(rest.split("END\n")[0])
    assert len(steps) == 5
    for step in steps:
        calls = re.findall(r"^(cu\w+)\(", step, re.MULTILINE)
        assert set(calls) <= ALLOWED and calls.count("cuGraphLaunch") == 1
        copied = [int(count) for count in re.findall(r"^cuMemcpy\w+\(.*byteCount=(\d+)", step, re.MULTILINE)]
        # The lengths, ids and counts of two rows, and their logits over 90 tokens.
        assert sorted(copied) == [16, 16, 16, 2 * 90 * 4]
