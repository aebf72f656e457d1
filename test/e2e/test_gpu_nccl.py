"""Ranks on simulated GPUs whose collectives go through the modelled NCCL."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import json
import re

import pytest
import tool
from test_gpu_ranks import assert_same_bits, bert, inputs_of, run, two_gpus  # noqa: F401
from test_ranks import Meshes


@pytest.fixture(scope="module")
def nccl(two_gpus, simulator):  # noqa: F811
    """The environment in which two GPUs use the modelled NCCL; further variables by name."""
    if not simulator.with_name("libkiln_sim_nccl.so").exists():
        pytest.skip("libkiln_sim_nccl.so is absent (KILN_BUILD_SIM is off)")
    return lambda **more: {**two_gpus, "KILN_COLLECTIVES": "nccl", **more}


def fails(package, environment, *texts, status=4):
    options = [f"--dims={dims}" for dims in ("batch=1,sequence=4",)]
    outcome = tool.call("run", package, "--device", "cuda", *options, env=environment, status=status)
    tool.assert_error(outcome, *texts, status=status)


@pytest.mark.parametrize("mesh", ["tp=2", "pp=2", "sp=2", "cp=2"])
def test_bits_of_the_host_path(bert, nccl, mesh, tmp_path):  # noqa: F811
    """sp and cp gather and scatter rows of two sequences: along a later axis than the first."""
    dims = ["--dims", "batch=1..2,sequence=1..24", "--target", "native,sm_80"]
    package = Meshes(bert.model, tmp_path, *dims).of_mesh(mesh)
    expected = run(package, "cuda", tmp_path, nccl(KILN_COLLECTIVES="host"))
    assert_same_bits(run(package, "cuda", tmp_path, nccl()), expected)
    for order in ("late", "random,,7"):
        assert_same_bits(run(package, "cuda", tmp_path, nccl(KILN_SIM_SCHEDULE=order)), expected)


def test_stages_of_tensor_parallel_ranks(bert, nccl, tmp_path):  # noqa: F811
    """A communicator in each stage, and one across the stages for each place in them."""
    four = {"KILN_SIM_DEVICES": "a100,a100,a100,a100"}
    package = bert.of_mesh("pp=2,tp=2")
    expected = run(package, "cuda", tmp_path, nccl(KILN_COLLECTIVES="host", **four))
    assert_same_bits(run(package, "cuda", tmp_path, nccl(**four)), expected)


@pytest.mark.parametrize("mesh", ["cp=4", "pp=4"])
def test_messages_between_two_ranks(bert, nccl, mesh, tmp_path):  # noqa: F811
    """Rows for heads in one group of sends and receives; a hidden state from stage to stage."""
    four = {"KILN_SIM_DEVICES": "a100,a100,a100,a100"}
    dims = ["--dims", "batch=1..2,sequence=1..24", "--target", "native,sm_80"]
    package = Meshes(bert.model, tmp_path, *dims).of_mesh(mesh)
    expected = run(package, "cuda", tmp_path, nccl(KILN_COLLECTIVES="host", **four))
    assert_same_bits(run(package, "cuda", tmp_path, nccl(**four)), expected)
    for order in ("late", "random,,7"):
        assert_same_bits(run(package, "cuda", tmp_path, nccl(KILN_SIM_SCHEDULE=order, **four)), expected)


@pytest.mark.parametrize("mesh", ["tp=2", "dcp=2"])
def test_text(nccl, tmp_path, mesh):
    """Prefill and decode: two programs of a rank share its communicators. Each run is one launch of a graph on each rank."""
    import decoders

    dims = ["--dims", "rows=1,capacity=1..64,sequence=1..32", "--target", "sm_80"]
    decoders.compile_tinylm(tmp_path, *dims)
    package = Meshes(tmp_path / "past.onnx", tmp_path, *dims).of_mesh(mesh)

    def tokens(path, **more):
        options = ["--prompt-ids", "1,2,3", "--max-new", 3, "--json", "--device", "cuda"]
        return json.loads(tool.call("generate", package, *options, env=nccl(KILN_COLLECTIVES=path, **more)).stdout)["tokens"]

    trace = tmp_path / "calls.txt"
    assert tokens("nccl", KILN_SIM_TRACE=str(trace)) == tokens("host")
    calls = collections.Counter(re.findall(r"^\w+", trace.read_text(), re.MULTILINE))
    ranks, programs, runs = 2, 2, 3  # a prefill and two steps
    assert calls["cuGraphLaunch"] == ranks * runs and calls["cuGraphInstantiateWithFlags"] == ranks * programs
    assert not calls["cuLaunchKernel"]
    # The modelled NCCL is called only while a graph is captured, never between runs.
    assert calls["cuLaunchHostFunc"] == calls["cuStreamBeginCapture_v2"] == calls["cuGraphAddChildGraphNode"] > ranks * programs


@pytest.mark.parametrize("call", [0, 1, 3])
def test_a_call_fails(bert, nccl, call):  # noqa: F811
    function = "ncclAllReduce" if call else "ncclCommInitRankConfig"
    texts = ["KILN-E0706", "rank 1", f"{function} failed", "unhandled system error", f"call {call} of rank 1 fails"]
    fails(bert.of_mesh("tp=2"), nccl(KILN_SIM_NCCL_FAULT=f"fail:1:{call}"), *texts)


@pytest.mark.parametrize("call", [0, 2])
def test_a_rank_is_lost(bert, nccl, call):  # noqa: F811
    texts = ["KILN-E0711", "rank 1 has not come to the collective", "within 5000 ms"]
    fails(bert.of_mesh("tp=2"), nccl(KILN_SIM_NCCL_FAULT=f"drop:1:{call}"), *texts)


def test_delays(bert, nccl, tmp_path):  # noqa: F811
    """One that is short of the timeout changes nothing, a longer one ends the run."""
    package = bert.of_mesh("tp=2")
    expected = run(package, "cuda", tmp_path, nccl())
    assert_same_bits(run(package, "cuda", tmp_path, nccl(KILN_SIM_NCCL_FAULT="delay:1:2:300")), expected)
    texts = ["KILN-E0711", "all_reduce", "that all ranks have enqueued", "within 5000 ms"]
    fails(package, nccl(KILN_SIM_NCCL_FAULT="delay:1:2:100000", KILN_SIM_SCHEDULE="late"), *texts)


def test_another_timeout(bert, nccl):  # noqa: F811
    options = ["--device", "cuda", "--dims=batch=1,sequence=4", "--timeout", 1]
    outcome = tool.call("run", bert.of_mesh("tp=2"), *options, env=nccl(KILN_SIM_NCCL_FAULT="drop:1:2"), status=4)
    tool.assert_error(outcome, "KILN-E0711", "rank 1 has not come to the collective", "within 1000 ms", status=4)


def test_libraries_that_do_not_serve(bert, nccl, simulator):  # noqa: F811
    package = bert.of_mesh("tp=2")
    fails(package, nccl(KILN_NCCL_LIBRARY="libno-such-nccl.so"), "KILN-E0702", "libno-such-nccl.so", "NCCL cannot be loaded")
    fails(package, nccl(KILN_SIM_NCCL_VERSION="21703"), "KILN-E0702", "too old", "2.18.0 or later", "found 2.17.3")
    fails(package, nccl(KILN_NCCL_LIBRARY=str(simulator)), "KILN-E0702", "simulated GPUs cannot use this NCCL")
    fails(package, nccl(KILN_COLLECTIVES="mpi"), "KILN-E0001", "host, nccl, peer or auto", "found mpi", status=2)


def test_ranks_that_share_a_gpu(bert, nccl, tmp_path):  # noqa: F811
    package = bert.of_mesh("tp=2")
    outcome = tool.call("run", package, "--device", "cuda:1", "--dims=batch=1,sequence=4", env=nccl(), status=4)
    tool.assert_error(outcome, "KILN-E0702", "rank 0 and rank 1 share one GPU", status=4)
    run(package, "cuda:1", tmp_path, nccl(KILN_COLLECTIVES="auto"))


def test_stamps(bert, nccl, tmp_path):  # noqa: F811
    """Collectives of NCCL are stamped as those of the host are; a rank that is lost before it has launched its graph has entered none."""
    package = bert.of_mesh("tp=2")
    lost = {"KILN_SIM_NCCL_FAULT": "drop:1:2"}
    for name, fault, states in (("good", {}, ("done", "done")), ("lost", lost, ("waits", "missing"))):
        folder = tmp_path / name
        folder.mkdir()
        environment = nccl(KILN_STAMPS=str(folder), **fault)
        tool.call("run", package, "--device", "cuda", "--dims=batch=1,sequence=4", env=environment, status=4 if fault else 0)
        table = json.loads(tool.call("inspect", "--stamps", folder, "--json").stdout)
        sums = [each for each in table["collectives"] if each["bytes"]]
        assert len(sums) >= 2 and sums[1]["kind"] == "all_reduce" and tuple(sums[1]["states"]) == states
