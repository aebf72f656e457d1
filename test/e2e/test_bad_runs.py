"""The bad-input list, runs: inputs that do not fit, malformed .npy files, outputs that cannot be written."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os

import numpy as np
import pytest
import tool

GOOD = np.zeros((2, 3, 8), np.float32)

# name: (name of the input, array, code, words)
INPUTS = {
    "wrong name": ("xx", GOOD, "0600", ["xx"]),
    "wrong dtype": ("x", GOOD.astype(np.float64), "0602", ["x", "f32", "f64"]),
    "wrong rank": ("x", GOOD[0], "0603", ["x", "3", "2"]),
    "fixed dim differs": ("x", GOOD[:, :, :7], "0605", ["x", "8", "7"]),
    "dim above the envelope": ("x", np.zeros((5, 3, 8), np.float32), "0604", ["x", "batch", "5"]),
    "dim below the envelope": ("x", np.zeros((0, 3, 8), np.float32), "0604", ["x", "batch", "0"]),
}


@pytest.mark.parametrize("name", INPUTS)
def test_bad_input(name, small_package, tmp_path):
    tensor, array, code, words = INPUTS[name]
    np.save(tmp_path / "x.npy", array)
    command = ["run", small_package[1], "--input", f"{tensor}=@{tmp_path}/x.npy", "--output", f"y=@{tmp_path}/y.npy"]
    outcome = tool.call(*command, status=None)
    tool.assert_error(outcome, f"KILN-E{code}", *words, status=2)
    assert os.listdir(tmp_path) == ["x.npy"]


def npy(header=None, data=b"\0" * 192, magic=b"\x93NUMPY", version=b"\x01\x00", size=None):
    header = header if header is not None else "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, 8), }"
    text = header.encode().ljust(117) + b"\n"
    size = len(text) if size is None else size
    return magic + version + size.to_bytes(2, "little") + text + data


NPY = {
    "empty": b"",
    "no magic": npy(magic=b"\x93NUMPX"),
    "version 9": npy(version=b"\x09\x00"),
    "header cut off": npy()[:40],
    "header longer than the file": npy(size=60000),
    "no dictionary": npy(header="hello"),
    "no shape": npy(header="{'descr': '<f4', 'fortran_order': False, }"),
    "negative shape": npy(header="{'descr': '<f4', 'fortran_order': False, 'shape': (2, -3, 8), }"),
    "huge shape": npy(header="{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296, 8), }"),
    "objects": npy(header="{'descr': '|O', 'fortran_order': False, 'shape': (2, 3, 8), }"),
    "big-endian": npy(header="{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3, 8), }"),
    "too few bytes": npy(data=b"\0" * 191),
    "too many bytes": npy(data=b"\0" * 193),
}


def test_the_npy_maker_makes_good_files(small_package, tmp_path):
    (tmp_path / "x.npy").write_bytes(npy())
    tool.call("run", small_package[1], "--input", f"x=@{tmp_path}/x.npy")


@pytest.mark.parametrize("name", NPY)
def test_malformed_npy(name, small_package, tmp_path):
    (tmp_path / "x.npy").write_bytes(NPY[name])
    outcome = tool.call("run", small_package[1], "--input", f"x=@{tmp_path}/x.npy", status=None)
    tool.assert_error(outcome, "KILN-E0611", "x.npy")


def test_missing_npy(small_package, tmp_path):
    outcome = tool.call("run", small_package[1], "--input", f"x=@{tmp_path}/none.npy", status=None)
    tool.assert_error(outcome, "KILN-E0002", "none.npy")


def test_input_given_twice(small_package, tmp_path):
    np.save(tmp_path / "x.npy", GOOD)
    twice = ["--input", f"x=@{tmp_path}/x.npy"] * 2
    tool.assert_error(tool.call("run", small_package[1], *twice, status=None), "KILN-E0607", "x", status=2)


def test_dims_outside_the_envelope(small_package):
    outcome = tool.call("run", small_package[1], "--dims", "batch=5", status=None)
    tool.assert_error(outcome, "KILN-E0604", "batch", "1 to 4", "5", status=2)


def test_compare(small_package, tmp_path):
    package = small_package[1]
    tool.call("run", package, "--output", f"y=@{tmp_path}/y.npy")
    assert tool.call("run", package, "--compare", tmp_path).stdout.splitlines()[-1] == "PASSED"
    expected = np.load(tmp_path / "y.npy")
    expected.flat[3] += 1
    np.save(tmp_path / "y.npy", expected)
    outcome = tool.call("run", package, "--compare", tmp_path, status=1)
    assert outcome.stdout.splitlines()[-1] == "FAILED" and "element 3" in outcome.stdout
    os.remove(tmp_path / "y.npy")
    tool.assert_error(tool.call("run", package, "--compare", tmp_path, status=None), "KILN-E0002", "y.npy")


def test_random_inputs_repeat(small_package, tmp_path):
    runs = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        tool.call("run", small_package[1], "--seed", seed, "--output", f"y=@{tmp_path}/{name}.npy")
        runs.append((tmp_path / f"{name}.npy").read_bytes())
    assert runs[0] == runs[1] != runs[2]
