"""Models made from public bug reports of ONNX runtimes and compilers: each gives what ONNX defines, or is refused for the reason that it
should be. The sample is no part of the repository; what it has and is not named here must be right."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import tarfile

import kiln
import numpy as np
import pytest
import tool

# Models that are refused, by design or for now: the code, and a word of the message.
REFUSED = {
    "external-fold-no-offset-no-length": ("KILN-E0116", "No such file"),  # the sample lacks this file
    "io-oddities-no-outputs": ("KILN-E0125", "no outputs"),
}
# Options that the error messages advise, at compile or run time, and that work.
OPTIONS = {
    "lora-inputs-rank-0": ["--dims", "r=0..512"],
    "matmul-add-broadcast-symbolic-one": ["--dims", "n=1,m=1..4"],
    "merged-decoder-both-true": ["--no-state"],
    "merged-decoder-no-cache": ["--no-state", "--freeze", "use_cache_branch=false"],
    "slice-chains-first-nine-tokens": ["--dims", "sequence=9..512"],
    "zero-sizes-over-nothing-ReduceMax": ["--dims", "n=0..512"],
}
# Adding the lowest f16 value twice gives minus infinity in f16, as in ONNX Runtime; the sample expects sums in f64.
LOOSE = {"f16-sentinel-f16-model-twice": 1.0}
PARTS = 5


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    with tarfile.open(tool.data_file("bug-reports.tar.xz")) as archive:
        archive.extractall(folder)
    return folder / "bug-reports"


def run(folder, package, device):
    session, arrays = kiln.Session(package, device=device), np.load(folder / "inputs.npz")
    wanted = {tensor.name for tensor in session.inputs}
    return list(session.run({name: arrays[name] for name in arrays if name in wanted}).values())


def is_near(found, expected, part):
    if found.shape != expected.shape:
        return False
    found, expected = found.astype(np.float64), expected.astype(np.float64)
    same = (found == expected) | (np.isnan(found) & np.isnan(expected))
    limit = part * (1 + np.abs(expected[np.isfinite(expected)]).max(initial=0))
    return bool(np.all(same | (np.abs(np.where(same, 0, found) - np.where(same, 0, expected)) <= limit)))


def problem(folder, package, device, target):
    """What is wrong with a report; "" if nothing is."""
    name, options = folder.name, OPTIONS.get(folder.name, [])
    done = tool.call("compile", folder / "model.onnx", "-o", package, "-q", "--target", target, *options, status=None)
    if name in REFUSED:
        return "" if done.status and all(text in done.stderr for text in REFUSED[name]) else f"{name}: not refused as it should be: {done.stderr}"
    if done.status:
        return f"{name}: {done.stderr}"
    expected = np.load(folder / "expected.npz")
    for number, found in enumerate(run(folder, package, device)):
        limit = LOOSE.get(name, 2e-3 if found.dtype == np.float16 else 1e-4)
        if str(number) in expected and not is_near(found, expected[str(number)], limit):
            return f"{name}: output {number} is wrong"
    return ""


@pytest.mark.parametrize("part", range(PARTS))
def test_reports(reports, simulator, tmp_path, part):
    folders = sorted(path for path in reports.iterdir() if path.is_dir())[part::PARTS]
    targets = (("cpu", "native"), ("sim:a100", "sm_80"))
    problems = [problem(folder, tmp_path / "m.kiln", *target) for folder in folders for target in targets]
    assert folders and not any(problems), "\n".join(filter(None, problems))
