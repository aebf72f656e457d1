"""The spellings of shape arithmetic, layer norm, GELU and dense layers that exporters write."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math

import numpy as np


def dim(writer, tensor, axis):
    """One dim of a tensor as a 1-element tensor: Shape, Gather, Unsqueeze."""
    shape = writer.node("Shape", tensor)
    scalar = writer.node("Gather", shape, writer.i64(axis), axis=0)
    return writer.node("Unsqueeze", scalar, writer.i64([0]))


def reshape(writer, tensor, like, tail):
    """Reshape to [batch, sequence, *tail], the first two taken from `like`."""
    parts = [dim(writer, like, 0), dim(writer, like, 1), *(writer.i64([size]) for size in tail)]
    return writer.node("Reshape", tensor, writer.node("Concat", *parts, axis=0))


def dense(writer, tensor, weights, name):
    """MatMul by the weight as [in, out], then Add with the bias first, as a traced nn.Linear comes out."""
    matrix = writer.weight(f"onnx::MatMul_{name}", weights[f"{name}.weight"].T)
    bias = writer.weight(f"{name}.bias", weights[f"{name}.bias"])
    return writer.node("Add", bias, writer.node("MatMul", tensor, matrix))


def layer_norm(writer, tensor, weights, name, epsilon, decomposed, output=None):
    scale = writer.weight(f"{name}.weight", weights[f"{name}.weight"])
    bias = writer.weight(f"{name}.bias", weights[f"{name}.bias"])
    if decomposed:
        return _decomposed_norm(writer, tensor, scale, bias, epsilon, output)
    return writer.node("LayerNormalization", tensor, scale, bias, axis=-1, epsilon=epsilon, output=output)


def _decomposed_norm(writer, tensor, scale, bias, epsilon, output):
    """What exporters write below opset 17."""
    mean = writer.node("ReduceMean", tensor, axes=[-1])
    centred = writer.node("Sub", tensor, mean)
    squared = writer.node("Pow", centred, writer.f32(2.0))
    variance = writer.node("ReduceMean", squared, axes=[-1])
    deviation = writer.node("Sqrt", writer.node("Add", variance, writer.f32(epsilon)))
    normal = writer.node("Div", centred, deviation)
    return writer.node("Add", writer.node("Mul", normal, scale), bias, output=output)


def gelu(writer, tensor, kind):
    return _erf_gelu(writer, tensor) if kind == "erf" else _tanh_gelu(writer, tensor)


def _erf_gelu(writer, tensor):
    erf = writer.node("Erf", writer.node("Div", tensor, writer.f32(math.sqrt(2.0))))
    product = writer.node("Mul", tensor, writer.node("Add", erf, writer.f32(1.0)))
    return writer.node("Mul", product, writer.f32(0.5))


def _tanh_gelu(writer, tensor):
    half = writer.node("Mul", tensor, writer.f32(0.5))
    cube = writer.node("Mul", writer.node("Pow", tensor, writer.f32(3.0)), writer.f32(0.044715))
    inner = writer.node("Mul", writer.node("Add", tensor, cube), writer.f32(math.sqrt(2.0 / math.pi)))
    return writer.node("Mul", half, writer.node("Add", writer.node("Tanh", inner), writer.f32(1.0)))


def extended_mask(writer, mask):
    """(1 - mask) * the lowest float, as [batch, 1, 1, sequence]."""
    wide = writer.node("Unsqueeze", writer.node("Unsqueeze", mask, writer.i64([1])), writer.i64([2]))
    inverted = writer.node("Sub", writer.f32(1.0), writer.node("Cast", wide, to=1))
    return writer.node("Mul", inverted, writer.f32(np.finfo(np.float32).min))
