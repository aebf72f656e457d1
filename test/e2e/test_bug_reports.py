"""Models made from public bug reports of ONNX runtimes and compilers: each gives what ONNX defines, or is refused for the reason that it
should be. The sample is no part of the repository; what it has and is not named here must be right."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import tarfile

import kiln
import numpy as np
import pytest
import tool

# What a compile says that must not go through, or does not yet: a code, and a word of what was found.
REFUSED = {
    "control-flow-nested": ("KILN-E0120", "computed from data"),
    "external-fold-no-offset-no-length": ("KILN-E0116", "No such file"),  # the sample lacks it
    "io-oddities-no-outputs": ("KILN-E0125", "no outputs"),
    "slice-chains-bounds-of-shape": ("KILN-E0121", "n floordiv 2"),
}
# Advice of an error, at compile time or at run time, that works when followed.
OPTIONS = {
    "lora-inputs-rank-0": ["--dims", "r=0..512"],
    "matmul-add-broadcast-symbolic-one": ["--dims", "n=1,m=1..4"],
    "merged-decoder-both-true": ["--no-state"],
    "merged-decoder-no-cache": ["--no-state", "--freeze", "use_cache_branch=false"],
    "slice-chains-first-nine-tokens": ["--dims", "sequence=9..512"],
    "zero-sizes-over-nothing-ReduceMax": ["--dims", "n=0..512"],
}
# A mask of the lowest number of f16 that is added twice is minus infinity in f16, as in ONNX Runtime; the sample expects sums in f64.
LOOSE = {"f16-sentinel-f16-model-twice": 1.0}


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    with tarfile.open(tool.data_file("bug-reports.tar.xz")) as archive:
        archive.extractall(folder)
    return folder / "bug-reports"


def names():
    """The sample's folders; one empty name where it is absent, so that the skip is seen."""
    path = pathlib.Path(os.environ["KILN_TEST_DATA"]) / "bug-reports.tar.xz"
    if not path.exists():
        return [""]
    with tarfile.open(path) as archive:
        return sorted({name.split("/")[1] for name in archive.getnames() if name.count("/") > 1})


def run(folder, package, device):
    session, arrays = kiln.Session(package, device=device), np.load(folder / "inputs.npz")
    wanted = {tensor.name for tensor in session.inputs}
    return list(session.run({name: arrays[name] for name in arrays if name in wanted}).values())


def assert_near(found, expected, part):
    assert found.shape == expected.shape
    found, expected = found.astype(np.float64), expected.astype(np.float64)
    assert np.array_equal(np.isnan(found), np.isnan(expected))
    same = np.isnan(expected) | (found == expected)
    limit = part * (1 + np.abs(expected[np.isfinite(expected)]).max(initial=0))
    assert (same | (np.abs(np.where(same, 0, found - np.where(same, 0, expected))) <= limit)).all()


@pytest.mark.parametrize("device, target", [("cpu", "native"), ("sim:a100", "sm_80")])
@pytest.mark.parametrize("name", names())
def test_report(reports, simulator, tmp_path, name, device, target):
    folder, package = reports / name, tmp_path / "m.kiln"
    if name in REFUSED:
        refused = tool.call("compile", folder / "model.onnx", "-o", package, "-q", status=None)
        assert refused.status and all(text in refused.stderr for text in REFUSED[name]), refused.stderr
        if name not in OPTIONS:
            return
    tool.call("compile", folder / "model.onnx", "-o", package, "-q", "--target", target, *OPTIONS.get(name, []))
    expected = np.load(folder / "expected.npz")
    for number, found in enumerate(run(folder, package, device)):
        if str(number) in expected:
            assert_near(found, expected[str(number)], LOOSE.get(name, 2e-3 if found.dtype == np.float16 else 1e-4))
