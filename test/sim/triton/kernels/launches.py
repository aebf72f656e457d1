# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cooperative, clustered and dependent launches."""
import numpy as np

from cases import case, tl, triton

NO_CLUSTERS = {80: {"ctas": 1}, 89: {"ctas": 1}}


@triton.jit
def grid_barrier(arrived, blocks):
    tl.debug_barrier()
    tl.atomic_add(arrived, 1, sem="release", scope="gpu")
    while tl.atomic_add(arrived, 0, sem="acquire", scope="gpu") < blocks:
        pass
    tl.debug_barrier()


@triton.jit
def normalise(x, sums, out, arrived, BLOCK: tl.constexpr, BLOCKS: tl.constexpr):
    block = tl.program_id(0)
    i = block * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i)
    tl.store(sums + block, tl.sum(v, 0))
    grid_barrier(arrived, BLOCKS)
    tl.store(out + i, v / tl.sum(tl.load(sums + tl.arange(0, BLOCKS), cache_modifier=".cg"), 0))


@case(normalise, "x:*fp32 sums:*fp32 out:*fp32 arrived:*i32", BLOCK=256, BLOCKS=8, options={"launch_cooperative_grid": True})
def cooperative_grid_barrier(t):
    x = t.random.uniform(1, 2, 2048).astype(np.float32)
    t.launch(8, x=x, sums=t.empty(8), out=t.empty(2048), arrived=t.zeros(1, format="i32"))
    t.expect("out", x.astype(np.float64) / x.astype(np.float64).sum(), rtol=1e-5, atol=0)


@triton.jit
def stencil(a, b, arrived, STEPS: tl.constexpr, BLOCK: tl.constexpr, BLOCKS: tl.constexpr):
    n: tl.constexpr = BLOCK * BLOCKS
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    for step in range(STEPS):
        left, right = tl.load(a + (i + n - 1) % n, volatile=True), tl.load(a + (i + 1) % n, volatile=True)
        tl.store(b + i, (left + right) * 0.5)
        grid_barrier(arrived, (step + 1) * BLOCKS)
        a, b = b, a


@case(stencil, "a:*fp32 b:*fp32 arrived:*i32", STEPS=4, BLOCK=128, BLOCKS=4, options={"launch_cooperative_grid": True})
def cooperative_stencil(t):
    a, b = t.normal(512), t.normal(512)
    v = a.astype(np.float64)
    for _ in range(4):
        v = (np.roll(v, 1) + np.roll(v, -1)) / 2
    t.launch(4, a=a, b=b, arrived=t.zeros(1, format="i32"))
    t.expect("a", v, rtol=1e-5, atol=1e-6)


@triton.jit
def clustered_product(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows, columns = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    accumulator = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        va = tl.load(a + rows[:, None] * K + k[None, :])
        vb = tl.load(b + k[:, None] * N + columns[None, :])
        accumulator = tl.dot(va, vb, accumulator)
    tl.store(c + rows[:, None] * N + columns[None, :], accumulator.to(tl.float16))


CLUSTERED = "a:*fp16 b:*fp16 c:*fp16 M:i32 N:i32/16 K:i32/16"


@case(clustered_product, CLUSTERED, BM=128, BN=64, BK=32, ctas=2, by_arch=NO_CLUSTERS)
def matmul_in_clusters(t):
    a, b = t.normal(128, 96, format="fp16"), t.normal(96, 128, format="fp16")
    t.launch((1, 2), a=a, b=b, c=t.empty(128, 128, format="fp16"), M=128, N=128, K=96)
    t.expect("c", a.astype(np.float64) @ b.astype(np.float64), rtol=1e-3, atol=1e-2, format="fp16")


@triton.jit
def clustered_softmax(x, out, N: tl.constexpr, ROWS: tl.constexpr):
    rows, i = tl.program_id(0) * ROWS + tl.arange(0, ROWS), tl.arange(0, N)
    v = tl.load(x + rows[:, None] * N + i[None, :])
    e = tl.exp(v - tl.max(v, 1)[:, None])
    tl.store(out + rows[:, None] * N + i[None, :], e / tl.sum(e, 1)[:, None])


@case(clustered_softmax, "x:*fp32 out:*fp32", N=512, ROWS=4, ctas=2, by_arch=NO_CLUSTERS)
def softmax_in_clusters(t):
    x = t.normal(8, 512)
    t.launch(2, x=x, out=t.empty(8, 512))
    e = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    t.expect("out", e / e.sum(1, keepdims=True))


@case(clustered_softmax, "x:*fp32 out:*fp32", N=1024, ROWS=1, ctas=4, by_arch=NO_CLUSTERS)
def softmax_of_a_row_across_a_cluster(t):
    x = t.normal(3, 1024)
    t.launch(3, x=x, out=t.empty(3, 1024))
    e = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    t.expect("out", e / e.sum(1, keepdims=True))


@triton.jit
def dependent_scale(x, out, n, BLOCK: tl.constexpr, PDL: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if PDL:
        tl.extra.cuda.gdc_wait()
    v = tl.load(x + i, mask=i < n)
    if PDL:
        tl.extra.cuda.gdc_launch_dependents()
    tl.store(out + i, v * 3, mask=i < n)


@case(dependent_scale, "x:*fp32 out:*fp32 n:i32", BLOCK=256, PDL=False, by_arch={90: {"constants": {"PDL": True}, "options": {"launch_pdl": True}}})
def dependent_launches(t):
    x, middle = t.normal(700), t.empty(700)
    t.launch(3, x=x, out=middle, n=700)
    t.launch(3, x=middle, out=t.empty(700), n=700)
    t.expect("out", x * np.float32(3) * np.float32(3), rtol=1e-6)
