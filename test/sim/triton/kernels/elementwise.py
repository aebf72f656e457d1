# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One element at a time, with masks."""
import numpy as np

from cases import case, tl, triton
from formats import from_bits, to_bits


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    tl.store(out + i, tl.load(x + i, mask=mask) + tl.load(y + i, mask=mask), mask=mask)


@case(add, "x:*fp32 y:*fp32 out:*fp32 n:i32", BLOCK=256)
def add_masked(t):
    x, y = t.normal(1000), t.normal(1000)
    t.launch(4, x=x, y=y, out=t.empty(1000), n=1000)
    t.expect("out", np.concatenate([x + y]))


@triton.jit
def gelu(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0.0).to(tl.float32)
    inner = 0.7978845608 * (v + 0.044715 * v * v * v)
    tanh = 1 - 2 / (tl.exp(2 * inner) + 1)
    tl.store(out + i, (0.5 * v * (1 + tanh)).to(out.dtype.element_ty), mask=i < n)


@case(gelu, "x:*fp16 out:*fp16 n:i32", BLOCK=512)
def gelu_tanh_f16(t):
    x = t.normal(1500, format="fp16", scale=2)
    v = x.astype(np.float64)
    t.launch(3, x=x, out=t.empty(1500, format="fp16"), n=1500)
    t.expect("out", 0.5 * v * (1 + np.tanh(0.7978845608 * (v + 0.044715 * v**3))), rtol=1e-3, atol=1e-4, format="fp16")


@triton.jit
def silu_mul(gate, up, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    g = tl.load(gate + i, mask=i < n, other=0).to(tl.float32)
    u = tl.load(up + i, mask=i < n, other=0).to(tl.float32)
    tl.store(out + i, (g * tl.sigmoid(g) * u).to(tl.bfloat16), mask=i < n)


@case(silu_mul, "gate:*bf16 up:*bf16 out:*bf16 n:i32", BLOCK=1024, warps=8)
def silu_mul_bf16(t):
    gate, up = t.normal(3000, format="bf16"), t.normal(3000, format="bf16")
    g, u = t.value(gate, "bf16"), t.value(up, "bf16")
    t.launch(3, gate=gate, up=up, out=t.empty(3000, format="bf16"), n=3000)
    t.expect("out", g / (1 + np.exp(-g)) * u, rtol=4e-3, atol=1e-5, format="bf16")


@triton.jit
def transpose(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    mask = (rows < M)[:, None] & (columns < N)[None, :]
    tile = tl.load(x + rows[:, None] * N + columns[None, :], mask=mask)
    tl.store(out + columns[:, None] * M + rows[None, :], tl.trans(tile), mask=tl.trans(mask))


@case(transpose, "x:*fp16 out:*fp16 M:i32 N:i32", BM=32, BN=64)
def transpose_masked(t):
    x = t.normal(70, 100, format="fp16")
    t.launch((3, 2), x=x, out=t.empty(100, 70, format="fp16"), M=70, N=100)
    t.expect("out", x.T, rtol=0, atol=0)


@triton.jit
def cast_chain(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    v = v.to(tl.float16).to(tl.bfloat16).to(tl.float32)
    tl.store(out + i, v.to(tl.int8), mask=i < n)


@case(cast_chain, "x:*fp32 out:*i8 n:i32", BLOCK=128, warps=1)
def cast_f32_f16_bf16_i8(t):
    x = t.normal(500, scale=30)
    t.launch(4, x=x, out=t.empty(500, format="i8"), n=500)
    rounded = from_bits(to_bits(x.astype(np.float16).astype(np.float32), "bf16"), "bf16")
    t.expect("out", np.trunc(rounded).astype(np.int8))


@triton.jit
def divmod_floor(x, y, quotient, remainder, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + i, mask=i < n)
    b = tl.load(y + i, mask=i < n, other=1)
    tl.store(quotient + i, a // b, mask=i < n)
    tl.store(remainder + i, a % b, mask=i < n)


@case(divmod_floor, "x:*i64 y:*i64 quotient:*i64 remainder:*i64 n:i32", BLOCK=128)
def divmod_i64(t):
    x = t.integers(-(2**40), 2**40, 300, dtype=np.int64)
    y = t.integers(1, 10000, 300, dtype=np.int64) * np.where(t.integers(0, 2, 300) > 0, 1, -1)
    t.launch(3, x=x, y=y, quotient=t.empty(300, format="i64"), remainder=t.empty(300, format="i64"), n=300)
    quotient = np.trunc(x / y).astype(np.int64)  # towards zero, as C does
    t.expect("quotient", quotient)
    t.expect("remainder", x - quotient * y)


@triton.jit
def embedding(table, ids, out, WIDTH: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.load(ids + tl.program_id(0))
    for start in range(0, WIDTH, BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(table + row * WIDTH + i, mask=i < WIDTH)
        tl.store(out + tl.program_id(0) * WIDTH + i, v, mask=i < WIDTH)


@case(embedding, "table:*bf16 ids:*i64 out:*bf16", WIDTH=200, BLOCK=128)
def embedding_rows(t):
    table, ids = t.normal(50, 200, format="bf16"), t.integers(0, 50, 17, dtype=np.int64)
    t.launch(17, table=table, ids=ids, out=t.empty(17, 200, format="bf16"))
    t.expect("out", table[ids])


@triton.jit
def rope(x, cos, sin, out, HALF: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, HALF)
    a, b = tl.split(tl.trans(tl.reshape(tl.load(x + row * 2 * HALF + tl.arange(0, 2 * HALF)), (2, HALF))))
    c, s = tl.load(cos + row * HALF + i), tl.load(sin + row * HALF + i)
    both = tl.join(a * c - b * s, b * c + a * s)
    tl.store(out + row * 2 * HALF + tl.arange(0, 2 * HALF), tl.reshape(tl.trans(both), (2 * HALF,)))


@case(rope, "x:*fp32 cos:*fp32 sin:*fp32 out:*fp32", HALF=64)
def rope_split_join(t):
    x, angle = t.normal(9, 128), t.normal(9, 64)
    cos, sin = np.cos(angle), np.sin(angle)
    t.launch(9, x=x, cos=cos, sin=sin, out=t.empty(9, 128))
    a, b = x[:, :64].astype(np.float64), x[:, 64:].astype(np.float64)
    t.expect("out", np.concatenate([a * cos - b * sin, b * cos + a * sin], axis=1), atol=1e-5)
