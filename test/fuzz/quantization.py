#!/usr/bin/env python3
"""Casts, QuantizeLinear and DequantizeLinear of random types, shapes, axes and blocks against ONNX's reference evaluator.

    PYTHONPATH=build/python test/fuzz/quantization.py --count 100 [--device sim --target sm_80]

Results must be equal, NaN to NaN. Exit status 1 if one was not, or failed without a code. `--seed N` repeats a run, `--only K` its
case number K. Left out is where ONNX leaves a choice or its reference differs from its text: floats out of the range of an integer,
negative numbers and infinity to float8e8m0, NaN to integers and to types that have none. Left out are casts, too, that the
reference evaluator has not: between most types of at most 4 bits, and between float8e8m0 and other narrow types.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

import kiln
import ml_dtypes  # noqa: F401  (names of types for NumPy)
import numpy as np
import onnx
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

WIDE = ("FLOAT", "FLOAT16", "BFLOAT16", "DOUBLE", "INT8", "UINT8", "INT16", "UINT16", "INT32", "INT64")
FLOAT8 = ("FLOAT8E4M3FN", "FLOAT8E5M2", "FLOAT8E4M3FNUZ", "FLOAT8E5M2FNUZ")
NARROW = (*FLOAT8, "FLOAT8E8M0", "FLOAT4E2M1", "INT4", "UINT4", "INT2", "UINT2")
QUANTIZED = ("INT8", "UINT8", "INT16", "UINT16", "INT4", "UINT4", "INT2", "UINT2", "FLOAT8E4M3FN", "FLOAT8E5M2", "FLOAT4E2M1")


def numpy_type(name):
    return np.dtype(helper.tensor_dtype_to_np_dtype(TensorProto.DataType.Value(name)))


def is_float(name):
    return "FLOAT" in name or name == "DOUBLE"


def numbers(rng, name, shape, limit):
    """Numbers of the type, of all sizes up to the limit; some are halves between narrow ones."""
    count = int(np.prod(shape))
    if not is_float(name):
        kind = ml_dtypes.iinfo(numpy_type(name)) if name in NARROW else np.iinfo(numpy_type(name))
        low, high = max(int(kind.min), -int(limit)), min(int(kind.max), int(limit))
        return np.array([rng.randint(low, high) for _ in range(count)], np.int64).astype(numpy_type(name)).reshape(shape)
    sizes = np.array([rng.uniform(-12, np.log2(limit)) for _ in range(count)])
    values = np.exp2(sizes) * np.array([rng.choice((-1, 1)) for _ in range(count)])
    whole = np.array([rng.random() < 0.3 for _ in range(count)])
    values = np.where(whole, np.round(values * 16) / 16, values)
    if name == "FLOAT8E8M0":
        values = np.exp2(np.round(np.clip(sizes, -12, 12)))
    return values.astype(np.float32).astype(numpy_type(name)).reshape(shape)


def numpy_casts(source, target):
    """Whether NumPy has the cast: the reference evaluator has no other."""
    try:
        np.ones(1, numpy_type(source)).astype(numpy_type(target))
    except TypeError:
        return False
    return True


def cast_case(rng):
    source = rng.choice(WIDE + NARROW)
    target = rng.choice(NARROW if source in WIDE else WIDE + NARROW)
    if target == source:
        target = "FLOAT" if source != "FLOAT" else "FLOAT8E5M2"
    if not numpy_casts(source, target):
        target = "FLOAT"
    limit = 1e6 if is_float(target) else 1.9
    if is_float(source) and target.startswith("UINT"):
        limit = 0.9
    if is_float(source) and target == "FLOAT8E8M0":
        limit = 6e4
    x = numbers(rng, source, (rng.randint(1, 70),), limit)
    if target == "FLOAT8E8M0":
        x = np.abs(x.astype(np.float64)).astype(x.dtype)
    attributes = {"to": TensorProto.DataType.Value(target)}
    if target in FLOAT8 and rng.random() < 0.5:
        attributes["saturate"] = 0
    if target == "FLOAT8E8M0":
        attributes["round_mode"] = rng.choice(("up", "down", "nearest"))
    return "Cast", {"x": x}, attributes, target


def layout(rng, shape):
    """The shape of the scales, and the attributes that say where they lie."""
    kind, axis = rng.choice(("tensor", "axis", "block")), rng.randrange(len(shape))
    signed = axis - len(shape) if rng.random() < 0.5 else axis
    if kind == "tensor":
        return (), {}
    if kind == "axis":
        return (shape[axis],), {"axis": signed}
    block = rng.randint(1, shape[axis])
    scales = list(shape)
    scales[axis] = -(-shape[axis] // block)
    return tuple(scales), {"axis": signed, "block_size": block}


def scales(rng, shape, name):
    count = int(np.prod(shape))
    values = np.array([rng.choice((0.25, 0.5, 1, 0.1, 0.37, 3)) for _ in range(count)], np.float32)
    return values.astype(numpy_type(name)).reshape(shape)


def quantize_case(rng):
    shape = tuple(rng.randint(1, 9) for _ in range(rng.randint(1, 3)))
    inner, attributes = layout(rng, shape)
    target, kind = rng.choice(QUANTIZED), rng.choice(("FLOAT", "FLOAT", "FLOAT16"))
    feeds = {"x": numbers(rng, kind, shape, 300), "scale": scales(rng, inner, kind)}
    if is_float(target):
        attributes["output_dtype"] = TensorProto.DataType.Value(target)
        if target in FLOAT8 and rng.random() < 0.3:
            attributes["saturate"] = 0
    else:
        feeds["zero"] = numbers(rng, target, inner, 100)
    return "QuantizeLinear", feeds, attributes, target


def dequantize_case(rng):
    shape = tuple(rng.randint(1, 9) for _ in range(rng.randint(1, 3)))
    inner, attributes = layout(rng, shape)
    source, kind = rng.choice(QUANTIZED + ("INT32",)), rng.choice(("FLOAT", "FLOAT", "FLOAT16"))
    feeds = {"x": numbers(rng, source, shape, 1e4), "scale": scales(rng, inner, kind)}
    if not is_float(source) and source != "INT32" and rng.random() < 0.7:
        feeds["zero"] = numbers(rng, source, inner, 100)
    return "DequantizeLinear", feeds, attributes, kind


def model_of(case):
    op, feeds, attributes, target = case
    inputs = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
              for name, value in feeds.items()]
    output = helper.make_tensor_value_info("y", TensorProto.DataType.Value(target), feeds["x"].shape)
    node = helper.make_node(op, list(feeds), ["y"], **attributes)
    graph = helper.make_graph([node], "g", inputs, [output])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)], ir_version=13)


def difference(found, expected):
    if found.dtype != expected.dtype or found.shape != expected.shape:
        return f"{expected.dtype}{expected.shape} expected, {found.dtype}{found.shape} found"
    a, b = found.astype(np.float64), expected.astype(np.float64)
    wrong = ~((a == b) | (np.isnan(a) & np.isnan(b)))
    if not wrong.any():
        return ""
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    return f"{int(wrong.sum())} of {wrong.size}, first at {list(place)}: expected {b[place]}, found {a[place]}"


def judge(options, case, folder):
    """What is wrong; "" if nothing is."""
    model, package = folder / "m.onnx", folder / "m.kiln"
    onnx.save(model_of(case), model)
    done = subprocess.run([options.kiln, "compile", model, "-o", package, "--target", options.target, "-q"], capture_output=True,
                          text=True, check=False)
    if done.returncode:
        return done.stderr or f"kiln compile ended with {done.returncode}"
    with np.errstate(all="ignore"):
        expected = ReferenceEvaluator(str(model)).run(None, case[1])[0]
    found = kiln.Session(package, device=options.device).run(case[1])["y"]
    return difference(found, np.asarray(expected))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", default="build/bin/kiln")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--target", default="native")
    options = parser.parse_args()
    bad = 0
    for number in range(options.count) if options.only is None else [options.only]:
        rng = random.Random(options.seed * 100003 + number)
        case = rng.choice((cast_case, quantize_case, dequantize_case))(rng)
        with tempfile.TemporaryDirectory() as folder:
            wrong = judge(options, case, pathlib.Path(folder))
        if wrong:
            bad += 1
            types = {name: f"{value.dtype}{list(value.shape)}" for name, value in case[1].items()}
            print(f"case {number}: {case[0]} {types} {case[2]} to {case[3]}: {wrong}", flush=True)
    print(f"{bad} of {options.count} cases wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
