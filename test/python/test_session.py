"""kiln.Session: descriptions, arrays in and out, errors, threads."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import concurrent.futures
import hashlib
import pickle

import kiln
import numpy as np
import pytest

X = np.random.default_rng(0).standard_normal((2, 3, 8)).astype(np.float32)


def test_descriptions(package):
    session = kiln.Session(package, device="cpu", threads=2)
    (x,), (y,) = session.inputs, session.outputs
    assert (x.name, x.dtype, x.shape) == ("x", "float32", ("batch", "seq", 8))
    assert (y.name, y.dtype, y.shape) == ("y", "float32", ("batch", "seq", 8))
    assert (x.dims[0].min, x.dims[0].max) == (1, 4)
    assert session.symbols == {"batch": (1, 4), "seq": (1, 16)}
    assert session.threads in (1, 2)
    assert "compiler" in session.provenance
    assert kiln.__version__ == kiln.runtime_version()


def test_paths_of_any_kind(package):
    for path in (package, str(package), bytes(package)):
        kiln.Session(path)


def test_packages_in_memory(package, tmp_path):
    copy = tmp_path / "copy.kiln"
    copy.write_bytes(package.read_bytes())
    data = bytearray(copy.read_bytes())
    mapped = kiln.Session(copy)
    sessions = [kiln.Session(copy, in_memory=True), kiln.Session(data), kiln.Session(bytes(data)), kiln.Session(memoryview(data))]
    expected = mapped.run({"x": X})["y"]
    data[:] = bytes(len(data))
    with open(copy, "r+b") as file:
        file.truncate(100)
    for session in sessions:
        assert np.array_equal(session.run({"x": X})["y"], expected)
    with pytest.raises(kiln.Error, match="KILN-E0514.*copy.kiln"):
        mapped.run({"x": X})


def test_expected_and_damaged_packages(package, tmp_path):
    good = package.read_bytes()
    digest = hashlib.sha256(good).hexdigest()
    kiln.Session(package, expect=digest)
    kiln.Session(good, expect=digest)
    with pytest.raises(kiln.Error, match="KILN-E0515"):
        kiln.Session(package, expect="0" * 64)
    damaged = bytearray(good)
    damaged[-1] ^= 1
    session = kiln.Session(damaged)
    for _ in range(2):
        with pytest.raises(kiln.Error, match="KILN-E0503"):
            session.check_weights()
        with pytest.raises(kiln.Error, match="KILN-E0503"):
            session.run({"x": X})
    trusting = kiln.Session(damaged, verify_weights=False)
    trusting.check_weights()
    trusting.run({"x": X})


def test_arrays_of_any_layout(package):
    session = kiln.Session(package)
    expected = session.run({"x": X})["y"]
    assert expected.shape == X.shape and expected.dtype == np.float32
    locked = X.copy()
    locked.flags.writeable = False
    wide = np.repeat(X, 2, axis=2)[:, :, ::2]
    for array in (np.asfortranarray(X), wide, locked, np.concatenate([X, X])[2:]):
        assert np.array_equal(session.run({"x": array})["y"], expected)


def test_given_outputs(package):
    session = kiln.Session(package)
    expected = session.run({"x": X})["y"]
    y = np.zeros_like(X)
    assert session.run({"x": X}, {"y": y})["y"] is y and np.array_equal(y, expected)
    locked = np.zeros_like(X)
    locked.flags.writeable = False
    wide = np.zeros((2, 3, 16), np.float32)[:, :, ::2]
    assert session.run({"x": X}, {"y": wide})["y"] is wide and np.array_equal(wide, expected)
    refused = {"locked": (locked, "E0606"), "strided and larger": (np.zeros((2, 5, 16), np.float32)[:, :, ::2], "E0605"), "wider": (np.zeros(X.shape), "E0602"),
               "integers": (np.zeros(X.shape, np.int32), "E0602"), "another order of bytes": (np.zeros(X.shape, ">f4"), "E0606")}
    for name, (array, code) in refused.items():
        with pytest.raises(kiln.Error, match=f"KILN-{code}"):
            session.run({"x": X}, {"y": array})
        assert not array.any(), name


def test_dlpack(package):
    class Tensor:
        """Knows DLPack and nothing else, like the tensors of other libraries."""

        def __dlpack__(self, **options):
            return X.copy().__dlpack__(**options)

        def __dlpack_device__(self):
            return X.__dlpack_device__()

    session = kiln.Session(package)
    result = session.run({"x": Tensor()})["y"]
    assert np.array_equal(result, session.run({"x": X})["y"])
    assert np.array_equal(np.from_dlpack(result), result)


def test_results_are_independent(package):
    session = kiln.Session(package)
    first = session.run({"x": X})["y"]
    kept = first.copy()
    session.run({"x": X + 1})
    assert np.array_equal(first, kept)
    del session
    assert np.array_equal(first, kept)


BAD = {
    "dtype": ({"x": X.astype(np.float64)}, "KILN-E0602"),
    "a list of another rank": ({"x": [[1.0]]}, "KILN-E0603"),
    "a list that is no array": ({"x": [[[1.0], [1.0, 2.0]]]}, "KILN-E0602"),
    "a list of text": ({"x": [["a"]]}, "KILN-E0602"),
    "integers for floats": ({"x": X.astype(np.int32)}, "KILN-E0602"),
    "not an array": ({"x": object()}, "KILN-E0602"),
    "complex": ({"x": X.astype(np.complex64)}, "KILN-E0602"),
    "strings": ({"x": np.array(["a"])}, "KILN-E0602"),
    "big-endian of another type": ({"x": X.astype(">f8")}, "KILN-E0602"),
    "rank": ({"x": X[0]}, "KILN-E0603"),
    "dim": ({"x": X[:, :, :5]}, "KILN-E0605"),
    "envelope": ({"x": np.zeros((9, 3, 8), np.float32)}, "KILN-E0604"),
    "name": ({"z": X}, "KILN-E0600"),
    "one too many": ({"x": X, "z": X}, "KILN-E0600"),
    "missing": ({}, "KILN-E0601"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(package, name):
    inputs, code = BAD[name]
    with pytest.raises(kiln.Error) as caught:
        kiln.Session(package).run(inputs)
    error = caught.value
    assert error.code == code and error.exit_code == 2
    assert error.what and error.expected and error.found and error.fix
    assert str(error).startswith(code + ": ")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_an_array_of_numpy_is_named_by_its_type(package):
    with pytest.raises(kiln.Error) as caught:
        kiln.Session(package).run({"x": X.astype(np.complex64)})
    assert caught.value.found == "complex64" and "astype" in caught.value.fix


@pytest.mark.parametrize("inputs", [[X], "x", {1: X}, {"x": X, b"x": X}])
def test_inputs_are_a_dict_of_names(package, inputs):
    with pytest.raises(TypeError, match="inputs: "):
        kiln.Session(package).run(inputs)


def test_ranges_of_dims(package):
    session = kiln.Session(package, dims={"batch": np.int64(2), "seq": [1, np.int32(4)]})
    assert session.symbols == {"batch": (2, 2), "seq": (1, 4)}
    for dims in ({"batch": "12"}, {"batch": (1, 2, 3)}, {"batch": 1.5}, {1: (1, 2)}, {"batch": None}):
        with pytest.raises(kiln.Error) as caught:
            kiln.Session(package, dims=dims)
        assert caught.value.code == "KILN-E0608" and "lo, hi" in caught.value.expected


def test_path_with_a_null_byte(package):
    with pytest.raises(ValueError, match="path: embedded null byte"):
        kiln.Session(f"{package}\0.kiln")


def test_arguments_that_do_not_get_as_far(package):
    """Exceptions of Python, as docs/guides/python.md says."""
    for what, options in (("device", {"device": "cpu\0"}), ("target", {"target": "x\0"}), ("dims", {"dims": {"batch\0": 1}})):
        with pytest.raises(ValueError, match=f"{what}: embedded null byte"):
            kiln.Session(package, **options)
    with pytest.raises(ValueError, match="input: embedded null byte"):
        kiln.Session(package).run({"x\0": X})
    for options in ({"graph_memory": -1}, {"threads": "2"}, {"dims": 5}, {"device": None}):
        with pytest.raises(TypeError, match="incompatible function arguments"):
            kiln.Session(package, **options)
    with pytest.raises(TypeError, match="dims: expected a dict of names and ranges, found int"):
        kiln.compile("m.onnx", "m.kiln", dims=5)


def test_errors_of_loading(package, tmp_path):
    with pytest.raises(kiln.Error) as caught:
        kiln.Session(tmp_path / "none.kiln")
    assert caught.value.code == "KILN-E0002" and "none.kiln" in caught.value.where
    with pytest.raises(kiln.Error) as caught:
        kiln.Session(package, device="aba\ncus")
    assert caught.value.code == "KILN-E0702" and caught.value.exit_code == 4
    assert str(caught.value).startswith("KILN-E0702: device aba\\ncus: ") and "\n" not in str(caught.value)
    with pytest.raises(kiln.Error, match=r'E0600: input "x\\ny": '):
        kiln.Session(package).run({"x\ny": X})
    assert "\n" not in str(kiln.Error("KILN-E0602", "a\nb", "c\u2028d")) and kiln.Error("KILN-E0602", "", "\xe4").what == "\xe4"
    with pytest.raises(kiln.Error) as caught:
        kiln.Session(package, target="z80")
    assert caught.value.code == "KILN-E0511"


def test_narrower_dims_need_less_memory(package):
    def capacity(session):
        return sum(arena.capacity for arena in session.memory if arena.kind == "activations")

    wide, narrow = kiln.Session(package), kiln.Session(package, dims={"batch": 1, "seq": (1, 4)})
    assert narrow.symbols == {"batch": (1, 1), "seq": (1, 4)}
    assert 0 < capacity(narrow) < capacity(wide)
    with pytest.raises(kiln.Error) as caught:
        narrow.run({"x": X})
    assert caught.value.code == "KILN-E0604"
    with pytest.raises(kiln.Error) as caught:
        kiln.Session(package, dims={"batch": (1, 100)})
    assert caught.value.code == "KILN-E0608"


def test_memory_is_the_formula(package):
    session = kiln.Session(package)
    session.run({"x": X})
    (arena,) = [a for a in session.memory if a.kind == "activations"]
    # The formula rounds up to lines of 64 bytes.
    assert arena.last_formula == -(-arena.high_water // 64) * 64 <= arena.capacity == arena.max_bytes
    assert "batch" in arena.formula


def test_threads_and_sessions(package):
    expected = kiln.Session(package, threads=1).run({"x": X})["y"]
    assert np.array_equal(kiln.Session(package, threads=2).run({"x": X})["y"], expected)
    original = kiln.Session(package, threads=1)

    def work(session):
        return all(np.array_equal(session.run({"x": X})["y"], expected) for _ in range(50))

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, [original.clone() for _ in range(8)]))


def test_one_session_in_two_threads_is_an_error_or_works(package):
    """Runs that overlap are refused, never wrong."""
    session = kiln.Session(package, threads=1)
    expected = session.run({"x": X})["y"]

    def work(_):
        try:
            return np.array_equal(session.run({"x": X})["y"], expected)
        except kiln.Error as error:
            return error.code == "KILN-E0609"

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(400)))
