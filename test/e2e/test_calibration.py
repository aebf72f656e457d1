"""kiln compile --calib: what samples may be, what is said of those that are none, memory, and going on after a stop."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import time
import zipfile

import numpy as np
import onnx
import pytest
import tool
from test_quantization import correlated_product

BYTES = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


def compile_model(model, package, *options, status=0):
    return tool.call("compile", model, "-o", package, "--precision", "int4", *options, status=status)


# Samples


@pytest.fixture(scope="module")
def product(tmp_path_factory):
    """(a model of one product, two samples, the package that a folder of them gives)."""
    folder = tmp_path_factory.mktemp("product")
    model, _, samples = correlated_product(folder)
    for number, sample in enumerate(samples[:2]):
        (folder / "samples" / str(number)).mkdir(parents=True)
        np.save(folder / "samples" / str(number) / "x.npy", sample)
    compile_model(model, folder / "m.kiln", "--dims", "n=1..128", "--calib", folder / "samples")
    return model, samples[:2], (folder / "m.kiln").read_bytes()


def test_samples_of_an_archive(product, tmp_path):
    """A dim of samples in front, stored and compressed, or one sample: the bytes that a folder gives."""
    model, samples, expected = product
    np.savez(tmp_path / "stored.npz", x=np.stack(samples))
    np.savez_compressed(tmp_path / "packed.npz", x=np.stack(samples))
    assert (tmp_path / "packed.npz").stat().st_size != (tmp_path / "stored.npz").stat().st_size
    for name in ("stored.npz", "packed.npz"):
        report = compile_model(model, tmp_path / "m.kiln", "--dims", "n=1..128", "--calib", tmp_path / name).stdout
        assert (tmp_path / "m.kiln").read_bytes() == expected
        assert re.search(r"samples  2, run 1 time for 1 inputs of products, whose sums took at most 48.0 KiB", report)
    (tmp_path / "one").mkdir()
    np.save(tmp_path / "one/x.npy", np.asfortranarray(samples[0]))
    np.savez_compressed(tmp_path / "one.npz", x=samples[0])
    packages = []
    for name in ("one", "one.npz"):
        compile_model(model, tmp_path / "m.kiln", "--dims", "n=1..128", "--calib", tmp_path / name)
        packages.append((tmp_path / "m.kiln").read_bytes())
    assert packages[0] == packages[1] != expected


def folder_of(folder, arrays):
    for number in range(max((len(array) for array in arrays.values()), default=0)):
        (folder / str(number)).mkdir(parents=True)
        for name, array in arrays.items():
            np.save(folder / str(number) / f"{name}.npy", array[number])
    folder.mkdir(exist_ok=True)
    return folder


def archive_of(folder, arrays):
    np.savez(folder.with_suffix(".npz"), **arrays)
    return folder.with_suffix(".npz")


VALUES = np.ones((2, 4, 64), np.float32)


@pytest.mark.parametrize("write", [folder_of, archive_of])
@pytest.mark.parametrize(
    "arrays, words",
    [
        ({"other": VALUES}, ["of no input of the model", "'x'", "'other'"]),
        ({"x": VALUES, "other": VALUES}, ["of no input of the model", "'other'"]),
        ({"x": VALUES.astype(np.float64)}, ["another type", "f32", "f64"]),
        ({"x": VALUES.astype(np.int32)}, ["another type", "f32", "i32"]),
        ({"x": VALUES[:, :, :5]}, ["another shape", "[n,64]", "[4,5]"]),
        ({"x": np.ones((2, 200, 64), np.float32)}, ["another shape", "1..128", "[200,64]"]),
        ({"x": VALUES[:, :0]}, ["another shape", "1..128", "[0,64]"]),
        ({"x": VALUES[:, 0, 0]}, ["another shape", "[n,64]"]),
        ({"x": np.where(np.arange(64) == 7, np.nan, VALUES).astype(np.float32)}, ["holds NaN", "element 7", "'x'"]),
        ({"x": np.where(np.arange(64) == 7, np.inf, VALUES).astype(np.float32)}, ["what is no number", "product"]),
        ({"x": VALUES[:0]}, ["holds no sample"]),
        ({}, ["holds no sample"]),
    ],
)
def test_samples_that_do_not_fit(product, tmp_path, write, arrays, words):
    outcome = compile_model(product[0], tmp_path / "m.kiln", "--dims", "n=1..128", "--calib", write(tmp_path / "samples", arrays), status=None)
    tool.assert_error(outcome, "KILN-E0126", *words, status=3)
    assert not (tmp_path / "m.kiln").exists()


def test_arrays_of_an_archive_that_do_not_fit_together(tmp_path):
    names = ["x", "y"]
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("Add", names, ["z"]), onnx.helper.make_node("MatMul", ["z", "w"], ["out"], name="product")], "g",
        [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["n", 64]) for name in names],
        [onnx.helper.make_tensor_value_info("out", onnx.TensorProto.FLOAT, ["n", 64])],
        [onnx.numpy_helper.from_array(np.eye(64, dtype=np.float32), "w")])
    onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)]), tmp_path / "sum.onnx")

    def failure(**arrays):
        np.savez(tmp_path / "samples.npz", **arrays)
        return compile_model(tmp_path / "sum.onnx", tmp_path / "m.kiln", "--dims", "n=1..128", "--calib", tmp_path / "samples.npz", status=None)

    for wrong in (failure(x=VALUES, y=VALUES[:1]), failure(x=VALUES, y=VALUES[0])):
        tool.assert_error(wrong, "KILN-E0126", "different numbers of samples", "'y'", status=3)
    tool.assert_error(failure(x=VALUES, y=VALUES[:, :3]), "KILN-E0126", "sample 0", "n", status=3)
    failure(x=VALUES, y=VALUES)
    assert (tmp_path / "m.kiln").exists()


def archive(entries, compression=zipfile.ZIP_STORED):
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", compression) as file:
        for name, content in entries:
            file.writestr(name, content)
    return memory.getvalue()


def npy(array):
    memory = io.BytesIO()
    np.save(memory, array)
    return memory.getvalue()


def changed(content, at, value):
    return content[:at] + bytes([content[at] ^ value]) + content[at + 1:]


def test_archives_that_are_damaged(product, tmp_path):
    stored = archive([("x.npy", npy(VALUES))])
    packed = archive([("x.npy", npy(VALUES))], zipfile.ZIP_DEFLATED)
    directory = stored.rindex(b"PK\1\2")
    cases = {
        "empty": (b"", "cut off"),
        "no archive": (b"x" * 1000, "cut off"),
        "cut": (stored[:-30], "cut off"),
        "cut in front": (stored[100:], "damaged"),
        "a comment that is not whole": (stored[:-2] + b"\5\0", "cut off"),
        "contents": (changed(stored, 300, 1), "checksum"),
        "packed contents": (changed(packed, packed.index(b"x.npy") + 30, 0xff), "damaged"),
        "a size": (changed(stored, directory + 24, 1), "impossible"),
        "a size beyond all": (changed(packed, packed.rindex(b"PK\1\2") + 27, 0x7f), "impossible"),
        "an offset": (changed(stored, directory + 42, 1), "cut off"),
        "a way to compress": (changed(stored, directory + 10, 12), "method 12"),
        "a password": (changed(stored, directory + 8, 1), "encrypted"),
        "64 bits": (stored[:directory + 20] + b"\xff" * 4 + stored[directory + 24:], "4 GiB"),
        "a name": (archive([("x.txt", b"text")]), "no array"),
        "an array": (archive([("x.npy", b"text")]), "not a .npy file"),
        "a short array": (archive([("x.npy", npy(VALUES)[:-4])]), "the size of the shape"),
    }
    with pytest.warns(UserWarning, match="Duplicate"):
        cases["the same twice"] = archive([("x.npy", npy(VALUES)), ("x.npy", npy(VALUES))]), "of its own"
    for name, (content, word) in cases.items():
        (tmp_path / "s.npz").write_bytes(content)
        outcome = compile_model(product[0], tmp_path / "m.kiln", "--dims", "n=1..128", "--calib", tmp_path / "s.npz", status=None)
        tool.assert_error(outcome, "KILN-E0126", word, "s.npz", status=3)
        assert not (tmp_path / "m.kiln").exists(), name
    for cut in range(0, len(packed), 13):
        (tmp_path / "s.npz").write_bytes(packed[:cut])
        assert compile_model(product[0], tmp_path / "m.kiln", "--dims", "n=1..128", "--calib", tmp_path / "s.npz", status=None).code == "KILN-E0126"


def test_arrays_of_a_folder_that_are_damaged(product, tmp_path):
    (tmp_path / "samples").mkdir()
    for content, word in ((npy(VALUES[0])[:-4], "the size of the shape"), (npy(VALUES[0])[:40], "cut off"), (b"", "not a .npy file")):
        (tmp_path / "samples/x.npy").write_bytes(content)
        outcome = compile_model(product[0], tmp_path / "m.kiln", "--dims", "n=1..128", "--calib", tmp_path / "samples", status=None)
        tool.assert_error(outcome, "KILN-E0126", word, "x.npy", status=3, parts=("expected ", "fix: "))


# Memory


def many_products(folder, k, count=12):
    """Products of as many inputs, with weights that are small beside the sums that calibrate them."""
    random = np.random.default_rng(0)
    nodes, weights = [], []
    for i in range(count):
        weights.append(onnx.numpy_helper.from_array(random.standard_normal((k, 16)).astype(np.float32), f"w{i}"))
        nodes += [onnx.helper.make_node("MatMul", [f"x{i}", f"w{i}"], [f"y{i}"], name=f"product{i}"),
                  onnx.helper.make_node("Add", [f"x{i}", f"c{i}"], [f"x{i + 1}"])]
        weights.append(onnx.numpy_helper.from_array(random.standard_normal(k).astype(np.float32), f"c{i}"))
    graph = onnx.helper.make_graph(
        nodes, "g", [onnx.helper.make_tensor_value_info("x0", onnx.TensorProto.FLOAT, ["n", k])],
        [onnx.helper.make_tensor_value_info(f"y{i}", onnx.TensorProto.FLOAT, ["n", 16]) for i in range(count)], weights)
    onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)]), folder / "products.onnx")
    np.savez(folder / "samples.npz", x0=random.standard_normal((3, 32, k)).astype(np.float32))
    return folder / "products.onnx"


def size_of(text):
    number, unit = text.split()
    return float(number) * BYTES[unit]


def test_memory_is_what_is_said(tmp_path):
    """Sums of 12 products with K = 2048 take 576 MiB at once, and 96 MiB two at a time: so much less is the peak."""
    model = many_products(tmp_path, k=2048, count=12)
    said, peaks = [], []
    for memory, passes in (("1GiB", "1 time"), ("100MiB", "6 times")):
        report = compile_model(model, tmp_path / "m.kiln", "--dims", "n=1..32", "--calib", tmp_path / "samples.npz", "--calib-memory", memory).stdout
        assert f"samples  3, run {passes} for 12 inputs" in report
        said.append(size_of(re.search(r"sums took at most (\S+ \S+)\n", report).group(1)))
        peaks.append(size_of(re.search(r"peak memory (\S+ \S+)\n", report).group(1)))
    assert said == [576 * BYTES["MiB"], 96 * BYTES["MiB"]]
    assert abs((peaks[0] - peaks[1]) - (said[0] - said[1])) < 0.1 * said[0]


def test_passes_do_not_change_the_package(tmp_path):
    """All at once, some, and one input at a time, which takes what it needs."""
    model = many_products(tmp_path, k=128)
    packages = []
    for memory, passes in (("1GiB", "1 time"), ("600KiB", "4 times"), ("1", "12 times")):
        report = compile_model(model, tmp_path / "m.kiln", "--dims", "n=1..32", "--calib", tmp_path / "samples.npz", "--calib-memory", memory).stdout
        assert f"samples  3, run {passes} for 12 inputs" in report
        packages.append((tmp_path / "m.kiln").read_bytes())
    assert packages[0] == packages[1] == packages[2]


# Resuming after a stop


def test_a_calibration_that_was_killed_goes_on(tmp_path):
    """Killed at ten points: the same bytes in the end, and what was done is not done again."""
    model = many_products(tmp_path, k=512)
    np.savez(tmp_path / "samples.npz", x0=np.random.default_rng(1).standard_normal((24, 32, 512)).astype(np.float32))
    options = ["--dims", "n=1..32", "--calib", tmp_path / "samples.npz", "--calib-memory", "12MiB"]
    begin = time.monotonic()
    compile_model(model, tmp_path / "m.kiln", *options)
    seconds, expected = time.monotonic() - begin, (tmp_path / "m.kiln").read_bytes()
    state, found = tmp_path / "state", tmp_path / "found.kiln"
    command = [tool.binary(), "compile", model, "-o", found, "--precision", "int4", *options, "--calib-state", state]
    resumed = 0
    for point in range(10):
        shutil.rmtree(state, ignore_errors=True)
        process = subprocess.Popen([*map(str, command)], stdout=subprocess.DEVNULL)
        time.sleep(seconds * (point + 0.5) / 10)
        process.kill()
        process.wait()
        report = compile_model(model, found, *options, "--calib-state", state).stdout
        assert found.read_bytes() == expected
        done = re.search(r"(\d+) of 72 runs were done already", report)
        resumed += done is not None and 0 < int(done.group(1))
        found.unlink()
    assert resumed >= 3
    # The state is complete now, without partial files.
    assert "72 of 72 runs were done already" in compile_model(model, found, *options, "--calib-state", state).stdout
    assert sorted(path.name for path in state.iterdir()) == ["calibration", *sorted(f"matrix-{i}" for i in range(12))]


@pytest.mark.parametrize("keeps", [True, False])
def test_what_a_stop_leaves_behind(product, tmp_path, keeps):
    """The package that is observed, and the file of matrices, have lost their names before samples run."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    np.savez(tmp_path / "samples.npz", x=np.zeros((2000, 32, 64), np.float32))
    command = [tool.binary(), "compile", product[0], "-o", tmp_path / "m.kiln", "--precision", "int4", "--dims", "n=1..128",
               "--calib", tmp_path / "samples.npz", "-v", *(["--calib-state", tmp_path / "state"] if keeps else [])]  # fmt: skip
    environment = {**os.environ, "TMPDIR": str(folder)}
    with subprocess.Popen([*map(str, command)], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment, text=True) as process:
        assert any(re.search(r"run \d+ of", line) for line in process.stderr)  # printed before the first run
        process.kill()
    assert not any(folder.iterdir())


def test_a_state_of_something_else(product, tmp_path):
    model, samples, expected = product
    np.savez(tmp_path / "samples.npz", x=np.stack(samples))
    state = tmp_path / "state"

    def run(*options, calib="samples.npz", status=None):
        return compile_model(model, tmp_path / "m.kiln", "--dims", "n=1..128", "--calib", tmp_path / calib, "--calib-state", state, *options, status=status)

    run(status=0)
    assert (tmp_path / "m.kiln").read_bytes() == expected
    (tmp_path / "m.kiln").unlink()
    np.savez(tmp_path / "others.npz", x=np.stack(samples)[:, ::-1])
    for outcome in (run(calib="others.npz"), run("--algorithm", "awq"), run("--calib-memory", "2GiB")):
        tool.assert_error(outcome, "KILN-E0126", "of another calibration", "state", status=3)
    matrix = state / "matrix-0"
    whole = matrix.read_bytes()
    for content in (whole[:-1], whole + b"x", changed(whole, 5, 1), changed(whole, len(whole) - 100, 1), changed(whole, len(whole) - 1, 1), b""):
        matrix.write_bytes(content)
        tool.assert_error(run(), "KILN-E0126", "is damaged", "matrix-0", status=3)
    matrix.unlink()
    (state / "sums-0").write_bytes(whole)
    tool.assert_error(run(), "KILN-E0126", "is damaged", "sums-0", status=3)
    (state / "sums-0").unlink()
    run(status=0)
    (state / "calibration").unlink()
    tool.assert_error(run(), "KILN-E0126", "of no calibration", "other files", status=3)
    shutil.rmtree(state)
    state.write_text("a file")
    tool.assert_error(run(), "KILN-E0126", "of no calibration", status=3)
    state.unlink()
    state = tmp_path / "none/state"
    tool.assert_error(run(), "KILN-E0003", "cannot be made", "none/state", status=4)
    outcome = tool.call("compile", model, "-o", tmp_path / "m.kiln", "--precision", "int4", "--calib-state", state, status=None)
    tool.assert_error(outcome, "KILN-E0001", "--calib-state", "nothing to keep", status=2)
