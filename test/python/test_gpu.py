"""kiln.Session on a GPU, a simulated one here: memory of the GPU by DLPack, streams, graphs."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import ctypes
import os
import pathlib
import subprocess
import sys
import threading
import time

import kiln
import models
import numpy as np
import pytest

DRIVER = pathlib.Path(os.environ["KILN_BIN"]).parent / "lib" / "libkiln_sim_cuda.so"
if not DRIVER.exists():
    pytest.skip(f"{DRIVER} is absent (KILN_BUILD_SIM is off)", allow_module_level=True)
X = np.random.default_rng(0).standard_normal((2, 3, 8)).astype(np.float32)
CUDA, CUDA_HOST = 2, 3  # kDLCUDA, kDLCUDAHost
KINDS = {"i": 0, "f": 2}  # kDLInt, kDLFloat


class Driver:
    """The few calls of the CUDA driver that a program with tensors of its own makes."""

    def __init__(self):
        self.library = ctypes.CDLL(str(DRIVER))

    def call(self, name, *arguments):
        assert getattr(self.library, name)(*arguments) == 0, name

    def enter(self):
        context = ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self.call("cuCtxSetCurrent", context)

    def stream(self):
        stream = ctypes.c_void_p()
        self.call("cuStreamCreate", ctypes.byref(stream), 1)
        return stream.value


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
        ("manager", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    ]


class GpuTensor:
    """A tensor in the GPU's memory that knows DLPack, as those of other libraries: float32, or as `values`."""

    def __init__(self, driver, shape, values=None, device=0, strides=None):
        self.driver, self.shape, self.streams, self.device = driver, shape, [], device
        self.address = ctypes.c_uint64()
        dtype = np.dtype(np.float32) if values is None else values.dtype
        self.bytes = dtype.itemsize * int(np.prod(shape))
        driver.enter()
        driver.call("cuMemAlloc_v2", ctypes.byref(self.address), ctypes.c_size_t(self.bytes))
        if values is not None:
            source = values.ctypes.data_as(ctypes.c_void_p)
            driver.call("cuMemcpyHtoD_v2", self.address, source, ctypes.c_size_t(self.bytes))
        self.dims = (ctypes.c_int64 * len(shape))(*shape)
        self.strides = (ctypes.c_int64 * len(shape))(*strides) if strides else None
        self.managed = DLTensor(self.address.value, CUDA, device, len(shape), KINDS[dtype.kind], 8 * dtype.itemsize, 1, self.dims, self.strides, 0, None, None)

    def __dlpack_device__(self):
        return (CUDA, self.device)

    def __dlpack__(self, *, stream=None, **_):
        self.streams.append(stream)
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.managed), b"dltensor", None)

    def numpy(self):
        values = np.empty(self.shape, np.float32)
        self.driver.enter()
        self.driver.call("cuMemcpyDtoH_v2", values.ctypes.data_as(ctypes.c_void_p), self.address, ctypes.c_size_t(self.bytes))
        return values


@pytest.fixture(scope="module")
def driver():
    return Driver()


@pytest.fixture(scope="module")
def gpu_package(package, tmp_path_factory):
    """The model of `package` for this CPU and for GPUs."""
    out = tmp_path_factory.mktemp("gpu") / "m.kiln"
    kiln.compile(package.parent / "m.onnx", out, target="native,sm_80", dims={"batch": (1, 4), "seq": (1, 16)})
    return out


@pytest.fixture(scope="module")
def expected(gpu_package):
    return kiln.Session(gpu_package).run({"x": X})["y"]


def test_memory_and_threads_of_the_cpu_alone(gpu_package, expected):
    session = kiln.Session(gpu_package, device="sim")
    with pytest.raises(kiln.Error, match="KILN-E0001.*a session on the CPU, found device sim"):
        session.trim()
    assert np.allclose(session.run({"x": X})["y"], expected, atol=1e-5)
    with pytest.raises(kiln.Error, match="KILN-E0001.*for sessions on the CPU"):
        kiln.Session(gpu_package, device="sim", workers=kiln.Workers(2))


def test_a_process_has_one_simulated_gpu(gpu_package):
    assert kiln.Session(gpu_package, device="sim").gpu == "NVIDIA H200" == kiln.Session(gpu_package, device="sim:h200").gpu
    with pytest.raises(kiln.Error, match="KILN-E0702.*expected 'h200', which this process models already, found 'a100'"):
        kiln.Session(gpu_package, device="sim:a100")


@pytest.fixture(scope="module")
def slow_on_gpu(tmp_path_factory):
    folder = tmp_path_factory.mktemp("slow")
    models.write(folder / "m.onnx", models.SLOW)
    kiln.compile(folder / "m.onnx", folder / "m.kiln", target="sm_80", dims={"rows": (1, 64)})
    return folder / "m.kiln"


def assert_ends(session, inputs, code, where, **options):
    """A run ends with an error that says in front of what."""
    with pytest.raises(kiln.Error) as caught:
        session.run(inputs, **options)
    assert caught.value.code == code and where in caught.value.found, str(caught.value)


def test_runs_end_between_launches(slow_on_gpu):
    inputs = {"x": np.random.default_rng(3).standard_normal((64, 256)).astype(np.float32)}
    session = kiln.Session(slow_on_gpu, device="sim", graph=False)
    begin = time.monotonic()
    expected = session.run(inputs)["y"]
    quarter = (time.monotonic() - begin) / 4
    assert_ends(session, inputs, "KILN-E0714", "before step", timeout=quarter)
    assert np.array_equal(session.run(inputs)["y"], expected)
    timer = threading.Timer(quarter, session.cancel)
    timer.start()
    assert_ends(session, inputs, "KILN-E0713", "before step")
    timer.join()
    assert np.array_equal(session.run(inputs)["y"], expected)


def test_nothing_is_launched_after_the_deadline(slow_on_gpu):
    inputs = {"x": np.ones((2, 256), np.float32)}
    session = kiln.Session(slow_on_gpu, device="sim")
    expected = session.run(inputs)["y"]
    assert_ends(session, inputs, "KILN-E0714", "before its first step", timeout=1e-9)
    assert np.array_equal(session.run(inputs)["y"], expected)


def test_one_string_chooses_the_device(gpu_package, expected):
    cpu, gpu = (kiln.Session(gpu_package, device=device) for device in ("cpu", "sim"))
    assert (cpu.device, cpu.gpu, cpu.stream) == ("cpu", "", 0)
    assert (gpu.device, gpu.gpu, gpu.target) == ("sim", "NVIDIA H200", "sm_80")
    assert np.allclose(gpu.run({"x": X})["y"], expected, atol=1e-5)


def test_steps_give_the_bits_of_the_graph(gpu_package):
    results = [kiln.Session(gpu_package, device="sim", graph=graph).run({"x": X})["y"] for graph in (True, False)]
    assert np.array_equal(*results)


def test_memory_of_the_gpu_is_used_in_place(gpu_package, driver, expected):
    session = kiln.Session(gpu_package, device="sim", graph_memory=1)
    x, y = GpuTensor(driver, X.shape, X), GpuTensor(driver, X.shape)
    outputs = session.run({"x": x}, {"y": y})
    assert outputs["y"] is y and np.allclose(y.numpy(), expected, atol=1e-5)
    # The producer gets the stream in which the bytes must be ready.
    assert x.streams == [session.stream] and session.stream > 2
    mixed = session.run({"x": x})["y"]
    assert np.array_equal(mixed, y.numpy())


def test_results_go_where_they_are_wanted(gpu_package):
    for device in ("cpu", "sim"):
        session = kiln.Session(gpu_package, device=device)
        y = np.full(X.shape, 7, np.float32)
        assert session.run({"x": X}, {"y": y})["y"] is y
        assert np.array_equal(y, session.run({"x": X})["y"])
        slice = np.zeros((2, 3, 16), np.float32)[:, :, ::2]
        assert session.run({"x": X}, {"y": slice})["y"] is slice and np.array_equal(slice, y)
        with pytest.raises(kiln.Error, match="it cannot be written to where it is"):
            session.run({"x": X}, {"y": np.broadcast_to(np.float32(0), X.shape)})
        assert session.run({"x": X}, {}) == {} and session.run({"x": X}, []) == {}
        assert np.array_equal(session.run({"x": X}, ["y"])["y"], y)


def test_a_stream_of_the_caller(gpu_package, driver, expected):
    session = kiln.Session(gpu_package, device="sim")
    own = session.stream
    x, y = GpuTensor(driver, X.shape, X), GpuTensor(driver, X.shape)
    session.stream = stream = driver.stream()
    assert session.stream == stream != own
    session.run({"x": x}, {"y": y})
    session.synchronize()
    assert x.streams == [stream] and np.allclose(y.numpy(), expected, atol=1e-5)
    session.stream = None
    assert session.stream == own
    with pytest.raises(kiln.Error, match="KILN-E0001.*no streams"):
        kiln.Session(gpu_package).stream = stream


def test_a_stream_that_is_none(gpu_package, expected):
    session = kiln.Session(gpu_package, device="sim")
    own = session.stream
    with pytest.raises(kiln.Error, match="KILN-E0001: stream 0x3039: .* primary context of device sim, found none"):
        session.stream = 12345
    assert session.stream == own
    for stream in (None, 0, 1):  # other libraries use 0 for the default stream
        session.stream = stream
        assert session.stream == (own if stream is None else 1)
        assert np.allclose(session.run({"x": X})["y"], expected, atol=1e-5)


def test_pinned_memory_is_of_the_host(gpu_package, driver, expected):
    """A device of its own for DLPack, but memory that every session can use."""

    class Pinned(GpuTensor):
        def __init__(self, values):
            super().__init__(driver, values.shape)
            memory = ctypes.c_void_p()
            driver.call("cuMemHostAlloc", ctypes.byref(memory), ctypes.c_size_t(self.bytes), 0)
            self.managed.data, self.managed.device_type = memory.value, CUDA_HOST
            ctypes.memmove(memory, values.ctypes.data, self.bytes)
            self.values = np.ctypeslib.as_array((ctypes.c_float * values.size).from_address(memory.value)).reshape(values.shape)

        def __dlpack_device__(self):
            return (CUDA_HOST, 0)

        def __dlpack__(self, **_):
            return super().__dlpack__()

    for device in ("cpu", "sim"):
        y = Pinned(np.zeros_like(X))
        kiln.Session(gpu_package, device=device).run({"x": Pinned(X)}, {"y": y})
        assert np.allclose(y.values, expected, atol=1e-5)


def test_memory_that_cannot_be_used(gpu_package, driver):
    x = GpuTensor(driver, X.shape, X)
    with pytest.raises(kiln.Error, match="KILN-E0613.*the session on the CPU") as caught:
        kiln.Session(gpu_package).run({"x": x})
    assert caught.value.code == "KILN-E0613" and not x.streams
    session = kiln.Session(gpu_package, device="sim")
    with pytest.raises(kiln.Error, match="KILN-E0606.*not dense"):
        session.run({"x": GpuTensor(driver, X.shape, X, strides=(1, 2, 6))})
    typed = GpuTensor(driver, X.shape, X)
    typed.managed.lanes = 2
    with pytest.raises(kiln.Error, match="KILN-E0602.*found type code 2 of DLPack with 2 x 32 bits; fix"):
        session.run({"x": typed})
    typed.__class__ = type("Empty", (GpuTensor,), {"__dlpack__": lambda self, **_: 7})
    with pytest.raises(kiln.Error, match="KILN-E0602.*its __dlpack__ gives no tensor; expected a capsule, found int"):
        session.run({"x": typed})
    shifted = GpuTensor(driver, X.shape, X)
    shifted.managed.byte_offset = 4
    with pytest.raises(kiln.Error, match="KILN-E0606.*multiple of 16, found a remainder of 4"):
        session.run({"x": shifted})
    liar = GpuTensor(driver, X.shape, X)
    liar.managed.data = X.ctypes.data
    with pytest.raises(kiln.Error, match="KILN-E0613.*no memory of a GPU is at its address"):
        session.run({"x": liar})


RANKS = """
import sys
import kiln, numpy as np
x = np.random.default_rng(0).standard_normal((2, 3, 8)).astype(np.float32)
expected = kiln.Group(sys.argv[1]).run({"x": x})["y"]
for graph in (True, False):
    with kiln.Group(sys.argv[1], ranks=2, device="cuda", graph=graph) as group:
        assert (group.device, group.target, group.ranks) == ("cuda:0", "sm_80", 2)
        for _ in range(2):
            found = group.run_all_ranks({"x": x})
            assert np.array_equal(found[0]["y"], found[1]["y"])
            np.testing.assert_allclose(found[0]["y"], expected, rtol=0, atol=1e-4)
"""


@pytest.mark.parametrize("collectives", ["host", "nccl", "peer"])
def test_ranks_on_gpus(tmp_path, collectives):
    import models

    models.write(tmp_path / "m.onnx", models.MLP)
    dims = {"batch": (1, 4), "seq": (1, 16)}
    kiln.compile(tmp_path / "m.onnx", tmp_path / "m.kiln", dims=dims, ranks=2, target="native,sm_80")
    # Runs in a child process, as the driver's number of GPUs is fixed when it is loaded.
    env = {**os.environ, "KILN_CUDA_DRIVER": str(DRIVER), "KILN_SIM_DEVICES": "a100,a100", "KILN_COLLECTIVES": collectives}
    done = subprocess.run([sys.executable, "-c", RANKS, tmp_path / "m.kiln"], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
