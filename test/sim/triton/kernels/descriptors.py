# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor descriptors (TMA on sm_90a), of the device and of the host, and warp specialisation."""
import numpy as np

from cases import Descriptor, case, tl, triton


@triton.jit
def double_tiles(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [M, N], [N, 1], [BM, BN])
    target = tl.make_tensor_descriptor(out, [M, N], [N, 1], [BM, BN])
    at = [tl.program_id(0) * BM, tl.program_id(1) * BN]
    v = source.load(at)
    target.store(at, v + v)


@case(double_tiles, "x:*fp16 out:*fp16 M:i32 N:i32/16", BM=32, BN=64)
def descriptors_of_the_device(t):
    x = t.normal(50, 96, format="fp16")
    t.launch((2, 2), x=x, out=t.empty(50, 96, format="fp16"), M=50, N=96)
    t.expect("out", x + x, rtol=0, atol=0)


@triton.jit
def transpose_tiles(source, target, BM: tl.constexpr, BN: tl.constexpr):
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    target.store([n, m], tl.trans(source.load([m, n])))


@case(transpose_tiles, "source:tensordesc<fp32[32,16]> target:tensordesc<fp32[16,32]>", BM=32, BN=16)
def descriptors_of_the_host(t):
    x, out = t.normal(64, 48), t.empty(48, 64)
    t.launch((2, 3), source=Descriptor(x, (32, 16)), target=Descriptor(out, (16, 32)))
    t.expect("target", x.T, rtol=0, atol=0)


@triton.jit
def rank3(source, out, B: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    tile = tl.reshape(source.load([tl.program_id(0), 8, 0]), (M, N))
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(out + tl.program_id(0) * M * N + at, tile)


@case(rank3, "source:tensordesc<bf16[1,16,64]> out:*bf16", B=1, M=16, N=64)
def descriptor_of_rank_3_over_the_edge(t):
    x = t.normal(3, 20, 64, format="bf16")
    t.launch(3, source=Descriptor(x, (1, 16, 64)), out=t.empty(3, 16, 64, format="bf16"))
    expected = np.zeros((3, 16, 64), np.uint16)
    expected[:, :12] = x[:, 8:]
    t.expect("out", expected)


@triton.jit
def add_tiles(source, total, BM: tl.constexpr, BN: tl.constexpr):
    at = [tl.program_id(0) * BM, 0]
    total.atomic_add([0, 0], source.load(at))


@case(add_tiles, "source:tensordesc<fp32[16,32]> total:tensordesc<fp32[16,32]>", BM=16, BN=32)
def descriptor_reduction(t):
    x, total = np.round(t.normal(64, 32, scale=9)).astype(np.float32), t.zeros(16, 32)
    t.launch(4, source=Descriptor(x, (16, 32)), total=Descriptor(total, (16, 32)))
    t.expect("total", x.reshape(4, 16, 32).sum(0), rtol=0, atol=0)


@triton.jit
def copy_bytes(x, out, n, BLOCK: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [n], [1], [BLOCK])
    target = tl.make_tensor_descriptor(out, [n], [1], [BLOCK])
    target.store([tl.program_id(0) * BLOCK], source.load([tl.program_id(0) * BLOCK]))


@case(copy_bytes, "x:*u8 out:*u8 n:i32", BLOCK=128)
def descriptors_of_bytes_in_one_dimension(t):
    x = t.integers(0, 256, 300, dtype=np.uint8)
    t.launch(3, x=x, out=t.empty(300, format="u8"), n=300)
    t.expect("out", x)


@triton.jit
def gather_rows(source, index, out, ROWS: tl.constexpr, N: tl.constexpr):
    rows = tl.load(index + tl.arange(0, ROWS))
    at = tl.arange(0, ROWS)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(out + at, tl.load(source + rows[:, None] * N + tl.arange(0, N)[None, :]))


@case(gather_rows, "source:*fp16 index:*i32 out:*fp16", ROWS=16, N=64)
def gather_of_rows(t):
    x, index = t.normal(40, 64, format="fp16"), t.integers(0, 40, 16)
    t.launch(1, source=x, index=index, out=t.empty(16, 64, format="fp16"))
    t.expect("out", x[index], rtol=0, atol=0)


@triton.jit
def product(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    da = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    db = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK])
    dc = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    accumulator = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        accumulator = tl.dot(da.load([m, k]), db.load([n, k]).T, accumulator)
    dc.store([m, n], accumulator.to(tl.float16))


def expect_product(t, grid, M, N, K, **more):
    a, b = t.normal(M, K, format="fp16"), t.normal(N, K, format="fp16")
    t.launch(grid, a=a, b=b, c=t.empty(M, N, format="fp16"), M=M, N=N, K=K, **more)
    t.expect("c", a.astype(np.float64) @ b.astype(np.float64).T, rtol=1e-3, atol=1e-2, format="fp16")


PRODUCT = "a:*fp16 b:*fp16 c:*fp16 M:i32 N:i32/16 K:i32/16"


@case(product, PRODUCT, BM=64, BN=64, BK=64)
def matmul_tma(t):
    expect_product(t, (2, 2), 100, 96, 192)


@case(product, PRODUCT, BM=128, BN=128, BK=32, warps=8, stages=4)
def matmul_tma_two_warpgroups(t):
    expect_product(t, (1, 1), 128, 128, 160)


@triton.jit
def host_product(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    accumulator = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        accumulator = tl.dot(a.load([m, k]), b.load([k, n]), accumulator)
    c.store([m, n], accumulator.to(tl.bfloat16))


HOST = "a:tensordesc<bf16[64,64]> b:tensordesc<bf16[64,64]> c:tensordesc<bf16[64,64]> K:i32"


@case(host_product, HOST, BM=64, BN=64, BK=64)
def matmul_tma_host_bf16(t):
    a, b, c = t.normal(64, 128, format="bf16"), t.normal(128, 128, format="bf16"), t.empty(64, 128, format="bf16")
    t.launch((1, 2), a=Descriptor(a, (64, 64)), b=Descriptor(b, (64, 64)), c=Descriptor(c, (64, 64)), K=128)
    t.expect("c", t.value(a, "bf16") @ t.value(b, "bf16"), rtol=4e-3, atol=1e-2, format="bf16")


@triton.jit
def persistent(a, b, c, M, N, K, SMS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, WS: tl.constexpr):
    da = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    db = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK])
    dc = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    down = tl.cdiv(M, BM)
    for number in tl.range(tl.program_id(0), down * tl.cdiv(N, BN), SMS, flatten=not WS, warp_specialize=WS):
        m, n = number % down * BM, number // down * BN
        accumulator = tl.zeros((BM, BN), tl.float32)
        for k in range(0, K, BK):
            accumulator = tl.dot(da.load([m, k]), db.load([n, k]).T, accumulator)
        dc.store([m, n], accumulator.to(tl.float16))


@case(persistent, PRODUCT, SMS=2, BM=64, BN=64, BK=64, WS=False)
def matmul_tma_persistent(t):
    expect_product(t, 2, 128, 160, 128)


@case(persistent, PRODUCT, SMS=2, BM=128, BN=64, BK=64, WS=True)
def matmul_warp_specialised(t):
    expect_product(t, 2, 256, 128, 192)


@triton.jit
def attention(q, k, v, out, scale, L: tl.constexpr, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, WS: tl.constexpr):
    dq = tl.make_tensor_descriptor(q, [L, D], [D, 1], [BM, D])
    dk = tl.make_tensor_descriptor(k, [L, D], [D, 1], [BN, D])
    dv = tl.make_tensor_descriptor(v, [L, D], [D, 1], [BN, D])
    do = tl.make_tensor_descriptor(out, [L, D], [D, 1], [BM, D])
    first = tl.program_id(0) * BM
    vq = dq.load([first, 0])
    largest, total = tl.full((BM,), -float("inf"), tl.float32), tl.zeros((BM,), tl.float32)
    accumulator = tl.zeros((BM, D), tl.float32)
    for start in tl.range(0, L, BN, warp_specialize=WS):
        s = tl.dot(vq, dk.load([start, 0]).T) * (scale * 1.44269504)
        larger = tl.maximum(largest, tl.max(s, 1))
        p, shrink = tl.exp2(s - larger[:, None]), tl.exp2(largest - larger)
        total = total * shrink + tl.sum(p, 1)
        accumulator = tl.dot(p.to(tl.float16), dv.load([start, 0]), accumulator * shrink[:, None])
        largest = larger
    do.store([first, 0], (accumulator / total[:, None]).to(tl.float16))


def expect_attention(t, L, D, blocks):
    q, k, v = (t.normal(L, D, format="fp16") for _ in range(3))
    t.launch(blocks, q=q, k=k, v=v, out=t.empty(L, D, format="fp16"), scale=D**-0.5)
    s = q.astype(np.float64) @ k.astype(np.float64).T * D**-0.5
    p = np.exp(s - s.max(1, keepdims=True))
    t.expect("out", p / p.sum(1, keepdims=True) @ v.astype(np.float64), rtol=2e-3, atol=2e-3, format="fp16")


ATTENTION = "q:*fp16 k:*fp16 v:*fp16 out:*fp16 scale:fp32"


@case(attention, ATTENTION, L=128, D=64, BM=64, BN=64, WS=False, stages=2)
def attention_tma(t):
    expect_attention(t, 128, 64, 2)


@case(attention, ATTENTION, L=128, D=64, BM=128, BN=64, WS=True, stages=2)
def attention_warp_specialised(t):
    expect_attention(t, 128, 64, 1)
