"""Attention on warpgroups (sm_90a): who gets it, and what it computes on the simulated GPU, over head sizes, masks, lengths,
shared key heads, odd extents and schedules. Every kernel against the reference in double precision, and the outputs
against the model as it is written."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import re

import numpy as np
import pytest
import test_gpu_attention_positions as positions
import test_ptx
import tool
from attention_models import Attention

SCHEDULES = ["eager,forward,1", "late,reverse,1", "random,random,7"]
HALF = ["FLOAT16", "BFLOAT16"]
CASES = [
    Attention(64, 64, 16),
    Attention(128, 128, 64),
    Attention(200, 300, 64),
    Attention(33, 33, 32, causal=True),
    Attention(130, 130, 80, causal=True),
    Attention(70, 70, 64, heads=4, shared=2, causal=True),
    Attention(150, 150, 128, causal=True),
    Attention(129, 257, 128),
    Attention(100, 70, 96, columns=48),
    Attention(40, 200, 256),
    Attention(140, 140, 256, causal=True),
    Attention(65, 40, 64, mask=(1, 2, 65, 40)),
    Attention(140, 200, 64, mask=(1, 1, 1, 200)),
    Attention(140, 140, 128, causal=True, mask=(1, 2, 140, 140)),
    Attention(60, 60, 64, causal=True, past=41),
    Attention(40, 90, 64, batch=3, lengths=True),
    Attention(133, 190, 64, heads=4, shared=4, batch=2, lengths=True),
    Attention(70, 190, 128, batch=2, lengths=True, causal=True),
    Attention("s", "s", 64, heads=4, shared=2, causal=True),
    Attention("s", "t", 32, batch="b", lengths=True),
]
# Too few queries for a warpgroup, heads that TMA cannot copy, and f32.
OTHERS = [Attention(8, 64, 64, kind="BFLOAT16"), Attention(64, 64, 20, kind="FLOAT16"), Attention(64, 64, 64)]
SIZES = {"s": 70, "t": 130, "b": 2}


def text_of(package, folder):
    return "".join(path.read_text() for path in test_ptx.ptx_of(package, folder / "ptx"))


@pytest.mark.parametrize("number", range(len(CASES)))
def test_warpgroups_compute_attention(driver, tmp_path, number):
    case = CASES[number]
    case.kind = HALF[number % 2]
    package, model = tmp_path / "m.kiln", case.write(tmp_path / "m.onnx")
    names = [value for value in vars(case).values() if value in SIZES]
    ranges = ["--dims", ",".join(f"{name}=1..300" for name in sorted(set(names)))] if names else []
    tool.call("compile", model, "-o", package, "--target", "native,sm_90a", *ranges)
    text = text_of(package, tmp_path)
    assert text.count("wgmma.mma_async") > 1 and "cp.async.bulk.tensor" in text
    assert ("ldmatrix" in text) == (case.queries == "s")  # the variant for few queries
    at = ["--dims", ",".join(f"{name}={SIZES[name]}" for name in sorted(set(names)))] if names else []
    environment = {**driver, "KILN_SIM_SCHEDULE": SCHEDULES[number % 3]}
    outcome = tool.call("verify", package, "--device", "sim:h200", *at, env=environment)
    assert outcome.stdout.endswith("PASSED\n") and not outcome.stderr, outcome.stdout + outcome.stderr


@pytest.mark.parametrize("number", range(len(OTHERS)))
def test_others_do_not(tmp_path, number):
    case = OTHERS[number]
    tool.call("compile", case.write(tmp_path / "m.onnx"), "-o", tmp_path / "m.kiln", "--target", "sm_90a")
    assert "wgmma" not in text_of(tmp_path / "m.kiln", tmp_path)


@pytest.mark.parametrize("number", [2, 6, 9, 13, 16, 17])
def test_outputs_are_the_models(driver, tmp_path, number):
    case = positions.resolved(CASES[number])
    case.kind = "FLOAT16"
    package, model = tmp_path / "m.kiln", case.write(tmp_path / "m.onnx")
    tool.call("compile", model, "-o", package, "--target", "sm_90a")
    values = positions.inputs_of(case, np.random.default_rng(number))
    right = positions.expected(case, values)
    found = positions.run(package, values, tmp_path, "sim:h200", driver)
    assert np.abs(found - right).max() <= positions.BOUNDS["FLOAT16"] * max(1, np.abs(right).max())


def symbolic(tmp_path, *options, dims="s=1..300"):
    model = Attention("s", 130, 64, heads=4, shared=2, kind="BFLOAT16").write(tmp_path / "m.onnx")
    tool.call("compile", model, "-o", tmp_path / "m.kiln", "--target", "native,sm_90a", "--dims", dims, *options)
    return tmp_path / "m.kiln"


def variants(package):
    listed = json.loads(tool.call("inspect", package, "--json").stdout)["variants"]
    return [(one["code"], one["target"], [(bound["value"], bound["max"]) for bound in one["when"]]) for one in listed]


def test_few_queries_have_code_of_their_own(driver, tmp_path):
    package = symbolic(tmp_path)
    expected = [(f"attention_0_queries{most}", "sm_90a", [("s", most)]) for most in (1, 32)]
    assert variants(package) == expected  # one query: the heads of a group become rows of a tile
    listed = tool.call("inspect", package, "--kernels").stdout
    assert "attention_0_queries32" in listed and "#tile.block_attention_config" in listed, listed
    for queries, code in [(1, "attention_0_queries1"), (2, "attention_0_queries32"), (32, "attention_0_queries32"), (33, "attention_0")]:
        for schedule in SCHEDULES:
            outcome = tool.call("verify", package, "--device", "sim:h200", "--dims", f"s={queries}", "--only-these-dims",
                                env={**driver, "KILN_SIM_SCHEDULE": schedule, "KILN_SIM_CHECK": "all"})
            assert outcome.stdout.endswith("PASSED\n") and not outcome.stderr, outcome.stdout + outcome.stderr
            assert re.search(rf"^ *{code} ", outcome.stdout, re.MULTILINE), outcome.stdout
    report = tool.call("explain", package, "--target", "sm_90a").stdout
    assert "attention_0_queries32" in report and "block_attention_config" in report, report


@pytest.mark.parametrize("dims", ["s=33..300", "s=2..32", "s=1"])
def test_ranges_that_decide_have_one_code(tmp_path, dims):
    assert not variants(symbolic(tmp_path, dims=dims))


def test_batch_invariant_attention_has_one_code(tmp_path):
    assert not variants(symbolic(tmp_path, "--batch-invariant"))


def test_explain_names_the_config(tmp_path):
    model = Attention(256, 256, 128, kind="BFLOAT16").write(tmp_path / "m.onnx")
    tool.call("compile", model, "-o", tmp_path / "m.kiln", "--target", "sm_90a,sm_80,sm_86")
    report = tool.call("explain", tmp_path / "m.kiln").stdout
    assert "warpgroup_attention_config" in report, report
    [hopper, ampere, small] = json.loads(tool.call("explain", tmp_path / "m.kiln", "--json").stdout)
    assert (hopper["target"], ampere["target"], small["target"]) == ("sm_90a", "sm_80", "sm_86")
    costs = [[one["cost"] for one in entry["candidates"]] for entry in (hopper, ampere, small)]
    assert all(cost > 0 for entry in costs for cost in entry)
    assert costs[0][0] < costs[1][0] < costs[2][0]
