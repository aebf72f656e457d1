"""The parts of graphs that torch.onnx.export writes for any decoder: dims, masks, keys repeated for their queries, SDPA."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math

import numpy as np
from onnx import numpy_helper

OPSET = 17
MASKED = float(np.finfo(np.float32).min)
ONE = numpy_helper.from_array(np.ones(1, np.int64))


def scalar_dim(writer, tensor, axis):
    """One dim of a tensor as a scalar: Shape, Gather."""
    return writer.node("Gather", writer.node("Shape", tensor), writer.i64(axis), axis=0)


def shape_of(writer, parts):
    """A shape of ints and of scalars of the graph, as one tensor."""
    found = [
        writer.i64([part]) if isinstance(part, int) else writer.node("Unsqueeze", part, writer.i64([0])) for part in parts
    ]
    return writer.node("Concat", *found, axis=0)


def reshape(writer, tensor, parts):
    return writer.node("Reshape", tensor, shape_of(writer, parts), allowzero=0)


def lengths(writer, past):
    """The scalars (past, past + sequence) and the positions of the new tokens."""
    before = scalar_dim(writer, past, 2)
    total = writer.node("Add", before, scalar_dim(writer, "input_ids", 1))
    return total, writer.node("Range", before, total, writer.i64(1))


def visible_keys(writer, total, positions, window):
    """bool [batch, 1, sequence, total]: causal, within the window if there is one, and not padding."""
    keys = writer.node("Range", writer.i64(0), total, writer.i64(1))
    keys = writer.node("Unsqueeze", keys, writer.i64([0, 1, 2]))
    queries = writer.node("Unsqueeze", positions, writer.i64([0, 1, 3]))
    found = writer.node("LessOrEqual", keys, queries)
    if window:
        found = writer.node("And", found, writer.node("Greater", keys, writer.node("Sub", queries, writer.i64(window))))
    padding = writer.node("Cast", "attention_mask", to=9)
    padding = writer.node("Unsqueeze", padding, writer.i64([1, 2]))
    return writer.node("And", found, padding)


def alibi(writer, total, positions, slopes):
    """What slopes [heads] add to scores: [1, heads, sequence, total]."""
    keys = writer.node("Unsqueeze", writer.node("Range", writer.i64(0), total, writer.i64(1)), writer.i64([0, 1, 2]))
    away = writer.node("Sub", keys, writer.node("Unsqueeze", positions, writer.i64([0, 1, 3])))
    return writer.node("Mul", writer.f32(np.array(slopes)[None, :, None, None]), writer.node("Cast", away, to=1))


def append(writer, layer, role, tensor):
    """Past, new rows, present."""
    return writer.node(
        "Concat", f"past_key_values.{layer}.{role}", tensor, axis=-2, output=f"present.{layer}.{role}"
    )


def repeat(writer, tensor, times):
    """transformers' repeat_kv: [batch, heads, length, size] to [batch, heads * times, length, size]."""
    if times == 1:
        return tensor
    batch, heads, length, size = (scalar_dim(writer, tensor, axis) for axis in range(4))
    shape = writer.node("Reshape", shape_of(writer, [batch, heads, times, length, size]), writer.i64([-1]), allowzero=0)
    # expand(-1) keeps a dim; the exporter asks at run time whether any dim is -1.
    ones = writer.node("ConstantOfShape", writer.node("Shape", shape), value=ONE)
    kept = writer.node("Equal", shape, writer.node("Mul", ones, writer.i64(-1)))
    shape = writer.node("Where", kept, ones, shape)
    wide = writer.node("Expand", writer.node("Unsqueeze", tensor, writer.i64([2])), shape)
    return reshape(writer, wide, [batch, writer.node("Mul", heads, writer.i64(times)), length, size])


    return numpy_helper.from_array(np.ones(1, np.int64))


def attention(writer, query, key, value, visible, scale, bias=None):
    """scaled_dot_product_attention as decomposed by the exporter: both factors scaled, rows without keys are zero."""
    root = writer.f32(math.sqrt(scale))
    key = writer.node("Mul", writer.node("Transpose", key, perm=[0, 1, 3, 2]), root)
    scores = writer.node("MatMul", writer.node("Mul", query, root), key)
    mask = writer.node("Where", visible, bias or writer.f32(0), writer.f32(MASKED))
    found = writer.node("Softmax", writer.node("Add", scores, mask), axis=-1)
    found = writer.node("Where", writer.node("IsNaN", found), writer.f32(0), found)
    return writer.node("MatMul", found, value)


def eager_attention(writer, query, key, value, visible, scale, bias=None, limit=0.0, sinks=None):
    """The attention of models with a cap on scores or with sinks, written out."""
    scores = writer.node("MatMul", query, writer.node("Transpose", key, perm=[0, 1, 3, 2]))
    scores = writer.node("Mul", scores, writer.f32(scale))
    if limit:
        scores = cap(writer, scores, limit)
    scores = writer.node("Add", scores, bias) if bias else scores
    mask = writer.node("Where", visible, writer.f32(0), writer.f32(MASKED))
    scores = writer.node("Add", scores, mask)
    if not sinks:
        return writer.node("MatMul", writer.node("Softmax", scores, axis=-1), value)
    batch, length = (scalar_dim(writer, query, axis) for axis in (0, 2))
    column = writer.node("Reshape", sinks, writer.i64([1, -1, 1, 1]), allowzero=0)
    column = writer.node("Expand", column, shape_of(writer, [batch, scalar_dim(writer, query, 1), length, 1]))
    scores = writer.node("Concat", scores, column, axis=-1)
    scores = writer.node("Sub", scores, writer.node("ReduceMax", scores, axes=[-1], keepdims=1))
    weights = writer.node("Softmax", scores, axis=-1)
    bounds = (writer.i64([bound]) for bound in (0, -1, 3, 1))
    return writer.node("MatMul", writer.node("Slice", weights, *bounds), value)


def stack_pairs(writer, even, odd):
    """torch.stack((even, odd), -1).flatten(-2)."""
    pairs = [writer.node("Unsqueeze", part, writer.i64([-1])) for part in (even, odd)]
    outer = writer.node("Slice", writer.node("Shape", even), writer.i64([0]), writer.i64([-1]))
    shape = writer.node("Concat", outer, writer.i64([-1]), axis=0)
    return writer.node("Reshape", writer.node("Concat", *pairs, axis=-1), shape, allowzero=0)


def cap(writer, tensor, limit, output=None):
    found = writer.node("Tanh", writer.node("Div", tensor, writer.f32(limit)))
    return writer.node("Mul", found, writer.f32(limit), output=output)


def tanh_gelu(writer, tensor):
    cube = writer.node("Pow", tensor, writer.f32(3.0))
    inner = writer.node("Add", tensor, writer.node("Mul", cube, writer.f32(0.044715)))
    inner = writer.node("Tanh", writer.node("Mul", inner, writer.f32(math.sqrt(2.0 / math.pi))))
    half = writer.node("Mul", tensor, writer.f32(0.5))
    return writer.node("Mul", half, writer.node("Add", inner, writer.f32(1.0)))
