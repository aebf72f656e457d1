"""What an ordinary run leaves out (sampling.py)."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import subprocess
import sys

CASES = """
import pytest
pytestmark = pytest.mark.sampled
@pytest.mark.parametrize("n", range(40))
def test_many(n): pass
@pytest.mark.parametrize("n", range(2))
def test_few(n): pass
def test_one(): pass
"""


def collected(folder, *options):
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *options, str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(__file__).parent)}  # of what conftest.py imports
    text = subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout
    return [line.split("::")[1] for line in text.splitlines() if "::" in line], text


def test_every_function_keeps_some_of_its_cases(tmp_path):
    (tmp_path / "conftest.py").write_text((pathlib.Path(__file__).parent / "conftest.py").read_text())
    (tmp_path / "test_cases.py").write_text(CASES)
    some, text = collected(tmp_path)
    assert len([name for name in some if "many" in name]) == 10 and "test_one" in some
    assert len([name for name in some if "few" in name]) == 1
    assert some == collected(tmp_path)[0], "the same each time"
    assert "31 cases of functions marked sampled are left out" in text or "31 deselected" in text
    everything, _ = collected(tmp_path, "--all-cases")
    assert len(everything) == 43 and set(some) < set(everything)
