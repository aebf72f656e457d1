"""Weights of 16 bits stay so in a package, and a compile's memory does not grow with them."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import pathlib
import re
import sys

import decoders
import kiln
import numpy as np
import onnx
import pytest
import tool
from decoders import tokens
from onnx import TensorProto, helper

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bench"))
import timing  # noqa: E402

FAMILIES = ("llama", "qwen2", "qwen3", "gemma2")


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """A function from a family and the type of its weights to a model; both types hold the same numbers."""
    folder = tmp_path_factory.mktemp("families")

    def model(family, dtype):
        path = folder / f"{family}-{np.dtype(dtype).name}.onnx"
        values = decoders.weights.seeded(decoders.FAMILIES[family], 3, dtype)
        decoders.save.save(*decoders.past.build(decoders.FAMILIES[family], values), path, False)
        return path

    return model


def compiled(model, *options):
    package = model.with_suffix(".kiln")
    tool.call("compile", model, "-o", package, "--dims", decoders.DIMS, "-q", *options)
    return package


def described(package):
    return json.loads(tool.call("inspect", package, "--json").stdout)


def weight_bytes(package):
    return next(arena["max_bytes"] for arena in described(package)["arenas"] if arena["kind"] == "weights")


@pytest.mark.parametrize("family", FAMILIES)
def test_weights_are_widened_in_kernels_to_the_same_bits(build, family):
    narrow = compiled(build(family, decoders.weights.BF16))
    wide = compiled(build(family, np.float32))
    # Offsets are multiples of 64 bytes, and the tensors that Gemma computes from the norms' scales stay f32.
    assert weight_bytes(narrow) < 0.6 * weight_bytes(wide)
    assert len(described(narrow)["steps"]) == len(described(wide)["steps"])
    found = [decoders.run_steps(package, "cpu")[0] for package in (narrow, wide)]
    np.testing.assert_array_equal(found[0].view(np.uint32), found[1].view(np.uint32))


@pytest.mark.parametrize("target, device", [("sm_80", "sim:a100"), ("sm_90a", "sim:h200")])
def test_gpus_widen_as_hosts_do(build, driver, tmp_path, target, device):
    package = compiled(build("llama", decoders.weights.BF16), "--target", f"native,{target}")
    on_gpu, _ = decoders.run_elsewhere(package, device, tmp_path, driver)
    on_host, _ = decoders.run_steps(package, "cpu")
    np.testing.assert_allclose(on_gpu, on_host, rtol=0, atol=1e-4)


def test_bytes_do_not_depend_on_threads(build):
    model = build("qwen3", decoders.weights.BF16)
    alone = compiled(model, "--threads", "1").read_bytes()
    assert compiled(model).read_bytes() == alone


def write_product(path, rows, columns):
    """y = x w^T for a weight [columns, rows] in external data, as torch exports a linear layer."""
    data = path.with_suffix(".data")
    block = np.random.default_rng(0).standard_normal((64, rows)).astype(np.float32)
    with open(data, "wb") as file:
        for _ in range(columns // 64):
            file.write(block.tobytes())
    weight = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[columns, rows], data_location=TensorProto.EXTERNAL)
    weight.external_data.add(key="location", value=data.name)
    value = lambda name, *dims: helper.make_tensor_value_info(name, TensorProto.FLOAT, dims)
    nodes = [helper.make_node("Transpose", ["w"], ["t"], perm=[1, 0]), helper.make_node("MatMul", ["x", "t"], ["y"])]
    graph = helper.make_graph(nodes, "g", [value("x", "n", rows)], [value("y", "n", columns)], [weight])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return path


@pytest.mark.parametrize("precision", ["f32", "bf16"])
def test_memory_of_a_compile_does_not_grow_with_a_weight(tmp_path, precision):
    peaks = []
    for columns in (64, 32768):  # 256 KiB and 128 MiB
        model = write_product(tmp_path / f"{columns}.onnx", 1024, columns)
        command = [tool.binary(), "compile", model, "-o", model.with_suffix(".kiln"), "--precision", precision, "-q"]
        peaks.append(timing.run_measured(command)[1])
        assert weight_bytes(model.with_suffix(".kiln")) == columns * 1024 * (4 if precision == "f32" else 2)
    # Blocks of 512 KiB, computed as f64, in two groups of up to 8.
    assert peaks[1] - peaks[0] < 32 << 20


def write_layers(path, rows, columns, transposed):
    """y = tanh(x w) v, with both weights in external data, as they are multiplied or transposed."""
    data = path.with_suffix(".data")
    block = np.random.default_rng(0).standard_normal(64 * 1024).astype(np.float32).tobytes()
    weights, nodes = [], []
    for name, dims in (("w", [rows, columns]), ("v", [columns, rows])):
        offset = len(weights) * rows * columns * 4
        dims = dims[::-1] if transposed else dims
        weight = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=dims, data_location=TensorProto.EXTERNAL)
        for key, value in (("location", data.name), ("offset", offset), ("length", rows * columns * 4)):
            weight.external_data.add(key=key, value=str(value))
        weights.append(weight)
        if transposed:
            nodes.append(helper.make_node("Transpose", [name], [name + "t"], perm=[1, 0]))
    with open(data, "wb") as file:
        for _ in range(2 * rows * columns // (64 * 1024)):
            file.write(block)
    names = ["wt", "vt"] if transposed else ["w", "v"]
    nodes += [helper.make_node("MatMul", ["x", names[0]], ["a"]), helper.make_node("Tanh", ["a"], ["b"]),
              helper.make_node("MatMul", ["b", names[1]], ["y"])]  # fmt: skip
    value = lambda name, *dims: helper.make_tensor_value_info(name, TensorProto.FLOAT, dims)
    graph = helper.make_graph(nodes, "g", [value("x", "n", rows)], [value("y", "n", rows)], weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return path


@pytest.mark.parametrize("transposed", [False, True])
def test_memory_of_a_compile_does_not_grow_with_the_part_of_a_rank(tmp_path, transposed):
    peaks = []
    for columns in (1024, 32768):  # 4 MiB and 128 MiB; each rank has half
        model = write_layers(tmp_path / f"{columns}.onnx", 1024, columns, transposed)
        command = [tool.binary(), "compile", model, "-o", model.with_suffix(".kiln"), "--ranks", "2", "-q"]
        peaks.append(timing.run_measured(command)[1])
    assert peaks[1] - peaks[0] < 32 << 20


def test_every_weight_of_a_package_is_read_by_its_programs(build, tmp_path):
    """A GPU is given all weights of a package, so none may be there for a host alone."""
    model = build("qwen2", decoders.weights.BF16)
    tool.call("compile", model, "-o", tmp_path / "q.kiln", "--dims", decoders.DIMS, "--target", "native,sm_80",
              "--save-temps", tmp_path, "-q")
    text = next(tmp_path.glob("*-plan.mlir")).read_text()
    held, read = set(), set()
    for program in text.split("plan.program")[1:]:
        names = dict(re.findall(r'plan\.buffer (@\w+) in @weights .* source ("[^"]*")', program))
        operands = {name for launch in re.findall(r"reads \[([^]]*)\]", program) for name in launch.split(", ")}
        held |= set(names.values())
        read |= {names[name] for name in operands & set(names)}
    assert len(held) > 10 and read == held
