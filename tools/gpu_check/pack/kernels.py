"""Cases of everything that is no product."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np

from .model import BF16, F16, F32, FLOATS, Model


def cases():
    for kind in FLOATS:
        for width in (31, 384, 4100):
            yield rows(kind, "layer_norm", width, layer_norm)
            yield rows(kind, "rms_norm", width, rms_norm)
            yield rows(kind, "softmax", width, lambda m, x, _: m.node("Softmax", x, axis=-1))
        yield rows(kind, "softmax_axis0", 65, lambda m, x, _: m.node("Softmax", x, axis=0))
        yield elementwise(kind)
        yield movement(kind)
        for op in ("ReduceSum", "ReduceMean", "ReduceMax"):
            for axes in ([-1], [0], [0, 2]):
                yield reduction(kind, op, axes)
    yield casts()
    yield integers()


def rows(kind, name, width, body):
    dtype = FLOATS[kind]
    model = Model(f"{name}_{kind}_{width}")
    x = model.feed("x", model.numbers(dtype, 5 if width > 1000 else 19, width))
    model.output(body(model, x, dtype), dtype, 2)
    return model


def layer_norm(model, x, dtype):
    width = model.feeds[x].shape[-1]
    x = model.node("Add", x, model.feed("residual", model.numbers(dtype, *model.feeds[x].shape)))
    weight, bias = (model.constant(model.numbers(dtype, width)) for _ in range(2))
    return model.node("LayerNormalization", x, weight, bias, axis=-1, epsilon=1e-5)


def rms_norm(model, x, dtype):
    weight = model.constant(model.numbers(dtype, model.feeds[x].shape[-1]))
    # Written as models do, with the statistics in f32.
    wide = model.node("Cast", x, to=1)
    square = model.node("ReduceMean", model.node("Mul", wide, wide), model.constant(np.array([-1], np.int64)))
    root = model.node("Sqrt", model.node("Add", square, model.constant(np.float32(1e-6))))
    normal = model.node("Div", wide, root)
    target = {F32: 1, F16: 10, BF16: 16}[dtype]
    return model.node("Mul", model.node("Cast", normal, to=target), weight)


def elementwise(kind):
    """Broadcasts along every axis, and functions."""
    dtype = FLOATS[kind]
    model = Model(f"elementwise_{kind}")
    x = model.feed("x", model.numbers(dtype, 3, 17, 29))
    row, column = model.feed("row", model.numbers(dtype, 29)), model.feed("column", model.numbers(dtype, 3, 17, 1))
    total = model.node("Add", model.node("Mul", x, row), column)
    model.output(model.node("Tanh", total), dtype, 3)
    model.output(model.node("Sigmoid", total), dtype, 3)
    model.output(model.node("Exp", model.node("Neg", model.node("Abs", x))), dtype, 3)
    model.output(model.node("Erf", x), dtype, 3)
    model.output(model.node("Max", x, row), dtype, 3)
    positive = model.node("Greater", x, column)
    model.output(model.node("Where", positive, x, row), dtype, 3)
    return model


def movement(kind):
    """Everything here is exact: the tolerance is 0."""
    dtype = FLOATS[kind]
    model = Model(f"movement_{kind}", tolerance="0")
    x = model.feed("x", model.numbers(dtype, 5, 13, 22))
    y = model.feed("y", model.numbers(dtype, 5, 7, 22))
    model.output(model.node("Transpose", x, perm=[2, 0, 1]), dtype, 3)
    model.output(model.node("Concat", x, y, axis=1), dtype, 3)
    bounds = [model.constant(np.array(v, np.int64)) for v in ([1, 20], [12, 1], [1, 2], [3, -2])]
    model.output(model.node("Slice", x, *bounds), dtype, 3)
    indices = model.feed("indices", model.random.integers(0, 13, (4, 3)))
    model.output(model.node("Gather", x, indices, axis=1), dtype, 4)
    shape = model.constant(np.array([2, 5, 7, 22], np.int64))
    model.output(model.node("Expand", y, shape), dtype, 4)
    return model


def reduction(kind, op, axes):
    dtype = FLOATS[kind]
    model = Model(f"{op.lower()}_{kind}_{'_'.join(str(axis % 3) for axis in axes)}")
    x = model.feed("x", model.numbers(dtype, 11, 23, 37))
    out = model.node(op, x, model.constant(np.array(axes, np.int64)), keepdims=0)
    model.output(out, dtype, 3 - len(axes))
    return model


def casts():
    model = Model("casts", tolerance="0")
    values = model.numbers(F32, 7, 33, scale=50)
    x = model.feed("x", np.trunc(values))
    for dtype, code in ((F16, 10), (BF16, 16), (np.int32, 6), (np.int64, 7), (np.int8, 3)):
        # Integers up to 127 are exact in all of these types.
        small = model.node("Clip", x, model.constant(np.float32(-127)), model.constant(np.float32(127)))
        model.output(model.node("Cast", small, to=code), dtype, 2)
    return model


def integers():
    model = Model("integers", tolerance="0")
    x = model.feed("x", model.random.integers(-1000, 1000, (9, 31)))
    y = model.feed("y", model.random.integers(-1000, 1000, (31,)))
    total = model.node("Add", model.node("Mul", x, y), model.node("Sub", x, y))
    model.output(total, np.int64, 2)
    model.output(model.node("Where", model.node("Less", x, y), x, y), np.int64, 2)
    model.output(model.node("ReduceMax", total, model.constant(np.array([1], np.int64)), keepdims=0), np.int64, 1)
    model.output(model.node("Equal", x, y), np.bool_, 2)
    return model
