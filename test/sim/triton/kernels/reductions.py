# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions, scans, sorts and histograms."""
import numpy as np

from cases import EXACT_SUMS, case, tl, triton


@triton.jit
def columns_max(x, out, index, M: tl.constexpr, N: tl.constexpr):
    m, n = tl.arange(0, M), tl.arange(0, N)
    tile = tl.load(x + m[:, None] * N + n[None, :])
    largest, at = tl.max(tile, axis=0, return_indices=True)
    tl.store(out + n, largest)
    tl.store(index + n, at)


@case(columns_max, "x:*fp32 out:*fp32 index:*i32", M=128, N=32)
def max_of_columns_with_indices(t):
    x = t.normal(128, 32)
    t.launch(1, x=x, out=t.empty(32), index=t.empty(32, format="i32"))
    t.expect("out", x.max(0), rtol=0, atol=0)
    t.expect("index", x.argmax(0).astype(np.int32))


@triton.jit
def argmin_rows(x, out, N, BLOCK: tl.constexpr, ROWS: tl.constexpr):
    rows, i = tl.program_id(0) * ROWS + tl.arange(0, ROWS), tl.arange(0, BLOCK)
    v = tl.load(x + rows[:, None] * N + i[None, :], mask=(i < N)[None, :], other=float("inf"))
    tl.store(out + rows, tl.argmin(v, axis=1))


@case(argmin_rows, "x:*fp16 out:*i32 N:i32", BLOCK=256, ROWS=8)
def argmin_f16(t):
    x = np.round(t.normal(16, 200, scale=3)).astype(np.float16)  # with ties: the first index counts
    t.launch(2, x=x, out=t.empty(16, format="i32"), N=200)
    t.expect("out", x.argmin(1).astype(np.int32))


@triton.jit
def merge_moments(mean_a, m2_a, count_a, mean_b, m2_b, count_b):
    """The same bits whichever comes first (without fused multiplications): several lanes store the result."""
    delta, count = mean_b - mean_a, tl.maximum(count_a + count_b, 1.0)
    mean = (mean_a * count_a + mean_b * count_b) / count
    return mean, (m2_a + m2_b) + delta * delta * (count_a * count_b / count), count_a + count_b


@triton.jit
def welford(x, mean, variance, N, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * N + i, mask=i < N, other=0)
    count = tl.where(i < N, 1.0, 0.0)
    mu, m2, total = tl.reduce((v, tl.zeros_like(v), count), 0, merge_moments)
    tl.store(mean + row, mu)
    tl.store(variance + row, m2 / total)


@case(welford, "x:*fp32 mean:*fp32 variance:*fp32 N:i32", BLOCK=1024, warps=8, options=EXACT_SUMS)
def welford_reduce(t):
    x = t.normal(5, 900, scale=2) + np.float32(3)
    t.launch(5, x=x, mean=t.empty(5), variance=t.empty(5), N=900)
    t.expect("mean", x.astype(np.float64).mean(1))
    t.expect("variance", x.astype(np.float64).var(1), rtol=1e-4)


@triton.jit
def xor_all(a, b):
    return a ^ b


@triton.jit
def xor_sum(x, out, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    i, j, k = tl.arange(0, A), tl.arange(0, B), tl.arange(0, C)
    cube = tl.load(x + i[:, None, None] * B * C + j[None, :, None] * C + k[None, None, :])
    tl.store(out + i[:, None] * C + k[None, :], tl.reduce(cube, 1, xor_all))


@case(xor_sum, "x:*i64 out:*i64", A=8, B=16, C=32)
def xor_of_middle_axis_i64(t):
    x = t.integers(-(2**60), 2**60, 8, 16, 32, dtype=np.int64)
    t.launch(1, x=x, out=t.empty(8, 32, format="i64"))
    t.expect("out", np.bitwise_xor.reduce(x, axis=1))


@triton.jit
def sum_all(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + i, mask=i < n, other=0).to(tl.float64), axis=0))


@case(sum_all, "x:*fp32 out:*fp64 n:i32", BLOCK=512)
def sum_by_atomics_f64(t):
    x = t.normal(2000)
    t.launch(4, x=x, out=t.zeros(1, format="fp64"), n=2000)
    t.expect("out", [x.astype(np.float64).sum()], rtol=1e-12)


@triton.jit
def cumulative(x, out, N, BLOCK: tl.constexpr, REVERSE: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * N + i, mask=i < N, other=0)
    tl.store(out + row * N + i, tl.cumsum(v, axis=0, reverse=REVERSE), mask=i < N)


@case(cumulative, "x:*fp32 out:*fp32 N:i32", BLOCK=1024, REVERSE=False)
def cumsum_rows(t):
    x = t.normal(4, 1000)
    t.launch(4, x=x, out=t.empty(4, 1000), N=1000)
    t.expect("out", np.cumsum(x.astype(np.float64), axis=1), rtol=1e-4, atol=1e-4)


@case(cumulative, "x:*i32 out:*i32 N:i32", BLOCK=512, REVERSE=True, warps=8)
def cumsum_reverse_i32(t):
    x = t.integers(-100, 100, 3, 512)
    t.launch(3, x=x, out=t.empty(3, 512, format="i32"), N=512)
    t.expect("out", np.cumsum(x[:, ::-1], axis=1)[:, ::-1].astype(np.int32))


@triton.jit
def then(a1, b1, a2, b2):
    return a1 * a2, a2 * b1 + b2


@triton.jit
def recurrence(a, b, out, N: tl.constexpr, WIDTH: tl.constexpr):
    n, w = tl.arange(0, N), tl.arange(0, WIDTH)
    at = n[:, None] * WIDTH + w[None, :]
    _, h = tl.associative_scan((tl.load(a + at), tl.load(b + at)), 0, then)
    tl.store(out + at, h)


@case(recurrence, "a:*fp32 b:*fp32 out:*fp32", N=128, WIDTH=16)
def linear_recurrence_scan(t):
    a, b = t.random.uniform(0.5, 1, (128, 16)).astype(np.float32), t.normal(128, 16)
    t.launch(1, a=a, b=b, out=t.empty(128, 16))
    h, rows = np.zeros(16), []
    for i in range(128):
        h = a[i].astype(np.float64) * h + b[i]
        rows.append(h)
    t.expect("out", np.stack(rows), rtol=1e-4, atol=1e-4)


@triton.jit
def sort_rows(x, out, N: tl.constexpr, DESCENDING: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, N)
    tl.store(out + row * N + i, tl.sort(tl.load(x + row * N + i), descending=DESCENDING))


@case(sort_rows, "x:*fp32 out:*fp32", N=256, DESCENDING=False)
def sort_f32(t):
    x = t.normal(3, 256)
    t.launch(3, x=x, out=t.empty(3, 256))
    t.expect("out", np.sort(x, axis=1), rtol=0, atol=0)


@case(sort_rows, "x:*i16 out:*i16", N=128, DESCENDING=True, warps=2)
def sort_descending_i16(t):
    x = t.integers(-30000, 30000, 2, 128, dtype=np.int16)
    t.launch(2, x=x, out=t.empty(2, 128, format="i16"))
    t.expect("out", np.sort(x, axis=1)[:, ::-1])


@triton.jit
def top_k(x, values, N: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0)
    best = tl.topk(tl.load(x + row * N + tl.arange(0, N)), K)
    tl.store(values + row * K + tl.arange(0, K), best)


@case(top_k, "x:*fp32 values:*fp32", N=512, K=8)
def topk_values(t):
    x = t.normal(3, 512)
    t.launch(3, x=x, values=t.empty(3, 8))
    t.expect("values", -np.sort(-x, axis=1)[:, :8], rtol=0, atol=0)


@triton.jit
def histogram(x, out, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    counts = tl.histogram(tl.load(x + i, mask=i < n, other=0), BINS, mask=i < n)
    tl.atomic_add(out + tl.arange(0, BINS), counts)


@case(histogram, "x:*i32 out:*i32 n:i32", BLOCK=512, BINS=64)
def histogram_of_blocks(t):
    x = t.integers(0, 64, 1300)
    t.launch(3, x=x, out=t.zeros(64, format="i32"), n=1300)
    t.expect("out", np.bincount(x, minlength=64).astype(np.int32))


@triton.jit
def histogram_scattered(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0).to(tl.int32)
    tl.atomic_add(out + v, 1, mask=(i < n) & (v != 0), sem="relaxed")


@case(histogram_scattered, "x:*u8 out:*i32 n:i32", BLOCK=256)
def histogram_by_atomics_u8(t):
    x = t.integers(0, 256, 1000, dtype=np.uint8)
    t.launch(4, x=x, out=t.zeros(256, format="i32"), n=1000)
    counts = np.bincount(x, minlength=256).astype(np.int32)
    counts[0] = 0
    t.expect("out", counts)


@triton.jit
def gather_flip(x, index, out, M: tl.constexpr, N: tl.constexpr):
    m, n = tl.arange(0, M), tl.arange(0, N)
    at = m[:, None] * N + n[None, :]
    tl.store(out + at, tl.flip(tl.gather(tl.load(x + at), tl.load(index + at), 1), 1))


@case(gather_flip, "x:*fp32 index:*i32 out:*fp32", M=16, N=64)
def gather_along_rows_and_flip(t):
    x, index = t.normal(16, 64), t.integers(0, 64, 16, 64)
    t.launch(1, x=x, index=index, out=t.empty(16, 64))
    t.expect("out", np.take_along_axis(x, index, 1)[:, ::-1], rtol=0, atol=0)
