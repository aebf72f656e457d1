"""What the spellings of decoders share: weights widened by Cast, nodes with several results, values of the interface."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from bert.writer import Writer as TorchWriter

from .weights import BF16


class Writer(TorchWriter):
    """Names nodes and values as torch.onnx.export does."""

    OUTPUT = "{}_output_{}"

    def __init__(self):
        super().__init__()
        self._parameters = {}

    def weight(self, name, value):
        """Adds an initializer as it is, once; tensors that are drawn in blocks stay so."""
        if name not in self._parameters:
            self._parameters[name] = name
            self.initializers.append((name, value if hasattr(value, "blocks") else np.ascontiguousarray(value)))
        return name

    def parameter(self, name, value):
        """Adds an initializer, once, and returns it as f32: tensors of 16 bits are widened by a Cast."""
        if self._parameters.get(name, name) == name:
            self.weight(name, value)
            if value.dtype == BF16:
                # Only the name of the node matters to readers; the scope of the first use would mislead.
                output = f"{name}_f32"
                self.nodes.append(helper.make_node("Cast", [name], [output], name=f"{name}/Cast", to=TensorProto.FLOAT))
                self._parameters[name] = output
        return self._parameters[name]

    def many(self, op, inputs, outputs, **attributes):
        """Appends a node with several results; `outputs` holds their names, or says how many to name."""
        name = self._unique(op)
        if isinstance(outputs, int):
            outputs = [self.OUTPUT.format(name, index) for index in range(outputs)]
        self.nodes.append(helper.make_node(op, list(inputs), list(outputs), name=name, **attributes))
        return outputs


class BuilderWriter(Writer):
    """Names nodes and values as onnxruntime-genai's builder does."""

    OUTPUT = "{}/output_{}"

    def node(self, op, *inputs, output=None, **attributes):
        name = self._unique(op)
        output = output or f"{name}/output_0"
        self.nodes.append(helper.make_node(op, list(inputs), [output], name=name, **attributes))
        return output

    def constant(self, value, dtype):
        """One Constant node per value, named by it."""
        array = np.asarray(value, dtype)
        kind = TensorProto.DataType.Name(helper.np_dtype_to_tensor_dtype(array.dtype))
        output = f"/model/constants/{kind}/{array.tolist()}"
        if output not in self._parameters:
            self._parameters[output] = output
            name = f"/model/constant_nodes/{kind}/{array.tolist()}"
            self.nodes.append(helper.make_node("Constant", [], [output], name=name, value=numpy_helper.from_array(array)))
        return output

    def _unique(self, op):
        return super()._unique(op).replace("//", "/")


def value(name, shape, dtype=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, dtype, shape)


def ids(name, *shape):
    return value(name, shape, TensorProto.INT64)


def pairs(config, names, shape, roles=("key", "value")):
    """The values of a cache, `names` with {layer} and {role}, layer by layer."""
    return [
        value(names.format(layer=layer, role=role), shape) for layer in range(config.layers) for role in roles
    ]


def model(writer, inputs, outputs, opsets, ir_version, producer):
    """Returns (model, initializers); `bert.save.save` joins the two into a file."""
    graph = helper.make_graph(writer.nodes, "main_graph", inputs, outputs)
    imports = [helper.make_opsetid(domain, version) for domain, version in opsets.items()]
    made = helper.make_model(graph, opset_imports=imports, ir_version=ir_version)
    made.producer_name = producer
    return made, writer.initializers
