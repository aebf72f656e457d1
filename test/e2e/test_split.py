"""Products whose blocks share K: few rows and columns, deep. Against the reference in double precision under several
schedules, with the bits of one run in all of them, in graphs and step by step; what the blocks move; ptxas."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import re

import gpu_counters
import numpy as np
import onnx
import pytest
import test_ptx
import tool
from onnx import TensorProto, helper
from test_gpu_products import product

import kiln

PROFILES = {"sm_80": "a100", "sm_90a": "h200"}
SCHEDULES = ["eager,forward,1", "late,reverse,1", "random,random,7", "random,random,23"]
SPLIT = re.compile(r"gemm_config<rows = (\d+), panels = (\d+),[^>]*split = (\d+)>")
TICKET = re.compile(r"atom\.acq_rel\.gpu\.global\.inc\.u32")

CASES = {
    "skinny": dict(m=16, n=192, k=1024, weights=True),
    "nine_rows": dict(m=9, n=136, k=1000, weights=True, kind="FLOAT16"),
    "odd": dict(m=23, n=70, k=1037, layout="NT"),
    "transposed": dict(m=50, n=33, k=700, layout="TN", kind="FLOAT16"),
    "batches": dict(m=20, n=40, k=600, batch=3),
    "two_rows_of_tiles": dict(m=140, n=64, k=4096, weights=True),
    "warpgroup": dict(m=64, n=128, k=2048, weights=True),
    "two_warpgroups": dict(m=128, n=64, k=4104, weights=True, kind="FLOAT16"),
    "f32": dict(m=30, n=70, k=900, kind="FLOAT"),
    "f32_weights": dict(m=16, n=64, k=1024, kind="FLOAT", weights=True),
}


def integers(path, m=12, n=24, k=900):
    """A product of int8 in int32."""
    shapes = {"a": [m, k], "b": [k, n]}
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT8, shape) for name, shape in shapes.items()]
    output = helper.make_tensor_value_info("c", TensorProto.INT32, [m, n])
    nodes = [helper.make_node("Cast", [name], [name + "w"], to=TensorProto.INT32) for name in shapes]
    nodes.append(helper.make_node("MatMul", ["aw", "bw"], ["c"]))
    graph = helper.make_graph(nodes, "integers", inputs, [output])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)
    return path


def compile_for(target, model, folder, *options):
    """The package, and how many blocks share K in each of its products."""
    package = folder / f"{target}.kiln"
    tool.call("compile", model, "-o", package, "--target", f"native,{target}", "--save-temps", folder / "ir", *options)
    code = gpu_counters.kernels(folder / "ir")
    return package, [int(split) for *_, split in SPLIT.findall(code)]


def run_everywhere(package, target, folder, driver, output="c"):
    """Verified under every schedule; the bits must not depend on it, nor on the graph."""
    device, results = f"sim:{PROFILES[target]}", []
    for schedule in SCHEDULES:
        environment = {**driver, "KILN_SIM_SCHEDULE": schedule, "KILN_SIM_CHECK": "all"}
        outcome = tool.call("verify", package, "--device", device, env=environment)
        assert outcome.stdout.endswith("PASSED\n") and outcome.stderr == "", outcome
        for more in ([], ["--no-graph"]):
            saved = folder / "c.npy"
            tool.call("run", package, "--device", device, "--output", f"{output}=@{saved}", *more, env=environment)
            results.append(saved.read_bytes())
    assert all(result == results[0] for result in results), "the bits depend on the schedule"


@pytest.mark.parametrize("target", PROFILES)
@pytest.mark.parametrize("name", CASES)
def test_products_whose_blocks_share_k(name, target, driver, tmp_path):
    package, split = compile_for(target, product(tmp_path / "m.onnx", **CASES[name]), tmp_path)
    assert split and min(split) > 1
    run_everywhere(package, target, tmp_path, driver)


@pytest.mark.parametrize("target", PROFILES)
def test_tf32(target, driver, tmp_path):
    model = product(tmp_path / "m.onnx", 33, 48, 600, kind="FLOAT")
    package, split = compile_for(target, model, tmp_path, "--precision", "tf32")
    assert split and min(split) > 1
    run_everywhere(package, target, tmp_path, driver)


@pytest.mark.parametrize("target", PROFILES)
def test_integers(target, driver, tmp_path):
    package, split = compile_for(target, integers(tmp_path / "m.onnx"), tmp_path)
    assert split and min(split) > 1
    run_everywhere(package, target, tmp_path, driver)


@pytest.mark.parametrize("case", [dict(m=4096, n=1024, k=1024), dict(m=16, n=64, k=64), dict(m="rows", n=64, k=4096)])
def test_others_have_whole_tiles(case, tmp_path):
    """Many blocks, or a short K, or one kernel for rows of which nobody knows how many there are."""
    package, split = compile_for("sm_80", product(tmp_path / "m.onnx", **case), tmp_path, *(
        ["--dims", "rows=1..100000", "--batch-invariant"] if case["m"] == "rows" else []))
    assert not split
    assert not TICKET.search("".join(path.read_text() for path in test_ptx.ptx_of(package, tmp_path / "ptx")))


@pytest.mark.parametrize("name", CASES)
def test_they_assemble(name, tmp_path):
    texts = test_ptx.check(product(tmp_path / "m.onnx", **CASES[name]), tmp_path, test_ptx.TARGETS)
    assert all(TICKET.search(path.read_text()) for path in texts)


@pytest.mark.parametrize("target, name", [("sm_80", "skinny"), ("sm_80", "f32_weights"), ("sm_90a", "warpgroup")])
def test_what_they_move(target, name, driver, tmp_path):
    """Operands once per block that needs them, sums once to the workspace and once back, and one ticket per block."""
    case = CASES[name]
    model = product(tmp_path / "m.onnx", **case)
    package, [split] = compile_for(target, model, tmp_path)
    counters = tmp_path / "counters.json"
    environment = {**driver, "KILN_SIM_COUNTERS": str(counters)}
    tool.call("run", package, "--device", f"sim:{PROFILES[target]}", env=environment)
    [launch] = [json.loads(line) for line in counters.read_text().splitlines()]
    rows, panels, _ = map(int, SPLIT.search(gpu_counters.kernels(tmp_path / "ir")).groups())
    width = 16  # the package also has host code, whose weights it shares
    tiles = -(-case["m"] // rows) * -(-case["n"] // (panels * width))
    element = 4 if case.get("kind") == "FLOAT" else 2
    assert launch["atomics"] == tiles * split
    columns = -(-case["n"] // (panels * width))
    operands = element * case["k"] * (case["m"] * columns + case["n"] * -(-case["m"] // rows))
    result = element * case["m"] * case["n"]
    if target == "sm_90a":  # full TMA boxes, each once; the result is also written by TMA
        assert launch["grid"] == [min(tiles * split, 132), 1, 1]
        operands = tiles * 2 * case["k"] * (rows + panels * width)
        assert launch["tma"]["global_bytes"] == operands + result
    else:
        assert launch["grid"] == [tiles * split, 1, 1]
    sums = 4 * tiles * split * rows * panels * width
    assert launch["global"]["bytes"] == operands + 2 * sums + result + 4 * launch["atomics"]
    assert launch["shared"]["bank_conflicts"] == 0 and launch["local"]["bytes"] == 0


def test_memory_is_stated(driver, tmp_path):
    """Sums are activations, tickets are state; a bench counts the sums' way to memory and back."""
    case = CASES["skinny"]
    package, [split] = compile_for("sm_80", product(tmp_path / "m.onnx", **case), tmp_path)
    rows, panels, _ = map(int, SPLIT.search(gpu_counters.kernels(tmp_path / "ir")).groups())
    tiles = -(-case["n"] // (panels * 16))
    sums = 4 * tiles * split * rows * panels * 16
    arenas = json.loads(tool.call("inspect", package, "--json").stdout)["arenas"]
    sizes = {arena["kind"]: arena["formula"] for arena in arenas}
    assert sizes["activations"] == str(sums) and sizes["state"] == str(-(-4 * tiles // 64) * 64)
    told = json.loads(tool.call("bench", package, "--device", "sim:a100", "--iterations", "2", "--json",
                                env=driver).stdout)
    operands = 2 * (case["m"] * case["k"] + case["k"] * case["n"] + case["m"] * case["n"])
    assert told["steps"][0]["bytes"] == operands + 2 * sums


def test_sessions_and_runs_give_the_same_bits(simulator, tmp_path, monkeypatch):
    """Tickets are 0 again after every run; two sessions have their own."""
    monkeypatch.setenv("KILN_SIM_DRIVER", str(simulator))
    package, split = compile_for("sm_80", product(tmp_path / "m.onnx", **CASES["f32"]), tmp_path)
    assert split
    random = np.random.default_rng(1)
    case = CASES["f32"]
    feeds = {"a": random.standard_normal((case["m"], case["k"])).astype(np.float32),
             "b": random.standard_normal((case["k"], case["n"])).astype(np.float32)}
    sessions = [kiln.Session(package, device="sim:a100", graph=graph) for graph in (False, True)]
    results = [session.run(feeds)["c"].copy() for _ in range(3) for session in sessions]
    assert all(np.array_equal(result, results[0]) for result in results)
    expected = np.maximum(feeds["a"].astype(np.float64) @ feeds["b"].astype(np.float64), 0)
    assert np.allclose(results[0], expected, rtol=1e-4, atol=1e-4)
