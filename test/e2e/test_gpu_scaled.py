"""Products of codes on the simulated GPU: what they read, and that assemblers say nothing. test/unit/Kernels checks that their bits are
those of the host."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import gpu_counters
import numpy as np
import onnx
import pytest
import test_ptx
import tool
from onnx import TensorProto, helper, numpy_helper

FORMATS = ["int8", "int4", "nvfp4", "mxfp4"]
DEVICES = gpu_counters.DEVICES
SCHEDULES = ["eager,forward", "late,random,7", "random,reverse,3"]


def write(path, m, n, k, nodes, weights):
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [m, k])]
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, [m, n])]
    graph = helper.make_graph(nodes, "product", inputs, outputs, weights)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=9), path)
    return path


def weight(n, k):
    return np.random.default_rng(n).standard_normal((k, n)).astype(np.float32)


def product(path, m, n, k):
    nodes = [helper.make_node("MatMul", ["x", "w"], ["y"], "product")]
    return write(path, m, n, k, nodes, [numpy_helper.from_array(weight(n, k), "w")])


def compile_product(model, *options, target="sm_80"):
    package = model.with_suffix(".kiln")
    tool.call("compile", model, "-o", package, "-q", "--target", f"native,{target}", *options)
    return package


def results(package, device, environment, *options):
    out = package.with_name(f"{device.replace(':', '-')}.npy")
    tool.call("run", package, "--device", device, "-o", f"y=@{out}", *options, env=environment)
    return np.load(out)


@pytest.mark.parametrize("target", DEVICES)
@pytest.mark.parametrize("precision", FORMATS)
def test_weights_are_read_once(driver, tmp_path, precision, target):
    """And in whole sectors; no shared memory in the loop, nothing in local memory."""
    m, n, k = 1, 256, 512
    block = {"nvfp4": 16, "int8": 128}.get(precision, 32)
    launches = gpu_counters.measure(product(tmp_path / "m.onnx", m, n, k), tmp_path, driver, target, "--precision", precision)
    [launch] = [launch for launch in launches if any(".s32.s8.u8.s32" in line for line in launch.text)]
    bits, scale, zero = {"int8": (8, 2, 1), "int4": (4, 2, 1), "nvfp4": (4, 1, 0), "mxfp4": (4, 1, 0)}[precision]
    weights = n * k * bits // 8 + n * k // block * (scale + zero)
    sectors = -(-4 * m * k // block // gpu_counters.SECTOR)  # of scales; the same number of block sums
    activations = m * k + 2 * sectors * gpu_counters.SECTOR
    assert launch.distinct == weights + activations + 4 * m * n
    assert launch.counters["shared"]["bank_conflicts"] == 0 and launch.counters["local"]["bytes"] == 0


ASSEMBLED = [*((precision, "m", 1024, 1024) for precision in FORMATS), ("int4", 1, 4096, 4096), ("int8", 64, 1000, 768)]


@pytest.mark.parametrize("precision, m, n, k", ASSEMBLED)
def test_every_target_assembles_without_spills(tmp_path, precision, m, n, k):
    ranges = ["--dims", "m=1..512"] if m == "m" else []
    test_ptx.check(product(tmp_path / "m.onnx", m, n, k), tmp_path, test_ptx.TARGETS, "--precision", precision, *ranges)
