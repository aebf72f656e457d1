# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention: forward, backward, decoding."""
import numpy as np

from cases import EXACT_SUMS, case, tl, triton


@triton.jit
def forward(q, k, v, out, lse, scale, L, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr):
    head, rows = tl.program_id(1), tl.program_id(0) * BM + tl.arange(0, BM)
    q, k, v, out = q + head * L * D, k + head * L * D, v + head * L * D, out + head * L * D
    d, n = tl.arange(0, D), tl.arange(0, BN)
    vq = tl.load(q + rows[:, None] * D + d[None, :], mask=(rows < L)[:, None], other=0)
    largest, total = tl.full((BM,), -float("inf"), tl.float32), tl.zeros((BM,), tl.float32)
    accumulator = tl.zeros((BM, D), tl.float32)
    end = tl.minimum((tl.program_id(0) + 1) * BM, L) if CAUSAL else L
    for start in range(0, end, BN):
        keys = start + n
        vk = tl.load(k + keys[None, :] * D + d[:, None], mask=(keys < L)[None, :], other=0)
        s = tl.dot(vq, vk) * (scale * 1.44269504)
        seen = (keys < L)[None, :]
        if CAUSAL:
            seen = seen & (rows[:, None] >= keys[None, :])
        s = tl.where(seen, s, -float("inf"))
        larger = tl.maximum(largest, tl.max(s, 1))
        p, shrink = tl.exp2(s - larger[:, None]), tl.exp2(largest - larger)
        total = total * shrink + tl.sum(p, 1)
        vv = tl.load(v + keys[:, None] * D + d[None, :], mask=(keys < L)[:, None], other=0)
        accumulator = tl.dot(p.to(vv.dtype), vv, accumulator * shrink[:, None])
        largest = larger
    tl.store(lse + head * L + rows, largest + tl.log2(total), mask=rows < L)
    tl.store(out + rows[:, None] * D + d[None, :], (accumulator / total[:, None]).to(out.dtype.element_ty),
             mask=(rows < L)[:, None])  # fmt: skip


def attention_of(q, k, v, scale, causal):
    """Output, probabilities and log2 of the sums, in double."""
    s = q @ np.swapaxes(k, -1, -2) * scale
    if causal:
        s = np.where(np.tril(np.ones(s.shape[-2:], bool)), s, -np.inf)
    largest = s.max(-1, keepdims=True)
    p = np.exp(s - largest)
    total = p.sum(-1, keepdims=True)
    return p / total @ v, p / total, (largest + np.log(total))[..., 0] / np.log(2)


FORWARD = "q:*{0} k:*{0} v:*{0} out:*{0} lse:*fp32 scale:fp32 L:i32"


def forward_case(t, heads, L, D, blocks, format, causal, rtol, atol):
    q, k, v = (t.normal(heads, L, D, format=format) for _ in range(3))
    t.launch((blocks, heads), q=q, k=k, v=v, out=t.empty(heads, L, D, format=format), lse=t.empty(heads, L), scale=D**-0.5, L=L)
    out, _, lse = attention_of(*(t.value(x, format) for x in (q, k, v)), D**-0.5, causal)
    t.expect("out", out, rtol=rtol, atol=atol, format=format)
    t.expect("lse", lse, rtol=1e-3, atol=1e-3)


@case(forward, FORWARD.format("fp16"), D=64, BM=64, BN=32, CAUSAL=True)
def attention_causal_f16(t):
    forward_case(t, 2, 100, 64, 2, "fp16", True, 2e-3, 2e-3)


@case(forward, FORWARD.format("bf16"), D=64, BM=64, BN=64, CAUSAL=False, warps=4, stages=2)
def attention_full_bf16(t):
    forward_case(t, 2, 128, 64, 2, "bf16", False, 1e-2, 1e-2)


@case(forward, FORWARD.format("fp16"), D=128, BM=128, BN=64, CAUSAL=True, warps=8, stages=2)
def attention_wide_heads(t):
    forward_case(t, 1, 130, 128, 2, "fp16", True, 2e-3, 2e-3)


@triton.jit
def backward_delta(out, dout, delta, L, D: tl.constexpr, BM: tl.constexpr):
    rows, d = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, D)
    at, mask = rows[:, None] * D + d[None, :], (rows < L)[:, None]
    o, do = tl.load(out + at, mask=mask, other=0).to(tl.float32), tl.load(dout + at, mask=mask, other=0).to(tl.float32)
    tl.store(delta + rows, tl.sum(o * do, axis=1), mask=rows < L)


@case(backward_delta, "out:*fp16 dout:*fp16 delta:*fp32 L:i32", D=64, BM=32)
def attention_backward_delta(t):
    out, dout = t.normal(70, 64, format="fp16"), t.normal(70, 64, format="fp16")
    t.launch(3, out=out, dout=dout, delta=t.empty(70), L=70)
    t.expect("delta", (out.astype(np.float64) * dout.astype(np.float64)).sum(1), atol=1e-4)


@triton.jit
def backward_keys(q, k, v, dout, lse, delta, dk, dv, scale, L: tl.constexpr, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    keys, d = tl.program_id(0) * BN + tl.arange(0, BN), tl.arange(0, D)
    at = keys[:, None] * D + d[None, :]
    vk, vv = tl.load(k + at), tl.load(v + at)
    sum_k, sum_v = tl.zeros((BN, D), tl.float32), tl.zeros((BN, D), tl.float32)
    for start in range(tl.program_id(0) * BN // BM * BM, L, BM):
        rows = start + tl.arange(0, BM)
        vq = tl.load(q + rows[:, None] * D + d[None, :])
        do = tl.load(dout + rows[:, None] * D + d[None, :])
        s = tl.dot(vk, tl.trans(vq)) * (scale * 1.44269504)
        p = tl.exp2(s - tl.load(lse + rows)[None, :])
        p = tl.where(rows[None, :] >= keys[:, None], p, 0.0)
        sum_v = tl.dot(p.to(tl.float16), do, sum_v)
        dp = tl.dot(vv, tl.trans(do))
        ds = p * (dp - tl.load(delta + rows)[None, :])
        sum_k = tl.dot(ds.to(tl.float16), vq, sum_k)
    tl.store(dk + at, sum_k * scale)
    tl.store(dv + at, sum_v)


@triton.jit
def backward_queries(q, k, v, dout, lse, delta, dq, scale, L: tl.constexpr, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    rows, d = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, D)
    at = rows[:, None] * D + d[None, :]
    vq, do = tl.load(q + at), tl.load(dout + at)
    top, shift = tl.load(lse + rows)[:, None], tl.load(delta + rows)[:, None]
    total = tl.zeros((BM, D), tl.float32)
    for start in range(0, (tl.program_id(0) + 1) * BM, BN):
        keys = start + tl.arange(0, BN)
        vk = tl.load(k + keys[:, None] * D + d[None, :])
        vv = tl.load(v + keys[:, None] * D + d[None, :])
        p = tl.exp2(tl.dot(vq, tl.trans(vk)) * (scale * 1.44269504) - top)
        p = tl.where(rows[:, None] >= keys[None, :], p, 0.0)
        ds = p * (tl.dot(do, tl.trans(vv)) - shift)
        total = tl.dot(ds.to(tl.float16), vk, total)
    tl.store(dq + at, total * scale)


def backward_case(t, L, D):
    q, k, v, dout = (t.normal(L, D, format="fp16") for _ in range(4))
    x, y, z, do = (a.astype(np.float64) for a in (q, k, v, dout))
    scale = D**-0.5
    out, p, lse = attention_of(x, y, z, scale, True)
    delta = (out * do).sum(1)
    ds = p * (do @ z.T - delta[:, None]) * scale
    given = dict(q=q, k=k, v=v, dout=dout, lse=lse.astype(np.float32), delta=delta.astype(np.float32), scale=scale)
    return given, ds @ y, ds.T @ x, p.T @ do


BACKWARD = "q:*fp16 k:*fp16 v:*fp16 dout:*fp16 lse:*fp32 delta:*fp32"


@case(backward_keys, BACKWARD + " dk:*fp32 dv:*fp32 scale:fp32", L=128, D=64, BM=32, BN=64, stages=2)
def attention_backward_keys(t):
    given, _, dk, dv = backward_case(t, 128, 64)
    t.launch(2, dk=t.empty(128, 64), dv=t.empty(128, 64), **given)
    t.expect("dk", dk, rtol=5e-3, atol=5e-3)
    t.expect("dv", dv, rtol=5e-3, atol=5e-3)


@case(backward_queries, BACKWARD + " dq:*fp32 scale:fp32", L=128, D=64, BM=64, BN=32, stages=2)
def attention_backward_queries(t):
    given, dq, _, _ = backward_case(t, 128, 64)
    t.launch(2, dq=t.empty(128, 64), **given)
    t.expect("dq", dq, rtol=5e-3, atol=5e-3)


@triton.jit
def decode_split(q, k, v, table, lengths, partial, sums, scale, D: tl.constexpr, PAGE: tl.constexpr, PAGES: tl.constexpr, SPLIT: tl.constexpr):
    """One query a sequence, keys in pages; each program takes every SPLIT-th page."""
    sequence, split, d, i = tl.program_id(0), tl.program_id(1), tl.arange(0, D), tl.arange(0, PAGE)
    length = tl.load(lengths + sequence)
    vq = tl.load(q + sequence * D + d).to(tl.float32)
    largest, total, accumulator = -float("inf"), 0.0, tl.zeros((D,), tl.float32)
    for page in range(split, tl.cdiv(length, PAGE), SPLIT):
        at = tl.load(table + sequence * PAGES + page) * PAGE + i
        inside = page * PAGE + i < length
        vk = tl.load(k + at[:, None] * D + d[None, :], mask=inside[:, None], other=0).to(tl.float32)
        s = tl.where(inside, tl.sum(vk * vq[None, :], 1) * scale, -float("inf"))
        larger = tl.maximum(largest, tl.max(s, 0))
        p, shrink = tl.exp(s - larger), tl.exp(largest - larger)
        vv = tl.load(v + at[:, None] * D + d[None, :], mask=inside[:, None], other=0).to(tl.float32)
        accumulator = accumulator * shrink + tl.sum(p[:, None] * vv, 0)
        total = total * shrink + tl.sum(p, 0)
        largest = larger
    tl.store(partial + (sequence * SPLIT + split) * D + d, accumulator)
    tl.store(sums + (sequence * SPLIT + split) * 2, largest)
    tl.store(sums + (sequence * SPLIT + split) * 2 + 1, total)


PAGED = "q:*fp16 k:*fp16 v:*fp16 table:*i32 lengths:*i32 partial:*fp32 sums:*fp32 scale:fp32"


@case(decode_split, PAGED, D=64, PAGE=16, PAGES=8, SPLIT=2, options=EXACT_SUMS)
def attention_decode_paged(t):
    lengths, table = np.array([100, 33, 128], np.int32), t.random.permutation(24).reshape(3, 8).astype(np.int32)
    q, k, v = t.normal(3, 64, format="fp16"), t.normal(24 * 16, 64, format="fp16"), t.normal(24 * 16, 64, format="fp16")
    t.launch((3, 2), q=q, k=k, v=v, table=table, lengths=lengths, partial=t.empty(3, 2, 64), sums=t.empty(3, 2, 2), scale=0.125)
    partial, sums = np.zeros((3, 2, 64)), np.zeros((3, 2, 2))
    for sequence, split in np.ndindex(3, 2):
        tokens = [i for i in range(lengths[sequence]) if i // 16 % 2 == split]
        rows = [table[sequence, i // 16] * 16 + i % 16 for i in tokens]
        s = k[rows].astype(np.float64) @ q[sequence].astype(np.float64) * 0.125
        p = np.exp(s - s.max())
        partial[sequence, split], sums[sequence, split] = p @ v[rows].astype(np.float64), (s.max(), p.sum())
    t.expect("partial", partial, rtol=1e-4, atol=1e-4)
    t.expect("sums", sums, rtol=1e-4, atol=1e-4)


@triton.jit
def combine(partial, sums, out, D: tl.constexpr, SPLIT: tl.constexpr):
    sequence, d, s = tl.program_id(0), tl.arange(0, D), tl.arange(0, SPLIT)
    largest = tl.load(sums + (sequence * SPLIT + s) * 2)
    total = tl.load(sums + (sequence * SPLIT + s) * 2 + 1)
    weight = tl.exp(largest - tl.max(largest, 0))
    parts = tl.load(partial + (sequence * SPLIT + s)[:, None] * D + d[None, :])
    tl.store(out + sequence * D + d, tl.sum(parts * weight[:, None], 0) / tl.sum(total * weight, 0))


@case(combine, "partial:*fp32 sums:*fp32 out:*fp32", D=64, SPLIT=4, warps=2, options=EXACT_SUMS)
def attention_decode_combine(t):
    partial, largest, total = t.normal(5, 4, 64), t.normal(5, 4), t.random.uniform(1, 2, (5, 4)).astype(np.float32)
    t.launch(5, partial=partial, sums=np.stack([largest, total], -1), out=t.empty(5, 64))
    weight = np.exp(largest.astype(np.float64))
    t.expect("out", (partial * weight[..., None]).sum(1) / (total * weight).sum(1, keepdims=True), rtol=1e-4, atol=1e-5)
