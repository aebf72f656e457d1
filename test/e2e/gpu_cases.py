"""Nodes over a grid of odd sizes and types, with what NumPy says of them, for test_gpu_kernels.py."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses
import itertools

import ml_dtypes
import numpy as np
from onnx import TensorProto, helper

FLOATS = ["float32", "float16", "bfloat16"]
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
ELEMENTS = {"bfloat16": TensorProto.BFLOAT16, "bool": TensorProto.BOOL}
ROWS = [(1, 1), (3, 5), (7, 33), (2, 3, 129), (5, 1023), (3, 2049), (1, 4100)]
CUBES = [(1, 1, 1), (3, 5, 7), (2, 33, 65), (5, 1, 1025), (129, 3, 2)]


@dataclasses.dataclass
class Node:
    op: str
    inputs: list
    expected: np.ndarray
    attributes: dict = dataclasses.field(default_factory=dict)
    constants: tuple = ()  # indices of inputs that are constants of the model


def element(dtype):
    return ELEMENTS.get(np.dtype(dtype).name) or helper.np_dtype_to_tensor_dtype(np.dtype(dtype))


def typed(name):
    return np.dtype(ml_dtypes.bfloat16) if name == "bfloat16" else np.dtype(name)


class Source:
    """Values of one type; small, so that sums and products of integers fit."""

    def __init__(self, dtype, seed):
        self.dtype, self.random = typed(dtype), np.random.default_rng(seed)

    def __call__(self, *shape):
        if self.dtype.name in INTEGERS:
            return self.random.integers(0 if self.dtype.kind == "u" else -9, 10, shape).astype(self.dtype)
        return self.random.standard_normal(shape).astype(self.dtype)


def wide(array):
    """What NumPy computes with: doubles for floats."""
    return array.astype(np.float64) if array.dtype.name in FLOATS else array


def softmax(make):
    for shape in ROWS:
        for axis in (-1, 0):
            x = make(*shape)
            e = np.exp(wide(x) - wide(x).max(axis, keepdims=True))
            yield Node("Softmax", [x], e / e.sum(axis, keepdims=True), {"axis": axis})


def norms(make):
    for shape in ROWS[1:]:
        x, scale, bias = make(*shape), make(shape[-1]), make(shape[-1])
        d = wide(x) - wide(x).mean(-1, keepdims=True)
        y = d / np.sqrt((d * d).mean(-1, keepdims=True) + 1e-3) * wide(scale) + wide(bias)
        yield Node("LayerNormalization", [x, scale, bias], y, {"axis": -1, "epsilon": 1e-3})
        r = wide(x) / np.sqrt((wide(x) ** 2).mean(-1, keepdims=True) + 1e-3) * wide(scale)
        yield Node("SimplifiedLayerNormalization", [x, scale], r, {"axis": -1, "epsilon": 1e-3})


REDUCTIONS = {"ReduceSum": np.sum, "ReduceMax": np.max, "ReduceMin": np.min, "ReduceMean": np.mean}


def reductions(make):
    ops = REDUCTIONS if make.dtype.name in FLOATS else ["ReduceSum", "ReduceMax", "ReduceMin"]
    for i, shape in enumerate(CUBES):
        for j, axes in enumerate([(2,), (0,), (1,), (0, 2), (1, 2), (0, 1, 2)]):
            op = list(ops)[(i + j) % len(ops)]
            x = make(*shape)
            keep = (i + j) % 2
            # NumPy widens sums of small integers; ONNX does not.
            y = REDUCTIONS[op](wide(x), axis=axes, keepdims=bool(keep))
            yield Node(op, [x, np.array(axes, np.int64)], y, {"keepdims": keep}, (1,))


BROADCASTS = [((3, 1, 5), (1, 7, 5)), ((33,), (65, 33)), ((), (5, 3)), ((129, 1), (129, 7)), ((2, 1, 1, 3), (5, 7, 1)),
              ((1023,), (1023,)), ((1,), (1,)), ((4, 257), (4, 257))]
BINARY = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Max": np.maximum, "Min": np.minimum}


def binary(make):
    for (a, b), op in itertools.product(BROADCASTS, BINARY):
        x, y = make(*a), make(*b)
        yield Node(op, [x, y], BINARY[op](wide(x), wide(y)))


def _quotient(x, y):
    return np.trunc(wide(x) / wide(y)) if x.dtype.name in INTEGERS else wide(x) / wide(y)


def division(make):
    for a, b in BROADCASTS:
        x, y = make(*a), make(*b)
        y = np.where(y == 0, np.ones_like(y), y)
        yield Node("Div", [x, y], _quotient(x, y))


UNARY = {
    "Exp": np.exp,
    "Tanh": np.tanh,
    "Sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "Relu": lambda x: np.maximum(x, 0),
    "Neg": np.negative,
    "Abs": np.abs,
    "Floor": np.floor,
    "Sqrt": np.sqrt,
}


def unary(make):
    shapes = [(), (1,), (3, 5), (1023,), (7, 129), (4, 2049)]
    for op, shape in itertools.product(UNARY, shapes):
        x = make(*shape) if op != "Sqrt" else np.abs(make(*shape))
        yield Node(op, [x], UNARY[op](wide(x)))


def comparisons(make):
    for op, function in {"Less": np.less, "Equal": np.equal, "GreaterOrEqual": np.greater_equal}.items():
        for a, b in BROADCASTS:
            x, y = make(*a), make(*b)
            yield Node(op, [x, y], function(wide(x), wide(y)))


def gather(make):
    for shape, axis, indices in itertools.product(CUBES, (0, 1, -1), [(), (1,), (5,), (3, 7)]):
        x = make(*shape)
        count = shape[axis]
        places = make.random.integers(-count, count, indices).astype(np.int64 if axis else np.int32)
        yield Node("Gather", [x, np.asarray(places)], np.take(x, places, axis), {"axis": axis})


# One, few and many columns; an index per element; full and partial chunks of indices.
INDEXED = [(7,), (1500,), (3, 5), (200, 3), (65, 129), (2, 33, 64), (129, 3, 2)]
COMBINED = {"none": None, "add": np.add, "max": np.maximum, "min": np.minimum}


def updated(data, places, updates, reduction):
    """The data after all updates; those of one place follow each other."""
    result = wide(data).copy()
    if COMBINED[reduction]:
        COMBINED[reduction].at(result, places, wide(updates))
    else:
        result[places] = wide(updates)
    return result


def along(random, shape, axis, count, distinct):
    """Indices into one dim, some counted from the end; those of a line differ if they must be distinct."""
    lines = list(shape)
    lines[axis] = shape[axis] if distinct else count
    drawn = random.random(lines).argsort(axis) if distinct else random.integers(0, shape[axis], lines)
    taken = np.take(drawn, np.arange(count), axis)
    return np.where(random.random(taken.shape) < 0.3, taken - shape[axis], taken).astype(np.int64)


def gather_elements(make):
    for shape, axis in [(shape, axis) for shape in INDEXED for axis in range(len(shape))]:
        x = make(*shape)
        places = along(make.random, shape, axis, 2 * shape[axis] // 3 + 1, distinct=False)
        yield Node("GatherElements", [x, places], np.take_along_axis(x, places, axis), {"axis": axis})


def scatter_elements(make):
    for (shape, axis), reduction in zip([(s, a) for s in INDEXED for a in range(len(s))], itertools.cycle(COMBINED)):
        data, count = make(*shape), shape[axis] // 2 + 1
        places = along(make.random, shape, axis, count, distinct=reduction == "none")
        if axis == 0 and len(shape) > 1:  # fewer rows than the data has
            places = places[:, : max(shape[1] - 1, 1)]
        grid = list(np.indices(places.shape))
        grid[axis] = places
        updates = make(*places.shape)
        expected = updated(data, tuple(grid), updates, reduction)
        yield Node("ScatterElements", [data, places, updates], expected, {"axis": axis, "reduction": reduction})


def tuples(random, shape, depth, count, distinct):
    """Places in the first dims, one per row."""
    size = int(np.prod(shape[:depth]))
    flat = random.permutation(size)[:count] if distinct else random.integers(0, size, count)
    return np.stack(np.unravel_index(flat, shape[:depth]), -1).astype(np.int64)


def gather_nd(make):
    for shape, depth in [(shape, depth) for shape in INDEXED for depth in range(1, len(shape) + 1)]:
        x = make(*shape)
        places = tuples(make.random, shape, depth, 37, distinct=False)
        negative = np.where(make.random.random(places.shape) < 0.3, places - np.array(shape[:depth]), places)
        yield Node("GatherND", [x, negative], x[tuple(places.T)])


def scatter_nd(make):
    sizes = [(shape, depth) for shape in INDEXED for depth in range(1, len(shape) + 1)]
    for (shape, depth), reduction in zip(sizes, itertools.cycle(COMBINED)):
        data = make(*shape)
        places = tuples(make.random, shape, depth, min(shape[0], 70), distinct=reduction == "none")
        updates = make(len(places), *shape[depth:])
        expected = updated(data, tuple(places.T), updates, reduction)
        yield Node("ScatterND", [data, places, updates], expected, {"reduction": reduction})


def slices(make):
    for shape in [(7, 33), (3, 5, 65), (129, 5), (2, 1025)]:
        for start, end, step in [(1, None, 1), (0, None, 2), (-1, None, -1), (2, -1, 1), (-2, 0, -2)]:
            axis = len(shape) - 1 if step != 2 else 0
            x = make(*shape)
            place = [slice(None)] * len(shape)
            place[axis] = slice(start, end, step)
            stop = end if end is not None else (-(1 << 40) if step < 0 else 1 << 40)
            bounds = [np.array([value], np.int64) for value in (start, stop, axis, step)]
            yield Node("Slice", [x, *bounds], x[tuple(place)], {}, (1, 2, 3, 4))


def concat(make):
    for axis, sizes in [(0, (1, 2, 5)), (1, (3, 1, 33)), (2, (7, 64, 1)), (-1, (129, 2))]:
        parts = []
        for size in sizes:
            shape = [3, 5, 7]
            shape[axis] = size
            parts.append(make(*shape))
        yield Node("Concat", parts, np.concatenate(parts, axis), {"axis": axis})


def transposes(make):
    for shape in [(33, 65), (1, 129), (5, 33, 7), (2, 3, 17, 5)]:
        for perm in itertools.permutations(range(len(shape))):
            x = make(*shape)
            yield Node("Transpose", [x], x.transpose(perm), {"perm": perm})


def where(make):
    for a, b in BROADCASTS:
        x, y = make(*a), make(*b)
        c = make.random.integers(0, 2, b).astype(bool)
        yield Node("Where", [c, x, y], np.where(c, x, y))


def pads(make):
    for shape, before, after in [((3, 5), (1, 0), (0, 2)), ((7, 33), (2, 3), (5, 31)), ((129,), (1,), (1,))]:
        x, value = make(*shape), make(1)[0]
        y = np.pad(x, list(zip(before, after)), constant_values=value)
        yield Node("Pad", [x, np.array([*before, *after], np.int64), np.asarray(value)], y, {}, (1, 2))




KINDS = {
    **dict.fromkeys([softmax, norms, unary], FLOATS),
    reductions: FLOATS + ["int32", "int64"],
    **dict.fromkeys([binary, division, comparisons], FLOATS + INTEGERS),
    # These ops move bytes: one type of each size, and types that may be converted.
    **dict.fromkeys([gather_elements, gather_nd], ["float32", "bfloat16", "int8"]),
    **dict.fromkeys([scatter_elements, scatter_nd], FLOATS + ["int8", "uint16", "int64"]),
    **dict.fromkeys([gather, slices, concat, transposes, where, pads], FLOATS + ["int8", "uint16", "int64"]),
}
GRID = [(kind, dtype) for kind, dtypes in KINDS.items() for dtype in dtypes]


def nodes(kind, dtype):
    make = Source(dtype, sum(map(ord, kind.__name__ + dtype)))
    with np.errstate(over="ignore"):
        found = list(kind(make))
    for node in found:
        if node.expected.dtype != bool:
            node.expected = np.asarray(node.expected).astype(make.dtype)
    return found


def model(found):
    """One model of all nodes, and what to feed."""
    made, feeds, values, constants, outputs = [], {}, [], [], []
    for n, node in enumerate(found):
        names = [f"n{n}_{i}" for i in range(len(node.inputs))]
        for i, (name, array) in enumerate(zip(names, node.inputs)):
            if i in node.constants:
                raw = np.ascontiguousarray(array).tobytes()
                constants.append(helper.make_tensor(name, element(array.dtype), array.shape, raw, raw=True))
                continue
            feeds[name] = array
            values.append(helper.make_tensor_value_info(name, element(array.dtype), array.shape))
        made.append(helper.make_node(node.op, names, [f"n{n}"], name=f"n{n}", **node.attributes))
        outputs.append(helper.make_tensor_value_info(f"n{n}", element(node.expected.dtype), node.expected.shape))
    graph = helper.make_graph(made, "grid", values, outputs, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9), feeds
