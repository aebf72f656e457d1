"""What a model computes, in double precision."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
from onnx.reference import ReferenceEvaluator

from .model import BF16, F16, F32, retype


def evaluate(model, feeds):
    """The outputs of a model for feeds, which keep the values they have in their own types. Operations on floating-point
    numbers are those of float64, whatever type the model gives them, and are rounded nowhere else."""
    wide = {name: array.astype(np.float64) if array.dtype in (F32, F16, BF16) else array for name, array in feeds.items()}
    double = retype(model, np.float64)
    sort_nodes(double.graph)
    with np.errstate(all="ignore"):
        outputs = ReferenceEvaluator(double).run(None, wide)
    return [np.asarray(array) for array in outputs]


def sort_nodes(graph):
    """Each node behind those it reads from; optimisers do not always keep that order."""
    left = list(graph.node)
    known = {"", *(value.name for value in [*graph.input, *graph.initializer])}
    del graph.node[:]
    while left:
        ready = [node for node in left if known.issuperset(node.input)]
        if not ready:
            raise ValueError(f"nodes of {graph.name} depend on each other in a circle")
        left = [node for node in left if not known.issuperset(node.input)]
        graph.node.extend(ready)
        known.update(name for node in ready for name in node.output)
