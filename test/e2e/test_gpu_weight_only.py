"""Activations of 16 bits by weights of 4 and 8 bits that stay packed (W4A16, W8A16), on hosts and on the simulated GPU: what
comes out against exact numbers, odd sizes and blocks, what is read, and that assemblers say nothing."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import re

import decoders
import gpu_counters
import ml_dtypes
import numpy as np
import onnx
import pytest
import quantized_exports
import test_ptx
import tool
from onnx import TensorProto, helper, numpy_helper

DEVICES = gpu_counters.DEVICES
SCHEDULES = ["eager,forward", "late,random,7", "random,reverse,3"]
TYPES = {"f16": np.dtype(np.float16), "bf16": np.dtype(ml_dtypes.bfloat16)}
ELEMENTS = {"f16": TensorProto.FLOAT16, "bf16": TensorProto.BFLOAT16}


def weight(n, k):
    return np.random.default_rng(n).standard_normal((k, n)).astype(np.float32)


def unpacked(codes, bits, count):
    """Codes in the order of memory, the low half of a byte first: [rows, count]."""
    flat = codes.reshape(codes.shape[0], -1)
    if bits == 4:
        flat = np.stack([flat & 15, flat >> 4], axis=-1).reshape(codes.shape[0], -1)
    return flat[:, :count].astype(np.float64)


class Export:
    """A product as onnxruntime-genai exports it: MatMulNBits on activations of 16 bits at accuracy level 0, with a bias. The
    model takes and gives f32, so that what is rounded to 16 bits is x, and y at the end."""

    def __init__(self, path, m, n, k, element, bits, block, zeros, level=0):
        self.path, self.m, self.k, self.element = path, m, k, element
        self.codes, scales, packed = quantized_exports.quantize_blocks(weight(n, k), bits, block)
        blocks = -(-k // block)
        self.scales = scales.astype(TYPES[element])
        if not zeros:
            packed = None
        middle = np.full((n, blocks), 1 << (bits - 1), np.float64)
        own = middle if packed is None else unpacked(packed.reshape(n, -1), bits, blocks)
        spread = lambda values: np.repeat(values.reshape(n, blocks), block, axis=1)[:, :k]
        self.exact = (unpacked(self.codes, bits, k) - spread(own)) * spread(self.scales.astype(np.float64))
        self.bias = np.linspace(-1, 1, n).astype(TYPES[element])
        parts = {"codes": self.codes, "scales": self.scales, "zeros": packed, "bias": self.bias}
        parts = {name: part for name, part in parts.items() if part is not None}
        names = [name if name in parts else "" for name in ("codes", "scales", "zeros")]
        nodes = [
            helper.make_node("Cast", ["x"], ["a"], "narrow", to=ELEMENTS[element]),
            helper.make_node("MatMulNBits", ["a", *names], ["p"], "product", domain="com.microsoft", K=k, N=n, bits=bits,
                             block_size=block, accuracy_level=level),
            helper.make_node("Add", ["p", "bias"], ["s"]),
            helper.make_node("Cast", ["s"], ["y"], "widen", to=TensorProto.FLOAT),
        ]
        graph = helper.make_graph(nodes, "product", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [m, k])],
                                  [helper.make_tensor_value_info("y", TensorProto.FLOAT, [m, n])],
                                  [numpy_helper.from_array(part, name) for name, part in parts.items()])
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
        onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=9), path)

    def compile(self, *options, target="sm_80"):
        package = self.path.with_suffix(".kiln")
        tool.call("compile", self.path, "-o", package, "-q", "--target", f"native,{target}", *options)
        return package

    def run(self, package, device, environment, rows=None):
        rows = rows or self.m
        x = np.random.default_rng(rows).standard_normal((rows, self.k)).astype(np.float32)
        where = package.with_name("x.npy")
        np.save(where, x)
        out = package.with_name(f"{device.replace(':', '-')}.npy")
        tool.call("run", package, "--device", device, "--input", f"x=@{where}", "-o", f"y=@{out}", env=environment)
        return x.astype(TYPES[self.element]).astype(np.float64), np.load(out)

    def assert_exact(self, x, y):
        """Weights are exact: f32 sums of K products and blocks, and the roundings of the product, the bias' sum and y."""
        expected = x @ self.exact.T
        magnitudes = np.abs(x) @ np.abs(self.exact).T + 1
        half = float(np.finfo(TYPES[self.element]).eps if self.element == "f16" else ml_dtypes.finfo("bfloat16").eps)
        bound = (self.k + 8) * 2.0**-24 * magnitudes + 1.01 * half * (np.abs(expected) + 1)
        assert np.abs(expected).max() > 1
        off = np.abs(y - (expected + self.bias.astype(np.float64)))
        assert (off <= bound).all(), (off / bound).max()


def check(export, target, driver, schedule, *options, rows=None):
    package = export.compile(*options, target=target)
    environment = {**driver, "KILN_SIM_SCHEDULE": schedule, "KILN_SIM_CHECK": "all"}
    for device, where in [("cpu", driver), (DEVICES[target], environment)]:
        export.assert_exact(*export.run(package, device, where, rows))
    return package


@pytest.mark.parametrize("target", DEVICES)
@pytest.mark.parametrize("element", TYPES)
@pytest.mark.parametrize("bits, block, zeros", [(4, 32, True), (4, 16, True), (4, 64, False), (4, 128, True), (8, 16, False),
                                                (8, 32, True), (8, 128, False)])
def test_products_are_exact(driver, tmp_path, element, bits, block, zeros, target):
    check(Export(tmp_path / "m.onnx", 5, 33, 256, element, bits, block, zeros), target, driver, SCHEDULES[block % 3])


@pytest.mark.parametrize("m, n, k, block", [(1, 37, 64, 32), (17, 16, 96, 32), (70, 50, 48, 16), (9, 1, 128, 64)])
@pytest.mark.parametrize("element", TYPES)
def test_sizes(driver, tmp_path, element, m, n, k, block):
    check(Export(tmp_path / "m.onnx", m, n, k, element, 4, block, True), "sm_80", driver, SCHEDULES[(m + n) % 3])


@pytest.mark.parametrize("rows", [1, 16, 65])
def test_rows_of_the_launch(driver, tmp_path, rows):
    export = Export(tmp_path / "m.onnx", "m", 48, 64, "f16", 4, 32, True)
    check(export, "sm_80", driver, SCHEDULES[rows % 3], "--dims", "m=1..200", rows=rows)


@pytest.mark.parametrize("target", DEVICES)
def test_warps_share_k(driver, tmp_path, target):
    """Few columns, many steps: each warp of a block adds up some, and the block adds these."""
    export = Export(tmp_path / "m.onnx", 3, 20, 2048, "f16", 4, 32, True)
    export.compile("--save-temps", tmp_path / "ir", target=target)
    assert "threads = 256" in gpu_counters.kernels(tmp_path / "ir")
    check(export, target, driver, SCHEDULES[1])


def launch_of(export, folder, driver, target):
    launches = gpu_counters.measure(export.path, folder, driver, target)
    [launch] = [launch for launch in launches if any("mma.sync" in line for line in launch.text)]
    return launch


@pytest.mark.parametrize("target", DEVICES)
@pytest.mark.parametrize("bits, block, zeros", [(4, 32, True), (4, 128, False), (8, 64, True)])
@pytest.mark.parametrize("element", TYPES)
def test_weights_are_read_once(driver, tmp_path, element, bits, block, zeros, target):
    """And in whole sectors; no bank conflicts, nothing in local memory."""
    m, n, k = 1, 256, 1024
    launch = launch_of(Export(tmp_path / "m.onnx", m, n, k, element, bits, block, zeros), tmp_path, driver, target)
    weights = n * k * bits // 8 + n * k // block * (2 + zeros)
    assert launch.distinct == weights + 2 * m * k + 2 * n + 4 * m * n
    assert launch.counters["shared"]["bank_conflicts"] == 0 and launch.counters["local"]["bytes"] == 0


# Instructions to dequantize, per pair of weights: integer ones (ALU pipe), and float multiply-adds and additions (FMA
# pipe).
WIDENS = {("f16", 4): (1.75, 1), ("bf16", 4): (1.75, 1), ("f16", 8): (1, 1), ("bf16", 8): (3, 2)}


@pytest.mark.parametrize("element, bits", WIDENS)
def test_instructions_per_pair(driver, tmp_path, element, bits):
    """In the loop, for 16 columns: a step of 16 has two mma.sync of 8 columns, each of which takes two pairs of a lane."""
    launch = launch_of(Export(tmp_path / "m.onnx", 1, 64, 1024, element, bits, 32, True), tmp_path, driver, "sm_80")
    [loop] = [(a, b) for a, b in launch.loops() if any("mma.sync" in line for line in launch.text[a - 1 : b])]
    text = launch.text[loop[0] - 1 : loop[1]]
    count = lambda pattern: sum(bool(re.search(pattern, line)) for line in text)
    pairs = 2 * count(r"\bmma\.sync")
    masks = count(r"\band\.b32.*252645135") + count(r"\bshr\.u32.*, 4;")
    arithmetic = count(r"\b(fma\.rn|add|add\.rn|sub|sub\.rn)\.b?f16x2") + (count(r"\badd(\.rn)?\.f32") if (element, bits) == ("bf16", 8) else 0)
    assert ((count(r"\bprmt") + masks) / pairs, arithmetic / pairs) == WIDENS[element, bits]


@pytest.mark.parametrize("element, m, n, k, bits, block", [("f16", "m", 1024, 1024, 4, 32), ("bf16", "m", 1024, 1024, 4, 128),
                                                           ("f16", 1, 4096, 4096, 4, 16), ("bf16", 64, 1000, 768, 8, 128)])
def test_every_target_assembles_without_spills(tmp_path, element, m, n, k, bits, block):
    ranges = ["--dims", "m=1..512"] if m == "m" else []
    test_ptx.check(Export(tmp_path / "m.onnx", m, n, k, element, bits, block, True).path, tmp_path, test_ptx.TARGETS, *ranges)


def product(path, m, n, k):
    values = numpy_helper.from_array(weight(n, k), "w")
    graph = helper.make_graph([helper.make_node("MatMul", ["x", "w"], ["y"], "product")], "product",
                              [helper.make_tensor_value_info("x", TensorProto.FLOAT, [m, k])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [m, n])], [values])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)
    return path


def report(package):
    return json.loads(tool.call("inspect", package, "--precision", "--json").stdout)


@pytest.mark.parametrize("precision", ["int4", "int8", "mxfp6", "nvfp4", "mxfp4"])
@pytest.mark.parametrize("element", TYPES)
def test_a_request(driver, tmp_path, precision, element):
    """Of a model in f32: kernels of both kinds compute what the reference does, and the report says what is multiplied."""
    package = tmp_path / "m.kiln"
    tool.call("compile", product(tmp_path / "m.onnx", 5, 40, 128), "-o", package, "-q", "--target", "native,sm_80",
              "--precision", precision, "--activations", element)
    environment = {**driver, "KILN_SIM_SCHEDULE": SCHEDULES[0], "KILN_SIM_CHECK": "all"}
    for device in ["cpu", DEVICES["sm_80"]]:
        outcome = tool.call("verify", package, "--device", device, env=environment)
        assert outcome.stdout.endswith("PASSED\n") and not outcome.stderr, outcome.stdout + outcome.stderr
    found = report(package)
    [entry] = found["precision_report"]
    assert found["activations"] == element and entry["became"] == precision and entry["stored"]["activations"] == element


def test_packages_without_gpus(driver, tmp_path):
    """Hosts multiply weights that are expanded faster; who asks for 4 bits gets them."""
    export = Export(tmp_path / "m.onnx", 5, 33, 256, "f16", 4, 32, True)
    for options, became in [((), "f16"), (("--precision", "int4"), "int4")]:
        tool.call("compile", export.path, "-o", tmp_path / "m.kiln", "-q", "--target", "native", *options)
        x, y = export.run(tmp_path / "m.kiln", "cpu", driver)
        if became == "int4":  # dequantized weights are rounded to f16, as in the model
            export.assert_exact(x, y)
        assert np.abs(y - export.bias - x @ export.exact.T).max() < 0.05
        assert [entry["became"] for entry in report(tmp_path / "m.kiln")["precision_report"] if entry["op"] == "matmul"] == [became]


def test_a_policy(tmp_path):
    policy = tmp_path / "policy.json"
    policy.write_text(json.dumps({"precision": "int4", "activations": "bf16"}))
    model = product(tmp_path / "m.onnx", 5, 40, 128)
    tool.call("compile", model, "-o", tmp_path / "m.kiln", "-q", "--precision", policy)
    assert report(tmp_path / "m.kiln")["precision_report"][0]["stored"]["activations"] == "bf16"
    outcome = tool.call("compile", model, "-o", tmp_path / "m.kiln", "--precision", "int4", "--activations", "tf32", status=2)
    assert "KILN-E0001" in outcome.stderr and "expected bf16, f16, fp8, fp8-fast, nvfp4 or mxfp4, found tf32" in outcome.stderr


def genai_in_halves(path, folder, block=16):
    """A genai decoder as its builder exports it for GPUs: everything in f16, and MatMulNBits in place of MatMul. Beside it the
    same function in f32, with the weights that the codes stand for."""
    model = onnx.load(path)
    exact = onnx.load(path)
    values = {weight.name: weight for weight in model.graph.initializer}
    full = {weight.name: weight for weight in exact.graph.initializer}
    for node, other in zip(model.graph.node, exact.graph.node):
        weight = values.get(node.input[1]) if node.op_type == "MatMul" else None
        if weight is None:
            continue
        matrix = numpy_helper.to_array(weight).astype(np.float32)
        k, n = matrix.shape
        codes, scales, zeros = quantized_exports.quantize_blocks(matrix, 4, block)
        scales = scales.astype(np.float16)
        own = unpacked(zeros.reshape(n, -1), 4, k // block)
        spread = lambda parts: np.repeat(parts.reshape(n, -1), block, axis=1)
        numbers = (unpacked(codes, 4, k) - spread(own)) * spread(scales.astype(np.float64))
        full[weight.name].CopyFrom(numpy_helper.from_array(np.ascontiguousarray(numbers.T, np.float32), weight.name))
        parts = {f"{weight.name}.{part}": array for part, array in [("codes", codes), ("scales", scales), ("zeros", zeros)]}
        model.graph.initializer.extend(numpy_helper.from_array(array, name) for name, array in parts.items())
        node.op_type, node.domain = "MatMulNBits", "com.microsoft"
        node.input[1:] = list(parts)
        node.attribute.extend(helper.make_attribute(key, value) for key, value in
                              [("K", k), ("N", n), ("bits", 4), ("block_size", block), ("accuracy_level", 0)])
        model.graph.initializer.remove(weight)
    in_halves(model.graph)
    paths = folder / "halves.onnx", folder / "exact.onnx"
    for graph, where in zip((model, exact), paths):
        onnx.save(graph, where)
    return paths


def in_halves(graph):
    """Every float of it in f16."""
    for weight in graph.initializer:
        if weight.data_type == TensorProto.FLOAT:
            weight.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(weight).astype(np.float16), weight.name))
    for tensor in [*graph.input, *graph.output, *graph.value_info]:
        if tensor.type.tensor_type.elem_type == TensorProto.FLOAT:
            tensor.type.tensor_type.elem_type = TensorProto.FLOAT16
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.name == "to" and attribute.i == TensorProto.FLOAT:
                attribute.i = TensorProto.FLOAT16
            if attribute.HasField("t") and attribute.t.data_type == TensorProto.FLOAT:
                attribute.t.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(attribute.t).astype(np.float16), attribute.t.name))
            if attribute.HasField("g"):
                in_halves(attribute.g)


@pytest.mark.parametrize("target", DEVICES)
def test_a_decoder_of_genai(driver, tmp_path, target):
    """With its cache: near the same function in f32, on both, and all weights of 4 bits stay packed."""
    halves, exact = genai_in_halves(decoders.Packages(tmp_path).model("llama-genai"), tmp_path)
    packages = []
    for model in (halves, exact):
        packages.append(model.with_suffix(".kiln"))
        tool.call("compile", model, "-o", packages[-1], "--dims", decoders.DIMS, "--target", f"native,{target}", "-q")
    entries = [entry for entry in report(packages[0])["precision_report"] if entry["op"] == "matmul"]
    assert entries and all(entry["stored"]["activations"] == "f16" for entry in entries if entry["became"] == "int4")
    assert sum(entry["became"] == "int4" for entry in entries) >= 7
    expected, _ = decoders.run_steps(packages[1], "cpu")
    environment = {**driver, "KILN_SIM_SCHEDULE": SCHEDULES[1]}
    for device in ["cpu", DEVICES[target]]:
        found, _ = decoders.run_elsewhere(packages[0], device, tmp_path, environment)
        assert np.abs(found.astype(np.float32) - expected).max() <= 2e-2 * np.abs(expected).max()
