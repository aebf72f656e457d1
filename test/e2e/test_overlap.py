"""Rows in parts, so that collectives run beside products (--overlap): bits, tokens, and what is refused."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json

import kiln
import numpy as np
import pytest
import tool
from test_gpu_nccl import nccl  # noqa: F401
from test_gpu_ranks import assert_same_bits, run, two_gpus  # noqa: F401
from test_ranks import LAYERS, Meshes, assert_close, bert, generate, inputs_of, run_processes, tinylm  # noqa: F401

LONG = ["--dims", "batch=1..2,sequence=1..64"]


@pytest.fixture(scope="module")
def long(bert, tmp_path_factory):  # noqa: F811
    """Sequences of more rows than the parts that stay whole."""
    return Meshes(bert.model, tmp_path_factory.mktemp("long"), *LONG)


def collectives(package):
    return json.loads(tool.call("inspect", package, "--ranks", "--json").stdout)["collectives"]


@pytest.mark.parametrize("mesh, parts", [("tp=2", "2"), ("tp=4", "3"), ("sp=2", "2"), ("sp=2", "3"), ("sp=4", "2")])
def test_outputs_are_those_of_one_rank(long, mesh, parts):
    """Also for fewer rows than parts, and for rows that parts and ranks do not divide."""
    one, group = kiln.Session(long.of_mesh("")), kiln.Group(long.of_mesh(mesh, "--overlap", parts))
    for dims in [(1, 1), (2, 2), (1, 3), (2, 17), (1, 33), (2, 64)]:
        results = group.run_all_ranks(inputs_of(*dims))
        for own in results:
            assert all(own[name].tobytes() == results[0][name].tobytes() for name in own)
        assert_close(results[0], one.run(inputs_of(*dims)))


def test_collectives(long):
    """Of each all-reduce one for each part, which together move as many bytes."""
    whole, parts = (collectives(long.of_mesh("tp=2", *options)) for options in ([], ["--overlap", "2"]))
    assert [one["kind"] for one in whole] == ["all_reduce"] * 2 * LAYERS
    assert [one["kind"] for one in parts] == ["all_reduce"] * 4 * LAYERS
    assert sum(one["bytes"] for one in parts) == sum(one["bytes"] for one in whole)


def test_same_bytes(long, tmp_path):
    package = long.of_mesh("sp=2", "--overlap", "2")
    tool.call("compile", long.model, "-o", tmp_path / "again.kiln", "-q", "--shard", "sp=2", *LONG, "--overlap", 2)
    assert (tmp_path / "again.kiln").read_bytes() == package.read_bytes()


def test_processes(long, tmp_path):
    package, inputs = long.of_mesh("sp=2", "--overlap", "2"), inputs_of(2, 41)
    expected = kiln.Group(package).run(inputs)
    options = []
    for name, values in inputs.items():
        np.save(tmp_path / f"{name}.npy", values)
        options += ["--input", f"{name}=@{tmp_path}/{name}.npy"]
    run_processes("run", package, *options, "--output", f"last_hidden_state=@{tmp_path}/y.npy")
    assert np.load(tmp_path / "y.npy").tobytes() == expected["last_hidden_state"].tobytes()


@pytest.mark.parametrize("mesh", ["tp=2", "sp=2"])
def test_tokens_are_those_of_one_rank(tinylm, mesh):  # noqa: F811
    """Prefill is in parts; decode, of at most 16 rows, is not."""
    command = ["--prompt", "/// Returns true if the string is empty, and false", "--max-new", 64]
    packages = tinylm.of_mesh(""), tinylm.of_mesh(mesh, "--overlap", "2")
    one, group = (generate(package, *command) for package in packages)
    assert group["tokens"] == one["tokens"] and group["text"] == one["text"]
    counts = [sum(one["entry"] == entry for one in collectives(packages[1])) for entry in ("prefill", "decode")]
    whole = [sum(one["entry"] == entry for one in collectives(tinylm.of_mesh(mesh))) for entry in ("prefill", "decode")]
    assert counts[0] > whole[0] and counts[1] == whole[1]


@pytest.mark.parametrize("mesh", ["tp=2", "sp=2"])
def test_gpus(bert, nccl, mesh, tmp_path):  # noqa: F811
    """NCCL in a stream of its own, beside kernels: the bits of the host's way, under each order of streams."""
    meshes = Meshes(bert.model, tmp_path, *LONG, "--target", "native,sm_80")
    package = meshes.of_mesh(mesh, "--overlap", "2")
    expected = run(package, "cuda", tmp_path, nccl(KILN_COLLECTIVES="host"))
    for order in ("", "late", "random,,7"):
        assert_same_bits(run(package, "cuda", tmp_path, nccl(KILN_SIM_SCHEDULE=order, KILN_SIM_CHECK="all")), expected)


@pytest.mark.parametrize("options", [["--shard", "pp=2"], ["--shard", "cp=2"], ["--ranks", 1]])
def test_refused_meshes(long, tmp_path, options):
    outcome = tool.call("compile", long.model, "-o", tmp_path / "m.kiln", *options, *LONG, "--overlap", 2, status=2)
    tool.assert_error(outcome, "KILN-E0001", "--overlap", "a mesh of tp or sp alone", status=2)


def test_estimate(long):
    """Beside products, communication takes less time; without parts nothing is hidden."""
    command = ["estimate", long.model, "--topology", "h100x8", "--shard", "tp=2", *LONG, "--json"]
    whole, parts = (json.loads(tool.call(*command, *options).stdout) for options in ([], ["--overlap", 2]))
    assert whole["communication_hidden"] == [0] and parts["communication_hidden"][0] > 0
