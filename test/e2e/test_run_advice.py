"""What an error of a session or run says to do is what works."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import subprocess
import sys

import numpy as np
import packages
import pytest
import tool

kiln = pytest.importorskip("kiln")


def run(session, batch, seq):
    return session.run({"x": np.ones((batch, seq, 8), np.float32)})


def error_of(call):
    with pytest.raises(kiln.Error) as error:
        call()
    return error.value


def dims_in(text):
    """The ranges that a fix names, {name: (lo, hi)}."""
    found = re.findall(r"(\w+)=(\d+)(?:\.\.(\d+))?", text)
    return {name: (int(lo), int(hi or lo)) for name, lo, hi in found}


def test_session_narrower_than_its_package(small_package):
    narrow = kiln.Session(small_package[1], dims={"seq": (1, 8)})
    error = error_of(lambda: run(narrow, 1, 9))
    assert error.code == "KILN-E0604" and "--dims" not in error.fix
    lo, hi = map(int, re.search(r"use dims in (\d+)\.\.(\d+)", error.fix).groups())
    assert run(narrow, 1, lo) and run(narrow, 1, hi)
    assert run(kiln.Session(small_package[1], dims=dims_in(error.fix)), 1, 9)


@pytest.mark.parametrize("batch", [0, 5, 4096])
def test_dims_outside_of_the_package(small_package, tmp_path, batch):
    error = error_of(lambda: run(kiln.Session(small_package[1]), batch, 1))
    assert error.code == "KILN-E0604"
    dims = re.search(r"--dims (\S+?),", error.fix).group(1)
    tool.call("compile", small_package[0], "-o", tmp_path / "m.kiln", "--dims", dims, "-q")
    assert run(kiln.Session(tmp_path / "m.kiln"), batch, 1)


@pytest.mark.parametrize("hi", [1 << 31, (1 << 63) - 1])
def test_dims_that_no_package_has(small_package, hi):
    error = error_of(lambda: kiln.Session(small_package[1], dims={"batch": (1, hi)}))
    assert error.code == "KILN-E0608" and error.fix == "give a part of the model's range"
    lo, hi = map(int, re.search(r"a part of (\d+)\.\.(\d+)", error.expected).groups())
    assert run(kiln.Session(small_package[1], dims={"batch": (lo, hi)}), hi, 1)


def test_range_outside_of_the_package(small_package, tmp_path):
    error = error_of(lambda: kiln.Session(small_package[1], dims={"seq": (1, 20)}))
    dims = re.search(r"--dims (\S+?),", error.fix).group(1)
    tool.call("compile", small_package[0], "-o", tmp_path / "m.kiln", "--dims", dims, "-q")
    assert run(kiln.Session(tmp_path / "m.kiln", dims={"seq": (1, 20)}), 1, 20)


def test_range_from_its_larger_end(small_package):
    error = error_of(lambda: kiln.Session(small_package[1], dims={"seq": (9, 2)}))
    assert error.fix == "give the smaller end first" and error.found == "9..2"
    assert kiln.Session(small_package[1], dims={"seq": (2, 9)})


@pytest.mark.parametrize("place, field", [(12, "size of the header"), (24, "number of sections"), (28, "size of a section's row"), (32, "flags")])
def test_header_field(small_package, tmp_path, place, field):
    """The message names the field that is wrong and its values."""
    good = small_package[1].read_bytes()
    (tmp_path / "m.kiln").write_bytes(packages.flip(good, place + 2, 7))
    error = error_of(lambda: kiln.Session(tmp_path / "m.kiln"))
    assert error.code == "KILN-E0504" and error.what == f"the {field} is wrong", error
    assert error.expected and error.found and error.expected != error.found


LIMITED = """
import resource, sys, kiln
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    kiln.Session(sys.argv[1])
    print("a session")
except kiln.Error as error:
    print(error.code, error.fix)
"""


def test_memory_while_loading(small_package, tmp_path):
    """There is no session yet whose dims could be narrowed."""
    large = tmp_path / "large.kiln"
    large.write_bytes(small_package[1].read_bytes() + bytes(1 << 30))
    done = subprocess.run([sys.executable, "-c", LIMITED, large, str(1 << 30)], capture_output=True, text=True)
    assert done.stdout == "KILN-E0700 free memory or raise the limit (ulimit -v)\n", done.stdout + done.stderr


NO_NEW_CODE = """
import ctypes, sys
import numpy, kiln
PR_SET_MDWE, REFUSE_EXEC_GAIN = 65, 1
if ctypes.CDLL(None).prctl(PR_SET_MDWE, REFUSE_EXEC_GAIN, 0, 0, 0) != 0:
    print("no kernel for this")
    sys.exit()
session = kiln.Session(sys.argv[1])
print(session.run({"x": numpy.ones((1, 1, 8), numpy.float32)})["y"].shape)
"""


def test_process_whose_pages_may_not_become_code(small_package):
    """As MemoryDenyWriteExecute of systemd has it."""
    done = subprocess.run([sys.executable, "-c", NO_NEW_CODE, small_package[1]], capture_output=True, text=True)
    if done.stdout == "no kernel for this\n":
        pytest.skip("this kernel knows no PR_SET_MDWE")
    assert done.stdout.startswith("(1, 1"), done.stdout + done.stderr
