"""What products on tensor cores cost on the simulated GPU, and that assemblers say nothing. test/unit/Kernels checks what they compute."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import re

import numpy as np
import onnx
import pytest
import test_ptx
import tool
from onnx import TensorProto, helper

CONFIG = re.compile(
    r"block_gemm_config<rows = (\d+), panels = (\d+), block_k = (\d+), stages = (\d+), threads = (\d+), row_threads = (\d+)"
    r"(?:, split = (\d+))?>"
)
SCHEDULES = ["eager,forward", "late,random,7", "random,reverse,3"]


def product(path, m, n, k, kind="BFLOAT16", layout="NN", weights=False, batch=None):
    """A model of one product and a Relu. `layout` says of both operands whether they are transposed in memory."""
    element = getattr(TensorProto, kind)
    shapes = {"a": [k, m] if layout[0] == "T" else [m, k], "b": [n, k] if layout[1] == "T" else [k, n]}
    batches = [batch] if batch else []
    inputs = [helper.make_tensor_value_info("a", element, batches + shapes["a"])]
    constants, nodes, operands = [], [], []
    if weights:
        values = np.random.default_rng(n).standard_normal(n * k).round(2)
        constants.append(helper.make_tensor("b", element, shapes["b"], values.tolist()))
    else:
        inputs.append(helper.make_tensor_value_info("b", element, batches + shapes["b"]))
    for name, order in zip("ab", layout):
        rank = 2 if name == "b" and weights else 2 + len(batches)
        if order == "T":
            axes = [*range(rank - 2), rank - 1, rank - 2]
            nodes.append(helper.make_node("Transpose", [name], [name + "t"], perm=axes))
        operands.append(name + ("t" if order == "T" else ""))
    nodes += [helper.make_node("MatMul", operands, ["p"]), helper.make_node("Relu", ["p"], ["c"])]
    outputs = [helper.make_tensor_value_info("c", element, batches + [m, n])]
    graph = helper.make_graph(nodes, "product", inputs, outputs, constants)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)
    return path


def counters(model, folder, environment, *options):
    """Of the one kernel: (config as numbers, counters)."""
    package = folder / "product.kiln"
    tool.call("compile", model, "-o", package, "--target", "native,sm_80", "--save-temps", folder / "ir", *options)
    found = CONFIG.search((folder / "ir" / "3-code.mlir").read_text())
    where = folder / "counters.json"
    tool.call("run", package, "--device", "sim:a100", env={**environment, "KILN_SIM_COUNTERS": str(where)})
    lines = where.read_text().splitlines()
    return [int(number or 1) for number in found.groups()], json.loads(lines[0])


@pytest.mark.parametrize("m, n, k", [(256, 256, 128), (100, 192, 72), (9, 512, 512), (16, 256, 200)])
def test_instructions_and_bytes_are_those_of_the_tiles(driver, tmp_path, m, n, k):
    width = 64
    model = product(tmp_path / "m.onnx", m, n, k)
    (rows, panels, depth, _, threads, _, split), cost = counters(model, tmp_path, driver)
    blocks = -(-m // rows) * -(-n // (panels * width))
    steps = -(-k // depth) * depth
    assert cost["grid"] == [blocks * split, 1, 1] and cost["block"] == [threads, 1, 1]
    sums = blocks * rows * panels * width
    added = {"f32": sums * (split - 1)} if split > 1 else {}
    assert cost["flops"] == {"tensor": 2 * sums * steps, **added}
    if m <= 16:
        assert rows == 16  # weights are read once
    # Rows and columns once per block, nothing out of bounds, and the result once.
    columns = -(-n // (panels * width))
    read = 2 * k * (m * columns + n * -(-m // rows))
    # With split-K, blocks write partial results and increment a counter; one of them reads all partial results.
    shared = 2 * 4 * sums * split + 4 * blocks * split if split > 1 else 0
    assert cost["global"]["bytes"] == read + shared + 2 * m * n
    assert cost["shared"]["bank_conflicts"] == 0 and cost["local"]["bytes"] == 0


@pytest.mark.parametrize("m, n, k, layout", [(4096, 4096, 4096, "NN"), (8192, 8192, 8192, "TN"), (16, 4096, 1000, "NT"),
                                             (512, 768, 768, "TT")])
def test_every_target_assembles_without_spills(tmp_path, m, n, k, layout):
    test_ptx.check(product(tmp_path / "m.onnx", m, n, k, layout=layout), tmp_path, test_ptx.TARGETS)


@pytest.mark.parametrize("layout", ["NN", "TT"])
def test_tf32_meets_in_no_bank(driver, tmp_path, layout):
    model = product(tmp_path / "m.onnx", 64, 128, 64, kind="FLOAT", layout=layout)
    _, cost = counters(model, tmp_path, driver, "--precision", "tf32")
    assert cost["flops"] == {"tensor": 2 * 64 * 128 * 64} and cost["shared"]["bank_conflicts"] == 0
