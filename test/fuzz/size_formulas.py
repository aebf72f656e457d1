#!/usr/bin/env python3
"""Slices, pads and ranges whose bounds are formulas of the sizes of dims, compiled with default flags and run at many sizes.

    PYTHONPATH=build/python test/fuzz/size_formulas.py --count 200
    PYTHONPATH=build/python test/fuzz/size_formulas.py --count 100 --device sim:a100

A model is a chain of ops on x [n, m, 4]: slices with bounds that are sums, quotients, minima and maxima of n and m or constants, with
any step; pads and crops; what was before joined to it, reduced, multiplied by its transpose. ONNX Runtime judges. No model may be
refused but for a formula of more than 12 minima and maxima, or half of one whose sign is not proved, and no default range may be
narrowed. Prints each wrong model with its number; exit status 1 if there is one. `--seed N` repeats a run, `--only K` its model K,
`--keep FILE` saves that.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

import kiln
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

TARGETS = {"cpu": "native", "sim:a100": "sm_80"}
SIZES = (1, 2, 3, 4, 5, 7, 8, 9, 10, 16, 17, 33)
HUGE = 9223372036854775807
WIDTH = 4


class Chain:
    """A model of random ops on the dims n and m."""

    def __init__(self, number, seed):
        self.rng = random.Random(seed * 1_000_003 + number)
        self.nodes, self.weights, self.count, self.text = [], {}, 0, []
        self.value = self.node("Neg", "x")
        self.sizes = [self.size(axis) for axis in (0, 1)]
        for _ in range(self.rng.randint(1, 4)):
            self.rng.choice((self.slice, self.slice, self.slice, self.pad, self.join, self.halves))()
        self.rng.choice((self.keep, self.keep, self.reduce, self.product, self.softmax))()

    def node(self, op, *inputs, **attributes):
        self.count += 1
        name = f"v{self.count}"
        self.nodes.append(helper.make_node(op, list(inputs), [name], **attributes))
        return name

    def constant(self, values):
        name = "c_" + "_".join(str(value) for value in values).replace("-", "m")
        self.weights[name] = np.array(values, np.int64)
        return name

    def size(self, axis):
        return self.node("Shape", "x", start=axis, end=axis + 1)

    def formula(self):
        """A number that may be beyond the dim, as a tensor [1], and its text."""
        kind = self.rng.randrange(9)
        some = self.rng.choice((-9, -5, -3, -1, 0, 1, 2, 3, 5, 9, 12, 20, 100))
        if kind < 3:
            return self.constant([some]), str(some)
        index = self.rng.randrange(2)
        size, name = self.sizes[index], "nm"[index]
        if kind == 3:
            return size, name
        if kind == 4:
            added = self.node("Add", size, self.constant([some]))
            # There is no formula for a bound whose sign depends on sizes.
            return (added, f"{name} + {some}") if some >= 0 else (self.node("Max", added, self.constant([0])), f"max({name} - {-some}, 0)")
        if kind == 5:
            by = self.rng.choice((2, 2, 3, 4))
            return self.node("Div", size, self.constant([by])), f"{name} // {by}"
        if kind == 6:
            by = self.rng.choice((2, 3))
            return self.node("Div", self.node("Add", size, self.constant([by - 1])), self.constant([by])), f"({name} + {by - 1}) // {by}"
        if kind == 7:
            op = self.rng.choice(("Min", "Max"))
            return self.node(op, size, self.constant([abs(some)])), f"{op.lower()}({name}, {abs(some)})"
        return self.node("Max", self.node("Sub", *self.sizes), self.constant([0])), "max(n - m, 0)"

    def slice(self):
        axis, step = self.rng.randrange(2), self.rng.choice((1, 1, 1, 2, 3, -1, -2))
        open_end = self.rng.random() < 0.3
        start, start_text = self.formula()
        end, end_text = (self.constant([HUGE if step > 0 else -HUGE]), "") if open_end else self.formula()
        self.value = self.node("Slice", self.value, start, end, self.constant([axis]), self.constant([step]))
        self.text.append(f"[{start_text}:{end_text}:{step}] of dim {axis}")

    def pad(self):
        axis = self.rng.randrange(2)
        size, name = self.sizes[axis], "nm"[axis]
        to = self.rng.choice((4, 8, 16))
        count = self.node("Sub", self.constant([to]), size)
        if self.rng.random() < 0.5:
            count = self.node("Max", count, self.constant([0]))
        zeros = self.constant([0])
        pads = [zeros] * 6
        pads[3 + axis] = count
        own = self.node("Pad", "x", self.node("Concat", *pads, axis=0))
        self.value = self.node("Concat", self.take_other(own, axis), self.value, axis=axis)
        self.text.append(f"pad {name} to {to}, joined")

    def take_other(self, own, axis):
        """`own` with the size that the value has along the other axis, as far as it reaches: elements are repeated by Expand."""
        other = 1 - axis
        length = self.node("Shape", self.value, start=other, end=other + 1)
        one = self.node("Slice", own, self.constant([0]), self.constant([1]), self.constant([other]))
        shape = [self.constant([1])] * 3
        shape[other] = length
        return self.node("Expand", one, self.node("Concat", *shape, axis=0))

    def join(self):
        axis = self.rng.randrange(2)
        self.value = self.node("Concat", self.value, self.value, axis=axis)
        self.text.append(f"joined to itself along {axis}")

    def halves(self):
        axis = self.rng.randrange(2)
        size = self.node("Shape", self.value, start=axis, end=axis + 1)
        half = self.node("Div", size, self.constant([2]))
        first = self.node("Slice", self.value, self.constant([0]), half, self.constant([axis]))
        second = self.node("Slice", self.value, half, self.constant([HUGE]), self.constant([axis]))
        self.value = self.node("Concat", self.node("Neg", second), first, axis=axis)
        self.text.append(f"halves of dim {axis} exchanged")

    def keep(self):
        self.value = self.node("Relu", self.value)

    def reduce(self):
        axis = self.rng.randrange(2)
        self.value = self.node("ReduceSum", self.value, self.constant([axis]), keepdims=0)
        self.text.append(f"sum over {axis}")

    def product(self):
        turned = self.node("Transpose", self.value, perm=[0, 2, 1])
        self.value = self.node("MatMul", self.value, turned)
        self.text.append("times its transpose")

    def softmax(self):
        self.value = self.node("Softmax", self.value, axis=1)
        self.text.append("softmax of dim 1")

    def model(self):
        x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", "m", WIDTH])
        y = helper.make_tensor_value_info(self.value, TensorProto.FLOAT, None)
        weights = [numpy_helper.from_array(value, name) for name, value in self.weights.items()]
        graph = helper.make_graph(self.nodes, "chain", [x], [y], weights)
        return helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 18)])


def judge(options, chain, folder):
    """What is wrong; "" if nothing is, None if a formula is too long."""
    path, model = folder / "chain.onnx", chain.model()
    onnx.save(model, path)
    command = [options.kiln, "compile", path, "-o", path.with_suffix(".kiln"), "--target", TARGETS[options.device]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "too long a formula" in done.stderr or "list of ends is not known" in done.stderr:
        return None
    if done.returncode:
        return done.stderr or f"kiln compile ended with {done.returncode}"
    if "narrowed" in done.stderr:
        return done.stderr
    session, reference = kiln.Session(path.with_suffix(".kiln"), device=options.device), onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    numbers = np.random.default_rng(options.seed)
    for _ in range(options.sizes):
        n, m = chain.rng.choice(SIZES), chain.rng.choice(SIZES)
        x = numbers.standard_normal((n, m, WIDTH)).astype(np.float32)
        (expected,), found = reference.run(None, {"x": x}), session.run({"x": x})[chain.value]
        if expected.shape != found.shape:
            return f"n = {n}, m = {m}: shape {found.shape}, {expected.shape} expected"
        if not np.allclose(expected, found, rtol=1e-4, atol=1e-4):
            return f"n = {n}, m = {m}: off by {np.abs(expected - found).max()}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", default="build/bin/kiln")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sizes", type=int, default=8, help="runs of each model")
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--device", choices=list(TARGETS), default="cpu")
    options = parser.parse_args()
    numbers = range(options.count) if options.only is None else [options.only]
    bad = refused = 0
    for number in numbers:
        chain = Chain(number, options.seed)
        if options.keep:
            onnx.save(chain.model(), options.keep)
        with tempfile.TemporaryDirectory() as folder:
            text = judge(options, chain, pathlib.Path(folder))
        refused += text is None
        if text:
            bad += 1
            print(f"model {number}: {'; '.join(chain.text)}: {text}", flush=True)
    print(f"{bad} of {len(numbers)} models wrong, {refused} refused for their formulas, seed {options.seed}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
