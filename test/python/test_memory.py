"""Packages in memory and in descriptors, memory given back, and threads that sessions share."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import concurrent.futures
import gc
import mmap
import os
import weakref

import kiln
import numpy as np
import pytest

X = np.random.default_rng(0).standard_normal((2, 3, 8)).astype(np.float32)


@pytest.fixture(scope="module")
def expected(package):
    return kiln.Session(package).run({"x": X})["y"]


class Bytes(bytearray):
    """That weak references can see."""


def aligned(data, beyond=0):
    """A view of a copy of the bytes, `beyond` bytes behind a multiple of 64, and its owner."""
    owner = Bytes(len(data) + 128)
    start = -np.frombuffer(owner, np.uint8).ctypes.data % 64 + beyond
    owner[start : start + len(data)] = data
    return memoryview(owner)[start : start + len(data)], owner


def test_a_package_in_place(package, expected):
    view, owner = aligned(package.read_bytes())
    session = kiln.Session(view, copy=False)
    alive = weakref.ref(owner)
    del view, owner
    clone = session.clone()
    assert np.array_equal(session.run({"x": X})["y"], expected)
    session.close()
    gc.collect()
    assert alive() is not None
    assert np.array_equal(clone.run({"x": X})["y"], expected)
    del clone, session
    gc.collect()
    assert alive() is None


def test_a_package_in_a_mapping(package, expected):
    with open(package, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        session = kiln.Session(mapped, copy=False)
        with pytest.raises(BufferError):
            mapped.close()
        assert np.array_equal(session.run({"x": X})["y"], expected)
        assert kiln.Model(mapped, copy=False).dims == {"batch": (1, 4), "seq": (1, 16)}
        del session


def test_changes_of_the_weights_are_seen_in_place(package):
    view, owner = aligned(package.read_bytes())
    view[-1] ^= 1
    session = kiln.Session(view, copy=False)
    with pytest.raises(kiln.Error, match="KILN-E0503"):
        session.run({"x": X})


def test_a_package_that_is_misaligned(package):
    view, owner = aligned(package.read_bytes(), beyond=8)
    with pytest.raises(kiln.Error, match="multiple of 64, found 8 bytes beyond one") as caught:
        kiln.Session(view, copy=False)
    assert caught.value.code == "KILN-E0001"
    kiln.Session(view)
    alive = weakref.ref(owner)
    del view, owner, caught
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize("offset", [0, 4096, 5])
def test_a_package_inside_of_a_file(package, expected, tmp_path, offset):
    data = package.read_bytes()
    (tmp_path / "all").write_bytes(bytes(offset) + data + b"tail")
    with open(tmp_path / "all", "rb") as file:
        place = dict(fd=file.fileno(), offset=offset, length=len(data))
        session, model = kiln.Session(**place, threads=1), kiln.Model(**place)
        assert file.tell() == 0
    assert model.path.startswith("descriptor ") and model.file_bytes == len(data)
    assert np.array_equal(session.run({"x": X})["y"], expected)


def test_descriptors_that_are_wrong(package):
    read, write = os.pipe()
    with pytest.raises(kiln.Error, match="KILN-E0002.*device or pipe"):
        kiln.Session(fd=read)
    os.close(read), os.close(write)
    with pytest.raises(kiln.Error, match="KILN-E0002.*Bad file descriptor"):
        kiln.Session(fd=read)
    with open(package, "rb") as file:
        with pytest.raises(kiln.Error, match="KILN-E0001.*the range is not within the file"):
            kiln.Session(fd=file.fileno(), offset=1 << 40)
        with pytest.raises(TypeError, match="in its place fd="):
            kiln.Session(package, fd=file.fileno())
    for wrong in (lambda: kiln.Session(), lambda: kiln.Model(), lambda: kiln.Session(package, offset=5)):
        with pytest.raises(TypeError, match="fd="):
            wrong()


def test_trim(package, expected):
    session = kiln.Session(package)
    for _ in range(2):
        assert np.array_equal(session.run({"x": X})["y"], expected)
        session.trim()
    session.close()
    with pytest.raises(kiln.Error, match="KILN-E0001"):
        session.trim()


#
# Workers
#


def test_sessions_share_workers(package, expected):
    workers = kiln.Workers(3)
    assert workers.threads == 3
    sessions = [kiln.Session(package, workers=workers, threads=threads) for threads in (0, 2)]
    assert [session.threads for session in sessions] == [3, 2]
    del workers
    sessions.append(sessions[0].clone())
    assert sessions[2].threads == 3

    def work(session):
        return all(np.array_equal(session.run({"x": X})["y"], expected) for _ in range(100))

    with concurrent.futures.ThreadPoolExecutor(3) as executor:
        assert all(executor.map(work, sessions))


def test_workers_of_a_pool_in_a_child(package, expected):
    pool = kiln.Pool(kiln.Session(package, workers=kiln.Workers(2, nice=1)), 2)
    child = os.fork()
    if child == 0:
        os._exit(0 if np.array_equal(pool.run({"x": X})["y"], expected) else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert np.array_equal(pool.run({"x": X})["y"], expected)


def test_places_of_workers():
    cpus = sorted(os.sched_getaffinity(0))
    kiln.Workers(2, cpus=cpus)
    for wrong in (dict(cpus=[4000]), dict(nice=-20)):
        if os.geteuid() == 0 and "nice" in wrong:
            continue  # root may
        with pytest.raises(kiln.Error, match="KILN-E0001"):
            kiln.Workers(2, **wrong)
    with pytest.raises(TypeError):
        kiln.Workers(-1)
