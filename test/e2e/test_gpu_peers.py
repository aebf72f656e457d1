"""Small sums of ranks on simulated GPUs over peer memory, by kernels of the package."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import pathlib
import re
import subprocess
import sys

import kiln
import pytest
import test_ptx
import tool
from test_gpu_ranks import assert_same_bits, run
from test_ranks import Meshes, assert_close, inputs_of

from bert import config, encoder, save, weights  # isort: skip

SHAPE = config.Config(hidden=128, layers=2, heads=8, intermediate=256, vocabulary=100, positions=24)
DIMS = ["--dims", "batch=1..64,sequence=1..16", "--target", "native,sm_80,sm_90a"]
SCHEDULES = [f"{work},{warps},5" for work in ("eager", "late", "random") for warps in ("forward", "reverse", "random")]
# Timeout of ranks: a simulated GPU on a loaded machine is slow, not lost.
PATIENCE = ["--timeout", "120"]
HELPER = pathlib.Path(__file__).parent / "peer_sums.py"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("bert")
    save.save(*encoder.build(SHAPE, weights.seeded(SHAPE, 5), config.Outputs(sentence=True)), path / "bert.onnx")
    return path


@pytest.fixture(scope="module")
def bert(folder):
    return Meshes(folder / "bert.onnx", folder, *DIMS)


@pytest.fixture(scope="module")
def gpus(simulator):
    """The environment of so many simulated GPUs; further variables by name."""

    def environment(count, **more):
        devices = ",".join(["a100"] * count)
        return {**os.environ, "KILN_CUDA_DRIVER": str(simulator), "KILN_SIM_DEVICES": devices, "KILN_COLLECTIVES": "peer", **more}

    return environment


#
# The kernels by themselves
#


@pytest.fixture(scope="module")
def kernels(folder):
    """The PTX of a sum in one shot and in two of so many ranks, by type and target."""
    made = {}

    def of(ranks, kind="f32"):
        if (ranks, kind) not in made:
            path = folder / f"{ranks}{kind}"
            options = [] if kind == "f32" else ["--precision", kind]
            tool.call("compile", folder / "bert.onnx", "-o", f"{path}.kiln", "--ranks", ranks, "--shard", "tp", *DIMS, *options)
            texts = test_ptx.ptx_of(f"{path}.kiln", path)
            made[ranks, kind] = {(each.parent.name, each.stem): each for each in texts if each.stem.startswith("all_reduce_0")}
        return made[ranks, kind]

    return of


def sum_directly(ptx, environment, ranks, kind, *numbers, status=0):
    """Runs one kernel on so many GPUs without Kiln's runtime; what was printed."""
    command = [sys.executable, HELPER, environment["KILN_CUDA_DRIVER"], ptx, ranks, kind, *numbers]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def number_type(path):
    text = path.read_text()
    return "bf16" if "bf16" in text else "f16" if "f16" in text else "f32"


@pytest.mark.parametrize("ranks", [2, 4, 8])
def test_assembles_without_spills(kernels, ranks):
    for kind in ("f32", "bf16"):
        texts = kernels(ranks, kind)
        assert {name for _, name in texts} == {"all_reduce_0", "all_reduce_0_split"}
        for (target, _), path in texts.items():
            test_ptx.assemble(path, target)
            assert "st.release.sys" in path.read_text() and "ld.acquire.sys" in path.read_text()


@pytest.mark.parametrize("ranks", [2, 4, 8])
@pytest.mark.parametrize("shape", ["one shot", "two shots"])
def test_sums_under_every_schedule(kernels, gpus, ranks, shape):
    """All detectors are on and silent. Numbers of rows that leave the last staging buffers half empty."""
    name, rows = ("all_reduce_0", (3, 5)) if shape == "one shot" else ("all_reduce_0_split", (5, 13))
    for schedule in SCHEDULES:
        environment = gpus(ranks, KILN_SIM_SCHEDULE=schedule, KILN_SIM_CHECK="all")
        assert sum_directly(kernels(ranks)["sm_80", name], environment, ranks, "f32", *rows, SHAPE.hidden) == "right\n", schedule


@pytest.mark.parametrize("precision", ["bf16", "f16"])
def test_sums_of_halves(kernels, gpus, precision):
    for name in ("all_reduce_0", "all_reduce_0_split"):
        path = kernels(4, precision)["sm_80", name]
        environment = gpus(4, KILN_SIM_SCHEDULE="random,random,3", KILN_SIM_CHECK="all")
        assert sum_directly(path, environment, 4, number_type(path), 7, 13, SHAPE.hidden) == "right\n"


def replaced(pattern, by):
    return lambda text: re.sub(pattern, by, text, count=1)


# Planted races between GPUs: the change to the kernel, and the detector's message.
PLANTED = {
    "post at the scope of the GPU": (replaced(r"st\.release\.sys", "st.release.gpu"), "the scope of one does not include"),
    "await at the scope of the GPU": (replaced(r"ld\.acquire\.sys", "ld.acquire.gpu"), "the scope of one does not include"),
    "nobody is awaited": (lambda text: text.replace("@over bra waiting;", ""), "nothing orders them"),
    "the epoch stays": (replaced(r"add\.s32(\s+%r\d+, %r\d+), 1;", r"add.s32\1, 0;"), "nothing orders them"),
    "one half of the staging buffers alone": (replaced(r"and\.b32(\s+%r\d+, %r\d+), 64;", r"and.b32\1, 0;"), "nothing orders them"),
    "no barrier before the post": (replaced(r"bar\.sync\s+0;", ""), "nothing orders them"),
    "the staging buffer of another block": (replaced(r"(ld\.global\.v4\.b32\s+\{[^}]*\}, \[%rd\d+)\+4096\]", r"\1+12288]"), "nothing orders them"),
}


@pytest.mark.parametrize("race", PLANTED)
@pytest.mark.parametrize("schedule", ["eager,forward", "late,reverse", "random,random,7"])
def test_planted_races_are_found(kernels, gpus, race, schedule, tmp_path):
    change, message = PLANTED[race]
    text = kernels(2)["sm_80", "all_reduce_0"].read_text()
    (tmp_path / "racy.ptx").write_text(change(text))
    assert change(text) != text
    # Uninitialised bytes would be reported first.
    environment = gpus(2, KILN_SIM_SCHEDULE=schedule, KILN_SIM_CHECK="all,-init")
    found = sum_directly(tmp_path / "racy.ptx", environment, 2, "f32", 3, 8, SHAPE.hidden, status=1)
    assert "race: " in found and message in found and "kernel all_reduce_0 on device" in found, found
    assert "livelock" not in found and "right" not in found


#
# Models
#


@pytest.mark.parametrize("ranks", [2, 4, 8])
def test_bits_of_the_host_path(bert, gpus, ranks, tmp_path):
    package = bert.of_mesh(f"tp={ranks}")
    expected = run(package, "cuda", tmp_path, gpus(ranks, KILN_COLLECTIVES="host"), *PATIENCE)
    assert_close(expected, kiln.Session(bert.of_mesh("")).run(inputs_of(2, 9)))
    assert_same_bits(run(package, "cuda", tmp_path, gpus(ranks, KILN_COLLECTIVES="auto"), *PATIENCE), expected)
    for schedule in SCHEDULES if ranks == 2 else SCHEDULES[1::4]:
        assert_same_bits(run(package, "cuda", tmp_path, gpus(ranks, KILN_SIM_SCHEDULE=schedule), *PATIENCE), expected)


@pytest.mark.parametrize("ranks", [2, 4, 8])
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_nccl_under_every_schedule(bert, gpus, ranks, schedule, tmp_path):
    """The modelled NCCL, with all detectors on."""
    package = bert.of_mesh(f"tp={ranks}")
    expected = run(package, "cuda", tmp_path, gpus(ranks, KILN_COLLECTIVES="host"), *PATIENCE)
    environment = gpus(ranks, KILN_COLLECTIVES="nccl", KILN_SIM_SCHEDULE=schedule, KILN_SIM_CHECK="all")
    assert_same_bits(run(package, "cuda", tmp_path, environment, *PATIENCE), expected)


def test_kernels_take_the_place_of_the_host(bert, gpus, tmp_path):
    """Two sums per layer and rank: in one shot where they are small, in two where 40 sequences make them larger."""
    package = bert.of_mesh("tp=2")
    for batch, name in ((1, "all_reduce_0"), (40, "all_reduce_0_split")):
        counters = tmp_path / f"{batch}.json"
        options = ["--device", "cuda", f"--dims=batch={batch},sequence=16", *PATIENCE]
        tool.call("run", package, *options, env=gpus(2, KILN_SIM_COUNTERS=str(counters)))
        names = [json.loads(line)["kernel"] for line in counters.read_text().splitlines()]
        assert [each for each in names if each.startswith("all_reduce")] == [name] * 2 * 2 * SHAPE.layers


def test_stages_of_tensor_parallel_ranks(bert, gpus, tmp_path):
    """Sums of a stage over peer memory, broadcasts through the host."""
    package = bert.of_mesh("pp=2,tp=2")
    expected = run(package, "cuda", tmp_path, gpus(4, KILN_COLLECTIVES="host"), *PATIENCE)
    assert_same_bits(run(package, "cuda", tmp_path, gpus(4), *PATIENCE), expected)


def test_text(gpus, tmp_path):
    """Prefill and decode: two programs of a rank use its staging buffers."""
    import decoders

    dims = ["--dims", "rows=1,capacity=1..64,sequence=1..32", "--target", "sm_80"]
    decoders.compile_tinylm(tmp_path, *dims)
    package = Meshes(tmp_path / "past.onnx", tmp_path, *dims).of_mesh("tp=2")

    def tokens(path, **more):
        options = ["--prompt-ids", "1,2,3", "--max-new", 4, "--json", "--device", "cuda", *PATIENCE]
        environment = gpus(2, KILN_COLLECTIVES=path, **more)
        return json.loads(tool.call("generate", package, *options, env=environment).stdout)["tokens"]

    assert tokens("peer") == tokens("host")
    assert tokens("peer", KILN_SIM_SCHEDULE="late,reverse") == tokens("host")


def test_ranks_that_share_a_gpu(bert, gpus):
    options = ["--device", "cuda:1", "--dims=batch=1,sequence=4"]
    outcome = tool.call("run", bert.of_mesh("tp=2"), *options, env=gpus(2), status=4)
    tool.assert_error(outcome, "KILN-E0702", "rank 0 and rank 1 share one GPU", status=4)


def test_ranks_that_are_processes(bert, gpus):
    """They do not reach each other's memory."""
    command = [str(tool.binary()), "run", str(bert.of_mesh("tp=2")), "--device", "cuda", "--dims=batch=1,sequence=4"]
    base = gpus(2, WORLD_SIZE="2", MASTER_ADDR=f"peers-{os.getpid()}", MASTER_PORT="1")
    ranks = [subprocess.Popen(command, env={**base, "RANK": str(rank)}, stderr=subprocess.PIPE, text=True) for rank in (0, 1)]
    for text in [rank.communicate(timeout=60)[1] for rank in ranks]:
        assert "KILN-E0702" in text and "rank 1 is in another process" in text, text
    assert [rank.returncode for rank in ranks] == [4, 4]


# Driver calls that add nodes to a run's graph or launch it.
LAUNCHES = r"cuLaunchKernel|cuGraphAddKernelNode|cuGraphAddChildGraphNode|cuGraphLaunch"


def test_a_rank_is_late(bert, gpus, tmp_path):
    """A rank whose thread stops before it has enqueued all of its kernels is named by the other one, whose kernels wait for it and are ended."""
    trace = tmp_path / "calls.txt"
    options = ["--device", "cuda", "--dims=batch=1,sequence=4"]
    tool.call("run", bert.of_mesh("tp=2"), *options, env=gpus(2, KILN_SIM_TRACE=str(trace)))
    launches = [number for number, line in enumerate(trace.read_text().splitlines(), 1) if re.match(LAUNCHES, line)]
    for number in launches[len(launches) // 2 :: 9]:
        environment = gpus(2, KILN_SIM_DELAY=f"{number}:3000")
        outcome = tool.call("run", bert.of_mesh("tp=2"), *options, "--timeout", 1, env=environment, status=4, timeout=60)
        tool.assert_error(outcome, "KILN-E0711", "has not come to the collective", "within 1000 ms", status=4)
        assert re.search(r"rank [01] has not come", outcome.stderr)


def test_a_call_of_the_driver_fails(bert, gpus, tmp_path):
    """Whichever call it is: the run ends with an error that names a rank, and nobody waits for ever."""
    trace = tmp_path / "calls.txt"
    options = ["--device", "cuda", "--dims=batch=1,sequence=4"]
    tool.call("run", bert.of_mesh("tp=2"), *options, env=gpus(2, KILN_SIM_TRACE=str(trace)))
    lines = trace.read_text().splitlines()
    launches = [number for number, line in enumerate(lines, 1) if re.match(LAUNCHES, line)]
    assert len(launches) > 20
    for number in launches[2::5]:
        outcome = tool.call("run", bert.of_mesh("tp=2"), *options, env=gpus(2, KILN_SIM_FAIL=f"{number}:UNKNOWN"), status=None, timeout=60)
        # Calls of two threads come in any order, and a failing release has no consequence.
        if not re.search(r"kiln-sim: cu\w*(Destroy|Release|Free|PopCurrent)", outcome.stderr):
            assert outcome.status == 4 and outcome.code in ("KILN-E0706", "KILN-E0709", "KILN-E0710"), outcome.stderr
