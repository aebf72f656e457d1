# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a test of a Triton kernel consists of.

A file of kernels/ holds kernels and, behind each, its cases:

    @triton.jit
    def add(x, y, out, n, BLOCK: tl.constexpr): ...

    @case(add, "x:*fp32 y:*fp32 out:*fp32 n:i32", BLOCK=256)
    def add_masked(t):
        x, y = t.normal(1000), t.normal(1000)
        t.launch(4, x=x, y=y, out=t.empty(1000), n=1000)
        t.expect("out", x + y)

Arguments are numpy arrays, numbers, or Descriptor. Triton itself is needed by regenerate.py only: without it the
kernels are not looked at.
"""
import dataclasses
import importlib
import pathlib
import zlib

import numpy as np

from formats import from_bits, to_bits

try:
    import triton
    import triton.language as tl
except ImportError:

    class _Absent:
        """Stands for Triton's names where it is not installed."""

        def __getattr__(self, name):
            return self

        def __call__(self, *args, **kwargs):
            return args[0] if args and callable(args[0]) and not isinstance(args[0], _Absent) else self

    triton = tl = _Absent()

ARCHS = (80, 89, 90)
# A sum over lanes of products, with fused multiply-add, is fma(a, b, c * d) in one lane and fma(c, d, a * b) in the
# other: if both store it to one location, their last bits race. The simulator reports that; Triton 3.10 does not fuse
# by default.
EXACT_SUMS = {"enable_fp_fusion": False}
HERE = pathlib.Path(__file__).parent


@dataclasses.dataclass
class Descriptor:
    """A tensor descriptor that the host makes: of an array, by blocks of this shape."""

    array: np.ndarray
    block: tuple


@dataclasses.dataclass
class Launch:
    grid: tuple
    arguments: dict


@dataclasses.dataclass
class Expected:
    name: str
    values: np.ndarray
    rtol: float
    atol: float
    format: str


class Test:
    """What a case's function fills in: launches, and what memory holds behind them."""

    def __init__(self, name, arch, constants):
        self.random = np.random.default_rng(zlib.crc32(name.encode()))
        self.arch, self.constants = arch, constants
        self.launches, self.expected, self.checks = [], [], []

    def normal(self, *shape, scale=1.0, format="fp32"):
        """Normally distributed numbers of a format, as its bits where numpy lacks it."""
        return to_bits(self.random.standard_normal(shape) * scale, format)

    def integers(self, low, high, *shape, dtype=np.int32):
        return self.random.integers(low, high, shape).astype(dtype)

    def empty(self, *shape, format="fp32"):
        """Memory that nobody has written: reading it is a finding."""
        array = to_bits(np.zeros(shape), format)
        return Fresh(array)

    def zeros(self, *shape, format="fp32"):
        return to_bits(np.zeros(shape), format)

    @staticmethod
    def value(array, format):
        """The numbers that bits of a format stand for."""
        return from_bits(array, format)

    def launch(self, grid, **arguments):
        grid = (grid,) if isinstance(grid, int) else tuple(grid)
        self.launches.append(Launch(grid + (1,) * (3 - len(grid)), arguments))

    def expect(self, name, values, rtol=1e-5, atol=1e-6, format=None):
        """What the argument of the last launch with that name holds: |found - values| <= atol + rtol * |values|."""
        self.expected.append(Expected(name, np.asarray(values), rtol, atol, format))

    def check(self, name, test, format=None):
        """`test` takes the argument's numbers and returns whether they are right."""
        self.checks.append((name, test, format))


@dataclasses.dataclass
class Fresh:
    array: np.ndarray


@dataclasses.dataclass
class Case:
    name: str
    function: object
    kernel: object
    signature: dict
    constants: dict
    warps: int
    stages: int
    ctas: int
    options: dict
    by_arch: dict

    def constants_of(self, arch):
        return {**self.constants, **self.by_arch.get(arch, {}).get("constants", {})}

    def signature_of(self, arch):
        return parse_signature(self.by_arch.get(arch, {}).get("signature", self.signature))

    def option(self, arch, name):
        return self.by_arch.get(arch, {}).get(name, getattr(self, name))

    def test(self, arch):
        test = Test(self.name, arch, self.constants_of(arch))
        self.function(test)
        return test


def parse_signature(text):
    """name:type pairs; a type that ends in /16 is a number that is a multiple of 16."""
    return dict(item.split(":", 1) for item in text.split())


CASES = {}


def case(kernel, signature, warps=4, stages=3, ctas=1, options=None, by_arch=None, **constants):
    def add(function):
        name = function.__name__
        assert name not in CASES, name
        CASES[name] = Case(name, function, kernel, signature, constants, warps, stages, ctas, options or {}, by_arch or {})
        return function

    return add


def load():
    """All cases, by name."""
    for path in sorted((HERE / "kernels").glob("*.py")):
        importlib.import_module("kernels." + path.stem)
    return CASES
