# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Softmax, norms and losses over rows."""
import numpy as np

from cases import case, tl, triton


def softmax_of(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@triton.jit
def softmax(x, out, N, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * N + i, mask=i < N, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * N + i, e / tl.sum(e, axis=0), mask=i < N)


@case(softmax, "x:*fp32 out:*fp32 N:i32", BLOCK=1024, warps=4)
def softmax_row(t):
    x = t.normal(11, 781, scale=3)
    t.launch(11, x=x, out=t.empty(11, 781), N=781)
    t.expect("out", softmax_of(x.astype(np.float64)))


@triton.jit
def softmax_online(x, out, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    largest = tl.full((), -float("inf"), tl.float32)
    total = tl.full((), 0.0, tl.float32)
    for start in range(0, N, BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * N + i, mask=i < N, other=-float("inf")).to(tl.float32)
        larger = tl.maximum(largest, tl.max(v, axis=0))
        total = total * tl.exp(largest - larger) + tl.sum(tl.exp(v - larger), axis=0)
        largest = larger
    for start in range(0, N, BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * N + i, mask=i < N, other=-float("inf")).to(tl.float32)
        tl.store(out + row * N + i, (tl.exp(v - largest) / total).to(tl.float16), mask=i < N)


@case(softmax_online, "x:*fp16 out:*fp16 N:i32", BLOCK=256, warps=2)
def softmax_two_passes_f16(t):
    x = t.normal(7, 900, scale=3, format="fp16")
    t.launch(7, x=x, out=t.empty(7, 900, format="fp16"), N=900)
    t.expect("out", softmax_of(x.astype(np.float64)), rtol=1e-3, atol=1e-7, format="fp16")


@triton.jit
def cross_entropy(logits, labels, loss, N, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(logits + row * N + i, mask=i < N, other=-float("inf")).to(tl.float32)
    largest = tl.max(v, axis=0)
    total = largest + tl.log(tl.sum(tl.exp(v - largest), axis=0))
    label = tl.load(labels + row)
    tl.store(loss + row, total - tl.load(logits + row * N + label).to(tl.float32))


@case(cross_entropy, "logits:*bf16 labels:*i32 loss:*fp32 N:i32", BLOCK=2048, warps=8)
def cross_entropy_bf16(t):
    logits, labels = t.normal(13, 1300, scale=2, format="bf16"), t.integers(0, 1300, 13)
    v = t.value(logits, "bf16")
    t.launch(13, logits=logits, labels=labels, loss=t.empty(13), N=1300)
    t.expect("loss", -np.log(softmax_of(v)[np.arange(13), labels]), rtol=1e-4)


@triton.jit
def layer_norm(x, w, b, out, mean, rstd, N, eps, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * N + i, mask=i < N, other=0).to(tl.float32)
    mu = tl.sum(v, axis=0) / N
    centred = tl.where(i < N, v - mu, 0.0)
    scale = 1 / tl.sqrt(tl.sum(centred * centred, axis=0) / N + eps)
    tl.store(mean + row, mu)
    tl.store(rstd + row, scale)
    y = centred * scale * tl.load(w + i, mask=i < N) + tl.load(b + i, mask=i < N)
    tl.store(out + row * N + i, y.to(out.dtype.element_ty), mask=i < N)


@case(layer_norm, "x:*fp16 w:*fp32 b:*fp32 out:*fp16 mean:*fp32 rstd:*fp32 N:i32 eps:fp32", BLOCK=512)
def layer_norm_forward(t):
    x, w, b = t.normal(10, 400, format="fp16"), t.normal(400), t.normal(400)
    v = x.astype(np.float64)
    mu, rstd = v.mean(1), 1 / np.sqrt(v.var(1) + 1e-5)
    t.launch(10, x=x, w=w, b=b, out=t.empty(10, 400, format="fp16"), mean=t.empty(10), rstd=t.empty(10), N=400, eps=1e-5)
    t.expect("out", (v - mu[:, None]) * rstd[:, None] * w + b, rtol=1e-3, atol=1e-3, format="fp16")
    t.expect("mean", mu, atol=1e-6)
    t.expect("rstd", rstd, rtol=1e-5)


@triton.jit
def layer_norm_backward(dy, x, w, mean, rstd, dx, dw, db, locks, N, GROUPS: tl.constexpr, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    mask = i < N
    v = tl.load(x + row * N + i, mask=mask, other=0)
    d = tl.load(dy + row * N + i, mask=mask, other=0)
    mu, scale = tl.load(mean + row), tl.load(rstd + row)
    xhat = tl.where(mask, (v - mu) * scale, 0.0)
    wdy = tl.load(w + i, mask=mask, other=0) * d
    c1, c2 = tl.sum(xhat * wdy, axis=0) / N, tl.sum(wdy, axis=0) / N
    tl.store(dx + row * N + i, (wdy - (xhat * c1 + c2)) * scale, mask=mask)
    # Rows of a group accumulate one after the other under a lock; the first one stores.
    group = row % GROUPS
    count = locks + GROUPS + group
    while tl.atomic_cas(locks + group, 0, 1) == 1:
        pass
    partial_dw, partial_db = d * xhat, d
    if tl.load(count) == 0:
        tl.atomic_xchg(count, 1)
    else:
        partial_dw += tl.load(dw + group * N + i, mask=mask, other=0)
        partial_db += tl.load(db + group * N + i, mask=mask, other=0)
    tl.store(dw + group * N + i, partial_dw, mask=mask)
    tl.store(db + group * N + i, partial_db, mask=mask)
    tl.debug_barrier()
    tl.atomic_xchg(locks + group, 0)


LAYER_NORM_BACKWARD = "dy:*fp32 x:*fp32 w:*fp32 mean:*fp32 rstd:*fp32 dx:*fp32 dw:*fp32 db:*fp32 locks:*i32 N:i32"


@case(layer_norm_backward, LAYER_NORM_BACKWARD, GROUPS=3, BLOCK=256)
def layer_norm_backward_locks(t):
    dy, x, w = t.normal(8, 200), t.normal(8, 200), t.normal(200)
    v, d = x.astype(np.float64), dy.astype(np.float64)
    mu, rstd = v.mean(1, keepdims=True), 1 / np.sqrt(v.var(1, keepdims=True) + 1e-5)
    t.launch(8, dy=dy, x=x, w=w, mean=mu[:, 0].astype(np.float32), rstd=rstd[:, 0].astype(np.float32), dx=t.empty(8, 200),
             dw=t.empty(3, 200), db=t.empty(3, 200), locks=t.zeros(6, format="i32"), N=200)  # fmt: skip
    xhat, wdy = (v - mu) * rstd, w * d
    t.expect("dx", rstd * (wdy - xhat * (xhat * wdy).mean(1, keepdims=True) - wdy.mean(1, keepdims=True)), atol=1e-5)
    t.expect("dw", np.stack([(d * xhat)[g::3].sum(0) for g in range(3)]), atol=1e-5)
    t.expect("db", np.stack([d[g::3].sum(0) for g in range(3)]), atol=1e-5)


@triton.jit
def rms_norm(x, w, out, N, BLOCK: tl.constexpr, ROWS: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    i = tl.arange(0, BLOCK)
    at = rows[:, None] * N + i[None, :]
    mask = (i < N)[None, :]
    v = tl.load(x + at, mask=mask, other=0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(v * v, axis=1) / N + 1e-6)
    y = v * scale[:, None] * tl.load(w + i, mask=i < N).to(tl.float32)[None, :]
    tl.store(out + at, y.to(tl.bfloat16), mask=mask)


@case(rms_norm, "x:*bf16 w:*bf16 out:*bf16 N:i32/16", BLOCK=512, ROWS=4)
def rms_norm_rows(t):
    x, w = t.normal(8, 320, format="bf16"), t.normal(320, format="bf16")
    v = t.value(x, "bf16")
    t.launch(2, x=x, w=w, out=t.empty(8, 320, format="bf16"), N=320)
    t.expect("out", v / np.sqrt((v**2).mean(1, keepdims=True) + 1e-6) * t.value(w, "bf16"), rtol=4e-3, atol=1e-5, format="bf16")
