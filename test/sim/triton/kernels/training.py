# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What training adds: losses with their gradients, optimisers, norms backward, segment sums."""
import numpy as np

from cases import case, tl, triton


@triton.jit
def adam(p, g, m, v, n, step_size, beta1, beta2, eps, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    vg = tl.load(g + i, mask=mask, other=0).to(tl.float32)
    vm = beta1 * tl.load(m + i, mask=mask, other=0) + (1 - beta1) * vg
    vv = beta2 * tl.load(v + i, mask=mask, other=0) + (1 - beta2) * vg * vg
    vp = tl.load(p + i, mask=mask, other=0) - step_size * vm / (tl.sqrt(vv) + eps)
    tl.store(m + i, vm, mask=mask)
    tl.store(v + i, vv, mask=mask)
    tl.store(p + i, vp, mask=mask)


ADAM = "p:*fp32 g:*fp16 m:*fp32 v:*fp32 n:i32 step_size:fp32 beta1:fp32 beta2:fp32 eps:fp32"


@case(adam, ADAM, BLOCK=256)
def adam_step_in_place(t):
    p, g, m, v = t.normal(600), t.normal(600, format="fp16"), t.normal(600), np.abs(t.normal(600))
    t.launch(3, p=p, g=g, m=m, v=v, n=600, step_size=0.01, beta1=0.9, beta2=0.99, eps=1e-8)
    d = g.astype(np.float64)
    wm, wv = 0.9 * m + 0.1 * d, 0.99 * v + 0.01 * d * d
    t.expect("m", wm, rtol=1e-5)
    t.expect("v", wv, rtol=1e-5)
    t.expect("p", p - 0.01 * wm / (np.sqrt(wv) + 1e-8), rtol=1e-5, atol=1e-6)


@triton.jit
def loss_and_gradient(logits, labels, loss, N, scale, BLOCK: tl.constexpr):
    """The gradient takes the place of the logits."""
    row = logits + tl.program_id(0) * N
    label = tl.load(labels + tl.program_id(0))
    chosen = tl.load(row + label).to(tl.float32)
    largest, total = float("-inf"), 0.0
    for start in range(0, N, BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(row + i, mask=i < N, other=float("-inf")).to(tl.float32)
        larger = tl.maximum(largest, tl.max(v))
        total = total * tl.exp(largest - larger) + tl.sum(tl.exp(v - larger))
        largest = larger
    tl.debug_barrier()
    for start in range(0, N, BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(row + i, mask=i < N, other=float("-inf")).to(tl.float32)
        g = tl.exp(v - largest) / total
        tl.store(row + i, (tl.where(i == label, g - 1, g) * scale).to(tl.bfloat16), mask=i < N)
    tl.store(loss + tl.program_id(0), largest + tl.log(total) - chosen)


@case(loss_and_gradient, "logits:*bf16 labels:*i64 loss:*fp32 N:i32 scale:fp32", BLOCK=512)
def cross_entropy_with_gradient(t):
    logits, labels = t.normal(5, 1000, format="bf16", scale=2), t.integers(0, 1000, 5, dtype=np.int64)
    v = t.value(logits, "bf16")
    e = np.exp(v - v.max(1, keepdims=True))
    p = e / e.sum(1, keepdims=True)
    t.launch(5, logits=logits, labels=labels, loss=t.empty(5), N=1000, scale=0.25)
    t.expect("loss", -np.log(p[np.arange(5), labels]), rtol=1e-4, atol=1e-5)
    g = p.copy()
    g[np.arange(5), labels] -= 1
    t.expect("logits", g * 0.25, rtol=1e-2, atol=1e-7, format="bf16")


@triton.jit
def rms_backward(dy, x, w, rstd, dx, dw, M, N, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    mask = i < N
    vw, sum_w = tl.load(w + i, mask=mask, other=0), tl.zeros((BLOCK,), tl.float32)
    first = tl.program_id(0) * ROWS
    for row in range(first, tl.minimum(first + ROWS, M)):
        d, v = tl.load(dy + row * N + i, mask=mask, other=0), tl.load(x + row * N + i, mask=mask, other=0)
        r = tl.load(rstd + row)
        m = d * vw
        inner = tl.sum(m * v, 0)
        tl.store(dx + row * N + i, r * m - (r * r * r / N) * inner * v, mask=mask)
        sum_w += d * v * r
    tl.store(dw + tl.program_id(0) * N + i, sum_w, mask=mask)


@case(rms_backward, "dy:*fp32 x:*fp32 w:*fp32 rstd:*fp32 dx:*fp32 dw:*fp32 M:i32 N:i32", ROWS=3, BLOCK=512)
def rms_norm_backward(t):
    dy, x, w = t.normal(8, 400), t.normal(8, 400), t.normal(400)
    d, v = dy.astype(np.float64), x.astype(np.float64)
    r = 1 / np.sqrt((v * v).mean(1, keepdims=True) + 1e-6)
    t.launch(3, dy=dy, x=x, w=w, rstd=r[:, 0].astype(np.float32), dx=t.empty(8, 400), dw=t.empty(3, 400), M=8, N=400)
    m = d * w
    t.expect("dx", r * m - r**3 / 400 * (m * v).sum(1, keepdims=True) * v, rtol=1e-4, atol=1e-5)
    t.expect("dw", np.stack([(d * v * r)[g * 3 : g * 3 + 3].sum(0) for g in range(3)]), rtol=1e-4, atol=1e-4)


@triton.jit
def segment_sum(x, segments, out, n, WIDTH: tl.constexpr, BLOCK: tl.constexpr):
    i, w = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK), tl.arange(0, WIDTH)
    mask = (i < n)[:, None] & (w >= 0)[None, :]
    v = tl.load(x + i[:, None] * WIDTH + w[None, :], mask=mask, other=0)
    to = tl.load(segments + i, mask=i < n, other=0)
    tl.atomic_add(out + to[:, None] * WIDTH + w[None, :], v, mask=mask, sem="relaxed")


@case(segment_sum, "x:*fp32 segments:*i32 out:*fp32 n:i32", WIDTH=32, BLOCK=32)
def segment_sums_by_atomics(t):
    x, segments = t.normal(90, 32), np.sort(t.integers(0, 7, 90))
    t.launch(3, x=x, segments=segments, out=t.zeros(7, 32), n=90)
    expected = np.zeros((7, 32))
    np.add.at(expected, segments, x.astype(np.float64))
    t.expect("out", expected, rtol=1e-4, atol=1e-4)


@triton.jit
def group_norm(x, w, b, out, HW: tl.constexpr, CG: tl.constexpr, GROUPS: tl.constexpr, BLOCK: tl.constexpr):
    group, image = tl.program_id(0), tl.program_id(1)
    base = (image * GROUPS + group) * CG * HW
    total, squares = tl.zeros((BLOCK,), tl.float32), tl.zeros((BLOCK,), tl.float32)
    for start in range(0, CG * HW, BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(x + base + i, mask=i < CG * HW, other=0).to(tl.float32)
        total += v
        squares += v * v
    mean = tl.sum(total) / (CG * HW)
    rstd = tl.rsqrt(tl.sum(squares) / (CG * HW) - mean * mean + 1e-5)
    for start in range(0, CG * HW, BLOCK):
        i = start + tl.arange(0, BLOCK)
        mask = i < CG * HW
        channel = group * CG + i // HW
        v = tl.load(x + base + i, mask=mask, other=0).to(tl.float32)
        y = (v - mean) * rstd * tl.load(w + channel, mask=mask, other=0) + tl.load(b + channel, mask=mask, other=0)
        tl.store(out + base + i, y.to(tl.float16), mask=mask)


@case(group_norm, "x:*fp16 w:*fp32 b:*fp32 out:*fp16", HW=35, CG=4, GROUPS=3, BLOCK=64, warps=2)
def group_norm_nchw(t):
    x, w, b = t.normal(2, 12, 35, format="fp16"), t.normal(12), t.normal(12)
    t.launch((3, 2), x=x, w=w, b=b, out=t.empty(2, 12, 35, format="fp16"))
    v = x.astype(np.float64).reshape(2, 3, 140)
    v = (v - v.mean(2, keepdims=True)) / np.sqrt(v.var(2, keepdims=True) + 1e-5)
    t.expect("out", v.reshape(2, 12, 35) * w[:, None] + b[:, None], rtol=2e-3, atol=2e-3, format="fp16")


@triton.jit
def chunked(q, k, v, decay, out, T: tl.constexpr, D: tl.constexpr, C: tl.constexpr):
    """Linear attention with decay, a chunk at a time: the state passes from chunk to chunk."""
    d, c = tl.arange(0, D), tl.arange(0, C)
    rate = tl.load(decay)
    state = tl.zeros((D, D), tl.float32)
    within = tl.where(c[:, None] >= c[None, :], tl.exp2((c[:, None] - c[None, :]).to(tl.float32) * rate), 0.0)
    for start in range(0, T, C):
        at = (start + c)[:, None] * D + d[None, :]
        vq, vk, vv = tl.load(q + at), tl.load(k + at), tl.load(v + at)
        own = tl.dot((tl.dot(vq, tl.trans(vk)) * within).to(tl.float16), vv)
        past = tl.dot(vq, state.to(tl.float16)) * tl.exp2((c + 1).to(tl.float32) * rate)[:, None]
        tl.store(out + at, own + past)
        fading = (vk * tl.exp2((C - 1 - c).to(tl.float32) * rate)[:, None]).to(tl.float16)
        state = state * tl.exp2(C * rate) + tl.dot(tl.trans(fading), vv)


@case(chunked, "q:*fp16 k:*fp16 v:*fp16 decay:*fp32 out:*fp32", T=96, D=32, C=32)
def linear_attention_in_chunks(t):
    q, k, v = (t.normal(96, 32, format="fp16", scale=0.5) for _ in range(3))
    t.launch(1, q=q, k=k, v=v, decay=np.array([-0.1], np.float32), out=t.empty(96, 32))
    state, rows = np.zeros((32, 32)), []
    for i in range(96):
        state = state * 2**-0.1 + np.outer(k[i].astype(np.float64), v[i].astype(np.float64))
        rows.append(q[i].astype(np.float64) @ state)
    t.expect("out", np.stack(rows), rtol=1e-2, atol=3e-2)


@triton.jit
def swiglu_backward(dc, a, b, N, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    at, mask = row * N + i, i < N
    d, u = tl.load(dc + at, mask=mask, other=0), tl.load(b + at, mask=mask, other=0)
    g = tl.load(a + at, mask=mask, other=0).to(tl.float32)
    s = tl.sigmoid(g)
    tl.store(a + at, d * u * (s + g * s * (1 - s)), mask=mask)
    tl.store(b + at, d * g * s, mask=mask)


@case(swiglu_backward, "dc:*fp32 a:*fp32 b:*fp32 N:i32", BLOCK=512)
def swiglu_gradient_in_place(t):
    dc, a, b = t.normal(4, 400), t.normal(4, 400), t.normal(4, 400)
    t.launch(4, dc=dc, a=a, b=b, N=400)
    g, s = a.astype(np.float64), 1 / (1 + np.exp(-a.astype(np.float64)))
    t.expect("a", dc * b * (s + g * s * (1 - s)), rtol=1e-4, atol=1e-5)
    t.expect("b", dc * g * s, rtol=1e-4, atol=1e-5)
