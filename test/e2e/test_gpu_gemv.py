"""Products of at most eight rows, by multiply-adds on the simulated GPU: what they read, and what the assembler of the
toolkit says. test/unit/Kernels checks what they compute."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import re

import gpu_counters
import pytest
import test_gpu_products
import test_ptx
import tool

CONFIG = re.compile(r"gemv_config<columns = (\d+), across = (\d+), split = (\d+), vector = (\d+), unroll = (\d+), "
                    r"along_k = (true|false), row_threads = (\d+)>")
DEVICES = {"sm_80": "sim:a100", "sm_90a": "sim:h200"}
CASES = {
    "row": dict(m=1, n=200, k=300),
    "transposed_weights": dict(m=1, n=100, k=512, layout="NT"),
    "odd_everything": dict(m=3, n=17, k=45),
    "odd_transposed": dict(m=5, n=33, k=131, layout="NT", kind="FLOAT16"),
    "left_transposed": dict(m=8, n=72, k=90, layout="TN", kind="FLOAT16"),
    "both_transposed": dict(m=4, n=48, k=80, layout="TT"),
    "heads": dict(m=1, n=70, k=64, layout="NT", batch=6),
    "heads_of_rows": dict(m=7, n=40, k=130, batch=3, kind="FLOAT"),
    "packed": dict(m=2, n=192, k=256, weights=True),
    "packed_odd": dict(m=8, n=100, k=77, weights=True, layout="NT", kind="FLOAT16"),
    "packed_f32": dict(m=1, n=90, k=350, weights=True, kind="FLOAT"),
    "rows_of_f32": dict(m=6, n=44, k=200, kind="FLOAT", layout="NT"),
    "one_column": dict(m=8, n=1, k=600),
    "one_element": dict(m=1, n=1, k=1, kind="FLOAT16"),
}


def compile_product(folder, *options, **case):
    package = folder / "product.kiln"
    model = test_gpu_products.product(folder / "m.onnx", **case)
    tool.call("compile", model, "-o", package, "--target", ",".join(["native", *DEVICES]), "--save-temps", folder / "ir",
              *options)
    return package


def configs(folder):
    """Of the code of both GPUs, as numbers."""
    found = CONFIG.findall(gpu_counters.kernels(folder / "ir"))
    return [[int(number) if number.isdigit() else number == "true" for number in config] for config in found]


def test_nine_rows_are_a_tile(tmp_path):
    compile_product(tmp_path, m=9, n=64, k=100)
    assert not configs(tmp_path)


COSTS = {
    "packed": dict(m=1, n=256, k=1024, weights=True),
    "packed_rows": dict(m=8, n=128, k=512, weights=True),
    "packed_f32": dict(m=1, n=128, k=512, weights=True, kind="FLOAT"),
    "columns": dict(m=2, n=512, k=256),
    "depth": dict(m=1, n=64, k=2048, layout="NT"),
    "depth_of_rows": dict(m=8, n=64, k=1024, layout="NT", kind="FLOAT16"),
    "depth_of_f32": dict(m=1, n=64, k=1024, layout="NT", kind="FLOAT"),
}


@pytest.mark.parametrize("name", COSTS)
def test_the_right_operand_is_read_once_in_whole_sectors(name, driver, tmp_path):
    case = COSTS[name]
    package = compile_product(tmp_path, **case)
    columns, across, split, vector, _, along_depth, _ = configs(tmp_path)[0]
    where = tmp_path / "counters.json"
    tool.call("run", package, "--device", "sim:a100", "--no-graph", env={**driver, "KILN_SIM_COUNTERS": str(where)})
    [cost] = [json.loads(line) for line in where.read_text().splitlines()]
    m, n, k = case["m"], case["n"], case["k"]
    element = 4 if case.get("kind") == "FLOAT" else 2
    assert vector * element == 16
    blocks = -(-n // (columns * across))
    assert cost["grid"] == [blocks, 1, 1] and cost["block"] == [32 * across * split, 1, 1]
    weights, left, result = element * n * k, element * m * k, element * m * n
    # Operand B once; operand A once for each lane with its own columns.
    asked = left * (n // columns if along_depth else n // vector)
    assert cost["global"]["bytes"] == weights + asked + result
    assert cost["global"]["distinct_sectors"] * 32 == weights + left + result
    # Operand B in full sectors; for operand A a lane may read a sector in two halves.
    assert 32 * cost["global"]["sectors"] <= weights + 2 * left * (n // columns) + result
    assert cost["flops"]["f32"] >= 2 * m * n * k and cost["local"]["bytes"] == 0
    text = next(path.read_text() for path in test_ptx.ptx_of(package, tmp_path / "ptx") if "sm_80" in str(path))
    assert re.search(r"ld\.global\.v4\.b(16x2|32)|ld\.global\.v2\.b64", text)


@pytest.mark.parametrize("name", [*CASES, "large", "large_rows", "large_depth"])
def test_every_target_assembles_without_spills(name, tmp_path):
    large = {
        "large": dict(m=1, n=4096, k=4096, weights=True),
        "large_rows": dict(m=8, n=4096, k=1000, layout="NN"),
        "large_depth": dict(m=8, n=4096, k=4096, layout="NT"),
    }
    model = test_gpu_products.product(tmp_path / "m.onnx", **{**CASES, **large}[name])
    test_ptx.check(model, tmp_path, test_ptx.TARGETS)
