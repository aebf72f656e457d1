"""Kernels of one product for few, some and many rows: which of them the dims of a run choose, that each agrees with the
reference, that graphs and single launches give the same bits, and what --batch-invariant promises."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest
import test_ptx
import tool
from test_gpu_products import product

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEVICES = {"sm_80": "sim:a100", "sm_90a": "sim:h200"}
ROWS = [1, 8, 9, 64, 65, 130]
SIZES = dict(m="rows", n=96, k=520)


def compile_rows(folder, *options, dims="rows=1..600", name="p", **case):
    model = product(folder / "m.onnx", **{**SIZES, **case})
    package = folder / f"{name}.kiln"
    tool.call("compile", model, "-o", package, "--target", ",".join(["native", *DEVICES]), "--dims", dims, *options)
    return package


def variants(package):
    """Bounds on rows by target."""
    listed = json.loads(tool.call("inspect", package, "--json").stdout)["variants"]
    bounds = {}
    for one in listed:
        bounds.setdefault(one["target"], []).append(one["when"][0]["max"])
    return bounds


def expected_code(bounds, rows):
    fits = [most for most in bounds if rows <= most]
    return f"matmul_0_rows{fits[0]}" if fits else "matmul_0"


def run(package, device, environment, saved, rows, inputs, *options):
    """Row by row what the package makes of the first `rows` rows."""
    given = []
    for name, array in inputs.items():
        path = saved.with_name(f"{name}.npy")
        np.save(path, array[:rows] if name == "a" else array)
        given += ["--input", f"{name}=@{path}"]
    tool.call("run", package, "--device", device, *given, "--output", f"c=@{saved}", *options, env=environment)
    return np.load(saved)


@pytest.fixture(scope="module", params=["FLOAT", "BFLOAT16"])
def package(request, tmp_path_factory):
    return compile_rows(tmp_path_factory.mktemp("rows"), kind=request.param, weights=True)


@pytest.mark.parametrize("target", DEVICES)
@pytest.mark.parametrize("schedule", ["eager,forward,1", "late,random,7"])
def test_every_kernel_agrees_with_the_reference(target, schedule, package, driver):
    bounds = variants(package)[target]
    assert bounds == sorted(set(bounds)) and bounds[0] == 8
    environment = {**driver, "KILN_SIM_SCHEDULE": schedule, "KILN_SIM_CHECK": "all"}
    for rows in ROWS:
        outcome = tool.call("verify", package, "--device", DEVICES[target], "--dims", f"rows={rows}", "--only-these-dims",
                            env=environment)
        assert outcome.stdout.endswith("PASSED\n") and outcome.stderr == "", outcome
        assert re.search(rf"^ *{expected_code(bounds, rows)} ", outcome.stdout, re.MULTILINE), outcome.stdout


@pytest.mark.parametrize("target", DEVICES)
def test_verify_goes_on_to_the_edge_of_every_bound(target, package, driver):
    bounds = variants(package)[target]
    outcome = tool.call("verify", package, "--device", DEVICES[target], "--dims", "rows=3", env=driver)
    reached = re.findall(r"^at rows=(\d+), which other kernels run:$", outcome.stdout, re.MULTILINE)
    assert [int(rows) for rows in reached] == [*bounds[1:], bounds[-1] + 1]
    assert "no dims in the ranges" not in outcome.stdout and outcome.stdout.endswith("PASSED\n")


def test_ranges_exclude_some(tmp_path):
    package = compile_rows(tmp_path, dims="rows=9..600", kind="FLOAT", weights=True)
    assert variants(package) and all(8 not in bounds for bounds in variants(package).values())


@pytest.mark.parametrize("target", DEVICES)
def test_graphs_and_launches_give_the_same_bits(target, package, driver, tmp_path):
    results = {}
    for options in ([], ["--no-graph"]):
        for rows in ROWS:
            saved = tmp_path / "c.npy"
            tool.call("run", package, "--device", DEVICES[target], "--dims", f"rows={rows}", "--output", f"c=@{saved}", *options,
                      env=driver)
            results.setdefault(rows, []).append(saved.read_bytes())
    assert all(graph == launches for graph, launches in results.values())


@pytest.mark.parametrize("target", DEVICES)
def test_rows_keep_their_bits_if_asked(target, tmp_path, driver):
    """One kernel sums up a row in one order. Several do not: else this test would prove nothing."""
    random = np.random.default_rng(5)
    inputs = {"a": random.standard_normal((130, 520)).astype(np.float32)}

    def first_rows(package):
        return [run(package, DEVICES[target], driver, tmp_path / "c.npy", rows, inputs)[0].tobytes() for rows in ROWS]

    several = compile_rows(tmp_path, kind="FLOAT", weights=True)
    one = compile_rows(tmp_path, "--batch-invariant", name="one", kind="FLOAT", weights=True)
    assert not variants(one)
    assert len(set(first_rows(one))) == 1
    assert len(set(first_rows(several))) > 1


def test_packages_say_whether_rows_keep_their_bits(package, tmp_path):
    model = product(tmp_path / "m.onnx", **SIZES, kind="FLOAT", weights=True)
    options = ["--target", "sm_80", "--dims", "rows=1..600"]
    for more, promised in ([], False), (["--batch-invariant"], True):
        outcome = tool.call("compile", model, "-o", tmp_path / "p.kiln", *options, *more)
        assert ("a row's bits depend on how many run" in outcome.stdout) is not promised
        provenance = json.loads(tool.call("inspect", tmp_path / "p.kiln", "--json").stdout)["provenance"]
        assert provenance["batch_invariant"] is promised


def test_tools_name_them(package, tmp_path, driver):
    bounds = variants(package)["sm_80"]
    names = ["matmul_0", *(f"matmul_0_rows{most}" for most in bounds)]
    text = tool.call("inspect", package, "--kernels").stdout
    assert all(re.search(rf"matmul_0_rows{most} +matmul_0 +sm_80 +rows <= {most} ", text) for most in bounds)
    tool.call("inspect", package, "--ptx", tmp_path / "ptx")
    assert sorted(path.stem for path in (tmp_path / "ptx" / "sm_80").iterdir()) == sorted(names)
    explained = json.loads(tool.call("explain", package, "--target", "sm_80", "--json").stdout)
    assert [entry["code"] for entry in explained] == names
    assert [entry["condition"] for entry in explained[1:]] == [f"rows <= {most}" for most in bounds]
    configs = {one["code"]: one["config"]
               for one in json.loads(tool.call("inspect", package, "--json").stdout)["variants"] if one["target"] == "sm_80"}
    for entry in explained[1:]:
        assert entry["candidates"][0]["config"] == configs[entry["code"]]
    for rows in ROWS:
        steps = json.loads(tool.call("bench", package, "--device", "sim:a100", "--dims", f"rows={rows}", "--json", env=driver).stdout)["steps"]
        assert [step["code"] for step in steps] == [expected_code(bounds, rows)]
        assert steps[0]["config"] == configs.get(steps[0]["code"], steps[0]["config"])


def test_bytes_do_not_depend_on_threads(tmp_path):
    first = compile_rows(tmp_path, "--threads", "1", kind="FLOAT", weights=True).read_bytes()
    assert compile_rows(tmp_path, "--threads", "3", kind="FLOAT", weights=True).read_bytes() == first


@pytest.mark.parametrize("kind", ["FLOAT", "BFLOAT16"])
def test_they_assemble(kind, tmp_path):
    """For every target with an assembler here."""
    model = product(tmp_path / "m.onnx", **SIZES, kind=kind, weights=True)
    texts = test_ptx.check(model, tmp_path, test_ptx.TARGETS)
    assert any("_rows8" in path.name for path in texts)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    """MiniLM with made-up weights and symbolic dims, as users export it, for both targets."""
    folder = tmp_path_factory.mktemp("encoder")
    model, path = folder / "minilm.onnx", folder / "minilm.kiln"
    subprocess.run([sys.executable, ROOT / "models" / "build.py", "minilm-shape", "-o", model],
                   check=True, capture_output=True, timeout=300)
    tool.call("compile", model, "-o", path, "--target", ",".join(DEVICES), "--precision", "bf16", "-q")
    return path


@pytest.mark.parametrize("target", DEVICES)
@pytest.mark.parametrize("rows", ROWS)
def test_a_whole_encoder(rows, target, encoder, driver):
    batch = 2 if rows > 65 else 1
    outcome = tool.call("verify", encoder, "--device", DEVICES[target], "--only-these-dims",
                        "--dims", f"batch={batch},sequence={rows // batch}", env=driver)
    assert outcome.stdout.endswith("PASSED\n") and "FAILED" not in outcome.stdout
    # Per matmul, the first variant whose bound holds; a matmul may lack some. Attention on warpgroups counts queries.
    bounds = {}
    for one in json.loads(tool.call("inspect", encoder, "--json").stdout)["variants"]:
        if one["target"] == target:
            bounds.setdefault(one["kernel"], []).append(one["when"][0]["max"])
    assert bounds.pop("attention_0", None) == ([32] if target == "sm_90a" else None)
    assert len(bounds) == 4
    if target == "sm_90a":
        code = "attention_0_queries32" if rows // batch <= 32 else "attention_0"
        assert re.search(rf"^ *{code} ", outcome.stdout, re.MULTILINE), outcome.stdout
    for kernel, listed in bounds.items():
        fits = [f"_rows{most}" for most in listed if rows <= most]
        assert re.search(rf"^ *{kernel}{fits[0] if fits else ''} ", outcome.stdout, re.MULTILINE), outcome.stdout
