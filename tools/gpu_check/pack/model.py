"""A small ONNX model built node by node, with the inputs it is to be run on."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

F32, F16, BF16 = np.dtype(np.float32), np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16)
FLOATS = {"f32": F32, "f16": F16, "bf16": BF16}
OPSET = 20


class Model:
    """One case. `heroes`: what the plan has to have steps of, so that the case covers the kernel it is for."""

    def __init__(self, name, heroes=(), tolerance="-", flags=()):
        self.name, self.heroes, self.tolerance, self.flags = name, set(heroes), tolerance, list(flags)
        self.inputs, self.feeds, self.constants, self.nodes, self.outputs = [], {}, [], [], []
        # Seeded by name: the numbers do not depend on what else is packed.
        self.random = np.random.default_rng(list(name.encode()))

    def numbers(self, dtype, *shape, scale=1.0):
        return (self.random.standard_normal(shape) * scale).astype(dtype)

    def feed(self, name, array):
        """An input with its value."""
        self.feeds[name] = array
        self.inputs.append(_value(name, array.dtype, array.shape))
        return name

    def declare(self, name, dtype, *shape):
        """An input that is made where it is measured."""
        self.inputs.append(_value(name, np.dtype(dtype), shape))
        return name

    def constant(self, array):
        name = f"constant{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def node(self, op, *inputs, **attributes):
        name = f"{op}{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, list(inputs), [name], name=name, **attributes))
        return name

    def output(self, value, dtype, rank):
        self.outputs.append(_value(value, np.dtype(dtype), [None] * rank))

    def build(self):
        graph = helper.make_graph(self.nodes, self.name, self.inputs, self.outputs, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)
        return onnx.shape_inference.infer_shapes(model, strict_mode=True)


def _value(name, dtype, shape):
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(dtype), shape)


FLOAT_TYPES = {TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.BFLOAT16, TensorProto.DOUBLE}


def retype(model, dtype):
    """The same model with every floating-point type replaced."""
    out = onnx.ModelProto()
    out.CopyFrom(model)
    wanted = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    graph = out.graph
    for value in [*graph.input, *graph.output]:
        if value.type.tensor_type.elem_type in FLOAT_TYPES:
            value.type.tensor_type.elem_type = wanted
    del graph.value_info[:]
    for tensor in graph.initializer:
        _retype_tensor(tensor, dtype)
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.TENSOR:
                _retype_tensor(attribute.t, dtype)
            elif node.op_type == "Cast" and attribute.name == "to" and attribute.i in FLOAT_TYPES:
                attribute.i = wanted
    return out


def _retype_tensor(tensor, dtype):
    if tensor.data_type in FLOAT_TYPES:
        tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor).astype(dtype), tensor.name))
