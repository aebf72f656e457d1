# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Corners of the language: calls, mathematical functions, caches, prints, wide and narrow types."""
import math

import numpy as np

from cases import case, tl, triton


@triton.jit(noinline=True)
def polynomial(v, a, b):
    return (v * a + b) * v


@triton.jit
def calls(x, out):
    v = tl.load(x + tl.program_id(0))
    tl.store(out + tl.program_id(0), polynomial(polynomial(v, 2.0, 1.0), 0.5, -1.0))


@case(calls, "x:*fp32 out:*fp32")
def function_calls(t):
    x = t.normal(5)
    t.launch(5, x=x, out=t.empty(5))
    v = x.astype(np.float64)
    v = (v * 2 + 1) * v
    t.expect("out", (v * 0.5 - 1) * v, rtol=1e-5, atol=1e-5)


@triton.jit
def functions(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    v = tl.load(x + i, mask=mask, other=1.0)
    tl.store(out + i, tl.exp2(v) + tl.log2(v) + tl.sin(v) * tl.cos(v) + tl.erf(v), mask=mask)
    tl.store(out + n + i, tl.sqrt_rn(v) + tl.rsqrt(v) + tl.floor(v) - tl.ceil(v) + tl.div_rn(v, 3.0), mask=mask)
    tl.store(out + 2 * n + i, tl.extra.cuda.libdevice.tanh(v) + tl.extra.cuda.libdevice.pow(v, 1.7), mask=mask)
    tl.store(out + 3 * n + i, tl.extra.cuda.libdevice.atan2(v, 2.0) + tl.extra.cuda.libdevice.lgamma(v), mask=mask)


@case(functions, "x:*fp32 out:*fp32 n:i32", BLOCK=128)
def mathematical_functions(t):
    x = t.random.uniform(0.1, 5, 200).astype(np.float32)
    v = x.astype(np.float64)
    t.launch(2, x=x, out=t.empty(4, 200), n=200)
    erf, lgamma = np.vectorize(math.erf)(v), np.vectorize(math.lgamma)(v)
    t.expect("out", np.stack([2**v + np.log2(v) + np.sin(v) * np.cos(v) + erf,
                              np.sqrt(v) + 1 / np.sqrt(v) + np.floor(v) - np.ceil(v) + v / 3,
                              np.tanh(v) + v**1.7,
                              np.arctan2(v, 2) + lgamma]), rtol=2e-5, atol=2e-5)  # fmt: skip


@triton.jit
def doubles(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a, b = tl.load(x + i, mask=i < n, other=1), tl.load(y + i, mask=i < n, other=1)
    tl.store(out + i, tl.exp(a) / b + tl.sqrt(tl.abs(a)), mask=i < n)


@case(doubles, "x:*fp64 y:*fp64 out:*fp64 n:i32", BLOCK=128)
def double_precision(t):
    x, y = t.normal(150, format="fp64"), t.normal(150, format="fp64")
    t.launch(2, x=x, y=y, out=t.empty(150, format="fp64"), n=150)
    t.expect("out", np.exp(x) / y + np.sqrt(np.abs(x)), rtol=1e-12, atol=1e-12)


@triton.jit
def caches(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    v = tl.load(x + i, mask=mask, cache_modifier=".ca") + tl.load(x + i, mask=mask, cache_modifier=".cg")
    v += tl.load(x + i, mask=mask, eviction_policy="evict_first") + tl.load(x + i, mask=mask, eviction_policy="evict_last")
    v += tl.load(x + i, mask=mask, volatile=True) + tl.load(x + i, mask=mask, cache_modifier=".cv")
    tl.store(out + i, v, mask=mask, cache_modifier=".cs")
    tl.store(out + n + i, v, mask=mask, cache_modifier=".wt")
    tl.store(out + 2 * n + i, v, mask=mask, eviction_policy="evict_last")


@case(caches, "x:*i32 out:*i32 n:i32/16", BLOCK=512)
def cache_modifiers(t):
    x = t.integers(-100, 100, 800)
    t.launch(2, x=x, out=t.empty(3, 800, format="i32"), n=800)
    t.expect("out", np.stack([x * 6] * 3).astype(np.int32))


@triton.jit
def narrow(x, y, out, flags, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a, b = tl.load(x + i, mask=i < n, other=0), tl.load(y + i, mask=i < n, other=0)
    tl.store(out + i, (a * b + (a >> 1)) ^ b, mask=i < n)
    tl.store(flags + i, (a > b) & (a != 3), mask=i < n)


@case(narrow, "x:*i8 y:*i8 out:*i8 flags:*i1 n:i32/16", BLOCK=512)
def bytes_and_flags(t):
    x, y = t.integers(-128, 128, 800, dtype=np.int8), t.integers(-128, 128, 800, dtype=np.int8)
    t.launch(2, x=x, y=y, out=t.empty(800, format="i8"), flags=t.empty(800, format="i8"), n=800)
    with np.errstate(over="ignore"):
        t.expect("out", (x * y + (x >> 1)) ^ y)
    t.expect("flags", ((x > y) & (x != 3)).astype(np.int8))


@triton.jit
def wide(x, y, high, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a, b = tl.load(x + i, mask=i < n, other=0), tl.load(y + i, mask=i < n, other=1)
    tl.store(high + i, tl.umulhi(a, b), mask=i < n)
    tl.store(out + i, tl.maximum(a // b, a % b) + (a << 3), mask=i < n)


@case(wide, "x:*u64 y:*u64 high:*u64 out:*u64 n:i32", BLOCK=64, warps=2)
def unsigned_64(t):
    x, y = t.random.integers(0, 2**63, 100, dtype=np.uint64) * np.uint64(2), t.random.integers(1, 2**50, 100, dtype=np.uint64)
    t.launch(2, x=x, y=y, high=t.empty(100, format="u64"), out=t.empty(100, format="u64"), n=100)
    t.expect("high", np.array([int(a) * int(b) >> 64 for a, b in zip(x, y)], np.uint64))
    t.expect("out", np.maximum(x // y, x % y) + (x << np.uint64(3)))


@triton.jit
def asserts(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=1)
    tl.device_assert(v > 0, "positive")
    tl.store(out + i, 100 // v, mask=i < n)


@case(asserts, "x:*i32 out:*i32 n:i32", BLOCK=128, options={"debug": True})
def device_asserts(t):
    x = t.integers(1, 50, 200)
    t.launch(2, x=x, out=t.empty(200, format="i32"), n=200)
    t.expect("out", (100 // x).astype(np.int32))


@triton.jit
def early(x, out, lengths, N: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, N)
    length = tl.load(lengths + row)
    if length == 0:
        tl.store(out + row, -1.0)
        return
    if length > N // 2:
        best = tl.max(tl.where(i < length, tl.load(x + row * N + i), -float("inf")), 0)
    else:
        best = tl.min(tl.where(i < length, tl.load(x + row * N + i), float("inf")), 0)
    tl.store(out + row, best)


@case(early, "x:*fp32 out:*fp32 lengths:*i32", N=128)
def early_returns(t):
    x, lengths = t.normal(6, 128), np.array([0, 5, 100, 64, 128, 1], np.int32)
    t.launch(6, x=x, out=t.empty(6), lengths=lengths)
    rows = [-1.0 if n == 0 else x[r, :n].max() if n > 64 else x[r, :n].min() for r, n in enumerate(lengths)]
    t.expect("out", np.array(rows), rtol=0, atol=0)


@triton.jit
def shapes(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a, b = tl.load(x + i), tl.load(y + i)
    mixed = tl.interleave(a, b)
    tl.store(out + tl.arange(0, 2 * N), tl.cumprod(tl.reshape(tl.permute(tl.reshape(mixed, (2, N // 2, 2)), (2, 0, 1)), (2 * N,)), 0))


@case(shapes, "x:*fp32 y:*fp32 out:*fp32", N=64)
def interleave_permute_cumprod(t):
    x, y = t.random.uniform(0.9, 1.1, 64).astype(np.float32), t.random.uniform(0.9, 1.1, 64).astype(np.float32)
    t.launch(1, x=x, y=y, out=t.empty(128))
    mixed = np.stack([x, y], 1).reshape(2, 32, 2).transpose(2, 0, 1).reshape(128)
    t.expect("out", np.cumprod(mixed.astype(np.float64)), rtol=1e-4)


@triton.jit
def small_float(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n, other=0).to(tl.float8e4b15).to(tl.float32), mask=i < n)


@case(small_float, "x:*fp16 out:*fp32 n:i32", BLOCK=256)
def convert_fp8e4b15(t):
    x = (t.random.uniform(0.1, 1.7, 300) * np.where(t.integers(0, 2, 300) > 0, 1, -1)).astype(np.float16)
    t.launch(2, x=x, out=t.empty(300), n=300)
    t.expect("out", x.astype(np.float64), rtol=0.07, atol=0)


@triton.jit
def double_product(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    va, vb = tl.load(a + m[:, None] * K + k[None, :]), tl.load(b + k[:, None] * N + n[None, :])
    tl.store(c + m[:, None] * N + n[None, :], tl.dot(va, vb, out_dtype=tl.float64))


@case(double_product, "a:*fp64 b:*fp64 c:*fp64", M=32, N=16, K=32)
def matmul_f64(t):
    a, b = t.normal(32, 32, format="fp64"), t.normal(32, 16, format="fp64")
    t.launch(1, a=a, b=b, c=t.empty(32, 16, format="fp64"))
    t.expect("c", a @ b, rtol=1e-12, atol=1e-12)


@triton.jit
def returned(counter, order, slots, N: tl.constexpr):
    """What atomics return: places in a queue, for scalars and for tensors."""
    ticket = tl.atomic_add(counter, 1)
    tl.store(order + ticket, tl.program_id(0))
    i = tl.arange(0, N)
    before = tl.atomic_add(slots + i % 4, 1, mask=i % 2 == 0)
    tl.atomic_max(slots + 4 + i % 4, before, mask=i % 2 == 0)


@case(returned, "counter:*i64 order:*i32 slots:*i32", N=32, warps=1)
def atomics_that_return(t):
    t.launch(5, counter=t.zeros(1, format="i64"), order=t.empty(5, format="i32"), slots=t.zeros(8, format="i32"))
    t.expect("slots", np.array([40, 0, 40, 0, 39, 0, 39, 0], np.int32))
    t.check("order", lambda found: sorted(found) == [0, 1, 2, 3, 4])
