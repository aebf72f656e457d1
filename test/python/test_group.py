"""kiln.Group, and kiln.Decoder on several ranks."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import concurrent.futures
import os
import subprocess
import sys

import kiln
import numpy as np
import pytest

X = np.random.default_rng(0).standard_normal((2, 3, 8)).astype(np.float32)


def test_it_is_a_session_of_several_ranks(package, split):
    group = kiln.Group(split, ranks=2, device="cpu", threads=2)
    assert (group.ranks, group.threads, group.device) == (2, 2, "cpu")
    assert isinstance(group, kiln.Session) and kiln.Session(package).ranks == 1
    (x,), (y,) = group.inputs, group.outputs
    assert (x.name, x.dtype, x.shape) == ("x", "float32", ("batch", "seq", 8))
    assert (y.name, y.shape) == ("y", ("batch", "seq", 8))
    assert repr(group).startswith(f"<kiln.Group {split} on cpu (") and "2 ranks, 2 threads" in repr(group)
    assert kiln.Group(split).ranks == 2
    assert kiln.Group(split, threads=1).threads == 2, "each rank is a thread"
    assert kiln.Group(split, threads=4096).threads <= max(2, os.cpu_count())


def test_inputs_and_outputs_are_those_of_a_session(package, split):
    session, group = kiln.Session(package), kiln.Group(split)
    expected = session.run({"x": X})["y"]
    found = group.run({"x": X})
    assert list(found) == ["y"] and found["y"].shape == X.shape and found["y"].dtype == np.float32
    np.testing.assert_allclose(found["y"], expected, rtol=0, atol=1e-4)
    for x in (X.tolist(), np.asfortranarray(X), X.astype(np.float64).astype(np.float32)):
        assert np.array_equal(group.run({"x": x})["y"], found["y"])
    y = np.empty_like(X)
    assert group.run({"x": X}, {"y": y})["y"] is y and np.array_equal(y, found["y"])
    results = group.run_all_ranks({"x": X})
    assert len(results) == 2 and all(np.array_equal(own["y"], y) for own in results)
    results[0]["y"][:] = 0
    assert np.array_equal(results[1]["y"], y), "ranks have arrays of their own"


BAD = {
    "no input": {},
    "another name": {"z": X},
    "another type": {"x": X.astype(np.float64)},
    "another rank": {"x": X[0]},
    "too large": {"x": np.zeros((9, 3, 8), np.float32)},
}


@pytest.mark.parametrize("name", BAD)
def test_bad_inputs_are_said_as_a_session_says_them(package, split, name):
    session, group = kiln.Session(package), kiln.Group(split)
    with pytest.raises(kiln.Error) as expected:
        session.run(BAD[name])
    for run in (group.run, group.run_all_ranks):
        with pytest.raises(kiln.Error) as found:
            run(BAD[name])
        assert str(found.value) == str(expected.value)
    assert group.run({"x": X})["y"].shape == X.shape, "the group goes on"


def test_numbers_of_ranks(package, split):
    for path, ranks, words in ((split, 3, "expected 2 ranks, found 3 ranks"), (package, 2, "expected 1 rank, found 2 ranks")):
        with pytest.raises(kiln.Error, match=words) as error:
            kiln.Group(path, ranks=ranks)
        assert error.value.code == "KILN-E0621"
    with pytest.raises(kiln.Error, match="KILN-E0621.*kiln.Group"):
        kiln.Session(split)
    with pytest.raises(kiln.Error, match="KILN-E0702: device gpu"):
        kiln.Group(split, device="gpu")
    with pytest.raises(TypeError):
        kiln.Group(split, ranks=-1)
    one = kiln.Group(package, ranks=1)
    assert one.ranks == 1 and np.array_equal(one.run({"x": X})["y"], kiln.Session(package).run({"x": X})["y"])


def test_clones_and_dims(split):
    group = kiln.Group(split, dims={"batch": 2}, threads=2)
    assert group.symbols == {"batch": (2, 2), "seq": (1, 16)}
    expected = group.run({"x": X})["y"]
    other = group.clone()
    assert isinstance(other, kiln.Group) and other.ranks == 2 and other.symbols == group.symbols
    group.close()
    with pytest.raises(kiln.Error, match="the session is closed"):
        group.run({"x": X})
    with pytest.raises(kiln.Error, match="the session is closed"):
        group.ranks
    assert "(closed)" in repr(group)
    assert np.array_equal(other.run({"x": X})["y"], expected)
    with other as same:
        assert same is other
    with pytest.raises(kiln.Error, match="the session is closed"):
        other.reset_state()


def test_one_group_in_two_threads_is_an_error_or_works(split):
    group = kiln.Group(split)
    expected = group.run({"x": X})["y"]
    refused = []

    def run(_):
        try:
            return np.array_equal(group.run({"x": X})["y"], expected)
        except kiln.Error as error:
            refused.append(error.code)
            return True

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(pool.map(run, range(200)))
    assert set(refused) <= {"KILN-E0609"}


LEFTOVERS = """
import os, resource, sys, time
import kiln, numpy as np

def threads(expected=None):
    end = time.monotonic() + 5  # a thread that was joined may be listed a moment longer
    while (count := len(os.listdir("/proc/self/task"))) != expected and expected and time.monotonic() < end:
        time.sleep(0.01)
    return count

def use():
    with kiln.Group(sys.argv[1], threads=4) as group:
        group.run({"x": np.zeros((2, 3, 8), np.float32)})
        assert threads() > before
    kiln.Group(sys.argv[1]).run({"x": np.zeros((4, 16, 8), np.float32)})
    assert threads(before) == before

before = threads()
use()
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for _ in range(100):
    use()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory)
left = kiln.Group(sys.argv[1])  # never closed
"""


def test_nothing_is_left_behind(split):
    """Neither threads nor memory of groups that are gone, and a group that is there does not keep the process from ending."""
    done = subprocess.run([sys.executable, "-c", LEFTOVERS, str(split)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert int(done.stdout) < 2048, "KiB"


#
# Decoders
#


@pytest.fixture(scope="module")
def tinylm(tmp_path_factory):
    """Packages of a decoder for one rank and for two."""
    import decoders

    folder = tmp_path_factory.mktemp("tinylm")
    decoders.compile_tinylm(folder, "--dims", "rows=1..3,capacity=1..64,sequence=1..16")
    kiln.compile(folder / "past.onnx", folder / "two.kiln", ranks=2, dims={"rows": (1, 3), "capacity": (1, 64), "sequence": (1, 16)})
    return {1: folder / "past.kiln", 2: folder / "two.kiln"}


PROMPTS = [list(b"class Value"), list(b"for (unsigned i = 0; i "), list(b"//")]


def texts(decoder, steps=6):
    """Logits of the prompts and of greedy steps."""
    logits = [decoder.prefill(PROMPTS)]
    for _ in range(steps):
        logits.append(decoder.decode(logits[-1].argmax(-1)[:, None])[:, 0])
    return np.stack(logits)


def test_decoder(tinylm):
    one, two = (kiln.Decoder(tinylm[ranks], rows=3, capacity=64) for ranks in (1, 2))
    assert type(one.session) is kiln.Session and type(two.session) is kiln.Group and two.session.ranks == 2
    expected = texts(one)
    np.testing.assert_allclose(texts(two), expected, rtol=0, atol=1e-3)
    assert np.array_equal(two.lengths, one.lengths)
    with pytest.raises(kiln.Error, match="KILN-E0621"):
        kiln.Decoder(tinylm[2], ranks=3)
    with pytest.raises(kiln.Error, match="KILN-E0621"):
        kiln.Decoder(tinylm[1], ranks=2)


def test_rows_of_a_decoder(tinylm, tmp_path):
    decoder = kiln.Decoder(tinylm[2], rows=3, capacity=64, ranks=2)
    expected = texts(decoder)
    decoder.reset()
    assert not decoder.lengths.any() and np.array_equal(texts(decoder), expected)
    # A fork is made on both ranks, which keep the same lengths.
    decoder.fork(1, 2)
    logits = decoder.decode([[97]] * 3)
    assert np.array_equal(logits[1], logits[2])
    lengths = [decoder.session.read_state(decoder._states["lengths"], rank=rank) for rank in range(2)]
    assert lengths[0] == lengths[1]
    for row in range(3):
        decoder.trim(row, len(PROMPTS[0]) if row == 0 else decoder.lengths[row] - 1)
    again = decoder.decode([[int(expected[0, 0].argmax())], [97], [97]])
    assert np.array_equal(again[0, 0], expected[1, 0]) and np.array_equal(again[1:], logits[1:])
    # A file contains the states of all ranks.
    decoder.save(tmp_path / "state")
    following = decoder.decode([[98]] * 3)
    other = kiln.Decoder(tinylm[2], rows=3, capacity=64)
    other.load(tmp_path / "state")
    assert np.array_equal(other.decode([[98]] * 3), following)
    with pytest.raises(kiln.Error, match="KILN-E0618"):
        kiln.Decoder(tinylm[1], rows=3, capacity=64).load(tmp_path / "state")


def test_states_of_ranks(tinylm):
    group = kiln.Group(tinylm[2], dims={"rows": 1, "capacity": 32})
    index = next(i for i, state in enumerate(group.states) if state.name != "lengths")
    size = group.state_bytes(index)
    assert size < kiln.Session(tinylm[1], dims={"rows": 1, "capacity": 32}).state_bytes(index), "a part of the heads"
    group.write_state(index, 0, b"\1" * size, rank=1)
    assert group.read_state(index) == bytes(size) and group.read_state(index, rank=1) == b"\1" * size
    group.write_state(index, 0, b"\2" * 4)
    assert [group.read_state(index, 0, 4, rank) for rank in (0, 1)] == [b"\2" * 4] * 2
    group.reset_state()
    assert group.read_state(index, rank=1) == bytes(size)
    with pytest.raises(kiln.Error, match="KILN-E0001.*there is no such rank"):
        group.read_state(index, rank=2)
