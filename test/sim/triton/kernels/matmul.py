# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products through pointers."""
import numpy as np

from cases import case, tl, triton


@triton.jit
def tile(a, b, c, M, N, K, pm, pn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PRECISION: tl.constexpr):
    rows, columns = (pm * BM + tl.arange(0, BM)) % M, (pn * BN + tl.arange(0, BN)) % N
    k = tl.arange(0, BK)
    pa, pb = a + rows[:, None] * K + k[None, :], b + k[:, None] * N + columns[None, :]
    accumulator = tl.zeros((BM, BN), tl.float32)
    for start in range(0, tl.cdiv(K, BK)):
        inside = k < K - start * BK
        va = tl.load(pa, mask=inside[None, :], other=0.0)
        vb = tl.load(pb, mask=inside[:, None], other=0.0)
        accumulator = tl.dot(va, vb, accumulator, input_precision=PRECISION)
        pa += BK
        pb += BK * N
    m, n = pm * BM + tl.arange(0, BM), pn * BN + tl.arange(0, BN)
    mask = (m < M)[:, None] & (n < N)[None, :]
    tl.store(c + m[:, None] * N + n[None, :], accumulator.to(c.dtype.element_ty), mask=mask)


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PRECISION: tl.constexpr):
    tile(a, b, c, M, N, K, tl.program_id(0), tl.program_id(1), BM, BN, BK, PRECISION)


def product(t, M, N, K, a_format, c_format, grid, rtol, atol, **more):
    a, b = t.normal(M, K, format=a_format), t.normal(K, N, format=a_format)
    t.launch(grid, a=a, b=b, c=t.empty(M, N, format=c_format), M=M, N=N, K=K, **more)
    t.expect("c", t.value(a, a_format) @ t.value(b, a_format), rtol=rtol, atol=atol, format=c_format)


@case(matmul, "a:*fp16 b:*fp16 c:*fp16 M:i32 N:i32/16 K:i32/16", BM=64, BN=64, BK=32, PRECISION="ieee")
def matmul_f16(t):
    product(t, 100, 96, 160, "fp16", "fp16", (2, 2), 1e-3, 1e-2)


@case(matmul, "a:*bf16 b:*bf16 c:*bf16 M:i32 N:i32/16 K:i32", BM=64, BN=128, BK=32, PRECISION="ieee", stages=4, warps=8)
def matmul_bf16_odd_k(t):
    product(t, 64, 112, 77, "bf16", "bf16", (1, 1), 4e-3, 1e-2)


@case(matmul, "a:*fp32 b:*fp32 c:*fp32 M:i32 N:i32/16 K:i32/16", BM=64, BN=32, BK=32, PRECISION="tf32")
def matmul_tf32(t):
    product(t, 64, 64, 96, "fp32", "fp32", (1, 2), 2e-3, 3e-2)


@case(matmul, "a:*fp32 b:*fp32 c:*fp32 M:i32 N:i32/16 K:i32/16", BM=64, BN=32, BK=32, PRECISION="tf32x3")
def matmul_tf32x3(t):
    product(t, 64, 32, 64, "fp32", "fp32", (1, 1), 1e-5, 2e-5)


@case(matmul, "a:*fp32 b:*fp32 c:*fp32 M:i32 N:i32 K:i32", BM=32, BN=32, BK=16, PRECISION="ieee", warps=2)
def matmul_ieee(t):
    product(t, 40, 50, 37, "fp32", "fp32", (2, 2), 1e-5, 1e-5)


@triton.jit
def persistent(a, b, c, M, N, K, SMS: tl.constexpr, GROUP: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    across, down = tl.cdiv(N, BN), tl.cdiv(M, BM)
    for number in tl.range(tl.program_id(0), across * down, SMS):
        band = number // (GROUP * across)
        first = band * GROUP
        height = min(down - first, GROUP)
        pm, pn = first + (number % (GROUP * across)) % height, (number % (GROUP * across)) // height
        tile(a, b, c, M, N, K, pm, pn, BM, BN, BK, "ieee")


@case(persistent, "a:*fp16 b:*fp16 c:*fp32 M:i32 N:i32/16 K:i32/16", SMS=3, GROUP=2, BM=32, BN=32, BK=32)
def matmul_persistent_bands(t):
    product(t, 100, 96, 64, "fp16", "fp32", 3, 1e-5, 1e-4)


@triton.jit
def split_k(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SPLIT: tl.constexpr):
    rows, columns = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    accumulator = tl.zeros((BM, BN), tl.float32)
    for start in range(tl.program_id(2) * BK, K, BK * SPLIT):
        k = start + tl.arange(0, BK)
        va = tl.load(a + rows[:, None] * K + k[None, :], mask=(rows < M)[:, None] & (k < K)[None, :], other=0)
        vb = tl.load(b + k[:, None] * N + columns[None, :], mask=(k < K)[:, None] & (columns < N)[None, :], other=0)
        accumulator = tl.dot(va, vb, accumulator)
    mask = (rows < M)[:, None] & (columns < N)[None, :]
    tl.atomic_add(c + rows[:, None] * N + columns[None, :], accumulator, mask=mask, sem="relaxed")


@case(split_k, "a:*fp16 b:*fp16 c:*fp32 M:i32 N:i32/16 K:i32/16", BM=32, BN=64, BK=32, SPLIT=3)
def matmul_split_k(t):
    a, b = t.normal(50, 256, format="fp16"), t.normal(256, 64, format="fp16")
    t.launch((2, 1, 3), a=a, b=b, c=t.zeros(50, 64), M=50, N=64, K=256)
    t.expect("c", a.astype(np.float64) @ b.astype(np.float64), rtol=1e-5, atol=1e-4)


@triton.jit
def grouped(a, b, c, starts, N, K, GROUPS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Products of groups of rows, each with a matrix of its own; starts: where each group's rows begin."""
    taken = 0
    for group in range(GROUPS):
        first, end = tl.load(starts + group), tl.load(starts + group + 1)
        tiles = tl.cdiv(end - first, BM)
        if (tl.program_id(0) >= taken) & (tl.program_id(0) < taken + tiles):
            pm = tl.program_id(0) - taken
            rows = first + pm * BM + tl.arange(0, BM)
            columns = tl.program_id(1) * BN + tl.arange(0, BN)
            accumulator = tl.zeros((BM, BN), tl.float32)
            for start in range(0, K, BK):
                k = start + tl.arange(0, BK)
                va = tl.load(a + rows[:, None] * K + k[None, :], mask=(rows < end)[:, None], other=0)
                vb = tl.load(b + group * K * N + k[:, None] * N + columns[None, :])
                accumulator = tl.dot(va, vb, accumulator)
            tl.store(c + rows[:, None] * N + columns[None, :], accumulator.to(tl.float16), mask=(rows < end)[:, None])
        taken += tiles


@case(grouped, "a:*fp16 b:*fp16 c:*fp16 starts:*i32 N:i32/16 K:i32/16", GROUPS=4, BM=32, BN=32, BK=32)
def matmul_grouped(t):
    starts = np.array([0, 20, 20, 70, 90], np.int32)
    a, b = t.normal(90, 64, format="fp16"), t.normal(4, 64, 64, format="fp16")
    t.launch((4, 2), a=a, b=b, c=t.empty(90, 64, format="fp16"), starts=starts, N=64, K=64)
    parts = [a[starts[g] : starts[g + 1]].astype(np.float64) @ b[g].astype(np.float64) for g in range(4)]
    t.expect("c", np.concatenate(parts), rtol=1e-3, atol=1e-2, format="fp16")


@triton.jit
def batched(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, BATCH: tl.constexpr):
    batch, m, n, k = tl.arange(0, BATCH), tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    va = tl.load(a + batch[:, None, None] * M * K + m[None, :, None] * K + k[None, None, :])
    vb = tl.load(b + batch[:, None, None] * K * N + k[None, :, None] * N + n[None, None, :])
    at = batch[:, None, None] * M * N + m[None, :, None] * N + n[None, None, :]
    tl.store(c + at, tl.dot(va, vb))


@case(batched, "a:*bf16 b:*bf16 c:*fp32", M=32, N=32, K=32, BATCH=4)
def matmul_batched_3d(t):
    a, b = t.normal(4, 32, 32, format="bf16"), t.normal(4, 32, 32, format="bf16")
    t.launch(1, a=a, b=b, c=t.empty(4, 32, 32))
    t.expect("c", t.value(a, "bf16") @ t.value(b, "bf16"), rtol=1e-5, atol=1e-4)


@triton.jit
def int8_product(a, b, scales, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows, columns = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    accumulator = tl.zeros((BM, BN), tl.int32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        va = tl.load(a + rows[:, None] * K + k[None, :], mask=(rows < M)[:, None], other=0)
        vb = tl.load(b + columns[None, :] * K + k[:, None])  # b is N x K
        accumulator = tl.dot(va, vb, accumulator)
    values = accumulator.to(tl.float32) * tl.load(scales + columns)[None, :]
    tl.store(c + rows[:, None] * N + columns[None, :], values, mask=(rows < M)[:, None])


@case(int8_product, "a:*i8 b:*i8 scales:*fp32 c:*fp32 M:i32 N:i32/16 K:i32/16", BM=64, BN=64, BK=64)
def matmul_int8(t):
    a, b = t.integers(-128, 128, 70, 128, dtype=np.int8), t.integers(-128, 128, 64, 128, dtype=np.int8)
    scales = t.normal(64)
    t.launch((2, 1), a=a, b=b, scales=scales, c=t.empty(70, 64), M=70, N=64, K=128)
    t.expect("c", a.astype(np.int64) @ b.astype(np.int64).T * scales.astype(np.float64), rtol=1e-6)


@triton.jit
def int4_product(a, packed, scales, c, M, N, K, GROUP: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """packed: K/2 x N bytes, the even k in the low half; scales: K/GROUP x N."""
    rows, columns = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    accumulator = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        half = start // 2 + tl.arange(0, BK // 2)
        k = start + tl.arange(0, BK)
        va = tl.load(a + rows[:, None] * K + k[None, :], mask=(rows < M)[:, None], other=0)
        both = tl.load(packed + half[:, None] * N + columns[None, :])
        low, high = ((both << 4).to(tl.int8) >> 4), (both.to(tl.int8) >> 4)
        pair = tl.permute(tl.join(low.to(tl.float16), high.to(tl.float16)), (0, 2, 1))
        vb = tl.reshape(pair, (BK, BN))
        scale = tl.load(scales + (start // GROUP) * N + columns)
        accumulator += tl.dot(va, vb) * scale[None, :].to(tl.float32)
    tl.store(c + rows[:, None] * N + columns[None, :], accumulator, mask=(rows < M)[:, None])


@case(int4_product, "a:*fp16 packed:*i8 scales:*fp16 c:*fp32 M:i32 N:i32/16 K:i32/16", GROUP=64, BM=32, BN=64, BK=64)
def matmul_int4_weights(t):
    a, q = t.normal(20, 128, format="fp16"), t.integers(-8, 8, 128, 64)
    scales = t.normal(2, 64, format="fp16")
    packed = ((q[0::2] & 15) | (q[1::2] & 15) << 4).astype(np.uint8).view(np.int8)
    t.launch((1, 1), a=a, packed=packed, scales=scales, c=t.empty(20, 64), M=20, N=64, K=128)
    weights = q * np.repeat(scales.astype(np.float64), 64, axis=0)
    t.expect("c", a.astype(np.float64) @ weights, rtol=1e-4, atol=1e-3)


@triton.jit
def fp8_product(a, b, c, scale, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows, columns = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    accumulator = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        va = tl.load(a + rows[:, None] * K + k[None, :])
        vb = tl.load(b + columns[None, :] * K + k[:, None])
        accumulator = tl.dot(va, vb, accumulator)
    tl.store(c + rows[:, None] * N + columns[None, :], (accumulator * scale).to(tl.bfloat16))


FP8 = "a:*{0} b:*{0} c:*bf16 scale:fp32 M:i32 N:i32/16 K:i32/16"


@case(fp8_product, FP8.format("fp8e4nv"), BM=64, BN=64, BK=64, by_arch={80: {"signature": FP8.format("fp8e5")}})
def matmul_fp8(t):
    kind = "fp8e5" if t.arch == 80 else "fp8e4nv"
    a, b = t.normal(64, 128, format=kind), t.normal(64, 128, format=kind)
    t.launch((1, 1), a=a, b=b, c=t.empty(64, 64, format="bf16"), scale=0.5, M=64, N=64, K=128)
    x, y = t.value(a, kind), t.value(b, kind)
    # Hopper's tensor cores keep 13 fraction bits when they accumulate fp8 products.
    t.expect("c", x @ y.T * 0.5, rtol=1e-2, atol=2e-3 * float((np.abs(x) @ np.abs(y).T).max()), format="bf16")
