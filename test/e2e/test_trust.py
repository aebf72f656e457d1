"""What a package can be trusted for: hashes, expected hashes, names, and files that change while they are used."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import hashlib
import json
import os
import shutil
import subprocess
import threading
import time

import models
import packages
import pytest
import tool

WIDE = f"""wide (float[batch,512] x) => (float[batch,512] y)
<{models._matrix("w", 512, 512, 1)}>
{{ y = MatMul(x, w) }}"""


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wide")
    model = models.write(folder / "wide.onnx", WIDE)
    tool.call("compile", model, "-o", folder / "wide.kiln", "--dims", "batch=1..4")
    return folder / "wide.kiln"


def test_every_page_of_the_weights(tmp_path, wide):
    good = wide.read_bytes()
    weights = packages.section(good, "weights")
    path = tmp_path / "m.kiln"
    for place in range(weights.offset, weights.offset + weights.size, 64 << 10):
        path.write_bytes(packages.flip(good, place + place // 4096 % 4096, place % 8))
        tool.assert_error(tool.call("run", path, status=None), "KILN-E0503", "m.kiln", "weights")
    assert tool.call("run", path, "--trust-weights").status == 0


def test_expect(wide):
    digest = hashlib.sha256(wide.read_bytes()).hexdigest()
    for command in ("run",), ("bench", "--iterations", "1"), ("verify",):
        assert tool.call(*command, wide, "--expect", digest).status == 0
        outcome = tool.call(*command, wide, "--expect", "0" * 64, status=None)
        tool.assert_error(outcome, "KILN-E0515", "wide.kiln", digest)
    tool.assert_error(tool.call("run", wide, "--expect", "abc", status=None), "KILN-E0001", "abc", status=2)


def test_names_do_not_matter(tmp_path, small_package):
    model, package = small_package
    (tmp_path / "folder").mkdir()
    other = tmp_path / "folder" / "another name.onnx"
    shutil.copy(model, other)
    tool.call("compile", other, "-o", tmp_path / "b.kiln", "--dims", "batch=1..4,seq=1..16")
    assert (tmp_path / "b.kiln").read_bytes() == package.read_bytes()
    provenance = json.loads(tool.call("inspect", package, "--json").stdout)["provenance"]
    assert provenance["model"]["sha256"] == hashlib.sha256(model.read_bytes()).hexdigest()
    assert b"small.onnx" not in package.read_bytes()


def test_abandoned_temporary_files(tmp_path, small_package):
    (tmp_path / "m.kiln.4242-0.tmp").write_bytes(b"of a compile that was killed")
    tool.call("compile", small_package[0], "-o", tmp_path / "m.kiln")
    assert os.listdir(tmp_path) == ["m.kiln"]


def overwrite(path, good):
    with open(path, "r+b") as file:
        file.write(bytes(len(good)))


CHANGES = {
    "truncated": lambda path, good: os.truncate(path, 8192),
    "emptied": lambda path, good: os.truncate(path, 0),
    "overwritten": overwrite,
    "copied over": lambda path, good: path.write_bytes(good[: len(good) // 2] + bytes(len(good) // 2)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_changed_during_bench(tmp_path, wide, change):
    path = tmp_path / "m.kiln"
    shutil.copy(wide, path)
    good = path.read_bytes()
    command = [str(tool.binary()), "bench", str(path), "--duration", "20", "--threads", "2"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(0.7)
    CHANGES[change](path, good)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 3, (process.returncode, out, err)
    assert "KILN-E0514" in err and "m.kiln" in err


def test_replaced_during_bench(tmp_path, wide):
    path = tmp_path / "m.kiln"
    shutil.copy(wide, path)
    command = [str(tool.binary()), "bench", str(path), "--duration", "1.5"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(0.7)
    (tmp_path / "new").write_bytes(b"another file")
    os.rename(tmp_path / "new", path)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err


def test_changed_during_load(tmp_path, wide):
    """Loads beside a writer: each gives the right result or a coded error."""
    path = tmp_path / "m.kiln"
    good = wide.read_bytes()
    path.write_bytes(good)
    right = tool.call("run", path).stdout.split("time:")[0]
    stop = threading.Event()

    def write():
        while not stop.is_set():
            path.write_bytes(good[: len(good) // 3])
            time.sleep(0.002)
            path.write_bytes(good)
            time.sleep(0.01)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        codes = set()
        for _ in range(25):
            outcome = tool.call("run", path, status=None)
            codes.add(outcome.code)
            if outcome.status == 0:
                assert outcome.stdout.split("time:")[0] == right
            else:
                assert outcome.code in ("KILN-E0004", "KILN-E0500", "KILN-E0502", "KILN-E0503", "KILN-E0514"), outcome
    finally:
        stop.set()
        writer.join()
