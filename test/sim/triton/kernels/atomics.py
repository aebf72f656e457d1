# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atomics, locks, and random numbers."""
import numpy as np

from cases import case, tl, triton
from formats import to_bits


@triton.jit
def extremes(x, low, high, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v, slot = tl.load(x + i, mask=i < n, other=0), i % 7
    tl.atomic_min(low + slot, v, mask=i < n)
    tl.atomic_max(high + slot, v, mask=i < n)


@case(extremes, "x:*fp32 low:*fp32 high:*fp32 n:i32", BLOCK=128)
def atomic_min_max_f32(t):
    x = t.normal(300)
    t.launch(3, x=x, low=np.full(7, np.inf, np.float32), high=np.full(7, -np.inf, np.float32), n=300)
    slots = [x[s::7] for s in range(7)]
    t.expect("low", [s.min() for s in slots], rtol=0, atol=0)
    t.expect("high", [s.max() for s in slots], rtol=0, atol=0)


@triton.jit
def bits(x, all_of, any_of, parity, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0)
    tl.atomic_and(all_of + i % 4, v, mask=i < n)
    tl.atomic_or(any_of + i % 4, v, mask=i < n)
    tl.atomic_xor(parity + i % 4, v, mask=i < n)


@case(bits, "x:*i32 all_of:*i32 any_of:*i32 parity:*i32 n:i32", BLOCK=64, warps=2)
def atomic_and_or_xor(t):
    x = t.integers(-(2**31), 2**31, 100, dtype=np.int64).astype(np.int32)
    t.launch(2, x=x, all_of=np.full(4, -1, np.int32), any_of=t.zeros(4, format="i32"), parity=t.zeros(4, format="i32"), n=100)
    t.expect("all_of", [np.bitwise_and.reduce(x[s::4]) for s in range(4)])
    t.expect("any_of", [np.bitwise_or.reduce(x[s::4]) for s in range(4)])
    t.expect("parity", [np.bitwise_xor.reduce(x[s::4]) for s in range(4)])


@triton.jit
def add_half(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.atomic_add(out + i, tl.load(x + tl.program_id(0) * N + i))


@case(add_half, "x:*fp16 out:*fp16", N=256)
def atomic_add_f16(t):
    x = np.round(t.normal(4, 256, scale=8)).astype(np.float16)  # integers sum exactly in any order
    t.launch(4, x=x, out=t.zeros(256, format="fp16"))
    t.expect("out", x.astype(np.float64).sum(0), rtol=0, atol=0, format="fp16")


@case(add_half, "x:*bf16 out:*bf16", N=128)
def atomic_add_bf16(t):
    whole = np.round(t.normal(4, 128, scale=8))
    t.launch(4, x=to_bits(whole, "bf16"), out=t.zeros(128, format="bf16"))
    t.expect("out", whole.astype(np.float64).sum(0), rtol=0, atol=0, format="bf16")


@triton.jit
def locked(out, lock, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    while tl.atomic_cas(lock, 0, 1, sem="acquire") == 1:
        pass
    tl.store(out + i, tl.load(out + i) * 2 + 1)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0, sem="release")


@case(locked, "out:*i32 lock:*i32", BLOCK=128)
def spin_lock(t):
    t.launch(6, out=t.zeros(128, format="i32"), lock=t.zeros(1, format="i32"))
    t.expect("out", np.full(128, 63, np.int32))


@triton.jit
def last_block(x, partial, out, arrived, n, BLOCK: tl.constexpr, BLOCKS: tl.constexpr):
    block = tl.program_id(0)
    i = block * BLOCK + tl.arange(0, BLOCK)
    tl.store(partial + block, tl.sum(tl.load(x + i, mask=i < n, other=0), axis=0))
    tl.debug_barrier()
    if tl.atomic_add(arrived, 1, sem="acq_rel") == BLOCKS - 1:
        tl.store(out, tl.sum(tl.load(partial + tl.arange(0, BLOCKS), volatile=True), axis=0))


@case(last_block, "x:*fp32 partial:*fp32 out:*fp32 arrived:*i32 n:i32", BLOCK=256, BLOCKS=8)
def last_block_sums(t):
    x = t.normal(2000)
    t.launch(8, x=x, partial=t.empty(8), out=t.empty(1), arrived=t.zeros(1, format="i32"), n=2000)
    t.expect("out", [x.astype(np.float64).sum()], rtol=1e-4, atol=1e-4)


@triton.jit
def exchange(flags, claimed, N: tl.constexpr):
    """Each flag is claimed by exactly one program."""
    i = tl.arange(0, N)
    mine = tl.atomic_xchg(flags + i, 1) == 0
    tl.atomic_add(claimed + tl.program_id(0) * 0 + i, mine.to(tl.int32))


@case(exchange, "flags:*i32 claimed:*i32", N=64)
def atomic_exchange_claims(t):
    t.launch(5, flags=t.zeros(64, format="i32"), claimed=t.zeros(64, format="i32"))
    t.expect("claimed", np.ones(64, np.int32))


def philox(seed, counter):
    """Four words of Philox 4x32 with 10 rounds."""
    mask = np.uint64(0xFFFFFFFF)
    c = [counter.astype(np.uint64)] + [np.zeros(len(counter), np.uint64) for _ in range(3)]
    k = [np.uint64(seed & 0xFFFFFFFF), np.uint64(seed >> 32)]
    for _ in range(10):
        a, b = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        high_a, high_b = a >> np.uint64(32), b >> np.uint64(32)
        c = [high_b ^ c[1] ^ k[0], b & mask, high_a ^ c[3] ^ k[1], a & mask]
        k = [(k[0] + np.uint64(0x9E3779B9)) & mask, (k[1] + np.uint64(0xBB67AE85)) & mask]
    return c


def uniform(word):
    """What tl.rand makes of a word: below 1, from 31 bits."""
    signed = word.astype(np.uint32).view(np.int32).astype(np.int64)
    return np.where(signed < 0, -signed - 1, signed) * 4.6566127342e-10


@triton.jit
def random_words(out, seed, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a, b, c, d = tl.randint4x(seed, i)
    for word in tl.static_range(4):
        value = a if word == 0 else b if word == 1 else c if word == 2 else d
        tl.store(out + i * 4 + word, value)


@case(random_words, "out:*u32 seed:i32", BLOCK=128)
def philox_words(t):
    t.launch(2, out=t.empty(256, 4, format="u32"), seed=1234)
    t.expect("out", np.stack(philox(1234, np.arange(256)), axis=1).astype(np.uint32))


@triton.jit
def random_numbers(flat, bell, seed, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(flat + i, tl.rand(seed, i))
    tl.store(bell + i, tl.randn(seed, i))


@case(random_numbers, "flat:*fp32 bell:*fp32 seed:i64", BLOCK=1024)
def rand_and_randn(t):
    t.launch(1, flat=t.empty(1024), bell=t.empty(1024), seed=77)
    words = philox(77, np.arange(1024))
    u = uniform(words[0])
    t.expect("flat", u, rtol=1e-6)
    radius = np.sqrt(-2 * np.log(np.maximum(u, 1e-7)))
    t.expect("bell", radius * np.cos(6.283185307179586 * uniform(words[1])), rtol=1e-3, atol=1e-4)


@triton.jit
def dropout(x, out, n, p, seed, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    kept = tl.rand(seed, i) > p
    tl.store(out + i, tl.where(kept, tl.load(x + i, mask=i < n, other=0) / (1 - p), 0.0), mask=i < n)


@case(dropout, "x:*fp32 out:*fp32 n:i32 p:fp32 seed:i32", BLOCK=256)
def seeded_dropout(t):
    x = t.normal(700)
    t.launch(3, x=x, out=t.empty(700), n=700, p=0.4, seed=5)
    t.expect("out", np.where(uniform(philox(5, np.arange(700))[0]) > 0.4, x.astype(np.float64) / 0.6, 0), rtol=1e-5)
