"""Decoding on a GPU: a step launches the graph as it is, and with --batch-invariant a token's bits are its own."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import subprocess
import sys

import decoders
import pytest
import tool

# Runs in its own process; its calls of the simulated driver are traced between the marks.
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
        # Ids and counts of two rows, and their logits over 90 tokens are copied; lengths are known without reading the
        # device.
        assert sorted(copied) == [16, 16, 2 * 90 * 4]


# A prompt at once next to another row, and alone in parts; then a step.
PARTS = """
import sys
sys.path.insert(0, sys.argv[1])
import decoders, kiln
together, alone = (kiln.Decoder(sys.argv[2], device=sys.argv[3], rows=rows, capacity=64) for rows in (2, 1))
prompt = decoders.tokens(0, 40)
expected = together.prefill([prompt, prompt[:3]])[0]
for begin, end in ((0, 17), (17, 18), (18, 19), (19, 21), (21, 40)):
    found = alone.prefill([prompt[begin:end]])[0]
assert found.tobytes() == expected.tobytes(), abs(found - expected).max()
assert alone.decode([[5]])[0].tobytes() == together.decode([[5], [6]])[0].tobytes()
"""


@pytest.mark.parametrize("device,target,precision", [
    ("sim:a100", "sm_80", "f32"), ("sim:a100", "sm_80", "bf16"), ("sim:h200", "sm_90a", "bf16"),
])  # fmt: skip
def test_batch_invariant_bits(driver, tmp_path, device, target, precision):
    packages = decoders.Packages(tmp_path)
    tool.call("compile", packages.model("llama"), "-o", tmp_path / "m.kiln", "--dims", "rows=1..2,capacity=1..64,sequence=1..40",
              "--target", target, "--precision", precision, "--batch-invariant", "-q")
    command = [sys.executable, "-c", PARTS, decoders.MODELS.parent / "test/e2e", tmp_path / "m.kiln", device]
    subprocess.run([*map(str, command)], check=True, env=driver, timeout=300)
