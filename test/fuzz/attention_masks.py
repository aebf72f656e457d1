#!/usr/bin/env python3
"""Attention with masks of every spelling: selects and sums, by every number that stands for "removed", in every order.

    PYTHONPATH=build/python test/fuzz/attention_masks.py --count 2000
    PYTHONPATH=build/python test/fuzz/attention_masks.py --count 200 --device sim:h200

A spelling is softmax(masks(q @ k)) @ v with one to three masks: `Where` with a number in the place of scores, or a summand (a product with
1 - mask, a `Where` of two numbers, a bias), after a scale and perhaps a soft cap, and perhaps kept from being less than the lowest number.
Its masks are inputs of the model, run with rows that one mask removes, that another removes, that both remove together, and that keep a key. NumPy judges: every step in f32, in the order of the
model, and softmax in double precision; a result may be off by what roundings of the scores make of it. Prints each wrong spelling with its
number; exit status 1 if there is one. `--seed N` repeats a run, `--only K` its spelling K.
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
from onnx import TensorProto, helper, numpy_helper

TARGETS = {"cpu": "native", "sim:a100": "sm_80", "sim:h200": "sm_90a"}
BATCH, HEADS, QUERIES, KEYS, DEPTH = 2, 2, 6, 9, 8
LOWEST = float(np.finfo(np.float32).min)
NUMBERS = (-1e4, -1e4, -1e4, -1e9, -1e9, -65504.0, LOWEST, LOWEST, -np.inf, -1e30, -2e4)
PER_MODEL = 20
RUNS = 3


class Spelling:
    """ONNX nodes of one attention, and for each of its inputs a function that draws it."""

    def __init__(self, number, rng):
        self.prefix, self.rng, self.text = f"s{number}_", rng, []
        self.nodes, self.weights, self.inputs, self.steps = [], [], {}, []
        self.value = self.node("MatMul", self.given("q", (BATCH, HEADS, QUERIES, DEPTH), self.normal), "kt")
        self.scale(DEPTH**-0.5)
        if rng.random() < 0.2:
            self.cap(rng.choice((2.0, 30.0)))
        for _ in range(rng.choice((1, 2, 2, 2, 3))):
            rng.choice((self.select, self.add))()
        if rng.random() < 0.1 and not any(abs(number) > 1e37 for number in self.numbers):
            self.scale(rng.choice((0.5, 2.0)))
        if rng.random() < 0.2:
            self.floor()
        weights = self.node("Softmax", self.value, axis=-1)
        self.nodes.append(helper.make_node("MatMul", [weights, "v"], [self.prefix + "y"]))

    @property
    def numbers(self):
        return [step[2] for step in self.steps if step[0] == "select"] + [n for step in self.steps if step[0] == "add" for n in step[2]]

    def node(self, op, *inputs, **attributes):
        name = f"{self.prefix}{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, list(inputs), [name], **attributes))
        return name

    def constant(self, array):
        name = f"{self.prefix}c{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def given(self, name, shape, draw, dtype=TensorProto.FLOAT):
        name = f"{self.prefix}{name}{len(self.inputs)}"
        self.inputs[name] = (shape, draw, dtype)
        return name

    @staticmethod
    def normal(numbers, shape):
        return numbers.normal(size=shape).astype(np.float32)

    def scale(self, factor):
        self.value = self.node("Mul", self.value, self.constant(np.float32(factor)))
        self.steps.append(("scale", np.float32(factor)))

    def cap(self, cap):
        self.value = self.node("Div", self.value, self.constant(np.float32(cap)))
        self.value = self.node("Mul", self.node("Tanh", self.value), self.constant(np.float32(cap)))
        self.steps.append(("cap", np.float32(cap)))
        self.text.append(f"cap {cap}")

    def floor(self):
        lowest = np.finfo(np.float32).min
        self.value = self.node("Max", self.value, self.constant(lowest))
        self.steps.append(("floor", lowest))
        self.text.append("floor")

    def condition(self):
        """A value of bool, its name, and how to compute it from the inputs."""
        kind = self.rng.choice(("causal", "keys", "scores", "ids"))
        if kind == "causal":
            table = np.tril(np.ones((QUERIES, KEYS), bool), KEYS - QUERIES)
            return self.constant(table), kind, lambda _: table
        if kind == "ids":
            ids = self.given("ids", (BATCH, 1, 1, KEYS), draw_keep, TensorProto.INT64)
            return self.node("Cast", ids, to=TensorProto.BOOL), kind, lambda given: given[ids] != 0
        shape = (BATCH, 1, 1, KEYS) if kind == "keys" else self.rng.choice(((BATCH, 1, QUERIES, KEYS), (QUERIES, KEYS)))
        name = self.given("keep", shape, draw_keep, TensorProto.BOOL)
        return name, kind, lambda given: given[name] != 0

    def select(self):
        value, kind, keeps = self.condition()
        number, removed = np.float32(self.rng.choice((*NUMBERS, -30.0, 0.0))), self.rng.random() < 0.5
        constant = self.constant(number)
        if removed:
            self.value = self.node("Where", self.node("Not", value), constant, self.value)
        else:
            self.value = self.node("Where", value, self.value, constant)
        self.steps.append(("select", keeps, number))
        self.text.append(f"select {kind} {number}")

    def add(self):
        kind = self.rng.choice(("product", "where", "where", "bias", "numbers"))
        number = np.float32(self.rng.choice((*NUMBERS, 1e4)))
        if kind == "product":
            number = number if np.isfinite(number) else np.float32(-1e4)
            ids = self.given("ids", (BATCH, 1, 1, KEYS), draw_keep, TensorProto.INT64)
            inverse = self.node("Sub", self.constant(np.float32(1)), self.node("Cast", ids, to=TensorProto.FLOAT))
            mask = self.node("Mul", inverse, self.constant(number))
            compute = lambda given: (np.float32(1) - given[ids].astype(np.float32)) * number  # noqa: E731
        elif kind == "where":
            value, _, keeps = self.condition()
            mask = self.node("Where", value, self.constant(np.float32(0)), self.constant(number))
            compute = lambda given: np.where(keeps(given), np.float32(0), number)  # noqa: E731
        else:
            shape = self.rng.choice(((1, HEADS, QUERIES, KEYS), (BATCH, 1, 1, KEYS), (QUERIES, KEYS)))
            draw = self.normal if kind == "bias" else lambda numbers, shape: np.where(draw_keep(numbers, shape), np.float32(0), number)
            mask = self.given("bias", shape, draw)
            compute = lambda given: given[mask]  # noqa: E731
        number = np.float32(0) if kind == "bias" else number
        operands = [self.value, mask] if self.rng.random() < 0.5 else [mask, self.value]
        self.value = self.node("Add", *operands)
        self.steps.append(("add", compute, [number]))
        self.text.append(f"add {kind} {number}")

    def expected(self, given):
        """The result, and by how much roundings of the scores may move it."""
        q = next(given[name] for name in self.inputs)
        scores = (q.astype(np.float64) @ given["kt"].astype(np.float64)).astype(np.float32)
        sizes = np.abs(scores).astype(np.float64)
        for kind, *step in self.steps:
            if kind == "scale":
                scores, sizes = scores * step[0], sizes * step[0]
            elif kind == "cap":
                scores = (np.tanh(scores.astype(np.float64) / step[0]) * step[0]).astype(np.float32)
            elif kind == "floor":
                scores = np.maximum(scores, step[0])
            elif kind == "select":
                keeps = step[0](given)
                scores, sizes = np.where(keeps, scores, step[1]), np.where(keeps, sizes, abs(step[1]))
            else:
                summand = step[0](given)
                scores, sizes = scores + summand, sizes + np.abs(summand)
        return softmax_times(scores.astype(np.float64), np.where(np.isfinite(sizes), sizes, 0), given["v"].astype(np.float64))


def draw_keep(numbers, shape):
    """Ones and zeros; some rows all ones, some all zeros."""
    rows = numbers.choice([0.0, 0.5, 0.9, 1.0], size=(*shape[:-1], 1))
    return (numbers.random(shape) < rows).astype(np.int64)


def softmax_times(scores, sizes, values):
    """Weights times values, and a bound of how far errors of 4 roundings of each score's size move the result."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(shifted)
    weights /= weights.sum(axis=-1, keepdims=True)
    result = weights @ values
    errors = np.minimum(4 * 2.0**-24 * sizes, 50)
    away = np.abs(values[:, :, None] - result[:, :, :, None])  # [B, H, S, T, D]
    moved = np.einsum("bhst,bhstd->bhsd", weights * np.expm1(errors), away)
    moved /= (weights * np.exp(-errors)).sum(axis=-1, keepdims=True)
    return result, np.minimum(moved, away.max(axis=3))


def model(spellings):
    shared = {"kt": (BATCH, HEADS, DEPTH, KEYS), "v": (BATCH, HEADS, KEYS, DEPTH)}
    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shared.items()]
    inputs += [helper.make_tensor_value_info(name, dtype, shape) for s in spellings for name, (shape, _, dtype) in s.inputs.items()]
    outputs = [helper.make_tensor_value_info(s.prefix + "y", TensorProto.FLOAT, (BATCH, HEADS, QUERIES, DEPTH)) for s in spellings]
    graph = helper.make_graph([n for s in spellings for n in s.nodes], "masks", inputs, outputs, [w for s in spellings for w in s.weights])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def draw(spellings, seed):
    """Inputs that depend on the seed and the spelling alone."""
    numbers = np.random.default_rng(seed)
    given = {"kt": Spelling.normal(numbers, (BATCH, HEADS, DEPTH, KEYS)), "v": Spelling.normal(numbers, (BATCH, HEADS, KEYS, DEPTH))}
    dtypes = {TensorProto.FLOAT: np.float32, TensorProto.BOOL: bool, TensorProto.INT64: np.int64}
    for number, spelling in spellings.items():
        numbers = np.random.default_rng((*seed, number))
        for name, (shape, function, dtype) in spelling.inputs.items():
            given[name] = function(numbers, shape).astype(dtypes[dtype])
    return given


def difference(spelling, given, found):
    """What is wrong; "" if nothing is."""
    with np.errstate(invalid="ignore", over="ignore"):
        expected, moved = spelling.expected(given)
        if not np.array_equal(np.isnan(expected), np.isnan(found)):
            return f"NaN in {np.isnan(found).sum()} elements, {np.isnan(expected).sum()} expected"
        excess = np.nan_to_num(np.abs(found - expected) - moved - 1e-5 * (1 + np.abs(expected)))
    return f"off by {np.nanmax(np.abs(found - expected))}, {excess.max()} more than rounding" if excess.max() > 0 else ""


def judge(options, spellings, folder):
    """(What is wrong with each spelling, as text by number; how many the compiler takes for an attention)."""
    path = folder / "masks.onnx"
    onnx.save(model(spellings.values()), path)
    command = [options.kiln, "compile", path, "-o", path.with_suffix(".kiln"), "--target", TARGETS[options.device]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return dict.fromkeys(spellings, done.stderr or f"kiln compile ended with {done.returncode}"), 0
    fused = subprocess.run([options.kiln, "inspect", path.with_suffix(".kiln"), "--kernels"], capture_output=True, text=True, check=True)
    session, wrong = kiln.Session(path.with_suffix(".kiln"), device=options.device), {}
    for run in range(RUNS):
        given = draw(spellings, (options.seed, run))
        results = session.run(given)
        for number, spelling in spellings.items():
            if text := difference(spelling, given, results[spelling.prefix + "y"]):
                wrong.setdefault(number, text)
    found = re.search(r"^ *steps .*?(\d+) attention", fused.stdout, re.MULTILINE)
    return wrong, int(found.group(1)) if found else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", default="build/bin/kiln")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--device", choices=list(TARGETS), default="cpu")
    options = parser.parse_args()
    numbers = range(options.count) if options.only is None else [options.only]
    bad = raised = 0
    for first in range(0, len(numbers), PER_MODEL):
        spellings = {n: Spelling(n, random.Random(options.seed * 1_000_003 + n)) for n in numbers[first : first + PER_MODEL]}
        with tempfile.TemporaryDirectory() as folder:
            wrong, attentions = judge(options, spellings, pathlib.Path(folder))
        bad, raised = bad + len(wrong), raised + attentions
        for number, text in wrong.items():
            print(f"spelling {number}: {', '.join(spellings[number].text)}: {text}", flush=True)
    print(f"{bad} of {len(numbers)} spellings wrong, {raised} attention kernels, seed {options.seed}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
