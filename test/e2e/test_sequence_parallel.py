"""Sequence parallelism (--shard sp): outputs, tokens, collectives and reports, next to one rank."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json

import kiln
import numpy as np
import pytest
import tool
from test_ranks import BATCH, LAYERS, assert_close, bert, generate, inputs_of, run_processes, tinylm  # noqa: F401 (fixtures)


@pytest.mark.parametrize("mesh", ["sp=2", "sp=4", "pp=2,sp=2"])
def test_outputs_are_those_of_one_rank(bert, mesh):  # noqa: F811
    """Also for fewer rows than ranks, and for rows that the ranks do not divide."""
    one, group = kiln.Session(bert.of_mesh("")), kiln.Group(bert.of_mesh(mesh))
    for dims in [(1, 1), (BATCH, 32), (2, 7), (2, 17), (3, 2), (1, 31)]:
        results = group.run_all_ranks(inputs_of(*dims))
        for own in results:
            assert all(own[name].tobytes() == results[0][name].tobytes() for name in own)
        assert_close(results[0], one.run(inputs_of(*dims)))


@pytest.mark.parametrize("ranks", [2, 4])
def test_collectives(bert, ranks):  # noqa: F811
    table = json.loads(tool.call("inspect", bert.of_mesh(f"sp={ranks}"), "--ranks", "--json").stdout)
    kinds = [one["kind"] for one in table["collectives"]]
    # An all-gather before each column-parallel matmul except the first, whose operand is replicated, and one of the
    # output.
    assert kinds == ["reduce_scatter", "all_gather"] * 2 * LAYERS


def test_processes(bert, tmp_path):  # noqa: F811
    """The bits of threads, and two compiles give the same bytes."""
    group, inputs = kiln.Group(bert.of_mesh("sp=2")), inputs_of(2, 9)
    expected = group.run(inputs)
    options = []
    for name, values in inputs.items():
        np.save(tmp_path / f"{name}.npy", values)
        options += ["--input", f"{name}=@{tmp_path}/{name}.npy"]
    options += ["--output", f"last_hidden_state=@{tmp_path}/y.npy"]
    run_processes("run", bert.of_mesh("sp=2"), *options)
    assert np.load(tmp_path / "y.npy").tobytes() == expected["last_hidden_state"].tobytes()
    tool.call("compile", bert.model, "-o", tmp_path / "again.kiln", "-q", "--ranks", 2, "--shard", "sp", *bert.options)
    assert (tmp_path / "again.kiln").read_bytes() == bert.of_mesh("sp=2").read_bytes()


@pytest.mark.parametrize("ranks", [2, 4])
def test_tokens_are_those_of_one_rank(tinylm, ranks):  # noqa: F811
    """Prefill divides rows; decode, of at most 16 of them, does not."""
    command = ["--prompt", "/// Returns true if the string is", "--max-new", 64]
    one, group = (generate(tinylm.of_mesh(mesh), *command) for mesh in ("", f"sp={ranks}"))
    assert group["tokens"] == one["tokens"] and group["text"] == one["text"]
    table = json.loads(tool.call("inspect", tinylm.of_mesh(f"sp={ranks}"), "--ranks", "--json").stdout)
    kinds = {entry: {one["kind"] for one in table["collectives"] if one["entry"] == entry} for entry in ("prefill", "decode")}
    assert "reduce_scatter" in kinds["prefill"] and "reduce_scatter" not in kinds["decode"] and "all_reduce" in kinds["decode"]


def test_report(bert, tinylm, tmp_path):  # noqa: F811
    report = tool.call("compile", bert.model, "-o", tmp_path / "m.kiln", "--ranks", 2, "--shard", "sp", *bert.options).stdout
    assert f"{2 * LAYERS} sum by sequence" in report and "a reduce-scatter where its sum is split by sequence" in report
    report = tool.call("compile", tinylm.model, "-o", tmp_path / "m.kiln", "--shard", "sp=2", *tinylm.options).stdout
    assert "@decode: a sequence has at most 16 rows" in report
