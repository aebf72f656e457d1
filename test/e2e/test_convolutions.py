"""Convolutions and pooling over odd sizes, strides, dilations and paddings, on both vector lengths of hosts."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools

import numpy as np
import onnx
import pytest
import tool
from onnx import TensorProto, helper, numpy_helper

import kiln

# channels, outputs, groups: an image, a plain convolution, grouped ones, depthwise, several outputs per channel.
KINDS = [(3, 17, 1), (24, 9, 1), (16, 24, 4), (19, 19, 19), (40, 40, 40), (5, 10, 5)]
# in, kernel, stride, dilation, before, after
WINDOWS = {
    "1d": [[(33, 10, 5, 1, 0, 0)], [(40, 3, 1, 2, 2, 1)], [(29, 31, 1, 1, 15, 15)]],
    "2d": [[(13, 7, 4, 1, 3, 3), (17, 7, 4, 1, 3, 3)], [(9, 3, 1, 1, 1, 1), (11, 3, 1, 1, 1, 1)],
           [(8, 3, 2, 1, 0, 1), (10, 2, 3, 2, 1, 0)]],
}


def windows_of(x, windows):
    """[batch, channels, out..., kernel...] of a padded input."""
    for axis, (_, kernel, stride, dilation, _, _) in enumerate(windows):
        count = (x.shape[2 + axis] - (kernel - 1) * dilation - 1) // stride + 1
        places = np.arange(count)[:, None] * stride + np.arange(kernel) * dilation
        x = np.moveaxis(np.take(x, places, 2 + axis), 3 + axis, -1)
    return x


def expected(op, x, weight, groups, windows):
    pads = [(0, 0), (0, 0)] + [window[4:] for window in windows]
    rank = len(windows)
    x = np.pad(x.astype(np.float64), pads, constant_values=-np.inf if op == "MaxPool" else 0)
    split = windows_of(x, windows)
    if op == "MaxPool":
        return split.max(tuple(range(-rank, 0)))
    batch, channels = x.shape[:2]
    split = split.reshape(batch, groups, channels // groups, *split.shape[2:])
    weight = weight.astype(np.float64).reshape(groups, -1, *weight.shape[1:])
    out, kernel = "xyz"[:rank], "uvw"[:rank]
    result = np.einsum(f"bgc{out}{kernel},gmc{kernel}->bgm{out}", split, weight)
    return result.reshape(batch, -1, *result.shape[3:])


def cases():
    random = np.random.default_rng(0)
    for number, (windows, (channels, outputs, groups)) in enumerate(
            itertools.product(itertools.chain(*WINDOWS.values()), KINDS)):
        weight = random.standard_normal((outputs, channels // groups, *(window[1] for window in windows))).astype(np.float32)
        x = random.standard_normal((2, channels, *(window[0] for window in windows))).astype(np.float32)
        yield number, "Conv", x, weight, groups, windows
        if groups == channels == outputs:
            yield number, "MaxPool", x, None, groups, windows


def build():
    """One model of all cases, what to feed, and what comes out."""
    nodes, inputs, outputs, weights, feeds, results = [], [], [], [], {}, {}
    for number, op, x, weight, groups, windows in cases():
        name = f"{op}{number}"
        attributes = {
            "kernel_shape": [window[1] for window in windows],
            "strides": [window[2] for window in windows],
            "dilations": [window[3] for window in windows],
            "pads": [window[4] for window in windows] + [window[5] for window in windows],
        }
        operands = [f"{name}_x"]
        if weight is not None:
            attributes["group"] = groups
            weights.append(numpy_helper.from_array(weight, f"{name}_w"))
            operands.append(f"{name}_w")
        nodes.append(helper.make_node(op, operands, [name], **attributes))
        # In every other case the sizes are only known at run time.
        dims = x.shape if number % 2 else [2, x.shape[1], *(f"{name}_{i}" for i in range(len(windows)))]
        inputs.append(helper.make_tensor_value_info(operands[0], TensorProto.FLOAT, dims))
        outputs.append(onnx.ValueInfoProto(name=name))
        feeds[operands[0]] = x
        results[name] = expected(op, x, weight, groups, windows)
    graph = helper.make_graph(nodes, "windows", inputs, outputs, weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), feeds, results


@pytest.mark.parametrize("target", ["native", "x86-64-v3"])
def test_windows_on_a_host(tmp_path, target):
    model, feeds, results = build()
    onnx.save(model, tmp_path / "m.onnx")
    dims = ",".join(f"{dim.dim_param}={size}..64" for value in model.graph.input
                    for dim, size in zip(value.type.tensor_type.shape.dim, feeds[value.name].shape) if dim.dim_param)
    tool.call("compile", tmp_path / "m.onnx", "-o", tmp_path / "m.kiln", "--target", target, "--dims", dims)
    for threads in (1, 2):
        found = kiln.Session(tmp_path / "m.kiln", threads=threads).run(feeds)
        for name, value in results.items():
            assert found[name].shape == value.shape, name
            np.testing.assert_allclose(found[name], value, rtol=1e-4, atol=1e-4, err_msg=name)
