"""Numbers at the edge of what formats hold: in weights that Kiln quantizes, and in the scales of models that are quantized."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import kiln
import ml_dtypes
import numpy as np
import onnx
import onnxruntime
import pytest
import tool
from onnx import TensorProto, helper, numpy_helper

FORMATS = ["int8", "mxfp8", "fp8", "mxfp6", "mxfp6_e3m2", "int4", "nvfp4", "mxfp4"]
K, N, ROWS = 64, 32, 9
TINY = np.float32(1e-40)  # denormal in f32


def save(path, nodes, weights, opset=21):
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [ROWS, size]) for name, size in (("x", K), ("y", N))]
    tensors = [numpy_helper.from_array(array, name) for name, array in weights.items()]
    graph = helper.make_graph(nodes, "product", values[:1], values[1:], tensors)
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=10), path)
    return path


def run(model, x, *options):
    package = model.with_suffix(".kiln")
    tool.call("compile", model, "-o", package, "-q", *options)
    return kiln.Session(package, threads=1).run({"x": x})["y"]


def of_onnxruntime(model, x):
    """Op by op, as ONNX says it: the optimizer's own kernels round activations, and take scales for positive."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"]).run(None, {"x": x})[0]


# ---- Weights and activations of one format ---------------------------------------------------------------------------

# Max rounding error of a row's sum, relative to the sum of magnitudes.
ERRORS = {"int8": 0.02, "int4": 0.1, "nvfp4": 0.15, "mxfp4": 0.25, "fp8": 0.06, "mxfp8": 0.06, "mxfp6": 0.06, "mxfp6_e3m2": 0.12}


@pytest.mark.parametrize("precision", FORMATS)
@pytest.mark.parametrize("kind", ["zeros", "zero blocks", "one number", "large", "small"])
def test_weights(tmp_path, precision, kind):
    rng = np.random.default_rng(0)
    weight = rng.standard_normal((K, N)).astype(np.float32)
    if kind == "zeros":
        weight[:] = 0
    elif kind == "zero blocks":
        weight[:32] = 0
    elif kind == "one number":
        weight[:] = -0.37
    else:
        weight *= np.float32({"large": 1e30, "small": 1e-30}[kind])
    model = save(tmp_path / "m.onnx", [helper.make_node("MatMul", ["x", "w"], ["y"])], {"w": weight})
    x = rng.standard_normal((ROWS, K)).astype(np.float32)
    found = run(model, x, "--precision", precision)
    limit = ERRORS[precision] * (np.abs(x).astype(np.float64) @ np.abs(weight))
    assert np.isfinite(found).all()
    assert (np.abs(found - x.astype(np.float64) @ weight) <= limit).all()


@pytest.mark.parametrize("precision", FORMATS)
def test_denormal_weights_are_near_zero(tmp_path, precision):
    """Their scales may be none that the format has; they are zeros then, and never infinite or NaN."""
    model = save(tmp_path / "m.onnx", [helper.make_node("MatMul", ["x", "w"], ["y"])], {"w": np.full((K, N), TINY)})
    found = run(model, np.ones((ROWS, K), np.float32), "--precision", precision)
    assert (np.abs(found) <= 2 * K * TINY).all()


@pytest.mark.parametrize("precision", FORMATS)
@pytest.mark.parametrize("value", [0.0, float(TINY), 1e-30, 1e30])
def test_activations(tmp_path, precision, value):
    weight = np.random.default_rng(0).standard_normal((K, N)).astype(np.float32)
    model = save(tmp_path / "m.onnx", [helper.make_node("MatMul", ["x", "w"], ["y"])], {"w": weight})
    x = np.full((ROWS, K), value, np.float32)
    x[3] = 1  # a row with a scale of its own
    found = run(model, x, "--precision", precision)
    limit = ERRORS[precision] * (np.abs(x).astype(np.float64) @ np.abs(weight)) + 2 * K * TINY * np.abs(weight).max()
    assert np.isfinite(found).all()
    assert (np.abs(found - x.astype(np.float64) @ weight) <= limit).all()


def in_blocks(weight, dtype):
    """What a weight [K, N] is in MXFP8 or MXFP6: the least power of two per 32 steps of K and column with which nothing is above the largest number."""
    blocks = weight.astype(np.float64).reshape(-1, 32, weight.shape[1])
    with np.errstate(divide="ignore"):
        exponents = np.ceil(np.log2(np.abs(blocks).max(axis=1, keepdims=True) / float(ml_dtypes.finfo(dtype).max)))
    scales = np.exp2(np.clip(exponents, -127, 127))
    return ((blocks / scales).astype(dtype).astype(np.float64) * scales).reshape(weight.shape)


# Formats that are multiplied with activations in f32.
NUMBERS = {"mxfp8": ml_dtypes.float8_e4m3fn, "mxfp6_e3m2": ml_dtypes.float6_e3m2fn}


@pytest.mark.parametrize("precision", NUMBERS)
@pytest.mark.parametrize("rows", [1, 3, K])
@pytest.mark.parametrize("targets", ["native", "x86-64-v3", "native,sm_80"])
def test_weights_in_blocks_are_exactly_those_of_the_format(tmp_path, precision, rows, targets):
    """Products with rows of the identity, which add nothing else: of numbers at the ends of E4M3's range and at halves between them."""
    rng = np.random.default_rng(1)
    weight = rng.standard_normal((K, N)) * np.exp2(rng.integers(-24, 24, (K, N)))
    weight[:32, :4] = np.exp2(-rng.integers(0, 20, (32, 4)))  # subnormal in the block's scale, and halves of the smallest
    largest = float(ml_dtypes.finfo(NUMBERS[precision]).max)
    weight[:32, 4] = np.linspace(-largest, largest, 32)  # fills the range; one more needs the next scale
    weight[32:, 4] = np.linspace(-largest - 1, largest + 1, 32)
    weight[:32, 5] = 0
    weight = weight.astype(np.float32)
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["m", size]) for name, size in (("x", K), ("y", N))]
    node = helper.make_node("MatMul", ["x", "w"], ["y"])
    graph = helper.make_graph([node], "product", values[:1], values[1:], [numpy_helper.from_array(weight, "w")])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10), tmp_path / "m.onnx")
    tool.call("compile", tmp_path / "m.onnx", "-o", tmp_path / "m.kiln", "-q", "--precision", precision, "--target", targets, "--dims", f"m=1..{K}")
    session, expected = kiln.Session(tmp_path / "m.kiln", threads=1), in_blocks(weight, NUMBERS[precision])
    for first in range(0, K - rows + 1, max(rows, 7)):
        found = session.run({"x": np.eye(K, dtype=np.float32)[first : first + rows]})["y"]
        np.testing.assert_array_equal(found, expected[first : first + rows].astype(np.float32))


@pytest.mark.parametrize("target", ["native", "x86-64-v3"])
def test_weights_in_mxfp6_are_numbers_of_the_format(tmp_path, target):
    """E2M3, by rows of the identity: of two powers of two the scale with the smaller squared error, larger numbers clamped to 7.5."""
    rng = np.random.default_rng(1)
    weight = (rng.standard_normal((K, N)) * np.exp2(rng.integers(-3, 3, (K, N)))).astype(np.float32)
    weight[:32, 0] = np.linspace(-7.5, 7.5, 32)
    weight[:32, 1] = np.arange(32) / 16 - 1  # midpoints between values
    weight[:32, 2] = 0
    model = save(tmp_path / "m.onnx", [helper.make_node("MatMul", ["x", "w"], ["y"])], {"w": weight})
    tool.call("compile", model, "-o", tmp_path / "m.kiln", "-q", "--precision", "mxfp6", "--target", target)
    session = kiln.Session(tmp_path / "m.kiln", threads=1)
    rows = np.concatenate([np.eye(K, dtype=np.float32), np.zeros((-K % ROWS, K), np.float32)])
    found = np.concatenate([session.run({"x": rows[at : at + ROWS]})["y"] for at in range(0, len(rows), ROWS)])[:K]
    blocks = weight.astype(np.float64).reshape(-1, 32, N)
    with np.errstate(divide="ignore"):
        exponents = np.clip(np.ceil(np.log2(np.abs(blocks).max(axis=1, keepdims=True) / 7.5)), -100, 100)
    choices = []
    for scales in (np.exp2(exponents), np.exp2(exponents - 1)):
        clamped = np.clip(blocks / scales, -7.5, 7.5)
        choices.append(clamped.astype(ml_dtypes.float6_e2m3fn).astype(np.float64) * scales)
    errors = [np.square(choice - blocks).sum(axis=1, keepdims=True) for choice in choices]
    expected = np.where(errors[1] < errors[0], choices[1], choices[0]).reshape(K, N)
    # An activation of 1 is 127 times a scale of about 1 / 127.
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=0)


# ---- Scales of models that are quantized -----------------------------------------------------------------------------

SCALES = {"zero": 0.0, "negative": -0.02, "denormal": float(TINY), "large": 1e30, "overflowing": 3e38}


@pytest.mark.parametrize("kind", SCALES)
@pytest.mark.parametrize("options", [[], ["--precision", "int4"]])
def test_scales_of_matmul_nbits(tmp_path, kind, options):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 256, (N, K // 32, 16)).astype(np.uint8)
    scales = np.full(N * K // 32, 0.02, np.float32)
    scales[::3] = SCALES[kind]
    node = helper.make_node("MatMulNBits", ["x", "codes", "scales"], ["y"], domain="com.microsoft", K=K, N=N, bits=4, block_size=32,
                            accuracy_level=0)  # fmt: skip
    model = save(tmp_path / "m.onnx", [node], {"codes": codes, "scales": scales})
    x = rng.standard_normal((ROWS, K)).astype(np.float32)
    centred = np.stack([codes & 15, codes >> 4], axis=3).reshape(N, K).astype(np.float64) - 8
    magnitudes = np.abs(x) @ np.abs(centred * np.repeat(scales.reshape(N, K // 32), 32, axis=1)).T
    check(run(model, x, *options), of_onnxruntime(model, x), 1e-5 if not options else 0.02, magnitudes)


@pytest.mark.parametrize("bits", [2, 4, 8])
@pytest.mark.parametrize("zeros", ["none", "packed", "float"])
@pytest.mark.parametrize("order", ["none", "in order", "mixed"])
def test_bits_zero_points_and_groups_of_matmul_nbits(tmp_path, bits, zeros, order):
    """Of a K that is no multiple of the block, against the definition."""
    rng, k, block = np.random.default_rng(0), K - 7, 16
    blocks, per_byte = -(-k // block), 8 // bits
    codes = rng.integers(0, 1 << bits, (N, blocks * block))
    scales = rng.uniform(0.01, 0.05, (N, blocks)).astype(np.float32)
    zero = {"none": np.full((N, blocks), 1 << (bits - 1)), "packed": rng.integers(0, 1 << bits, (N, blocks)),
            "float": rng.uniform(0, 1 << bits, (N, blocks)).astype(np.float32)}[zeros]  # fmt: skip
    group = np.arange(k) // block if order != "mixed" else rng.integers(0, blocks, k)

    def packed(values):
        values = np.pad(values, ((0, 0), (0, -values.shape[1] % per_byte))).reshape(N, -1, per_byte)
        return (values << (bits * np.arange(per_byte))).sum(axis=2).astype(np.uint8)

    weights = {"codes": packed(codes).reshape(N, blocks, -1), "scales": scales.reshape(-1)}
    weights |= {"zeros": packed(zero).reshape(-1) if zeros == "packed" else zero.reshape(-1)} if zeros != "none" else {}
    weights |= {"groups": group.astype(np.int32)} if order != "none" else {}
    names = ["x", "codes", "scales", "zeros" if zeros != "none" else "", "groups" if order != "none" else ""]
    node = helper.make_node("MatMulNBits", names, ["y"], domain="com.microsoft", K=k, N=N, bits=bits, block_size=block)
    model = save(tmp_path / "m.onnx", [helper.make_node("Slice", ["given", "from", "to", "axis"], ["x"]), node],
                 weights | {"from": np.array([0]), "to": np.array([k]), "axis": np.array([1])})  # fmt: skip
    changed = onnx.load(model)
    changed.graph.input[0].name = "given"
    onnx.save(changed, model)
    x = rng.standard_normal((ROWS, K)).astype(np.float32)
    tool.call("compile", model, "-o", tmp_path / "m.kiln", "-q")
    found = kiln.Session(tmp_path / "m.kiln", threads=1).run({"given": x})["y"]
    weight = (codes[:, :k] - zero[:, group].astype(np.float64)) * scales[:, group].astype(np.float64)
    np.testing.assert_allclose(found, x[:, :k].astype(np.float64) @ weight.T, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("place, kind", [("weight", kind) for kind in SCALES]
                         + [("activations", kind) for kind in ("zero", "negative", "denormal", "large")])
def test_scales_of_pairs(tmp_path, place, kind):
    rng = np.random.default_rng(0)
    scale = {"activations": np.float32(0.02), "weight": np.full(N, 0.01, np.float32)}
    scale[place] = np.where(np.arange(N) % 3 == 0, SCALES[kind], scale[place]) if place == "weight" else SCALES[kind]
    weights = {"codes": rng.integers(-128, 128, (K, N)).astype(np.int8), "xs": np.array(scale["activations"], np.float32),
               "ws": np.array(scale["weight"], np.float32), "xz": np.array(3, np.int8)}  # fmt: skip
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "xs", "xz"], ["q"]),
        helper.make_node("DequantizeLinear", ["q", "xs", "xz"], ["xd"]),
        helper.make_node("DequantizeLinear", ["codes", "ws"], ["wd"], axis=1),
        helper.make_node("MatMul", ["xd", "wd"], ["y"]),
    ]
    model = save(tmp_path / "m.onnx", nodes, weights)
    # No NaN is rounded, as ONNX leaves its result undefined. Zeros divided by a scale of zero would be NaN.
    x = np.where(rng.random((ROWS, K)) < 0.5, 1.5, -0.7).astype(np.float32)
    expected = of_onnxruntime(model, x)
    # Relative to the quantized values with their zero point, which kernels subtract from the sums.
    magnitudes = np.abs(128 * float(scale["activations"])) * np.abs(weights["codes"] * weights["ws"].astype(np.float64)).sum(axis=0)
    check(run(model, x), expected, 1e-5, np.broadcast_to(magnitudes, expected.shape))


def test_a_pair_whose_axes_differ(tmp_path):
    """Quantized per row, read per column: what ONNX says of each by itself."""
    rng = np.random.default_rng(0)
    weights = {"w": rng.standard_normal((K, N)).astype(np.float32), "rows": np.full(K, 0.02, np.float32), "columns": np.full(N, 0.03, np.float32),
               "row_zeros": rng.integers(-9, 9, K).astype(np.int8), "column_zeros": rng.integers(-9, 9, N).astype(np.int8)}  # fmt: skip
    nodes = [
        helper.make_node("QuantizeLinear", ["w", "rows", "row_zeros"], ["q"], axis=0),
        helper.make_node("DequantizeLinear", ["q", "columns", "column_zeros"], ["wd"], axis=1),
        helper.make_node("MatMul", ["x", "wd"], ["y"]),
    ]
    model = save(tmp_path / "m.onnx", nodes, weights)
    x = rng.standard_normal((ROWS, K)).astype(np.float32)
    magnitudes = np.abs(x).sum(axis=1, keepdims=True) * np.full(N, 137 * 0.03)
    check(run(model, x), of_onnxruntime(model, x), 1e-5, magnitudes)


@pytest.mark.parametrize("dtype", [np.uint16, np.int16, np.int8])
def test_pairs_of_the_contrib_domain(tmp_path, dtype):
    """What ONNX Runtime's quantizer writes for 16 bits below opset 21."""
    rng, info = np.random.default_rng(0), np.iinfo(dtype)
    weights = {"codes": rng.integers(info.min, info.max, (K, N), endpoint=True).astype(dtype), "xs": np.float32(8 / (info.max - info.min)),
               "ws": np.full(N, 1 / info.max, np.float32), "xz": np.array((info.max + info.min + 1) // 2, dtype)}  # fmt: skip
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "xs", "xz"], ["q"], domain="com.microsoft"),
        helper.make_node("DequantizeLinear", ["q", "xs", "xz"], ["xd"], domain="com.microsoft"),
        helper.make_node("DequantizeLinear", ["codes", "ws"], ["wd"], axis=1, domain="com.microsoft"),
        helper.make_node("MatMul", ["xd", "wd"], ["y"]),
    ]
    model = save(tmp_path / "m.onnx", nodes, {name: np.asarray(value) for name, value in weights.items()}, opset=17)
    x = rng.uniform(-5, 5, (ROWS, K)).astype(np.float32)
    magnitudes = np.full((ROWS, N), 5.0) * np.abs(weights["codes"] * weights["ws"].astype(np.float64)).sum(axis=0)
    check(run(model, x), of_onnxruntime(model, x), 1e-5, magnitudes)


def check(found, expected, error, magnitudes):
    """Near, against the sums of magnitudes of what is added; not finite where these are not, if the judge is not."""
    fits = magnitudes < np.finfo(np.float32).max
    limit = error * magnitudes + 2 * K * TINY
    assert (np.abs(np.where(fits, found - expected.astype(np.float64), 0)) <= limit).all()
    overflows = np.isposinf(expected) | np.isneginf(expected)
    np.testing.assert_array_equal(found[overflows & ~fits], expected[overflows & ~fits])
