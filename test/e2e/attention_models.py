"""Models of the standard's Attention (opset 23 and 24), for the tests of attention on devices; with sinks, which the standard does not
have, written out as gpt-oss does."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


@dataclasses.dataclass
class Attention:
    """`past`: keys of earlier steps; `mask`: dims of what is added; `lengths`: an input of keys per sequence; `sinks`: one more score
    per head, an input (without past and lengths)."""

    queries: object
    keys: object
    depth: int
    heads: int = 2
    shared: int = 1  # query heads per key head
    columns: int = 0  # columns of values; 0: as many as of keys
    batch: object = 1
    kind: str = "FLOAT"
    causal: bool = False
    past: object = None
    mask: tuple = ()
    lengths: bool = False
    sinks: bool = False

    def write(self, path):
        if self.sinks:
            return self._write_sinks(path)
        element, own = getattr(TensorProto, self.kind), self.heads // self.shared
        columns = self.columns or self.depth
        shapes = {"q": [self.batch, self.heads, self.queries, self.depth],
                  "k": [self.batch, own, self.keys, self.depth], "v": [self.batch, own, self.keys, columns]}
        names, outputs = ["q", "k", "v", "", "", "", ""], {"y": [self.batch, self.heads, self.queries, columns]}
        if self.mask:
            shapes["m"], names[3] = list(self.mask), "m"
        if self.past is not None:
            shapes["pk"] = [self.batch, own, self.past, self.depth]
            shapes["pv"] = [self.batch, own, self.past, columns]
            names[4:6] = ["pk", "pv"]
            outputs |= {"nk": [self.batch, own, None, self.depth], "nv": [self.batch, own, None, columns]}
        inputs = [helper.make_tensor_value_info(name, element, dims) for name, dims in shapes.items()]
        if self.lengths:
            inputs.append(helper.make_tensor_value_info("lengths", TensorProto.INT64, [self.batch]))
            names[6] = "lengths"
        while not names[-1]:
            names.pop()
        node = helper.make_node("Attention", names, list(outputs), is_causal=int(self.causal))
        outputs = [helper.make_tensor_value_info(name, element, dims) for name, dims in outputs.items()]
        graph = helper.make_graph([node], "attention", inputs, outputs)
        opset = helper.make_opsetid("", 24 if self.lengths else 23)
        onnx.save(helper.make_model(graph, opset_imports=[opset], ir_version=10), path)
        return path

    def _write_sinks(self, path):
        element, own, columns = getattr(TensorProto, self.kind), self.heads // self.shared, self.columns or self.depth
        shapes = {"q": [self.batch, self.heads, self.queries, self.depth], "k": [self.batch, own, self.keys, self.depth],
                  "v": [self.batch, own, self.keys, columns], "sinks": [self.heads]}
        nodes, constants = [], [helper.make_tensor("scale", element, [], [self.depth**-0.5])]

        def integers(*values):
            constants.append(numpy_helper.from_array(np.array(values, np.int64), f"i{len(constants)}"))
            return constants[-1].name

        def node(op, *inputs, **attributes):
            nodes.append(helper.make_node(op, list(inputs), [f"t{len(nodes)}"], **attributes))
            return nodes[-1].output[0]

        def repeated(name):
            extent = shapes[name][2:]
            split = node("Reshape", name, integers(self.batch, own, 1, *extent))
            wide = node("Expand", split, integers(self.batch, own, self.shared, *extent))
            return node("Reshape", wide, integers(self.batch, self.heads, *extent))

        key, value = (repeated(name) if self.shared > 1 else name for name in "kv")
        scores = node("MatMul", "q", node("Transpose", key, perm=[0, 1, 3, 2]))
        scores = node("Mul", scores, "scale")
        if self.mask:
            shapes["m"] = list(self.mask)
            scores = node("Add", scores, "m")
        if self.causal:
            hidden = np.triu(np.full((self.queries, self.keys), -np.inf), self.keys - self.queries + 1)
            constants.append(helper.make_tensor("hidden", element, hidden.shape, hidden.flatten()))
            scores = node("Add", scores, "hidden")
        column = node("Reshape", "sinks", integers(1, -1, 1, 1))
        column = node("Expand", column, integers(self.batch, self.heads, self.queries, 1))
        scores = node("Concat", scores, column, axis=-1)
        scores = node("Sub", scores, node("ReduceMax", scores, integers(-1), keepdims=1))
        weights = node("Slice", node("Softmax", scores, axis=-1), integers(0), integers(-1), integers(3), integers(1))
        nodes.append(helper.make_node("MatMul", [weights, value], ["y"]))
        inputs = [helper.make_tensor_value_info(name, element, dims) for name, dims in shapes.items()]
        outputs = [helper.make_tensor_value_info("y", element, [self.batch, self.heads, self.queries, columns])]
        graph = helper.make_graph(nodes, "attention", inputs, outputs, constants)
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10), path)
        return path
