"""Products of 16-bit types on warpgroups (sm_90a): who gets them, what they compute on the simulated GPU under several
schedules, what they cost, and what the assembler of the toolkit says."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses
import json

import numpy as np
import onnx
import pytest
import test_ptx
import tool
from onnx import TensorProto, helper

SCHEDULES = ["eager,forward,1", "late,reverse,1", "random,random,7"]


@dataclasses.dataclass
class Product:
    """x [batch, m, k] by w [k, n] or [batch, k, n], perhaps transposed, with a bias and an activation."""

    m: object
    k: int
    n: int
    dtype: int = TensorProto.BFLOAT16
    weights: bool = True
    batch: object = None
    transposed: bool = False
    epilogue: bool = False

    def write(self, path):
        lead = [] if self.batch is None else [self.batch]
        inputs = [helper.make_tensor_value_info("x", self.dtype, [*lead, self.m, self.k])]
        weights, nodes, right = [], [], "w"
        if self.weights:
            weights.append(self.constant("w", [self.k, self.n], 1))
        else:
            dims = [self.n, self.k] if self.transposed else [self.k, self.n]
            inputs.append(helper.make_tensor_value_info("w", self.dtype, [*lead, *dims]))
            if self.transposed:
                order = [*range(len(lead)), len(lead) + 1, len(lead)]
                nodes.append(helper.make_node("Transpose", ["w"], ["wt"], perm=order))
                right = "wt"
        nodes.append(helper.make_node("MatMul", ["x", right], ["y"]))
        if self.epilogue:
            weights.append(self.constant("b", [self.n], 2))
            nodes[-1].output[0] = "p"
            nodes += [helper.make_node("Add", ["p", "b"], ["q"]), helper.make_node("Relu", ["q"], ["y"])]
        output = helper.make_tensor_value_info("y", self.dtype, [*lead, self.m, self.n])
        graph = helper.make_graph(nodes, "product", inputs, [output], weights)
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)
        return path

    def dims(self, m, b):
        """The option that gives the symbols of the product values or ranges."""
        symbols = {"m": m, "b": b}
        used = [f"{name}={symbols[name]}" for name in (self.m, self.batch) if name in symbols]
        return ["--dims", ",".join(used)] if used else []

    def constant(self, name, shape, seed):
        values = np.random.default_rng(seed).standard_normal(shape).astype(np.float32) / 8
        if self.dtype == TensorProto.FLOAT16:
            bits = values.astype(np.float16)
        else:  # bf16: the upper half of an f32
            bits = (values.view(np.uint32) >> 16).astype(np.uint16)
        return helper.make_tensor(name, self.dtype, shape, bits.tobytes(), raw=True)


F16 = TensorProto.FLOAT16
PRODUCTS = {
    "packed": Product(100, 72, 96),
    "whole": Product(128, 128, 256),
    "odd_rows_and_columns": Product(77, 136, 50, dtype=F16, epilogue=True),
    "one_warpgroup": Product(33, 200, 40),
    "symbolic_rows": Product("m", 64, 128),
    "columns": Product(70, 88, 72, weights=False),
    "columns_of_f16": Product(130, 64, 136, dtype=F16, weights=False, epilogue=True),
    "transposed": Product(65, 72, 100, weights=False, transposed=True),
    "batches": Product(40, 64, 56, weights=False, batch=3),
    "transposed_batches": Product(40, 72, 24, weights=False, batch="b", transposed=True),
    "weights_of_batches": Product(40, 64, 56, batch=3),
}
# More tasks than blocks, with masked last columns: lanes return to the loop over tasks at different times.
RAGGED = {
    "two_warpgroups": Product(132 * 128 + 1, 16, 40, dtype=F16),
    "one_warpgroup_of_a_batch": Product(33, 16, 24, weights=False, batch=140),
    "many_panels": Product(17000, 16, 200, dtype=F16, weights=False, epilogue=True),
    "rows_at_run_time": Product("m", 16, 8),
}
# Cases where TMA or a warpgroup is not used.
OTHERS = {
    "odd_depth": Product(64, 60, 64),
    "odd_columns": Product(64, 64, 60, weights=False),
    "few_rows": Product(8, 64, 64),
    "f32": Product(64, 64, 64, dtype=TensorProto.FLOAT, weights=False),
}


def compile_product(product, folder):
    package = folder / "product.kiln"
    model = product.write(folder / "product.onnx")
    tool.call("compile", model, "-o", package, "--target", "native,sm_90a", *product.dims("1..200", "1..4"))
    return package


def texts_of(package, folder):
    return "".join(path.read_text() for path in test_ptx.ptx_of(package, folder / "ptx"))


@pytest.mark.parametrize("name", PRODUCTS)
def test_products_on_warpgroups(name, driver, tmp_path):
    package = compile_product(PRODUCTS[name], tmp_path)
    text = texts_of(package, tmp_path)
    assert "wgmma.mma_async" in text and "cp.async.bulk.tensor" in text
    results = []
    for schedule in SCHEDULES:
        environment = {**driver, "KILN_SIM_SCHEDULE": schedule, "KILN_SIM_CHECK": "all"}
        options = ["--device", "sim:h200", *PRODUCTS[name].dims(131, 2)]
        outcome = tool.call("verify", package, *options, env=environment)
        assert outcome.stdout.endswith("PASSED\n") and outcome.stderr == "", outcome
        saved = tmp_path / "y.npy"
        for more in ([], ["--no-graph"]):
            tool.call("run", package, *options, "--output", f"y=@{saved}", *more, env=environment)
            results.append(saved.read_bytes())
    assert all(result == results[0] for result in results), "the bits depend on the schedule"


@pytest.mark.parametrize("name", OTHERS)
def test_other_products_go_the_way_of_sm_80(name, driver, tmp_path):
    package = compile_product(OTHERS[name], tmp_path)
    assert "wgmma" not in texts_of(package, tmp_path)
    outcome = tool.call("verify", package, "--device", "sim:h200", env=driver)
    assert outcome.stdout.endswith("PASSED\n")


@pytest.mark.parametrize("name", PRODUCTS)
def test_products_assemble(name, tmp_path):
    package = compile_product(PRODUCTS[name], tmp_path)
    for path in test_ptx.ptx_of(package, tmp_path / "ptx"):
        test_ptx.assemble(path, "sm_90a")


def test_dims_change_the_maps(driver, tmp_path):
    package = compile_product(PRODUCTS["symbolic_rows"], tmp_path)
    for rows in (1, 64, 65, 200):
        outcome = tool.call("verify", package, "--device", "sim:h200", "--dims", f"m={rows}", env=driver)
        assert outcome.stdout.endswith("PASSED\n")


def test_operands_of_the_next_task_arrive_beside_the_epilogue(driver, tmp_path):
    """More tasks than multiprocessors: the ring is filled again while the strip is in use."""
    package = compile_product(Product(4352, 128, 1024, weights=False), tmp_path)
    counters = tmp_path / "counters.json"
    environment = {**driver, "KILN_SIM_COUNTERS": str(counters), "KILN_SIM_SCHEDULE": "random,random,5"}
    outcome = tool.call("verify", package, "--device", "sim:h200", env=environment)
    assert outcome.stdout.endswith("PASSED\n"), outcome
    assert json.loads(counters.read_text().splitlines()[0])["grid"] == [132, 1, 1]


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("name", RAGGED)
def test_warps_meet_before_the_products_of_their_next_task(name, schedule, driver, tmp_path):
    """No lane is left behind at a masked store of the task before."""
    package = tmp_path / "product.kiln"
    product = RAGGED[name]
    tool.call("compile", product.write(tmp_path / "product.onnx"), "-o", package, "--target", "native,sm_90a",
              *product.dims("1..20000", None))
    assert "wgmma.mma_async" in texts_of(package, tmp_path)
    counters = tmp_path / "counters.json"
    environment = {**driver, "KILN_SIM_SCHEDULE": schedule, "KILN_SIM_CHECK": "all", "KILN_SIM_COUNTERS": str(counters)}
    outcome = tool.call("verify", package, "--device", "sim:h200", *product.dims(17000, None), env=environment)
    assert outcome.stdout.endswith("PASSED\n") and outcome.stderr == "", outcome
    assert json.loads(counters.read_text().splitlines()[0])["grid"] == [132, 1, 1]


def test_panels_past_the_last_are_not_stored(driver, tmp_path):
    """23 panels in tasks of three, whose strip holds one."""
    package = compile_product(Product(1600, 64, 1472, weights=False), tmp_path)
    outcome = tool.call("verify", package, "--device", "sim:h200", env=driver)
    assert outcome.stdout.endswith("PASSED\n"), outcome


def test_costs(driver, tmp_path):
    """Products of whole tiles, what was moved, no conflict between banks."""
    product = Product(256, 128, 512)
    package = compile_product(product, tmp_path)
    counters = tmp_path / "counters.json"
    environment = {**driver, "KILN_SIM_COUNTERS": str(counters)}
    tool.call("run", package, "--device", "sim:h200", env=environment)
    [launch] = [json.loads(line) for line in counters.read_text().splitlines()]
    assert launch["flops"]["tensor"] == 2 * product.m * product.k * product.n
    assert launch["shared"]["bank_conflicts"] == 0
    # 128 rows by 64 columns per task, whose operands are copied once.
    tasks, steps = product.m // 128 * product.n // 64, product.k // 64
    copied = tasks * steps * (128 + 64) * 64 * 2
    result = 2 * product.m * product.n
    assert launch["global"]["bytes"] == copied + result
    # Touched bytes: both operands and the result.
    operands = 2 * (product.m * product.k + product.k * product.n)
    assert launch["global"]["distinct_sectors"] * 32 == operands + result
    assert launch["local"]["reads"] == launch["local"]["writes"] == 0
