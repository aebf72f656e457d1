"""Cells of the fault matrix (docs/hacking/rank-faults.md) that no other test has: what happens to ranks in decode, at shutdown, out of memory, and slow."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import signal
import subprocess
import sys
import time

import pytest
import test_processes as processes
import tool
from test_processes import decoder, nothing_left, packages  # noqa: F401 (fixtures)

WITHIN = 5 + 3  # seconds: the timeout of 5 s, plus delays on a busy machine


def launched(size, commands, **options):
    """A process for each rank, of `commands` in turn."""
    job = next(processes.PORTS)
    return [
        subprocess.Popen([*map(str, commands[rank % len(commands)])], env=processes.environment(processes.LAUNCHERS["torchrun"](rank, size, job)),
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
        for rank in range(size)
    ]  # fmt: skip


def kiln(*arguments):
    return [tool.binary(), *arguments]


def have_met(ranks):
    end = time.monotonic() + 30
    while not all("kiln ranks" in processes.mappings(rank.pid) for rank in ranks) and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(0.5)
    assert all(rank.poll() is None for rank in ranks)
    return ranks


def end(ranks):
    for rank in ranks:
        rank.kill()
        rank.communicate()


@pytest.fixture
def decoding(decoder, nothing_left):  # noqa: F811
    """Two ranks that decode until they are ended."""
    ranks = have_met(launched(2, [kiln("bench", decoder, "--prompt", 8, "--gen", 200, "--duration", 600)]))
    yield ranks
    end(ranks)


@pytest.mark.parametrize("lost", [0, 1])
def test_a_rank_is_killed_in_decode(decoding, lost):
    decoding[lost].kill()
    begin = time.monotonic()
    outcome = processes.finish(decoding[1 - lost])
    assert time.monotonic() - begin < WITHIN
    tool.assert_error(outcome, "KILN-E0710", f"rank {lost} has failed", "its process has ended", status=4)
    assert outcome.stderr.count("\n") == 1 and not outcome.stdout


def test_a_rank_is_stopped_in_decode(decoding):
    decoding[1].send_signal(signal.SIGSTOP)
    begin = time.monotonic()
    outcome = processes.finish(decoding[0])
    assert time.monotonic() - begin < WITHIN
    tool.assert_error(outcome, "KILN-E0711", "rank 1 has not come to the collective", "within 5000 ms", status=4)
    decoding[1].send_signal(signal.SIGCONT)
    tool.assert_error(processes.finish(decoding[1]), "KILN-E0711", "rank 1 has not come", status=4)


def test_a_slow_rank_is_waited_for(decoding):
    """One that stands still again and again, each time for less than the timeout."""
    for _ in range(3):
        decoding[1].send_signal(signal.SIGSTOP)
        time.sleep(1)
        decoding[1].send_signal(signal.SIGCONT)
        time.sleep(0.2)
        assert all(rank.poll() is None for rank in decoding)


ENDS = """
import os, sys, kiln, numpy as np
ids = np.arange(18).reshape(2, 9)
inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
group = kiln.Group(sys.argv[1], processes=True)
for run in range(2):
    group.run(inputs)
    if group.rank == 1 and sys.argv[2] == "between runs":
        os._exit(0)
if group.rank == 1:
    os.kill(os.getpid(), 9)
group.close()
print("closed")
"""


@pytest.mark.parametrize("when", ["between runs", "at shutdown"])
def test_a_rank_ends_early(packages, nothing_left, when):  # noqa: F811
    """Between runs the others say so; behind the last run it concerns nobody."""
    first, second = launched(2, [[sys.executable, "-c", ENDS, packages[2], when]])
    processes.finish(second)
    begin = time.monotonic()
    outcome = processes.finish(first)
    assert time.monotonic() - begin < WITHIN
    if when == "at shutdown":
        assert outcome.status == 0 and outcome.stdout == "closed\n", outcome.stderr
    else:
        assert outcome.status != 0 and "KILN-E0710" in outcome.stderr and "rank 1 has failed" in outcome.stderr, outcome.stderr


def test_targets_that_differ_are_refused(packages, tmp_path, nothing_left):  # noqa: F811
    """As on nodes of different CPUs, each of which compiles for its own: the dims, the model and the number of ranks are the same."""
    for target in ("x86-64-v3", "x86-64-v4"):
        options = ["-q", "--ranks", 2, "--dims", "batch=1..4,sequence=1..32", "--target", target]
        tool.call("compile", packages[2].parent / "bert.onnx", "-o", tmp_path / f"{target}.kiln", *options)
    ranks = launched(2, [kiln("run", tmp_path / f"{target}.kiln") for target in ("x86-64-v3", "x86-64-v4")])
    outcomes = [*map(processes.finish, ranks)]
    if any(outcome.code == "KILN-E0510" for outcome in outcomes):
        pytest.skip("this CPU is none of x86-64-v4")
    for outcome in outcomes:
        tool.assert_error(outcome, "KILN-E0712", "rank 1: it has another package", status=3)


def test_a_batch_smaller_than_the_mesh(packages, tmp_path, nothing_left):  # noqa: F811
    """One sequence of 17 rows, of which the last of eight ranks has none: the bits of threads."""
    options = ["--dims", "batch=1..4,sequence=1..32", "--shard", "cp=8"]
    tool.call("compile", packages[2].parent / "bert.onnx", "-o", tmp_path / "m.kiln", "-q", *options)
    dims = ["--dims", "batch=1,sequence=17"]
    found = {}
    for name, run in (("threads", tool.call), ("processes", None)):
        outputs, files = processes.written(tmp_path, name)
        command = ["run", tmp_path / "m.kiln", *dims, *outputs]
        if run:
            run(*command, env=processes.environment({}))
        else:
            processes.launch(8, *command)
        found[name] = [path.read_bytes() for path in files.values()]
    assert found["threads"] == found["processes"]


@pytest.mark.parametrize("poor", [0, 1])
def test_a_rank_without_memory_is_named(packages, tmp_path, nothing_left, poor):  # noqa: F811
    """Its process starts, and has no room for the activations of the largest batch."""
    package = tmp_path / "m.kiln"
    tool.call("compile", packages[2].parent / "bert.onnx", "-o", package, "-q", "--ranks", 2, "--dims", "batch=1..64,sequence=1..64")
    command = kiln("run", package, "--dims", "batch=64,sequence=64", "--threads", 2)
    job, limit = next(processes.PORTS), 8 << 20
    ranks = []
    for rank in range(2):
        own = processes.environment(processes.LAUNCHERS["torchrun"](rank, 2, job))
        limited = ["prlimit", f"--data={limit}"] if rank == poor else []
        ranks.append(subprocess.Popen([*map(str, [*limited, *command])], env=own, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
    begin = time.monotonic()
    outcomes = [*map(processes.finish, ranks)]
    assert time.monotonic() - begin < WITHIN, outcomes
    tool.assert_error(outcomes[poor], "KILN-E0700", "memory cannot be allocated", status=4)
    assert outcomes[1 - poor].status == 4 and f"rank {poor}" in outcomes[1 - poor].stderr, outcomes
