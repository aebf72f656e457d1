"""Families of graphs whose compile time must grow like a polynomial of their size.

As a program it prints the time of each family against its size:
    python3 test/e2e/graph_families.py [FAMILY ...]
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import sys
import tempfile
import time

import numpy as np
import onnx
import tool
from onnx import TensorProto, helper, numpy_helper

FLOAT = TensorProto.FLOAT


def value(name, shape=(4,)):
    return helper.make_tensor_value_info(name, FLOAT, shape)


def constant(name, array):
    return numpy_helper.from_array(np.asarray(array), name)


def node(op, inputs, output, **attributes):
    return helper.make_node(op, inputs, [output], **attributes)


def model(nodes, inputs, outputs, constants=()):
    graph = helper.make_graph(nodes, "g", inputs, outputs, list(constants))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def doubling(size):
    """A value added to itself, again and again: 2^size paths from the input to the output."""
    nodes = [node("Add", [f"v{i}", f"v{i}"], f"v{i + 1}") for i in range(size)]
    return model(nodes, [value("v0")], [value(f"v{size}")])


def residual(size):
    """x + tanh(x): as many paths, and two users of every value."""
    nodes = []
    for i in range(size):
        nodes.append(node("Tanh", [f"v{i}"], f"t{i}"))
        nodes.append(node("Add", [f"v{i}", f"t{i}"], f"v{i + 1}"))
    return model(nodes, [value("v0")], [value(f"v{size}")])


def widths(size):
    """Values of sizes that cannot be compared, all alive at once: 2^size sums of them."""
    nodes, constants = [], [constant("axis", np.array([1], np.int64))]
    for i in range(size):
        constants.append(constant(f"w{i}", np.ones((8, 8 + i), np.float32)))
        nodes.append(node("MatMul", ["x", f"w{i}"], f"v{i}"))
    nodes += [node("ReduceSum", [f"v{i}", "axis"], f"r{i}") for i in range(size)]
    nodes.append(node("Sum", [f"r{i}" for i in range(size)], "y"))
    return model(nodes, [value("x", ("n", 8))], [value("y", ("n", 1))], constants)


def branches(size):
    """Branches from one value that meet in one sum."""
    nodes = []
    for i in range(size):
        nodes.append(node("Tanh", ["x"], f"a{i}"))
        nodes.append(node("Mul", [f"a{i}", f"c{i}"], f"b{i}"))
        nodes.append(node("Softmax", [f"b{i}"], f"s{i}"))
    nodes.append(node("Sum", [f"s{i}" for i in range(size)], "y"))
    constants = [constant(f"c{i}", np.float32(i + 2)) for i in range(size)]
    return model(nodes, [value("x", ("n", 64))], [value("y", ("n", 64))], constants)


def concat(size):
    """One concat of many parts, of which sixteen are different."""
    nodes = [node("Concat", [f"x{i % 16}" for i in range(size)], "y", axis=0)]
    return model(nodes, [value(f"x{i}", (2, 4)) for i in range(16)], [value("y", (2 * size, 4))])


def parts(size):
    """One concat of many inputs of the model."""
    nodes = [node("Concat", [f"x{i}" for i in range(size)], "y", axis=0)]
    return model(nodes, [value(f"x{i}", (1,)) for i in range(size)], [value("y", (size,))])


def chain(size):
    ops = ["Tanh", "Sigmoid", "Abs", "Sqrt", "Neg"]
    nodes = [node(ops[i % 5], [f"v{i}"], f"v{i + 1}") for i in range(size)]
    return model(nodes, [value("v0")], [value(f"v{size}")])


def fan(size):
    """Many users of one value, added up one by one."""
    nodes = [node("Mul", ["x", "c"], "s0")]
    for i in range(1, size // 2):
        nodes.append(node("Mul", [f"s{i - 1}", "x"], f"m{i}"))
        nodes.append(node("Add", ["x", f"m{i}"], f"s{i}"))
    return model(nodes, [value("x")], [value(f"s{size // 2 - 1}")], [constant("c", np.float32(0.5))])


def halves(size):
    """Concats of slices of concats: every element has one way, every value two users."""
    nodes = []
    for i in range(size):
        nodes.append(node("Slice", [f"v{i}", "zero", "half"], f"l{i}"))
        nodes.append(node("Slice", [f"v{i}", "half", "end"], f"r{i}"))
        nodes.append(node("Neg", [f"r{i}"], f"n{i}"))
        nodes.append(node("Concat", [f"n{i}", f"l{i}"], f"v{i + 1}", axis=0))
    bounds = {"zero": 0, "half": 4, "end": 8}
    constants = [constant(name, np.array([at], np.int64)) for name, at in bounds.items()]
    return model(nodes, [value("v0", (8,))], [value(f"v{size}", (8,))], constants)


def sizes(size):
    """Arithmetic with a size, which doubles at every step but is used modulo 64."""
    nodes = [node("Shape", ["x"], "v0")]
    for i in range(size):
        nodes.append(node("Add", [f"v{i}", f"v{i}"], f"d{i}"))
        nodes.append(node("Mod", [f"d{i}", "m"], f"v{i + 1}"))
    nodes.append(node("ConstantOfShape", [f"v{size}"], "y"))
    return model(nodes, [value("x", ("n",))], [value("y", ("k",))], [constant("m", np.array([64], np.int64))])


# family: (size that must compile quickly, phase to stop after)
FAMILIES = {
    doubling: (98, None),
    residual: (98, None),
    widths: (56, "plan"),  # more than a hundred distinct kernels
    branches: (60, None),
    concat: (8192, None),
    parts: (8192, None),
    chain: (10000, None),
    fan: (10000, None),
    halves: (100, None),
    sizes: (12, None),
}


def compile_seconds(family, size, folder, timeout=60):
    """Seconds that `kiln compile` takes; fails after `timeout`."""
    path = pathlib.Path(folder) / f"{family.__name__}-{size}.onnx"
    onnx.save(family(size), path)
    stop = FAMILIES[family][1]
    out = ["-o", path.with_suffix(".mlir"), "--compile-to", stop] if stop else ["-o", path.with_suffix(".kiln")]
    begin = time.monotonic()
    tool.call("compile", path, *out, "-q", timeout=timeout)
    return time.monotonic() - begin


def main(names):
    with tempfile.TemporaryDirectory() as folder:
        for family, (size, _) in FAMILIES.items():
            if names and family.__name__ not in names:
                continue
            times = [(n, compile_seconds(family, n, folder)) for n in (size // 4, size // 2, size)]
            print(f"{family.__name__:10}", "  ".join(f"{n:6}: {t:6.2f} s" for n, t in times), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
