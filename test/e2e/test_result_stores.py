"""Results of kernels on warpgroups that leave through shared memory, by TMA: which do, what they hold at odd sizes and
edges under several schedules, what they cost, and what the assembler says."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json

import attention_models
import onnx
import pytest
import test_ptx
import tool
from onnx import TensorProto, helper
from test_warpgroups import F16, SCHEDULES, Product, compile_product, texts_of

STORE = "global.shared::cta.tile.bulk_group"
PRODUCTS = {
    "edge_of_rows_and_columns": Product(129, 64, 72),
    "edge_within_a_tile": Product(200, 80, 328, weights=False),
    "many_tasks": Product(132 * 128 + 1, 16, 40, dtype=F16),
    "bias": Product(100, 64, 104, epilogue=True),
    "bias_of_columns": Product(70, 64, 136, dtype=F16, weights=False, epilogue=True),
    "rows_at_run_time": Product("m", 64, 200, epilogue=True),
    "batches": Product(70, 64, 72, weights=False, batch=3),
    "split": Product(64, 4096, 128),
    "panels_past_the_last": Product(1600, 64, 1472, weights=False),
}
# The row stride is no multiple of 16 bytes.
OTHERS = {"odd_columns": Product(77, 136, 50, dtype=F16), "odd_columns_and_bias": Product(64, 64, 100, epilogue=True)}


def verify(package, driver, *options):
    for schedule in SCHEDULES:
        environment = {**driver, "KILN_SIM_SCHEDULE": schedule, "KILN_SIM_CHECK": "all"}
        outcome = tool.call("verify", package, "--device", "sim:h200", *options, env=environment)
        assert outcome.stdout.endswith("PASSED\n") and outcome.stderr == "", outcome


def launches(package, driver, folder, *options):
    counters = folder / "counters.json"
    environment = {**driver, "KILN_SIM_COUNTERS": str(counters)}
    tool.call("run", package, "--device", "sim:h200", *options, env=environment)
    return [json.loads(line) for line in counters.read_text().splitlines()]


@pytest.mark.parametrize("name", PRODUCTS)
def test_products_are_stored_by_tma(name, driver, tmp_path):
    product = PRODUCTS[name]
    package = compile_product(product, tmp_path)
    assert STORE in texts_of(package, tmp_path)
    for path in test_ptx.ptx_of(package, tmp_path / "ptx"):
        test_ptx.assemble(path, "sm_90a")
    verify(package, driver, *product.dims(131, None))


@pytest.mark.parametrize("name", OTHERS)
def test_threads_store_what_no_map_describes(name, driver, tmp_path):
    package = compile_product(OTHERS[name], tmp_path)
    text = texts_of(package, tmp_path)
    assert "wgmma" in text and STORE not in text
    verify(package, driver)


def write_heads(path, bias):
    """x by w, split into heads: the result is transposed while it is stored."""
    batch, rows, heads, size = 2, 72, 3, 64
    bf16 = TensorProto.BFLOAT16
    weight = Product(1, 128, heads * size).constant("w", [128, heads * size], 1)
    nodes = [helper.make_node("MatMul", ["x", "w"], ["p"])]
    weights = [weight, helper.make_tensor("s", TensorProto.INT64, [4], [batch, rows, heads, size])]
    if bias:
        weights.append(Product(1, 1, heads * size).constant("b", [heads * size], 2))
        nodes.append(helper.make_node("Add", ["p", "b"], ["q"]))
    nodes += [
        helper.make_node("Reshape", ["q" if bias else "p", "s"], ["r"]),
        helper.make_node("Transpose", ["r"], ["y"], perm=[0, 2, 1, 3]),
    ]
    graph = helper.make_graph(
        nodes,
        "heads",
        [helper.make_tensor_value_info("x", bf16, [batch, rows, 128])],
        [helper.make_tensor_value_info("y", bf16, [batch, heads, rows, size])],
        weights,
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)
    return path


@pytest.mark.parametrize("bias", [False, True])
def test_heads_are_split_by_the_map(bias, driver, tmp_path):
    model, package = write_heads(tmp_path / "heads.onnx", bias), tmp_path / "heads.kiln"
    tool.call("compile", model, "-o", package, "--target", "native,sm_90a")
    assert STORE in texts_of(package, tmp_path)
    verify(package, driver)


def test_what_a_store_costs(driver, tmp_path):
    """Each byte of the result once, no conflict between banks, no load from the strip."""
    product = Product(256, 128, 512, epilogue=True)
    package = compile_product(product, tmp_path)
    assert "ld.shared" not in texts_of(package, tmp_path)
    [launch] = launches(package, driver, tmp_path)
    assert launch["shared"]["bank_conflicts"] == 0
    operands = 2 * (product.m * product.k + product.k * product.n + product.n)
    assert launch["global"]["distinct_sectors"] * 32 == operands + 2 * product.m * product.n


@pytest.mark.parametrize("size", [64, 128, 256])
def test_heads_have_no_bank_conflicts(size, driver, tmp_path):
    case = attention_models.Attention(200, 130, size, kind="BFLOAT16")
    package = tmp_path / "attention.kiln"
    model = case.write(tmp_path / "attention.onnx")
    tool.call("compile", model, "-o", package, "--target", "native,sm_90a")
    assert STORE in texts_of(package, tmp_path)
    verify(package, driver)
    [launch] = launches(package, driver, tmp_path)
    assert launch["shared"]["bank_conflicts"] == 0, launch
