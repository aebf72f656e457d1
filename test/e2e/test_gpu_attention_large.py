"""Attention whose heads no block of threads of a GPU holds, or whose head size is known only at run time: as products
and a softmax, on every device. Also raised from a model that writes it out, and with garbage in what is not seen."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses

import numpy as np
import pytest
import test_gpu_attention_positions as positions
import test_gpu_attention_unseen as unseen
import tool
from attention_models import Attention

DEVICES = {"sm_80": "sim:a100", "sm_86": "sim:l40s", "sm_90a": "sim:h200", "sm_120": "sim:rtx5090"}
# Heads of more than 256 elements in 16 bits, heads too large for a target in f32, and heads of unknown size.
CASES = [
    Attention(17, 20, 600, heads=4, shared=2),
    Attention(9, 9, 520, heads=4, shared=2, causal=True, mask=(1, 4, 9, 9)),
    Attention(7, 20, 576, batch=2, lengths=True, mask=(2, 1, 7, 20)),
    Attention(5, 12, 513, batch=3, lengths=True, causal=True),
    Attention(9, 9, 32, causal=True, columns=1100),
    Attention("s", "s", "d", heads=4, shared=2, causal=True),
    Attention("s", "t", "d", batch="b", lengths=True),
]
DIMS = {"s": 6, "t": 11, "b": 2, "d": 40}
MOST = {"s": 9, "t": 20, "b": 3, "d": 70}


def resolved(case):
    return dataclasses.replace(case, **{name: DIMS.get(value, value) for name, value in vars(case).items()
                                        if isinstance(value, str)})


def compile_case(case, folder, target, written_out=True):
    package = folder / "m.kiln"
    used = [name for name in DIMS if name in vars(case).values()]
    ranges = ["--dims", ",".join(f"{name}=1..{MOST[name]}" for name in used)] if used else []
    tool.call("compile", case.write(folder / "m.onnx"), "-o", package, "--target", f"native,{target}",
              "--save-temps", folder / "ir", *ranges)
    assert ("graph.attention" not in (folder / "ir" / "1-graph.mlir").read_text()) == written_out
    return package


@pytest.mark.parametrize("kind", ["FLOAT", "FLOAT16"])
@pytest.mark.parametrize("number", range(len(CASES)))
def test_large_heads(driver, tmp_path, number, kind):
    written = dataclasses.replace(CASES[number], kind=kind)
    # The default scale of a head of unknown size is one.
    case, target = resolved(written), list(DEVICES)[number % len(DEVICES)]
    package = compile_case(written, tmp_path, target)
    values = positions.inputs_of(case, np.random.default_rng(number))
    if written.depth == "d":
        values["q"] = (values["q"] / 8).astype(values["q"].dtype)
    right = positions.expected(case, values if written.depth != "d" else scaled(values, DIMS["d"]))
    environment = {**driver, "KILN_SIM_SCHEDULE": positions.SCHEDULES[number % 3]}
    for device in ("cpu", DEVICES[target]):
        found = positions.run(package, values, tmp_path, device, environment)
        assert np.abs(found - right).max() <= positions.BOUNDS[kind] * max(1, np.abs(right).max()), device
    used = {name: value for name, value in DIMS.items() if name in vars(written).values()}
    dims = ["--dims", ",".join(f"{name}={value}" for name, value in used.items())] if used else []
    outcome = tool.call("verify", package, "--device", DEVICES[target], *dims, env=environment)
    assert outcome.stdout.endswith("PASSED\n"), outcome.stdout


def scaled(values, depth):
    return {**values, "q": values["q"].astype(np.float64) * np.sqrt(depth)}


@pytest.mark.parametrize("kind, depth, target, written_out", [
    ("FLOAT", 256, "sm_86", False), ("FLOAT", 257, "sm_86", True), ("FLOAT", 512, "sm_80", False),
    ("BFLOAT16", 256, "sm_90a", False), ("BFLOAT16", 320, "sm_90a", True), ("FLOAT16", 512, "sm_120", True)])
def test_only_what_the_targets_do_not_hold_is_written_out(tmp_path, kind, depth, target, written_out):
    compile_case(Attention(16, 16, depth, kind=kind), tmp_path, target, written_out)


def test_the_cpu_alone_keeps_attention(tmp_path):
    tool.call("compile", Attention(16, 16, 600).write(tmp_path / "m.onnx"), "-o", tmp_path / "m.kiln", "--target",
              "native", "--save-temps", tmp_path / "ir")
    assert "graph.attention" in (tmp_path / "ir" / "1-graph.mlir").read_text()


@pytest.mark.parametrize("device", ["cpu", "sim:a100"])
@pytest.mark.parametrize("case", [Attention(9, 9, 600, causal=True, heads=4, shared=2),
                                  Attention(7, 20, 600, batch=3, lengths=True)])
def test_what_is_not_seen_does_not_matter(driver, tmp_path, case, device):
    package = compile_case(case, tmp_path, "sm_80")
    values = positions.inputs_of(case, np.random.default_rng(3))
    first = values.get("lengths", np.full(case.batch, case.keys)).copy()
    if case.causal:
        first -= 3
    right = positions.expected(case, values)
    found = positions.run(package, unseen.spoil(case, values, first), tmp_path, device, driver)
    end = case.queries - 3 if case.causal else case.queries
    assert np.abs(found[:, :, :end] - right[:, :, :end]).max() <= positions.BOUNDS["FLOAT"] * np.abs(right).max()
    assert np.isnan(found[:, :, end:, 0]).all()


def test_queries_that_see_nothing_are_zero(driver, tmp_path):
    case = Attention(5, 8, 600, batch=2, lengths=True, causal=True)
    package = compile_case(case, tmp_path, "sm_80")
    values = positions.inputs_of(case, np.random.default_rng(4))
    values["lengths"] = np.array([0, 3])
    for device in ("cpu", "sim:a100"):
        found = positions.run(package, values, tmp_path, device, driver)
        assert (found[0] == 0).all() and (found[1][:, :2] == 0).all() and (found[1][:, 2:] != 0).all()
