"""Packages for several ranks, each of them a process: as torchrun, mpirun and srun start them."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import decoders
import numpy as np
import pytest
import tool

from bert import config, encoder, save, weights  # isort: skip  (decoders names their folder)

SMALL = config.Config(hidden=128, layers=2, heads=4, intermediate=512, vocabulary=100, positions=64)
DIMS = ["--dims", "batch=2,sequence=9"]
OUTPUTS = ("last_hidden_state", "sentence_embedding")
LAUNCHER = re.compile(r"^(RANK|WORLD_SIZE|LOCAL_|MASTER_|OMPI_|PMIX_|SLURM_|KILN_TRANSPORT|KILN_STORE_PORT)")
PORTS = itertools.count(1)
ADDRESS = f"test-{os.getpid()}"  # just a name, so that concurrent test processes have different jobs

# Environment variables of each launcher, for a rank, a number of ranks and a job.
LAUNCHERS = {
    "torchrun": lambda rank, size, job: {
        "RANK": rank, "WORLD_SIZE": size, "LOCAL_RANK": rank, "LOCAL_WORLD_SIZE": size,
        "MASTER_ADDR": ADDRESS, "MASTER_PORT": job},
    "mpirun": lambda rank, size, job: {
        "OMPI_COMM_WORLD_RANK": rank, "OMPI_COMM_WORLD_SIZE": size, "OMPI_COMM_WORLD_LOCAL_SIZE": size, "PMIX_NAMESPACE": f"{ADDRESS}.{job}"},
    "srun": lambda rank, size, job: {
        "SLURM_PROCID": rank, "SLURM_NTASKS": size, "SLURM_JOB_ID": f"{ADDRESS}.{job}", "SLURM_STEP_ID": 0},
}  # fmt: skip


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """A model by its number of ranks."""
    folder = tmp_path_factory.mktemp("bert")
    save.save(*encoder.build(SMALL, weights.seeded(SMALL, 5), config.Outputs(sentence=True)), folder / "bert.onnx")
    for ranks in (1, 2, 4):
        split = ["--ranks", ranks] if ranks > 1 else []
        tool.call("compile", folder / "bert.onnx", "-o", folder / f"{ranks}.kiln", "-q", *split, "--dims", "batch=1..4,sequence=1..32")
    return {ranks: folder / f"{ranks}.kiln" for ranks in (1, 2, 4)}


@pytest.fixture(scope="module")
def decoder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tinylm")
    return decoders.compile_tinylm(folder, "--ranks", 2, "--dims", "rows=1..2,capacity=1..256,sequence=1..64")


def environment(variables):
    base = {name: value for name, value in os.environ.items() if not LAUNCHER.match(name)}
    return base | {name: str(value) for name, value in variables.items()}


def start(variables, *arguments):
    """A process that runs kiln with the variables of a launcher."""
    command = [str(tool.binary()), *map(str, arguments)]
    return subprocess.Popen(command, env=environment(variables), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process, timeout=120):
    stdout, stderr = process.communicate(timeout=timeout)
    return tool.Outcome(process.returncode, stdout, tool.PROGRESS.sub("", stderr))


def launch(size, *arguments, launcher="torchrun", status=0):
    """What each rank says."""
    job = next(PORTS)
    ranks = [start(LAUNCHERS[launcher](rank, size, job), *arguments) for rank in range(size)]
    outcomes = [finish(rank) for rank in ranks]
    for outcome in outcomes:
        assert outcome.status == status, outcome.stderr
    return outcomes


def written(folder, prefix):
    """Options that write the outputs, and their files."""
    files = {name: folder / f"{prefix}-{name}.npy" for name in OUTPUTS}
    return [text for name, path in files.items() for text in ("--output", f"{name}=@{path}")], files


def leftovers():
    """Names of sockets where ranks meet."""
    return {line.split()[-1] for line in pathlib.Path("/proc/net/unix").read_text().splitlines() if "kiln-ranks" in line}


@pytest.fixture
def nothing_left():
    """No socket where ranks meet. Those of tests beside this one go in time; what is left behind stays."""
    before = leftovers()
    yield
    new, end = leftovers() - before, time.monotonic() + 60
    while new and time.monotonic() < end:
        time.sleep(0.1)
        new &= leftovers()
    assert not new


@pytest.mark.parametrize("ranks, launcher", [(2, "torchrun"), (4, "torchrun"), (2, "mpirun"), (2, "srun")])
def test_bits_are_those_of_threads(packages, tmp_path, nothing_left, ranks, launcher):
    options, expected = written(tmp_path, "threads")
    tool.call("run", packages[ranks], *DIMS, *options, env=environment({}))
    options, found = written(tmp_path, "processes")
    first, *others = launch(ranks, "run", packages[ranks], *DIMS, *options, launcher=launcher)
    assert f" threads of {ranks} ranks\n" in first.stdout and not first.stderr
    assert all(not one.stdout and not one.stderr for one in others)
    for name in OUTPUTS:
        assert found[name].read_bytes() == expected[name].read_bytes()


def test_generate(decoder):
    options = ["generate", decoder, "--prompt", "/// Returns", "--max-new", 24, "--json"]
    expected = json.loads(tool.call(*options, env=environment({})).stdout)
    first, second = launch(2, *options, "--threads", 2)
    found = json.loads(first.stdout)
    assert (found["tokens"], found["step_bytes"]) == (expected["tokens"], expected["step_bytes"])
    assert not second.stdout
    first, second = launch(2, *options[:-1], "--temperature", 0.8, "--seed", 3)
    assert "memory " in first.stderr and not second.stdout + second.stderr


def test_bench(packages, decoder):
    """Ranks do as many runs as rank 0 has time for."""
    options = ["--json", "--duration", 0.2, "--warm-up", 0.05, "--profile"]
    first, second = launch(2, "bench", packages[2], *options)
    report = json.loads(first.stdout)
    assert report["ranks"] == 2 and report["runs"] >= 10 and not second.stdout
    assert sum(step["kernel"] == "all_reduce" for step in report["steps"]) == 4
    first, second = launch(2, "bench", decoder, "--prompt", 8, "--gen", 4, "--duration", 0.1, "--json")
    assert json.loads(first.stdout)["ranks"] == 2 and not second.stdout


def test_one_of_one_is_a_process_with_threads(packages):
    (outcome,) = launch(1, "run", packages[2], *DIMS)
    assert " threads of 2 ranks\n" in outcome.stdout


def slow(package):
    """Options of a command that runs until it is ended."""
    return ["bench", package, "--iterations", 1000000000, "--dims", "batch=1,sequence=8"]


def started(size, package):
    """Ranks that run, and have met."""
    job = next(PORTS)
    ranks = [start(LAUNCHERS["torchrun"](rank, size, job), *slow(package)) for rank in range(size)]
    deadline = time.monotonic() + 60
    while not all("kiln ranks" in mappings(rank.pid) for rank in ranks) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.5)
    assert all(rank.poll() is None for rank in ranks)
    return ranks


def mappings(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/maps").read_text()
    except OSError:
        return ""


@pytest.mark.parametrize("size, lost", [(2, 0), (2, 1), (4, 2)])
def test_a_killed_rank_is_named(packages, nothing_left, size, lost):
    ranks = started(size, packages[size])
    ranks[lost].kill()
    begin = time.monotonic()
    assert finish(ranks[lost]).status == -signal.SIGKILL
    for rank in ranks[:lost] + ranks[lost + 1 :]:
        outcome = finish(rank)
        assert time.monotonic() - begin < 5
        tool.assert_error(outcome, "KILN-E0710", f"rank {lost} has failed", "its process has ended", status=4)
        assert outcome.stderr.count("\n") == 1 and not outcome.stdout


def test_a_stopped_rank_is_named(packages, nothing_left):
    ranks = started(2, packages[2])
    ranks[1].send_signal(signal.SIGSTOP)
    begin = time.monotonic()
    outcome = finish(ranks[0])
    assert time.monotonic() - begin < 8
    tool.assert_error(outcome, "KILN-E0711", "rank 1 has not come to the collective", "within 5000 ms", status=4)
    ranks[1].send_signal(signal.SIGCONT)
    tool.assert_error(finish(ranks[1]), "KILN-E0711", "rank 1 has not come", status=4)


def test_other_numbers_of_processes_are_refused(packages):
    for size in (2, 3):
        for rank, outcome in enumerate(launch(size, "run", packages[4], status=2)):
            tool.assert_error(outcome, "KILN-E0621", f"rank {rank}: ", f"expected 4 ranks, found {size} ranks", status=2)
            assert outcome.stderr.count("\n") == 1
    for outcome in launch(2, "run", packages[1], status=2):
        tool.assert_error(outcome, "KILN-E0621", "expected 1 rank, found 2 ranks of torchrun", status=2)
    for outcome in launch(2, "run", packages[2], "--ranks", 4, status=2):
        tool.assert_error(outcome, "KILN-E0621", "expected 2 ranks, found 4 ranks", status=2)


def test_what_differs_is_refused(packages, tmp_path, nothing_left):
    """On all ranks, in the same words."""
    job, other = next(PORTS), tmp_path / "other.kiln"
    tool.call("compile", packages[2].parent / "bert.onnx", "-o", other, "-q", "--ranks", 2, "--dims", "batch=1..2,sequence=1..32")
    for arguments, words in (
        ([["run", packages[2]], ["run", other]], "rank 1: it has another package"),
        ([["run", packages[2], "--seed", 1], ["run", packages[2], "--seed", 2]], "rank 1: it begins another run than rank 0"),
        ([["run", packages[2], *DIMS], ["run", packages[2]]], "rank 1: it begins another run than rank 0"),
    ):  # fmt: skip
        ranks = [start(LAUNCHERS["torchrun"](rank, 2, job), *own) for rank, own in enumerate(arguments)]
        for outcome in map(finish, ranks):
            tool.assert_error(outcome, "KILN-E0712", words, status=3)
            assert outcome.stderr.count("\n") == 1


def test_a_rank_that_is_there_twice_is_refused(packages):
    job = next(PORTS)
    for numbers in ([0, 0], [0, 1, 1, 2]):
        size = max(numbers) + 2
        twice = next(number for number in numbers if numbers.count(number) == 2)
        ranks = [start(LAUNCHERS["torchrun"](rank, size, job), "run", packages[size]) for rank in numbers]
        for outcome in map(finish, ranks):
            tool.assert_error(outcome, "KILN-E0621", f"rank {twice}: two processes say that they are this rank", status=2)


def test_broken_launchers_are_named(packages):
    for variables, words in (
        ({"RANK": 0}, "found no WORLD_SIZE"),
        ({"OMPI_COMM_WORLD_SIZE": 2}, "found no OMPI_COMM_WORLD_RANK"),
        ({"RANK": "one", "WORLD_SIZE": 2}, "'one'"),
        ({"RANK": 1, "WORLD_SIZE": 2}, "MASTER_PORT"),
        ({"RANK": 1, "WORLD_SIZE": 2, "LOCAL_WORLD_SIZE": 1, "MASTER_PORT": 29500}, "no MASTER_ADDR"),
        ({"RANK": 1, "WORLD_SIZE": 2, "KILN_TRANSPORT": "udp", "MASTER_PORT": 29500}, "shared_memory or gloo"),
    ):  # fmt: skip
        outcome = finish(start(variables, "run", packages[2]))
        tool.assert_error(outcome, "KILN-E0001", words, status=2)
    # A package for one rank ignores them.
    assert finish(start({"RANK": 0}, "run", packages[1])).status == 0


@pytest.mark.skipif(not shutil.which("mpirun"), reason="mpirun (Debian: openmpi-bin) is not installed")
def test_mpirun(packages, tmp_path, nothing_left):
    def mpirun(ranks, *arguments):
        command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", ranks, tool.binary(), *arguments]
        done = subprocess.run([*map(str, command)], env=environment({}), capture_output=True, text=True, timeout=120)
        return tool.Outcome(done.returncode, done.stdout, done.stderr)

    options, expected = written(tmp_path, "threads")
    tool.call("run", packages[2], *DIMS, *options, env=environment({}))
    options, found = written(tmp_path, "processes")
    outcome = mpirun(2, "run", packages[2], *DIMS, *options)
    assert outcome.status == 0, outcome.stderr
    assert outcome.stdout.count("threads of 2 ranks") == 1
    for name in OUTPUTS:
        assert found[name].read_bytes() == expected[name].read_bytes()
    refused = mpirun(3, "run", packages[2])
    assert refused.status != 0 and "expected 2 ranks, found 3 ranks of mpirun" in refused.stderr


PYTHON = """
import sys, kiln, numpy as np
ids = np.arange(18).reshape(2, 9)
inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
threads = kiln.Group(sys.argv[1]).run(inputs)
with kiln.Group(sys.argv[1], processes=True) as group:
    found = group.run(inputs)
    assert all(found[name].tobytes() == threads[name].tobytes() for name in threads)
    try:
        group.run_all_ranks(inputs)
    except kiln.Error as error:
        assert error.code == "KILN-E0001", error
    else:
        raise AssertionError("ranks that are processes gave outputs of others")
    print(group.rank, group.ranks)
"""


def test_python(packages, nothing_left):
    job = next(PORTS)
    command = [sys.executable, "-c", PYTHON, str(packages[2])]
    ranks = [subprocess.Popen(command, env=environment(LAUNCHERS["torchrun"](rank, 2, job)), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) for rank in range(2)]  # fmt: skip
    for rank, outcome in enumerate(map(finish, ranks)):
        assert outcome.stdout == f"{rank} 2\n", outcome.stderr


DEADLINE = """
import sys, kiln, numpy as np
ids = np.ones((4, 32), np.int64)
inputs = {"input_ids": ids, "attention_mask": ids, "token_type_ids": ids}
group = kiln.Group(sys.argv[1], processes=True)
group.run(inputs)
for run in range(2):
    try:
        group.run(inputs, timeout=1e-9 if group.rank == 1 else None)
    except kiln.Error as error:
        print(error)
"""


def test_the_deadline_of_one_rank(packages, nothing_left):
    """The others learn of it in the run, and the group is to be made anew."""
    job = next(PORTS)
    command = [sys.executable, "-c", DEADLINE, str(packages[2])]
    ranks = [subprocess.Popen(command, env=environment(LAUNCHERS["torchrun"](rank, 2, job)), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) for rank in range(2)]  # fmt: skip
    first, second = map(finish, ranks)
    told = "rank 1 has failed; expected a result from every rank, found the deadline of the run has passed"
    # Rank 0 may have begun a step when rank 1 fails.
    assert len(re.findall(rf"KILN-E0710: rank 0(?:, step \d+)?: {told}", first.stdout)) == 2, first
    assert second.stdout.startswith("KILN-E0714: session: the deadline") and f"KILN-E0710: rank 1: {told}" in second.stdout, second


def test_python_decoder(decoder, tmp_path):
    program = """
import os, sys, kiln
threads = kiln.Decoder(sys.argv[1])
threads.prefill([list(b"/// Returns")])
saved = os.path.join(sys.argv[2], f"{os.getpid()}.state")
threads.save(saved)
expected = threads.decode([[65]])
decoder = kiln.Decoder(sys.argv[1], processes=True)
decoder.load(saved)
assert decoder.lengths.tolist() == [11] and decoder.decode([[65]]).tobytes() == expected.tobytes()
try:
    decoder.save(saved)
except kiln.Error as error:
    assert error.code == "KILN-E0617" and "without processes=True" in str(error), error
else:
    raise AssertionError("a process saved the states of all ranks")
decoder.reset()
logits, tokens = decoder.prefill([list(b"/// Returns")]), []
for _ in range(12):
    tokens.append(int(logits.reshape(-1)[-256:].argmax()))
    logits = decoder.decode([[tokens[-1]]])
group = decoder.session
assert len(group.read_state(0)) == group.state_bytes(0) and group.read_state(0) == group.read_state(0, rank=group.rank)
try:
    group.read_state(0, rank=1 - group.rank)
except kiln.Error as error:
    assert "the rank is another process" in str(error), error
else:
    raise AssertionError("a process has states of another one")
print(tokens)
"""
    job = next(PORTS)
    command = [sys.executable, "-c", program, str(decoder), str(tmp_path)]
    ranks = [subprocess.Popen(command, env=environment(LAUNCHERS["torchrun"](rank, 2, job)), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) for rank in range(2)]  # fmt: skip
    first, second = map(finish, ranks)
    assert first.stdout == second.stdout and first.status == 0, first.stderr
