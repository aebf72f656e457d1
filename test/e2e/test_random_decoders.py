"""A few cases of test/fuzz/decoders.py: random decoders, used at random, against double precision."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import subprocess
import sys

import pytest

FUZZER = pathlib.Path(__file__).resolve().parents[1] / "fuzz" / "decoders.py"


@pytest.mark.parametrize("device,count,calls", [("cpu", 6, 20), ("sim:a100", 3, 8), ("sim:h200", 3, 8)])
def test_random_decoders(driver, device, count, calls):
    command = [sys.executable, FUZZER, "--count", count, "--calls", calls, "--seed", 2, "--device", device]
    done = subprocess.run([*map(str, command)], env=driver, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0 and done.stdout == f"{count} of {count} cases agree\n", done.stdout + done.stderr
