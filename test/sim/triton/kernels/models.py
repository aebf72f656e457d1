# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What models are made of besides products and attention: quantisation, convolution, state spaces."""
import numpy as np

from cases import EXACT_SUMS, case, tl, triton
from formats import from_bits, to_bits


@triton.jit
def quantise(x, out, scales, N, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * N + i, mask=i < N, other=0).to(tl.float32)
    scale = tl.max(tl.abs(v), 0) / 127
    rounded = tl.extra.cuda.libdevice.rint(v / scale)
    tl.store(out + row * N + i, rounded.to(tl.int8), mask=i < N)
    tl.store(scales + row, scale)


@case(quantise, "x:*bf16 out:*i8 scales:*fp32 N:i32", BLOCK=512)
def quantise_rows_int8(t):
    x = t.normal(6, 300, format="bf16")
    v = t.value(x, "bf16").astype(np.float32)
    scale = np.abs(v).max(1) / np.float32(127)
    t.launch(6, x=x, out=t.empty(6, 300, format="i8"), scales=t.empty(6), N=300)
    t.expect("scales", scale, rtol=1e-6)
    wanted = v.astype(np.float64) / scale[:, None]
    t.check("out", lambda found: np.abs(found - wanted).max() <= 0.5001)


@triton.jit
def to_fp8(x, out, back, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    small = tl.load(x + i, mask=i < n, other=0).to(out.dtype.element_ty)
    tl.store(out + i, small, mask=i < n)
    tl.store(back + i, small.to(tl.float32), mask=i < n)


@case(to_fp8, "x:*fp32 out:*fp8e5 back:*fp32 n:i32", BLOCK=256)
def convert_fp8e5(t):
    x = t.normal(600, scale=20)
    bits = to_bits(x.astype(np.float16), "fp8e5")
    t.launch(3, x=x, out=t.empty(600, format="fp8e5"), back=t.empty(600), n=600)
    t.check("out", lambda found: np.abs(found / x - 1).max() < 0.13, format="fp8e5")
    t.check("back", lambda found: np.isin(found, from_bits(np.arange(256, dtype=np.uint8), "fp8e5")).all() and len(bits))


@case(to_fp8, "x:*fp32 out:*fp8e4nv back:*fp32 n:i32", BLOCK=256, by_arch={80: {"signature": "x:*fp32 out:*fp8e5 back:*fp32 n:i32"}})
def convert_fp8e4(t):
    x = t.normal(600, scale=20)
    kind = "fp8e5" if t.arch == 80 else "fp8e4nv"
    t.launch(3, x=x, out=t.empty(600, format=kind), back=t.empty(600), n=600)
    t.check("out", lambda found: (np.abs(found - x) <= 0.13 * np.abs(x) + 0.01).all(), format=kind)


@triton.jit
def scaled_product(a, a_scale, b, b_scale, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m, n, k, s = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K // 2), tl.arange(0, K // 32)
    va = tl.load(a + m[:, None] * (K // 2) + k[None, :])
    vb = tl.load(b + tl.arange(0, K)[:, None] * N + n[None, :])
    sa = tl.load(a_scale + m[:, None] * (K // 32) + s[None, :])
    sb = tl.load(b_scale + n[:, None] * (K // 32) + s[None, :])
    out = tl.dot_scaled(va, sa, "e2m1", vb, sb, "e5m2")
    tl.store(c + m[:, None] * N + n[None, :], out)


@case(scaled_product, "a:*u8 a_scale:*u8 b:*u8 b_scale:*u8 c:*fp32", M=64, N=32, K=64)
def matmul_mxfp4_by_mxfp8(t):
    grid = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
    codes = t.integers(0, 16, 64, 64)
    a = (codes[:, 0::2] | codes[:, 1::2] << 4).astype(np.uint8)
    b = t.normal(64, 32, format="fp8e5")
    sa, sb = t.integers(124, 130, 64, 2, dtype=np.uint8), t.integers(124, 130, 32, 2, dtype=np.uint8)
    t.launch(1, a=a, a_scale=sa, b=b, b_scale=sb, c=t.empty(64, 32))
    x = grid[codes & 7] * np.where(codes & 8, -1, 1) * np.repeat(2.0 ** (sa.astype(int) - 127), 32, axis=1)
    y = t.value(b, "fp8e5") * np.repeat(2.0 ** (sb.astype(int) - 127), 32, axis=1).T
    t.expect("c", x @ y, rtol=1e-4, atol=1e-3)


@triton.jit
def convolve(x, w, out, C: tl.constexpr, H: tl.constexpr, W: tl.constexpr, F: tl.constexpr, BM: tl.constexpr):
    """3 x 3, padding 1: a product of gathered pixels (H W x 9 C) and filters (9 C x F)."""
    pixel, f, c = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, F), tl.arange(0, C)
    y, z = pixel // W, pixel % W
    accumulator = tl.zeros((BM, F), tl.float32)
    for tap in range(9):
        row, column = y + tap // 3 - 1, z + tap % 3 - 1
        inside = (row >= 0) & (row < H) & (column >= 0) & (column < W) & (pixel < H * W)
        vx = tl.load(x + (row * W + column)[:, None] * C + c[None, :], mask=inside[:, None], other=0)
        vw = tl.load(w + tap * C * F + c[:, None] * F + f[None, :])
        accumulator = tl.dot(vx, vw, accumulator)
    tl.store(out + pixel[:, None] * F + f[None, :], accumulator, mask=(pixel < H * W)[:, None])


@case(convolve, "x:*fp16 w:*fp16 out:*fp32", C=32, H=9, W=11, F=32, BM=64)
def convolution_3x3(t):
    x, w = t.normal(9, 11, 32, format="fp16"), t.normal(9, 32, 32, format="fp16")
    t.launch(2, x=x, w=w, out=t.empty(99, 32))
    padded = np.pad(x.astype(np.float64), ((1, 1), (1, 1), (0, 0)))
    parts = [padded[i // 3 : i // 3 + 9, i % 3 : i % 3 + 11] @ w[i].astype(np.float64) for i in range(9)]
    t.expect("out", sum(parts).reshape(99, 32), rtol=1e-3, atol=1e-2)


@triton.jit
def depthwise(x, w, out, L, C, TAPS: tl.constexpr, BL: tl.constexpr, BC: tl.constexpr):
    time, channel = tl.program_id(0) * BL + tl.arange(0, BL), tl.program_id(1) * BC + tl.arange(0, BC)
    total = tl.zeros((BL, BC), tl.float32)
    for tap in tl.static_range(TAPS):
        at = time - (TAPS - 1) + tap
        mask = ((at >= 0) & (at < L))[:, None] & (channel < C)[None, :]
        v = tl.load(x + at[:, None] * C + channel[None, :], mask=mask, other=0)
        total += v * tl.load(w + tap * C + channel, mask=channel < C, other=0)[None, :]
    tl.store(out + time[:, None] * C + channel[None, :], total, mask=(time < L)[:, None] & (channel < C)[None, :])


@case(depthwise, "x:*fp32 w:*fp32 out:*fp32 L:i32 C:i32", TAPS=4, BL=32, BC=32)
def causal_convolution(t):
    x, w = t.normal(50, 40), t.normal(4, 40)
    t.launch((2, 2), x=x, w=w, out=t.empty(50, 40), L=50, C=40)
    padded = np.pad(x.astype(np.float64), ((3, 0), (0, 0)))
    t.expect("out", sum(padded[i : i + 50] * w[i] for i in range(4)), atol=1e-5)


@triton.jit
def selective_scan(x, dt, a, b, c, out, L, D: tl.constexpr, S: tl.constexpr):
    d, s = tl.arange(0, D), tl.arange(0, S)
    decay = tl.load(a + d[:, None] * S + s[None, :])
    state = tl.zeros((D, S), tl.float32)
    for step in range(L):
        vx, vt = tl.load(x + step * D + d), tl.load(dt + step * D + d)
        vb, vc = tl.load(b + step * S + s), tl.load(c + step * S + s)
        state = state * tl.exp(vt[:, None] * decay) + (vt * vx)[:, None] * vb[None, :]
        tl.store(out + step * D + d, tl.sum(state * vc[None, :], 1))


@case(selective_scan, "x:*fp32 dt:*fp32 a:*fp32 b:*fp32 c:*fp32 out:*fp32 L:i32", D=32, S=16, options=EXACT_SUMS)
def state_space_scan(t):
    x, dt, a = t.normal(20, 32), t.random.uniform(0.1, 1, (20, 32)).astype(np.float32), -np.abs(t.normal(32, 16))
    b, c = t.normal(20, 16), t.normal(20, 16)
    t.launch(1, x=x, dt=dt, a=a, b=b, c=c, out=t.empty(20, 32), L=20)
    state, rows = np.zeros((32, 16)), []
    for i in range(20):
        step = dt[i].astype(np.float64)
        state = state * np.exp(step[:, None] * a) + (step * x[i])[:, None] * b[i]
        rows.append(state @ c[i])
    t.expect("out", np.stack(rows), rtol=1e-4, atol=1e-4)


@triton.jit
def moe_gate(logits, weights, experts, N: tl.constexpr, K: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, N)
    v = tl.load(logits + row * N + i).to(tl.float32)
    largest, k = tl.max(v, 0), tl.arange(0, K)
    chosen, scores = tl.zeros((K,), tl.int32), tl.zeros((K,), tl.float32)
    for slot in tl.static_range(K):
        best, at = tl.max(v, 0, return_indices=True)
        chosen, scores = tl.where(k == slot, at, chosen), tl.where(k == slot, tl.exp(best - largest), scores)
        v = tl.where(i == at, -float("inf"), v)
    tl.store(weights + row * K + k, scores / tl.sum(scores, 0))
    tl.store(experts + row * K + k, chosen)


@case(moe_gate, "logits:*fp16 weights:*fp32 experts:*i32", N=64, K=4, warps=1)
def expert_gate(t):
    logits = np.stack([t.random.permutation(64) for _ in range(9)]).astype(np.float16) / np.float16(16)
    t.launch(9, logits=logits, weights=t.empty(9, 4), experts=t.empty(9, 4, format="i32"))
    order = np.argsort(-logits, axis=1)[:, :4]
    e = np.exp(np.take_along_axis(logits, order, 1).astype(np.float64))
    t.expect("experts", order.astype(np.int32))
    t.expect("weights", e / e.sum(1, keepdims=True), rtol=1e-5)


@triton.jit
def popcounts(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0)
    count = tl.inline_asm_elementwise("popc.b32 $0, $1;", "=r,r", [v], dtype=tl.int32, is_pure=True, pack=1)
    tl.store(out + i, count, mask=i < n)


@case(popcounts, "x:*i32 out:*i32 n:i32", BLOCK=128)
def inline_assembly(t):
    x = t.integers(-(2**31), 2**31, 200, dtype=np.int64).astype(np.int32)
    t.launch(2, x=x, out=t.empty(200, format="i32"), n=200)
    t.expect("out", np.array([bin(v & 0xFFFFFFFF).count("1") for v in x.astype(np.int64)], np.int32))


@triton.jit
def collatz(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=1)
    steps = tl.zeros((BLOCK,), tl.int32)
    while tl.max(v, 0) > 1:
        steps += (v > 1).to(tl.int32)
        v = tl.where(v <= 1, 1, tl.where(v % 2 == 0, v // 2, 3 * v + 1))
    tl.store(out + i, steps, mask=i < n)


@case(collatz, "x:*i32 out:*i32 n:i32", BLOCK=128)
def data_dependent_loop(t):
    x = t.integers(1, 200, 200)
    t.launch(2, x=x, out=t.empty(200, format="i32"), n=200)

    def steps(v):
        count = 0
        while v > 1:
            v, count = (v // 2 if v % 2 == 0 else 3 * v + 1), count + 1
        return count

    t.expect("out", np.array([steps(int(v)) for v in x], np.int32))
