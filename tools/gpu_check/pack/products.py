"""Cases of matrix products and attention."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np

from .model import FLOATS, Model

ODD, EVEN, LARGE = (65, 33, 47), (128, 64, 96), (200, 320, 136)


def cases():
    for kind in FLOATS:
        for layout in ("NN", "NT", "TN", "TT"):
            yield product(kind, layout, *ODD)
        yield product(kind, "NN", *EVEN)
        yield product(kind, "NT", *LARGE)
        yield product(kind, "NN", 33, 40, 72, batch=3)
        yield product(kind, "NT", 1, 200, 300)
        yield product(kind, "NN", 16, 96, 128, weights=True)
        yield product(kind, "NN", 70, 96, 64, weights=True)
        # Few rows and split-K, also with warpgroup MMA.
        yield product(kind, "NN", 1, 264, 520)
        yield product(kind, "NN", 7, 96, 512, weights=True, epilogue="gelu")
        yield product(kind, "NT", 24, 96, 2048)
        yield product(kind, "NN", 64, 128, 2048)
        for epilogue in ("bias", "relu", "gelu", "residual"):
            yield product(kind, "NN", 70, 48, 80, weights=True, epilogue=epilogue)
    for kind in FLOATS:
        for size in (32, 64, 96, 128, 256):
            yield attention(kind, "plain", size)
        for mask in ("causal", "masked", "gqa"):
            yield attention(kind, mask, 64)


def product(kind, layout, m, n, k, batch=None, weights=False, epilogue=None):
    dtype = FLOATS[kind]
    name = f"gemm_{kind}_{layout.lower()}_{m}x{n}x{k}"
    name += f"_batch{batch}" * bool(batch) + "_weights" * weights + (f"_{epilogue}" if epilogue else "")
    model = Model(name, {"matmul"})
    batches = [batch] if batch else []
    operands = []
    for operand, order, shape in (("a", layout[0], (m, k)), ("b", layout[1], (k, n))):
        stored = model.numbers(dtype, *batches, *(shape[::-1] if order == "T" else shape))
        value = model.constant(stored) if weights and operand == "b" else model.feed(operand, stored)
        rank = 2 + len(batches)
        axes = [*range(rank - 2), rank - 1, rank - 2]
        operands.append(model.node("Transpose", value, perm=axes) if order == "T" else value)
    out = model.node("MatMul", *operands)
    if epilogue:
        out = model.node("Add", out, model.constant(model.numbers(dtype, n)))
    if epilogue in ("relu", "gelu"):
        out = model.node(epilogue.capitalize(), out)
    if epilogue == "residual":
        out = model.node("Add", out, model.feed("residual", model.numbers(dtype, m, n)))
    model.output(out, dtype, 2 + len(batches))
    return model


def attention(kind, mask, size, batch=2, heads=4, queries=37, keys=53):
    dtype = FLOATS[kind]
    model = Model(f"attention_{kind}_{mask}_d{size}", {"attention"})
    shared = 2 if mask == "gqa" else 1
    keys = queries if mask == "causal" else keys
    q = model.feed("q", model.numbers(dtype, batch, heads, queries, size))
    k = repeat(model, model.feed("k", model.numbers(dtype, batch, heads // shared, keys, size)), shared)
    v = repeat(model, model.feed("v", model.numbers(dtype, batch, heads // shared, keys, size)), shared)
    scores = model.node("MatMul", q, model.node("Transpose", k, perm=[0, 1, 3, 2]))
    scores = model.node("Mul", scores, model.constant(np.asarray(size**-0.5, dtype)))
    if mask == "causal":
        scores = model.node("Add", scores, model.constant(np.triu(np.full((queries, keys), -np.inf), 1).astype(dtype)))
    if mask == "masked":
        bias = model.numbers(dtype, batch, 1, queries, keys)
        bias[:, :, :, keys - 9 :] = -10000
        scores = model.node("Add", scores, model.feed("mask", bias))
    model.output(model.node("MatMul", model.node("Softmax", scores, axis=-1), v), dtype, 4)
    return model


def repeat(model, value, times):
    """[B, H, T, D] -> [B, H * times, T, D], each head next to its copies."""
    if times == 1:
        return value
    wide = model.node("Unsqueeze", value, model.constant(np.array([2], np.int64)))
    wide = model.node("Expand", wide, model.constant(np.array([1, 1, times, 1, 1], np.int64)))
    shape = np.array([0, -1, *model.feeds[value].shape[2:]], np.int64)
    return model.node("Reshape", wide, model.constant(shape))
