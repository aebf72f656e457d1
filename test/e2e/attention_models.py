"""Models of the standard's Attention (opset 23 and 24), for the tests of attention on devices."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses

import onnx
from onnx import TensorProto, helper


@dataclasses.dataclass
class Attention:
    """`past`: keys of earlier steps; `mask`: dims of what is added; `lengths`: an input of keys per sequence."""

    queries: object
    keys: object
    depth: int
    heads: int = 2
    shared: int = 1  # query heads of a key head
    columns: int = 0  # of values; 0: as deep as keys
    batch: object = 1
    kind: str = "FLOAT"
    causal: bool = False
    past: object = None
    mask: tuple = ()
    lengths: bool = False

    def write(self, path):
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
