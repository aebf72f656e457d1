"""The bad-input list, the machine: outputs that cannot be written, full disks, exhausted memory, closed pipes."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import resource
import subprocess

import kiln
import models
import numpy as np
import onnx
import pytest
import tool


@pytest.fixture
def full_disk(tmp_path):
    """A folder on a file system with room for 16 KiB."""
    folder = tmp_path / "full"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=16k", "kiln-test", str(folder)]
    try:
        mounted = subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        mounted = False
    if not mounted:
        pytest.skip("a file system can be mounted by root only")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def large_model(path):
    """128 KiB of weights."""
    weight = onnx.numpy_helper.from_array(np.random.default_rng(0).standard_normal((256, 128)).astype(np.float32), "w")
    model = onnx.helper.make_model(
        onnx.helper.make_graph(
            [onnx.helper.make_node("MatMul", ["x", "w"], ["y"])],
            "g",
            [onnx.helper.make_tensor_value_info("x", 1, ["batch", 256])],
            [onnx.helper.make_tensor_value_info("y", 1, ["batch", 128])],
            [weight],
        ),
        opset_imports=[onnx.helper.make_opsetid("", 17)],
        ir_version=9,
    )
    onnx.save(model, path)
    return path


def test_disk_full_at_compile(full_disk, tmp_path):
    model = large_model(tmp_path / "m.onnx")
    (full_disk / "m.kiln").write_bytes(b"before")
    outcome = tool.call("compile", model, "-o", full_disk / "m.kiln", status=None)
    tool.assert_error(outcome, "KILN-E0701", "m.kiln", status=4)
    assert os.listdir(full_disk) == ["m.kiln"] and (full_disk / "m.kiln").read_bytes() == b"before"


def test_disk_full_at_run(full_disk, tmp_path):
    model = large_model(tmp_path / "m.onnx")
    tool.call("compile", model, "-o", tmp_path / "m.kiln", "--dims", "batch=1..1024")
    command = ["run", tmp_path / "m.kiln", "--dims", "batch=1024", "--output", f"y=@{full_disk}/y.npy"]
    tool.assert_error(tool.call(*command, status=None), "KILN-E0701", "y.npy", status=4)
    assert os.listdir(full_disk) == []


def test_full_device(tmp_path, small_package):
    outcome = tool.call("compile", small_package[0], "-o", "/dev/full", status=None)
    tool.assert_error(outcome, "KILN-E0701", "/dev/full", status=4)
    outcome = tool.call("run", small_package[1], "--output", "y=@/dev/full", status=None)
    tool.assert_error(outcome, "KILN-E0701", "/dev/full", status=4)
    assert os.path.exists("/dev/full") and not os.path.isfile("/dev/full")


def test_file_size_limit(tmp_path):
    model = large_model(tmp_path / "m.onnx")
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
    outcome = tool.call("compile", model, "-o", tmp_path / "m.kiln", status=None, preexec_fn=limit)
    tool.assert_error(outcome, "KILN-E0701", "m.kiln", status=4)
    assert os.listdir(tmp_path) == ["m.onnx"]


@pytest.mark.parametrize("place", ["missing/m.kiln", ".", "file/m.kiln"])
def test_output_not_writable(place, tmp_path, small_package):
    (tmp_path / "file").write_text("a file")
    outcome = tool.call("compile", small_package[0], "-o", tmp_path / place, status=None)
    tool.assert_error(outcome, "KILN-E0003", status=4)
    outcome = tool.call("run", small_package[1], "--output", f"y=@{tmp_path / place}", status=None)
    tool.assert_error(outcome, "KILN-E0003", status=4)
    assert os.listdir(tmp_path) == ["file"]


def test_output_folder_is_read_only(tmp_path, small_package):
    if os.geteuid() == 0:
        # Permissions do not restrict root, but a file system that accepts no files does.
        outcome = tool.call("compile", small_package[0], "-o", "/proc/m.kiln", status=None)
    else:
        (tmp_path / "locked").mkdir(mode=0o555)
        outcome = tool.call("compile", small_package[0], "-o", tmp_path / "locked" / "m.kiln", status=None)
    tool.assert_error(outcome, "KILN-E0003", "m.kiln", status=4)


def test_model_is_not_overwritten(small_package):
    before = small_package[0].read_bytes()
    outcome = tool.call("compile", small_package[0], "-o", small_package[0], status=None)
    tool.assert_error(outcome, "KILN-E0001", status=2)
    assert small_package[0].read_bytes() == before


def limited(size):
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size))


def smallest_start():
    """Address space with which the program starts at all, in MiB: the loader's own errors are not ours."""
    fails, works = 0, 4096
    while works - fails > 1:
        size = (fails + works) // 2
        done = subprocess.run([tool.binary(), "version"], capture_output=True, preexec_fn=limited(size << 20))
        fails, works = (fails, size) if done.returncode == 0 else (size, works)
    return works


def test_out_of_memory_at_run(tmp_path):
    models.write(tmp_path / "m.onnx", models.COMPARED)
    tool.call("compile", tmp_path / "m.onnx", "-o", tmp_path / "m.kiln", "--dims", "n=1..1000000000")
    command = ["run", tmp_path / "m.kiln", "--dims", "n=1000000000", "--output", f"whole=@{tmp_path}/o.npy"]
    size = (smallest_start() + 512) << 20
    outcome = tool.call(*command, status=None, preexec_fn=limited(size))
    tool.assert_error(outcome, "KILN-E0700", status=4)
    assert sorted(os.listdir(tmp_path)) == ["m.kiln", "m.onnx"]


def test_out_of_memory_at_compile(tmp_path, small_package):
    """At every limit the compile either works or says that memory is exhausted."""
    start, seen = smallest_start(), set()
    for extra in (0, 5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560):
        outcome = tool.call(
            "compile", small_package[0], "-o", tmp_path / "m.kiln", "--threads", 1, status=None,
            preexec_fn=limited((start + extra) << 20),
        )  # fmt: skip
        assert outcome.status in (0, 4), (start, extra, outcome.stderr)
        if outcome.status == 0:
            seen.add(0)
            break
        assert outcome.code == "KILN-E0700", (start, extra, outcome.stderr)
        assert os.listdir(tmp_path) == []
        seen.add(4)
    assert seen == {0, 4}


def test_closed_pipe(small_package):
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([tool.binary(), "inspect", small_package[1], "--json"], stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert done.returncode == 0 and done.stderr == b""


def test_stdout_on_a_full_device(small_package):
    with open("/dev/full", "w") as full:
        done = subprocess.run([tool.binary(), "inspect", small_package[1]], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 4 and "KILN-E0701" in done.stderr


@pytest.fixture(scope="module")
def wide_package(tmp_path_factory):
    """Takes a MiB of activations for each token, of up to 2^21: 2 TiB."""
    folder = tmp_path_factory.mktemp("wide")
    tables = np.random.default_rng(1).standard_normal((8, 512, 512)).astype(np.float32)
    nodes = [
        onnx.helper.make_node("Gather", ["tables", "ids"], ["own"]),
        onnx.helper.make_node("MatMul", ["row", "own"], ["products"]),
        onnx.helper.make_node("ReduceSum", ["products", "axes"], ["y"], keepdims=0),
    ]
    graph = onnx.helper.make_graph(
        nodes, "g", [onnx.helper.make_tensor_value_info("ids", 7, ["b", "s"])], [onnx.helper.make_tensor_value_info("y", 1, ["b", "s"])],
        [onnx.numpy_helper.from_array(tables, "tables"), onnx.numpy_helper.from_array(np.ones((1, 512), np.float32), "row"),
         onnx.numpy_helper.from_array(np.array([2, 3]), "axes")])
    onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=9), folder / "m.onnx")
    tool.call("compile", folder / "m.onnx", "-o", folder / "m.kiln", "--dims", "b=1..8192,s=1..256", "-q")
    return folder / "m.kiln", tables


def test_ranges_beyond_the_memory(wide_package, caplog):
    """A session of all dims runs those that fit, refuses those that do not, and runs on."""
    package, tables = wide_package
    if os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") > 1 << 40:
        pytest.skip("this machine has more memory than the package takes")
    kiln.set_logger("kiln")
    session = kiln.Session(package)
    kiln.set_logger(None)
    (promised,) = (vars(record) for record in caplog.records if record.levelname == "WARNING")
    assert promised["event.name"] == "kiln.session.memory_promised" and promised["kiln.arena_bytes"] > promised["kiln.machine_bytes"]
    ids = np.array([[3, 1, 7]])
    expected = tables.sum(axis=(1, 2))[ids]
    np.testing.assert_allclose(session.run({"ids": ids})["y"], expected, rtol=1e-3, atol=1e-2)
    with pytest.raises(kiln.Error, match="KILN-E0700: .*runs of these dims take more memory than is available; expected 2[0-9]{12} bytes"):
        session.run({"ids": np.zeros((8192, 256), np.int64)})
    np.testing.assert_allclose(session.run({"ids": ids})["y"], expected, rtol=1e-3, atol=1e-2)
