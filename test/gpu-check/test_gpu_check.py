"""tools/gpu-check on the simulated GPU. On a machine with a GPU only the name of the device differs."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import hashlib
import json
import os
import re
import shutil
import subprocess

import numpy as np
import pytest
from conftest import SELECT, SIMULATOR

H200 = ["--device", "sim:h200"]


def report(folder):
    return json.loads((folder / "report.json").read_text())


def test_the_archive_needs_nothing_else(packed, checker):
    archive, said = packed
    assert re.search(r"\d+ cases, \d+ measurements, [\d.]+ MiB", said) and archive.stat().st_size < 64 << 20
    for line in (checker.folder / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((checker.folder / name).read_bytes()).hexdigest() == digest, name
    for program in ("gpu-check", "lib/libkiln_sim_cuda.so"):
        text = subprocess.run(["ldd", str(checker.folder / program)], capture_output=True, text=True, check=True).stdout
        assert "not found" not in text and not re.search("LLVM|MLIR|cuda.so.1|cudart|protobuf", text), text


@pytest.mark.parametrize("device, target", [("sim:h200", "sm_90a"), ("sim:h200", "sm_80"), ("sim:a100", "sm_80")])
def test_packages_agree_with_the_reference(checker, tmp_path, device, target):
    words = ["run", "--device", device, "--target", target, "--only", "verify"]
    text = checker(*words, "--out", tmp_path / "out").stdout
    found = report(tmp_path / "out")
    names = {result["name"] for result in found["verify"]}
    # Every selected case was packed and ran.
    assert len(names) == len([part for part in SELECT if part not in ("tiny", "8x256", "attention_bf16_64_d64")]), names
    assert all(result["passed"] and result["error"] <= result["tolerance"] for result in found["verify"])
    assert found["command"].startswith(" ".join(words)) and found["device"] == device and found["simulated"]
    assert found["passed"] and text.endswith("PASSED\n")
    exact = [result["error"] for result in found["verify"] if result["name"] in ("movement_bf16", "casts", "integers")]
    assert len(exact) > 10 and set(exact) == {0}


def test_a_target_that_does_not_fit_is_a_failure(checker, tmp_path):
    words = ["--device", "sim:a100", "--target", "sm_90a", "--only", "verify", "--match", "casts"]
    assert "KILN-E0510" in checker("run", *words, "--out", tmp_path / "out", status=1).stdout


def test_a_wrong_result_is_found(checker, tmp_path):
    path = checker.folder / "cases/gemm_f32_nt_65x33x47/out0.npy"
    stored = np.load(path)
    stored[3, 5] += 1e-3 * np.sqrt(np.mean(stored**2))
    np.save(path, stored)
    outcome = checker("run", *H200, "--only", "verify", "--match", "gemm_f", "--out", tmp_path / "out", status=1)
    failed = [result["name"] for result in report(tmp_path / "out")["verify"] if not result["passed"]]
    assert failed == ["gemm_f32_nt_65x33x47"] and outcome.stdout.endswith("FAILED\n")


def test_a_broken_package_is_a_failure_and_the_rest_runs(checker, tmp_path):
    package = checker.folder / "cases/casts/model.kiln"
    package.write_bytes(package.read_bytes()[:-100])
    checker("run", *H200, "--only", "verify", "--out", tmp_path / "out", status=1)
    results = report(tmp_path / "out")["verify"]
    assert [r["name"] for r in results if not r["passed"]] == ["casts"] and len(results) > 10
    assert "KILN-E05" in next(r["failure"] for r in results if r["name"] == "casts")


def test_the_same_bits_as_a_second_simulator(checker, tmp_path):
    checker("run", *H200, "--only", "bits", "--vectors", 1, "--out", tmp_path / "out")
    bits = report(tmp_path / "out")["bits"]
    mma = [r for r in bits if r["instruction"].startswith("mma.sync")]
    assert len(mma) == 19 and len(bits) == 63 and all(r["passed"] and r["vectors"] == 20 for r in bits)
    for part in ("m16n8k16.row.col.f32.bf16", "m16n8k8.row.col.f32.tf32", "k32.row.col.f32.e4m3.e4m3", "m64n256k16.f32.f16"):
        assert any(part in r["instruction"] for r in bits), part
    assert not (tmp_path / "out/vectors").exists()


def test_another_architecture_differs_and_is_written_down(checker, tmp_path):
    words = ["--only", "bits", "--vectors", 4, "--match", "m16n8k16.row.col.f32", "--reference", "a100"]
    text = checker("run", *H200, *words, "--out", tmp_path / "out", status=1).stdout
    found = report(tmp_path / "out")
    assert found["reference"] == "sim:a100" and not found["passed"] and "differ: " in text
    # Small whole numbers are exact on both, so what differs is the arithmetic and not the layout.
    assert all(r["different"] and not r["inexact"] and "whole" not in r["patterns"] for r in found["bits"])
    files = sorted((tmp_path / "out/vectors").iterdir())
    assert [f.name for f in files] == ["mma.m16n8k16.f32.bf16.bf16.f32.txt", "mma.m16n8k16.f32.f16.f16.f32.txt"]
    assert re.search(r"^s [0-9a-f]{1024}$", files[0].read_text(), re.MULTILINE)
    checker("replay", *files)
    checker("replay", *files, "--device", "sim:a100", status=1)


def test_what_a_gpu_lacks_is_said(checker, tmp_path):
    text = checker("run", "--device", "sim:a100", "--only", "bits", "--vectors", 1, "--out", tmp_path / "out").stdout
    found = report(tmp_path / "out")
    assert "needs sm_89, this is sm_80" in text and "needs sm_90a, this is sm_80" in text
    assert len(found["bits"]) == 15 and len(found["skipped"]) == 48


def test_frozen_vectors_are_replayed(checker, tmp_path):
    words = ["--only", "bits", "--vectors", 2, "--freeze", 1, "--match", "m16n8k8.row.col.f32.tf32"]
    checker("run", *H200, *words, "--out", tmp_path / "out")
    path = tmp_path / "out/frozen/mma.m16n8k8.f32.tf32.tf32.f32.90.txt"
    lines = path.read_text().splitlines()
    instruction = "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"
    assert lines[:3] == ["kiln-vectors 1", f"instruction {instruction}", "device 90 NVIDIA H200"]
    assert sum(line.startswith("vector ") for line in lines) == 20
    checker("replay", path)
    # One bit of one result.
    place = next(i for i, line in enumerate(lines) if line.startswith("d "))
    lines[place] = "d " + format(int(lines[place][2], 16) ^ 1, "x") + lines[place][3:]
    path.write_text("\n".join(lines) + "\n")
    assert "1 differ: whole" in checker("replay", path, status=1).stdout
    path.write_text("\n".join(lines)[:-3] + "\n")
    error = checker("replay", path, status=3).stderr
    assert f"KILN-E0004: {path} line {len(lines)}" in error and "128 elements of 8 hex digits" in error


def test_modelled_times_say_so(checker, tmp_path):
    text = checker("run", *H200, "--only", "speed", "--out", tmp_path / "out").stdout
    found = report(tmp_path / "out")
    assert {r["kind"] for r in found["speed"]} == {"copy", "gemm", "gemv", "rows", "attention"}
    assert all(r["kiln_us"] > 0 and not r["failure"] and r["operand_sets"] for r in found["speed"])
    assert "times are modelled" in text and {s["name"] for s in found["skipped"]} >= {"cuBLAS", "cuDNN"}
    gemv = next(r for r in found["speed"] if r["kind"] == "gemv")
    assert gemv["ratio_copy"] == pytest.approx(gemv["copy_us"] / gemv["kiln_us"], rel=1e-4) and gemv["ratio_peer"] is None and gemv["peer"] == ""


def stand_in(name):
    path = os.environ.get(f"KILN_FAKE_{name.upper()}")
    return path or pytest.skip(f"KILN_FAKE_{name.upper()} is not set (the build of the tests makes the library)")


@pytest.mark.parametrize("peer, match, count", [("cuBLAS", "gem", 2), ("cuDNN", "attention", 1)])
def test_beside_another_library(checker, tmp_path, peer, match, count):
    """A stand-in with the library's interface: arguments, capture, turns and the comparison of results."""
    words = ["run", *H200, "--only", "speed", "--match", match, f"--{peer.lower()}", stand_in(peer)]
    simulator = checker.folder / "lib/libkiln_sim_cuda.so"
    checker(*words, "--out", tmp_path / "out", FAKE_CUDA_DRIVER=simulator)
    results = [r for r in report(tmp_path / "out")["speed"] if r["kind"] != "copy"]
    assert len(results) == count and {r["peer"] for r in results} == {peer}
    assert all(r["peer_us"] > 0 and r["error_peer"] < 8e-3 for r in results)
    wrong = {f"FAKE_{peer.upper()}_WRONG": "1"}
    checker(*words, "--out", tmp_path / "wrong", status=1, FAKE_CUDA_DRIVER=simulator, **wrong)
    assert all("differ by" in r["failure"] for r in report(tmp_path / "wrong")["speed"] if r["kind"] != "copy")


def test_a_library_without_the_kernel(checker, tmp_path):
    """cuDNN before 9.13: Kiln is measured all the same, and the report says what is missing."""
    words = ["run", *H200, "--only", "speed", "--match", "attention", "--cudnn", stand_in("cuDNN")]
    simulator = checker.folder / "lib/libkiln_sim_cuda.so"
    checker(*words, "--out", tmp_path / "out", FAKE_CUDA_DRIVER=simulator, FAKE_CUDNN_OLD="1")
    found = report(tmp_path / "out")
    [attention] = [r for r in found["speed"] if r["kind"] != "copy"]
    assert attention["kiln_us"] > 0 and attention["peer"] == "" and attention["ratio_peer"] is None
    [why] = [s["why"] for s in found["skipped"] if s["name"].startswith("cuDNN")]
    assert "KILN-E0706" in why and "no such descriptor" in why and "9.13" in why


def test_the_name_cuda_goes_to_the_driver(checker, tmp_path):
    """As on a machine with a GPU: the driver is a library found by its name."""
    words = ["run", "--device", "cuda:0", "--match", "gemm_bf16", "--only", "verify", "--out", tmp_path / "out"]
    copy = tmp_path / "libcuda.so.1"
    shutil.copyfile(SIMULATOR, copy)
    checker(*words, KILN_CUDA_DRIVER=copy, KILN_SIM_DEVICES="l40s")
    found = report(tmp_path / "out")
    assert (found["device"], found["gpu"], found["capability"]) == ("cuda:0", "NVIDIA L40S", 89)
    bits = ["run", "--device", "cuda:0", "--only", "bits", "--vectors", 1, "--match", "e4m3", "--out", tmp_path / "out"]
    checker(*bits, KILN_CUDA_DRIVER=copy, KILN_SIM_DEVICES="l40s")
    assert [r["passed"] for r in report(tmp_path / "out")["bits"]] == [True] * 3


@pytest.mark.parametrize("words, status, code, text", [
    (["run", "--device", "cuda:0"], 4, "KILN-E0704", "sim:h200"),
    (["run", "--device", "tpu"], 4, "KILN-E0702", "cuda:N"),
    (["run", "--device", "sim:tnt2"], 4, "KILN-E0702", "tnt2"),
    (["run", "--device", "sim:"], 4, "KILN-E0702", "sim:PROFILE"),
    (["run", "--only", "everything"], 2, "KILN-E0001", "verify, bits or speed"),
    (["run", "--vectors", "x"], 2, "KILN-E0001", "--vectors"),
    (["run", "--colour", "red"], 2, "KILN-E0001", "'--colour'"),
    (["replay"], 2, "KILN-E0001", "files to replay"),
    (["walk"], 2, "KILN-E0001", "'walk'"),
    (["replay", "absent.txt"], 3, "KILN-E0002", "absent.txt"),
    (["run", *H200, "--only", "verify", "--archive", "absent"], 3, "KILN-E0002", "absent/cases.txt"),
])
def test_bad_input(checker, tmp_path, words, status, code, text):
    out = ["--out", tmp_path / "out"] if words[0] == "run" else []
    error = checker(*words, *out, status=status, KILN_CUDA_DRIVER=tmp_path / "no-libcuda.so").stderr
    message = next(line for line in error.splitlines() if line.startswith("error: "))
    assert message.startswith(f"error: {code}: ") and text in message
    assert all(part in message for part in ("expected ", "found ", "fix: "))


def test_nothing_chosen_is_no_success(checker, tmp_path):
    checker("run", *H200, "--only", "verify", "--match", "no such case", "--out", tmp_path / "out", status=1)


def test_help(checker):
    assert "Usage: gpu-check run" in checker("--help").stdout


