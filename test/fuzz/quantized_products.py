#!/usr/bin/env python3
"""Products of quantized models, of random shapes, blocks and zero points, against onnxruntime.

    PYTHONPATH=build/python test/fuzz/quantized_products.py --count 50 [--precision int8]

MatMulNBits, GatherBlockQuantized, MatMulIntegerToFloat, DynamicQuantizeMatMul, and products between QuantizeLinear and
DequantizeLinear. Sums of integers that become floats must be equal to the bit up to one rounding of the scale; products of floats are
judged by numbers of double precision, with the error that 8-bit activations have where the model or --precision asks for them. Exit
status 1 if a case was wrong, or failed without a code. `--seed N` repeats a run, `--only K` its case number K.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import kiln
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

DOMAIN = "com.microsoft"


class Case:
    """One node or two, the numbers that it is fed with, and what its result may be off by, per element."""

    def __init__(self, nodes, weights, feeds, result, **judgement):
        self.nodes, self.weights, self.feeds, self.result = nodes, weights, feeds, result
        self.expected, self.error = judgement.get("expected"), judgement.get("error", 0)
        self.title = judgement["title"]

    def model(self):
        inputs = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
                  for name, value in self.feeds.items()]
        outputs = [helper.make_tensor_value_info("y", self.result, None)]
        initializers = [numpy_helper.from_array(value, name) for name, value in self.weights.items()]
        graph = helper.make_graph(self.nodes, "g", inputs, outputs, initializers)
        opsets = [helper.make_opsetid("", 21), helper.make_opsetid(DOMAIN, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def pack(codes):
    """Two codes to a byte, the low one first."""
    if codes.shape[-1] % 2:
        codes = np.concatenate([codes, np.zeros((*codes.shape[:-1], 1), np.uint8)], -1)
    return (codes[..., ::2] | codes[..., 1::2] << 4).astype(np.uint8)


def by_block_error(x, w, block):
    """Half a step of the activations of every block, times the weights that it meets."""
    k = x.shape[-1]
    padded = np.abs(np.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, -k % block)]))
    step = padded.reshape(*x.shape[:-1], -1, block).max(-1) / 127
    return np.repeat(step, block, -1)[..., :k] @ np.abs(w) * 0.51


def nbits_case(rng, numbers, requested):
    bits, block = rng.choice((4, 8)), rng.choice((16, 32, 64, 128, 256))
    k = rng.choice((block, 2 * block, 3 * block, block + 8, 24, 96))
    n, rows, level = rng.randint(1, 70), rng.randint(1, 9), rng.choice((0, 0, 1, 4, 4))
    blocks = -(-k // block)
    codes = numbers.integers(0, 1 << bits, (n, blocks, block), dtype=np.uint8)
    scales = numbers.uniform(0.01, 0.1, (n, blocks)).astype(np.float32)
    zeros = np.full((n, blocks), 1 << (bits - 1), np.float32)
    x = numbers.standard_normal((rows, k)).astype(np.float32)
    weights = {"b": pack(codes) if bits == 4 else codes, "s": scales}
    names = ["x", "b", "s"]
    # --precision rounds unquantized weights once more, which this fuzzer does not check.
    kind = rng.choice(("none", "codes") if requested else ("none", "codes", "floats"))
    if kind == "codes":
        chosen = numbers.integers(0, 1 << bits, (n, blocks), dtype=np.uint8)
        zeros, weights["z"] = chosen.astype(np.float32), pack(chosen) if bits == 4 else chosen
    elif kind == "floats":
        zeros = weights["z"] = numbers.uniform(0, 1 << bits, (n, blocks)).astype(np.float32)
    names.append("z" if kind != "none" else "")
    bias = rng.random() < 0.3
    if bias:
        weights["bias"] = numbers.standard_normal(n).astype(np.float32)
        names += ["", "bias"]
    node = helper.make_node("MatMulNBits", names, ["y"], domain=DOMAIN, K=k, N=n, bits=bits, block_size=block, accuracy_level=level)
    matrix = ((codes.astype(np.float64) - zeros[..., None]) * scales[..., None]).reshape(n, -1)[:, :k].T
    expected = x.astype(np.float64) @ matrix + (weights["bias"] if bias else 0)
    error = 1e-5 * (np.abs(x) @ np.abs(matrix)) + 1e-6
    step = min(block, 32)
    if (level == 4 and k % step == 0) or requested:
        error = error + by_block_error(x.astype(np.float64), matrix, step)
    title = f"MatMulNBits of {bits} bits, K {k}, N {n}, block {block}, level {level}, zero points: {kind}"
    return Case([node], weights, {"x": x}, TensorProto.FLOAT, expected=expected, error=error, title=title)


def gather_case(rng, numbers, _):
    bits, block = rng.choice((4, 8)), rng.choice((16, 32, 64))
    rows, columns = rng.randint(2, 20), block * rng.randint(1, 3)
    codes = numbers.integers(0, 1 << bits, (rows, columns), dtype=np.uint8)
    weights = {"b": pack(codes) if bits == 4 else codes, "s": numbers.uniform(0.01, 0.1, (rows, columns // block)).astype(np.float32)}
    names = ["b", "i", "s"]
    if rng.random() < 0.5:
        zeros = numbers.integers(0, 1 << bits, (rows, columns // block), dtype=np.uint8)
        weights["z"] = pack(zeros) if bits == 4 else zeros
        names.append("z")
    node = helper.make_node("GatherBlockQuantized", names, ["y"], domain=DOMAIN, block_size=block, bits=bits, quantize_axis=1)
    indices = numbers.integers(0, rows, (2, rng.randint(1, 5)))
    return Case([node], weights, {"i": indices}, TensorProto.FLOAT, title=f"GatherBlockQuantized {rows}x{columns}, {bits} bits, {names}")


def integers(rng, numbers, shape, narrow=False):
    kind = rng.choice((np.int8, np.uint8))
    low, high = (-64, 64) if narrow and kind is np.int8 else (np.iinfo(kind).min, np.iinfo(kind).max + 1)
    return numbers.integers(low, high, shape, dtype=np.int64).astype(kind)


def right_factor(rng, numbers, k, n):
    """Codes, scales and perhaps zero points of all or of each column."""
    shape = rng.choice(((), (n,)))
    b = integers(rng, numbers, (k, n))
    weights = {"b": b, "bs": numbers.uniform(0.01, 0.1, shape).astype(np.float32)}
    if rng.random() < 0.6:
        weights["bz"] = numbers.integers(0, 100, shape).astype(b.dtype)
    return weights


def close_to_integers(a, b, scale):
    """Of exact sums times scales: roundings of a factor, the product and a bias."""
    return 1e-6 * np.abs(a @ b * scale) + 1e-6


def to_float_case(rng, numbers, _):
    k, n = rng.choice((16, 32, 64, 512, 514, 1024, 1040, 20)), rng.randint(1, 40)
    a, weights = integers(rng, numbers, (rng.randint(1, 7), k)), right_factor(rng, numbers, k, n)
    feeds = {"a": a, "as": np.float32(rng.uniform(0.01, 0.1)).reshape(()), "az": np.array(rng.randint(0, 127), a.dtype)}
    node = helper.make_node("MatMulIntegerToFloat", ["a", "b", "as", "bs", "az", "bz" if "bz" in weights else ""], ["y"], domain=DOMAIN)
    left = a.astype(np.float64) - feeds["az"]
    right = weights["b"].astype(np.float64) - weights.get("bz", 0)
    scale = feeds["as"].astype(np.float64) * weights["bs"]
    return Case([node], weights, feeds, TensorProto.FLOAT, expected=left @ right * scale, error=close_to_integers(left, right, scale),
                title=f"MatMulIntegerToFloat K {k}, N {n}, {a.dtype} by {weights['b'].dtype}, {sorted(weights)}")


def integer_case(rng, numbers, _):
    """MatMulInteger, as a float: its sums to the bit."""
    k, n = rng.choice((16, 32, 96, 512, 514, 1024, 1040, 20)), rng.randint(1, 40)
    a, weights = integers(rng, numbers, (rng.randint(1, 7), k)), right_factor(rng, numbers, k, n)
    del weights["bs"]
    feeds = {"a": a, "az": np.array(rng.randint(0, 127), a.dtype)}
    nodes = [helper.make_node("MatMulInteger", ["a", "b", "az", "bz" if "bz" in weights else ""], ["t"]),
             helper.make_node("Cast", ["t"], ["y"], to=TensorProto.FLOAT)]
    left = a.astype(np.int64) - int(feeds["az"])
    expected = (left @ (weights["b"].astype(np.int64) - weights.get("bz", np.int64(0)))).astype(np.float32)
    return Case(nodes, weights, feeds, TensorProto.FLOAT, expected=expected,
                title=f"MatMulInteger K {k}, N {n}, {a.dtype} by {weights['b'].dtype}, {sorted(weights)}")


def dynamic_case(rng, numbers, _):
    k, n = rng.choice((16, 64, 512, 1040, 20)), rng.randint(1, 40)
    weights = right_factor(rng, numbers, k, n)
    x = (numbers.standard_normal((rng.randint(1, 7), k)) + rng.choice((0, 1))).astype(np.float32)
    names = ["x", "b", "bs", "bz" if "bz" in weights else ""]
    if rng.random() < 0.5:
        weights["bias"] = numbers.standard_normal(n).astype(np.float32)
        names.append("bias")
    node = helper.make_node("DynamicQuantizeMatMul", names, ["y"], domain=DOMAIN)
    low, high = np.float32(min(0, x.min())), np.float32(max(0, x.max()))
    scale = (high - low) / np.float32(255)
    zero = np.clip(np.round((np.float32(0) - low) / scale), 0, 255)
    codes = np.clip(np.round(x / scale) + zero, 0, 255).astype(np.float64)
    right = weights["b"].astype(np.float64) - weights.get("bz", 0)
    factor = scale.astype(np.float64) * weights["bs"]
    expected = (codes - zero) @ right * factor + weights.get("bias", 0)
    return Case([node], weights, {"x": x}, TensorProto.FLOAT, expected=expected, error=close_to_integers(codes - zero, right, factor),
                title=f"DynamicQuantizeMatMul K {k}, N {n}, by {weights['b'].dtype}, {sorted(weights)}")


def pairs_case(rng, numbers, requested):
    """Activations between QuantizeLinear and DequantizeLinear, a weight behind DequantizeLinear."""
    # Weights below 1 KiB become constants of f32, which --precision rounds again.
    k, n = rng.choice((32, 96, 512) if requested else (16, 32, 96, 512, 20)), rng.randint(33 if requested else 1, 40)
    weights = right_factor(rng, numbers, k, n)
    kind = rng.choice((np.int8, np.uint8))
    weights |= {"xs": np.float32(0.02).reshape(()), "xz": np.array(rng.choice((0, 100, 3)), kind)}
    x = numbers.standard_normal((rng.randint(1, 7), k)).astype(np.float32)
    nodes = [helper.make_node("QuantizeLinear", ["x", "xs", "xz"], ["q"]),
             helper.make_node("DequantizeLinear", ["q", "xs", "xz"], ["d"]),
             helper.make_node("DequantizeLinear", ["b", "bs", *(["bz"] if "bz" in weights else [])], ["w"], axis=1),
             helper.make_node("MatMul", ["d", "w"], ["y"])]
    limits = np.iinfo(kind)
    left = (np.clip(np.round(x / np.float32(0.02)) + float(weights["xz"]), limits.min, limits.max) - float(weights["xz"])) * 0.02
    right = (weights["b"].astype(np.float64) - weights.get("bz", 0)) * weights["bs"]
    # The zero point of the activations is subtracted from an accumulator that may be larger than the result.
    error = 2e-6 * (np.abs(left) + 0.02 * 128) @ np.abs(right) + 1e-6
    return Case(nodes, weights, {"x": x}, TensorProto.FLOAT, expected=left @ right, error=error,
                title=f"pairs of {kind.__name__}, zero point {weights['xz']}, K {k}, N {n}, by {weights['b'].dtype}, {sorted(weights)}")


KINDS = (nbits_case, nbits_case, gather_case, to_float_case, integer_case, dynamic_case, pairs_case)


def expected_of(case, model):
    """What onnxruntime says, for cases without numbers of their own."""
    if case.expected is not None:
        return case.expected
    return onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"]).run(None, case.feeds)[0]


def judge(options, case, folder):
    """What is wrong ("" if nothing is), and how many products read codes."""
    model, package = folder / "m.onnx", folder / "m.kiln"
    onnx.save(case.model(), model)
    done = subprocess.run([options.kiln, "compile", model, "-o", package, "--target", options.target, "-q", "--precision", options.precision],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        return done.stderr or f"kiln compile ended with {done.returncode}", 0
    inspected = subprocess.run([options.kiln, "inspect", package, "--json"], capture_output=True, text=True, check=True).stdout
    report = json.loads(inspected)["provenance"]["precision_report"]
    raised = sum(entry["became"].startswith("int") for entry in report)
    expected = np.asarray(expected_of(case, model), np.float64)
    found = kiln.Session(package, device=options.device).run(case.feeds)["y"].astype(np.float64)
    if found.shape != expected.shape:
        return f"{expected.shape} expected, {found.shape} found", raised
    wrong = ~(np.abs(found - expected) <= case.error)
    if not wrong.any():
        return "", raised
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    return f"{int(wrong.sum())} of {wrong.size}, first at {list(place)}: expected {expected[place]}, found {found[place]}", raised


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", default="build/bin/kiln")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--target", default="native")
    parser.add_argument("--precision", default="f32")
    options = parser.parse_args()
    bad = raised = 0
    for number in range(options.count) if options.only is None else [options.only]:
        rng = random.Random(options.seed * 100003 + number)
        case = rng.choice(KINDS)(rng, np.random.default_rng(rng.randrange(1 << 32)), options.precision in ("int8", "int4"))
        with tempfile.TemporaryDirectory() as folder:
            wrong, count = judge(options, case, pathlib.Path(folder))
        raised += count
        if wrong:
            bad += 1
            print(f"case {number}: {case.title}: {wrong}", flush=True)
    print(f"{bad} of {options.count} cases wrong; {raised} products read codes")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
