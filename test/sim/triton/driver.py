# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The few calls of the CUDA driver interface that the tests need."""
import ctypes

import numpy as np


class LaunchAttribute(ctypes.Structure):
    _fields_ = [("id", ctypes.c_int), ("pad", ctypes.c_int), ("value", ctypes.c_uint32 * 16)]


class LaunchConfig(ctypes.Structure):
    _fields_ = [
        ("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3), ("shared", ctypes.c_uint), ("stream", ctypes.c_void_p),
        ("attributes", ctypes.POINTER(LaunchAttribute)), ("count", ctypes.c_uint),
    ]  # fmt: skip


COOPERATIVE, CLUSTER, PDL = 2, 4, 6
MAX_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
STATIC_SHARED = 48 << 10


class DriverError(Exception):
    pass


class Driver:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.call("cuInit", 0)

    def call(self, name, *arguments):
        result = getattr(self.library, name)(*arguments)
        if result:
            text = ctypes.c_char_p()
            self.library.cuGetErrorName(result, ctypes.byref(text))
            raise DriverError(f"{name}: {text.value.decode() if text.value else result}")


class Context:
    """A context of its own on a device; what is allocated goes with it."""

    def __init__(self, driver, device):
        self.driver, self.handle = driver, ctypes.c_void_p()
        driver.call("cuCtxCreate_v2", ctypes.byref(self.handle), 0, device)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.library.cuCtxDestroy_v2(self.handle)

    def load(self, ptx, name, shared):
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.driver.call("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(ptx.encode()))
        self.driver.call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        if shared > STATIC_SHARED:
            self.driver.call("cuFuncSetAttribute", function, MAX_SHARED, shared)
        return function

    def allocate(self, size):
        address = ctypes.c_uint64()
        self.driver.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(size, 1)))
        return address.value

    def upload(self, array):
        array = np.ascontiguousarray(array)
        address = self.allocate(array.nbytes)
        self.driver.call("cuMemcpyHtoD_v2", ctypes.c_uint64(address), array.ctypes.data_as(ctypes.c_void_p),
                         ctypes.c_size_t(array.nbytes))  # fmt: skip
        return address

    def download(self, address, array):
        self.driver.call("cuMemcpyDtoH_v2", array.ctypes.data_as(ctypes.c_void_p), ctypes.c_uint64(address),
                         ctypes.c_size_t(array.nbytes))  # fmt: skip

    def tensor_map(self, address, shape, strides, box, element, element_bytes, swizzle, fill=0):
        """A CUtensorMap: shape, strides (in elements) and box with the slowest dimension first, as numpy has them."""
        rank = len(shape)
        raw = (ctypes.c_uint8 * (128 + 64))()
        start = -ctypes.addressof(raw) % 64
        sizes = (ctypes.c_uint64 * rank)(*reversed(shape))
        steps = (ctypes.c_uint64 * max(rank - 1, 1))(*[s * element_bytes for s in reversed(strides[:-1])])
        boxes = (ctypes.c_uint32 * rank)(*reversed(box))
        ones = (ctypes.c_uint32 * rank)(*[1] * rank)
        self.driver.call("cuTensorMapEncodeTiled", ctypes.c_void_p(ctypes.addressof(raw) + start), element, rank,
                         ctypes.c_void_p(address), sizes, steps, boxes, ones, 0, swizzle, 2, fill)  # fmt: skip
        return bytes(raw)[start : start + 128]

    def launch(self, function, grid, threads, shared, arguments, cluster=1, cooperative=False, pdl=False):
        """`arguments`: the bytes of each parameter."""
        attributes = (LaunchAttribute * 3)()
        config = LaunchConfig(grid=(grid[0] * cluster, grid[1], grid[2]), block=(threads, 1, 1), shared=shared)
        for wanted, kind, values in ((cluster > 1, CLUSTER, (cluster, 1, 1)), (cooperative, COOPERATIVE, (1,)), (pdl, PDL, (1,))):
            if wanted:
                attribute = attributes[config.count]
                attribute.id = kind
                attribute.value[: len(values)] = values
                config.count += 1
        config.attributes = attributes
        buffers = [ctypes.create_string_buffer(a, len(a)) for a in arguments]
        pointers = (ctypes.c_void_p * len(buffers))(*[ctypes.addressof(b) for b in buffers])
        self.driver.call("cuLaunchKernelEx", ctypes.byref(config), function, pointers, None)

    def synchronize(self):
        self.driver.call("cuCtxSynchronize")
