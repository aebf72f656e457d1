"""What is measured: models whose inputs, weights among them, are made where they run."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses

import numpy as np

from .model import BF16, FLOATS, Model


@dataclasses.dataclass
class Line:
    """A line of speed.txt; `model` None: the package of a case."""

    kind: str
    model: Model
    where: str
    keys: dict
    package: str = ""


TOKENS = (1, 16, 128, 512, 2048)
# (n, k) of weights: BERT-base's projections and its two FFN matrices, Llama-8B's qkv, output, gate and up, down.
WEIGHTS = {
    "bert": [(768, 768), (3072, 768), (768, 3072)],
    "llama": [(6144, 4096), (4096, 4096), (28672, 4096), (4096, 14336)],
}


def lines():
    for size in (4096, 8192):
        yield gemm("gemm", "square", size, size, size, "gpu")
    for family, shapes in WEIGHTS.items():
        for n, k in shapes:
            for m in TOKENS:
                yield gemm("gemv" if m == 1 else "gemm", family, m, n, k, "gpu")
    for m in (8,):
        yield gemm("gemv", "llama", m, 4096, 4096, "gpu")
    yield gemm("gemm", "tiny", 64, 64, 64, "sim")
    yield gemm("gemv", "tiny", 1, 128, 128, "sim")
    for kind in ("bf16", "f32"):
        for name in ("softmax", "layer_norm", "rms_norm", "add"):
            for count, width in ((16384, 1024), (8192, 4096)):
                yield rows(name, kind, count, width, "gpu")
    yield rows("layer_norm", "bf16", 8, 256, "sim")
    for size in (64, 128):
        for length in (2048, 4096, 8192):
            yield attention(1, 2048 // size, length, size, "gpu")
    yield attention(1, 2, 64, 64, "sim")


def gemm(kind, family, m, n, k, where):
    model = Model(f"{kind}_bf16_{family}_{m}x{n}x{k}")
    product = model.node("MatMul", model.declare("a", BF16, m, k), model.declare("b", BF16, k, n))
    model.output(product, BF16, 2)
    return Line(kind, model, where, {"m": m, "n": n, "k": k})


def rows(name, kind, count, width, where):
    dtype = FLOATS[kind]
    model = Model(f"{name}_{kind}_{count}x{width}")
    x = model.declare("x", dtype, count, width)
    vector = lambda: model.constant(model.numbers(dtype, width))
    if name == "softmax":
        out = model.node("Softmax", x, axis=-1)
    elif name == "layer_norm":
        out = model.node("LayerNormalization", x, vector(), vector(), axis=-1, epsilon=1e-5)
    elif name == "rms_norm":
        wide = model.node("Cast", x, to=1)
        mean = model.node("ReduceMean", model.node("Mul", wide, wide), model.constant(np.array([-1], np.int64)))
        scale = model.node("Sqrt", model.node("Add", mean, model.constant(np.float32(1e-6))))
        out = model.node("Mul", model.node("CastLike", model.node("Div", wide, scale), x), vector())
    else:
        out = model.node("Add", x, model.declare("y", dtype, count, width))
    model.output(out, dtype, 2)
    return Line("rows", model, where, {})


def attention(batch, heads, length, size, where):
    model = Model(f"attention_bf16_{length}_d{size}", {"attention"})
    q, k, v = (model.declare(name, BF16, batch, heads, length, size) for name in "qkv")
    scores = model.node("MatMul", q, model.node("Transpose", k, perm=[0, 1, 3, 2]))
    scores = model.node("Mul", scores, model.constant(np.asarray(size**-0.5, BF16)))
    model.output(model.node("MatMul", model.node("Softmax", scores, axis=-1), v), BF16, 4)
    return Line("attention", model, where, {"batch": batch, "heads": heads, "length": length, "size": size})
