"""A small writer of ONNX graphs: nodes get the exporter's names, small constants become Constant nodes."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import contextlib

import numpy as np
from onnx import helper, numpy_helper


class Writer:
    def __init__(self):
        self.nodes = []
        self.initializers = []  # (name, array); turned into protobuf when saved
        self._scope = []
        self._used = {}

    @contextlib.contextmanager
    def scope(self, name):
        """Nodes written inside are named /name/..., as the exporter does for a module."""
        self._scope.append(name)
        yield
        self._scope.pop()

    def node(self, op, *inputs, output=None, **attributes):
        """Appends a node and returns the name of its one output."""
        name = self._unique(op)
        output = output or f"{name}_output_0"
        self.nodes.append(helper.make_node(op, list(inputs), [output], name=name, **attributes))
        return output

    def constant(self, value, dtype):
        """A Constant node, as the exporter writes scalars and index lists."""
        return self.node("Constant", value=numpy_helper.from_array(np.asarray(value, dtype)))

    def f32(self, value):
        return self.constant(value, np.float32)

    def i64(self, value):
        return self.constant(value, np.int64)

    def weight(self, name, array):
        self.initializers.append((name, np.ascontiguousarray(array)))
        return name

    def _unique(self, op):
        base = "/" + "/".join([*self._scope, op])
        count = self._used[base] = self._used.get(base, -1) + 1
        return f"{base}_{count}" if count else base
