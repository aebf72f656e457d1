#!/usr/bin/env python3
"""Layers that differ in scalars and weights alone, compiled together, against the same layers compiled one by one.

    PYTHONPATH=build/python test/fuzz/layer_scalars.py --count 50
    PYTHONPATH=build/python test/fuzz/layer_scalars.py --count 5 --device sim:a100

A case is a random list of steps (scales, bounds, norms, softmax, matmuls, attention, pairs of QuantizeLinear and DequantizeLinear) that
two to five layers have in common, each with random scalars of its own. Together their kernels read these scalars from memory; a layer
alone has them as literals, and its result must be the same to the bit. onnxruntime judges each layer, fed with what Kiln found for the
layer before. Prints what failed, with its number; exit status 1 if something did. `--seed N` repeats a run, `--only K` its case K.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import kiln
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

TARGETS = {"cpu": "native", "sim:a100": "sm_80", "sim:h200": "sm_90a"}
HEADS = 2


class Layer:
    """Appends steps to `nodes`, from a value named `value` on; scalars and weights are drawn anew for every layer."""

    def __init__(self, case, number, rng):
        self.case, self.number, self.rng = case, number, rng
        self.numbers = np.random.default_rng(rng.randrange(1 << 32))
        self.nodes, self.weights, self.value, self.error = [], {}, f"x{number}", 0.0

    def constant(self, array):
        name = f"c{self.number}_{len(self.weights)}"
        self.weights[name] = np.asarray(array)
        return name

    def scalar(self, low=0.25, high=2.0, dtype=np.float32):
        shape = self.case.rng_of_shapes.choice(((), (1,)))
        return self.constant(np.full(shape, self.rng.uniform(low, high), dtype))

    def add(self, op, *inputs, **attributes):
        name = f"t{self.number}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, [self.value, *inputs], [name], **attributes))
        self.value = name
        return name

    def scale(self):
        self.add("Mul", self.scalar())

    def shift(self):
        self.add("Add", self.scalar(-1.0, 1.0))

    def quotient(self):
        self.add("Div", self.scalar(0.5, 3.0))

    def bounds(self):
        low, high = (self.constant(np.float32(self.rng.uniform(*range_))) for range_ in ((-2, -0.5), (0.5, 2)))
        self.add("Clip", low, high)

    def leak(self):
        before = self.value
        small = self.add("Mul", self.scalar(0.01, 0.3))
        self.value = before
        positive = self.add("Greater", self.scalar(-0.2, 0.2))
        self.value = positive
        self.add("Where", before, small)

    def norm(self):
        size = self.case.size
        self.add("LayerNormalization", self.constant(self.numbers.uniform(0.5, 2, size).astype(np.float32)),
                 self.constant(self.numbers.standard_normal(size).astype(np.float32)), axis=-1)

    def softmax(self):
        self.scale()
        self.add("Softmax", axis=-1)

    def total(self):
        before = self.value
        self.add("ReduceSum", self.constant(np.array([-1])), keepdims=1)
        self.scale()
        self.add("Add", before)

    def product(self):
        size = self.case.size
        self.add("MatMul", self.constant((self.numbers.standard_normal((size, size)) / size**0.5).astype(np.float32)))
        self.scale()

    def attention(self):
        """Of the value by itself, with a scale that all layers have, scaled behind it."""
        size = self.case.size
        heads = self.constant(np.array([1, -1, HEADS, size // HEADS]))
        rows = self.constant(np.array([-1, size]))
        self.add("Reshape", heads)
        query = self.add("Transpose", perm=[0, 2, 1, 3])
        keys = self.add("Transpose", perm=[0, 1, 3, 2])
        self.value = query
        self.add("MatMul", keys)
        self.add("Mul", self.constant(np.float32((size // HEADS) ** -0.5)))
        self.add("Softmax", axis=-1)
        self.add("MatMul", query)
        self.add("Transpose", perm=[0, 2, 1, 3])
        self.add("Reshape", rows)
        self.scale()

    def quantize(self):
        """Ends a layer: a value that onnxruntime rounds to the other side is one step off."""
        kind, step = self.case.kind, np.float32(self.rng.uniform(0.01, 0.05))
        zero = 0 if kind is np.int8 else self.rng.randrange(100, 150)
        scale, point = self.constant(step), self.constant(np.array(zero, kind))
        self.add("QuantizeLinear", scale, point)
        self.add("DequantizeLinear", scale, point)
        self.error = float(step)


STEPS = (Layer.scale, Layer.shift, Layer.quotient, Layer.bounds, Layer.leak, Layer.norm, Layer.softmax, Layer.total, Layer.product,
         Layer.attention)


class Case:
    def __init__(self, rng):
        self.size, self.rows = rng.choice((8, 20, 32, 48)), rng.choice((1, 3, 9))
        self.kind = rng.choice((np.int8, np.uint8))
        steps = [rng.choice(STEPS) for _ in range(rng.randint(1, 4))] + [Layer.quantize] * rng.randint(0, 1)
        self.title = f"{self.rows}x{self.size}, {' '.join(step.__name__ for step in steps)}"
        shapes = rng.randrange(1 << 32)
        self.layers = []
        for number in range(rng.randint(2, 5)):
            self.rng_of_shapes = random.Random(shapes)  # generates the shapes, which are equal in all layers
            layer = Layer(self, number, rng)
            for step in steps:
                step(layer)
            self.layers.append(layer)
        self.x = np.random.default_rng(shapes).standard_normal((self.rows, self.size)).astype(np.float32)

    def model(self, layers):
        """The layers, one behind the other; the result of each is an output."""
        shape = ["rows", self.size]
        nodes, outputs = [], []
        for layer, following in zip(layers, [*layers[1:], None]):
            result = f"x{layer.number + 1}"
            nodes += [*layer.nodes, helper.make_node("Identity", [layer.value], [result])]
            outputs.append(helper.make_tensor_value_info(result, TensorProto.FLOAT, shape))
        weights = [numpy_helper.from_array(value, name) for layer in layers for name, value in layer.weights.items()]
        first = helper.make_tensor_value_info(f"x{layers[0].number}", TensorProto.FLOAT, shape)
        graph = helper.make_graph(nodes, "g", [first], outputs, weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def compile_layers(options, case, layers, path):
    onnx.save(case.model(layers), path)
    command = [options.kiln, "compile", path, "-o", path.with_suffix(".kiln"), "--target", TARGETS[options.device], "--dims", "rows=1..16"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return None, done.stderr or f"kiln compile ended with {done.returncode}"
    return path.with_suffix(".kiln"), done.stdout


def kernels_in(report):
    return int(re.search(r"kernels +(\d+) different", report).group(1))


def judge_layer(options, case, layer, given, found, folder):
    package, text = compile_layers(options, case, [layer], folder / "alone.onnx")
    if not package:
        return text, 0
    alone = next(iter(kiln.Session(package, device=options.device).run({f"x{layer.number}": given}).values()))
    if alone.tobytes() != found.tobytes():
        return f"layer {layer.number}: {int((alone != found).sum())} of {found.size} elements differ from those of the layer alone", 0
    expected = onnxruntime.InferenceSession(str(folder / "alone.onnx"), providers=["CPUExecutionProvider"]).run(None, {f"x{layer.number}": given})[0]
    error = np.abs(found - expected).max()
    allowed = 1e-4 * np.abs(expected).max() + 1e-5 + 1.01 * layer.error
    return (f"layer {layer.number}: off by {error}, {allowed} allowed" if not error <= allowed else ""), kernels_in(text)


def judge(options, case, folder):
    """What is wrong ("" if nothing is), and how many kernels sharing saved."""
    package, text = compile_layers(options, case, case.layers, folder / "all.onnx")
    if not package:
        return text, 0
    results = kiln.Session(package, device=options.device).run({"x0": case.x})
    given, apart = case.x, 0
    for layer in case.layers:
        found = results[f"x{layer.number + 1}"]
        wrong, kernels = judge_layer(options, case, layer, given, found, folder)
        if wrong:
            return wrong, 0
        given, apart = found, apart + kernels
    return "", apart - kernels_in(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", default="build/bin/kiln")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--device", choices=list(TARGETS), default="cpu")
    options = parser.parse_args()
    bad = saved = 0
    for number in range(options.count) if options.only is None else [options.only]:
        case = Case(random.Random(options.seed * 100003 + number))
        with tempfile.TemporaryDirectory() as folder:
            wrong, fewer = judge(options, case, pathlib.Path(folder))
        saved += fewer
        if wrong:
            bad += 1
            print(f"case {number}: {case.title}: {wrong}", flush=True)
    print(f"{bad} of {options.count} cases wrong; {saved} kernels shared")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
