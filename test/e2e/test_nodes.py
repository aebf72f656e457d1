"""Packages for several ranks, each of them a process that exchanges bytes over the network, as on several nodes."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools
import json
import os
import shutil
import socket
import subprocess
import threading
import time

import decoders
import pytest
import test_processes as processes
import tool
from test_processes import DIMS, OUTPUTS, finish, written

from bert import config, encoder, save, weights  # isort: skip  (decoders names their folder)

SMALL = config.Config(hidden=64, layers=1, heads=4, intermediate=128, vocabulary=100, positions=64)
PLUGIN = tool.binary().parent.parent / "lib" / "libkiln_gloo.so"
pytestmark = pytest.mark.skipif(not PLUGIN.exists(), reason="this build has no libkiln_gloo.so (Debian: libgloo-dev)")


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bert")
    save.save(*encoder.build(SMALL, weights.seeded(SMALL, 5), config.Outputs(sentence=True)), folder / "bert.onnx")
    for ranks in (2, 4):
        tool.call("compile", folder / "bert.onnx", "-o", folder / f"{ranks}.kiln", "-q", "--ranks", ranks, "--dims", "batch=1..4,sequence=1..32")
    return {ranks: folder / f"{ranks}.kiln" for ranks in (2, 4)}


@pytest.fixture(scope="module")
def decoder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tinylm")
    return decoders.compile_tinylm(folder, "--shard", "pp=3", "--dims", "rows=1,capacity=1..2048,sequence=1..16")


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def variables(rank, size, port, **more):
    return {"RANK": rank, "WORLD_SIZE": size, "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": 29500, "KILN_STORE_PORT": port, "KILN_TRANSPORT": "gloo"} | more


def start(size, *arguments, **more):
    """A process for each rank."""
    port = free_port()
    return [processes.start(variables(rank, size, port, **more), *arguments) for rank in range(size)]


def slow(package):
    return ["bench", package, "--iterations", 1000000000, "--dims", "batch=1,sequence=8"]


def wait_for(holds):
    end = time.monotonic() + 30
    while not holds() and time.monotonic() < end:
        time.sleep(0.05)


def have_met(ranks):
    """Waits until all ranks are connected with each other."""
    wait_for(lambda: all("kiln ranks" in processes.mappings(rank.pid) for rank in ranks))
    time.sleep(0.5)
    assert all(rank.poll() is None for rank in ranks), [finish(rank).stderr for rank in ranks]
    return ranks


@pytest.mark.parametrize("size", [2, 4])
def test_bits_are_those_of_threads(packages, tmp_path, size):
    options, expected = written(tmp_path, "threads")
    tool.call("run", packages[size], *DIMS, *options, env=processes.environment({}))
    options, found = written(tmp_path, "nodes")
    for outcome in map(finish, start(size, "run", packages[size], *DIMS, *options)):
        assert outcome.status == 0 and not outcome.stderr, outcome.stderr
    for name in OUTPUTS:
        assert found[name].read_bytes() == expected[name].read_bytes()


def test_stamps(packages, tmp_path):
    """Also of ranks that are threads: each rank has the result of each collective."""
    for one, launch in (("threads", {}), ("nodes", {"KILN_TRANSPORT": "gloo"})):
        folder = tmp_path / one
        folder.mkdir()
        if launch:
            assert all(finish(rank).status == 0 for rank in start(2, "run", packages[2], *DIMS, KILN_STAMPS=folder))
        else:
            tool.call("run", packages[2], *DIMS, env=processes.environment({"KILN_STAMPS": folder}))
        table = json.loads(tool.call("inspect", "--stamps", folder, "--json").stdout)
        assert [rank["last"] for rank in table["ranks"]] == [len(table["collectives"])] * 2
        assert [each["number"] for each in table["collectives"]] == [*range(1, len(table["collectives"]) + 1)]
        assert {each["kind"] for each in table["collectives"]} == {"all_reduce"}
        assert all(each["states"] == ["done", "done"] and each["bytes"] > 0 for each in table["collectives"])
        assert "all ranks have the result of collective 2" in tool.call("inspect", "--stamps", folder).stdout


def test_bad_stamps_are_named(packages, tmp_path):
    tool.call("run", packages[2], *DIMS, env=processes.environment({"KILN_STAMPS": tmp_path}))
    good = (tmp_path / "rank-1.stamps").read_bytes()
    for bad in (b"", good[:100], good[:-1], b"x" * len(good), good[:16] + b"\xff" * 8 + good[24:]):
        (tmp_path / "rank-1.stamps").write_bytes(bad)
        outcome = tool.call("inspect", "--stamps", tmp_path, status=2)
        tool.assert_error(outcome, "KILN-E0001", "rank-1.stamps", "no stamps of collectives", status=2)
    other = bytearray(good)
    other[256 + 64 + 8] ^= 1  # the hash of collective 1
    (tmp_path / "rank-1.stamps").write_bytes(other)
    table = json.loads(tool.call("inspect", "--stamps", tmp_path, "--json").stdout)
    assert table["collectives"][0]["states"] == ["done", "differs"]
    (tmp_path / "rank-1.stamps").unlink()
    assert "have no stamps of collective 2 (all_reduce at step" in tool.call("inspect", "--stamps", tmp_path).stdout
    outcome = tool.call("run", packages[2], *DIMS, status=2, env=processes.environment({"KILN_STAMPS": tmp_path / "none"}))
    tool.assert_error(outcome, "KILN-E0001", "stamps of collectives cannot be written", status=2)


def test_a_killed_rank_is_named(packages, tmp_path):
    """On all others, and by the stamps that it has left."""
    ranks = have_met(start(4, *slow(packages[4]), KILN_STAMPS=tmp_path))
    ranks[2].kill()
    begin = time.monotonic()
    for rank in ranks[:2] + ranks[3:]:
        outcome = finish(rank)
        assert time.monotonic() - begin < 20
        tool.assert_error(outcome, "KILN-E0710", "rank 2 has failed", "its last collective: a", os.uname().nodename, status=4)
        assert outcome.stderr.count("\n") == 1
    finish(ranks[2])
    table = json.loads(tool.call("inspect", "--stamps", tmp_path, "--json").stdout)
    last = [rank["last"] for rank in table["ranks"]]
    assert 0 < last[2] and max(last) - min(last) <= 1
    *_, end = table["collectives"]
    text = tool.call("inspect", "--stamps", tmp_path).stdout
    if set(end["states"]) == {"done"}:  # rank 2 was killed between two collectives
        assert f"all ranks have the result of collective {end['number']}" in text
        return
    # Any rank may have been killed in it, rank 2 too: the others had its part already.
    assert "waits" in end["states"], end
    words = "have not come to collective" if "missing" in end["states"] else "have no result of collective"
    assert f"{words} {end['number']} (" in text


def test_what_does_not_fit_is_refused(packages):
    """By the same checks as ranks that share memory, on all ranks."""
    port = free_port()
    ranks = [processes.start(variables(rank, 2, port), "run", packages[2], "--seed", rank) for rank in (0, 1)]
    for outcome in map(finish, ranks):
        tool.assert_error(outcome, "KILN-E0712", "rank 1: it begins another run than rank 0", status=3)
    ranks = [processes.start(variables(rank, 4, port), "run", packages[4]) for rank in (0, 1, 1, 2)]
    for outcome in map(finish, ranks):
        tool.assert_error(outcome, "KILN-E0621", "rank 1: two processes say that they are this rank", status=2)
    for outcome in map(finish, start(2, "run", packages[4])):
        tool.assert_error(outcome, "KILN-E0621", "expected 4 ranks, found 2 ranks", status=2)
    ranks = [processes.start(variables(rank, 2, port, MASTER_PORT=29500 + rank), "run", packages[2]) for rank in (0, 1)]
    for outcome in map(finish, ranks):
        tool.assert_error(outcome, "KILN-E0712", "it is of another job at the same port", status=3)


def test_garbage_at_the_port_is_ignored(packages):
    port = free_port()
    first = processes.start(variables(0, 2, port), "run", packages[2], *DIMS)
    for said in (b"GET / HTTP/1.1\r\n\r\n", os.urandom(4096), b"KILNRANK" + bytes(10), b""):
        for _ in range(100):
            try:
                with socket.create_connection(("127.0.0.1", port), timeout=5) as stranger:
                    stranger.sendall(said)
                break
            except ConnectionRefusedError:
                time.sleep(0.05)
    second = processes.start(variables(1, 2, port), "run", packages[2], *DIMS)
    assert finish(first).status == 0 and finish(second).status == 0


def test_something_else_at_the_port_is_named(packages):
    """A program that is no Kiln has the port of rank 0."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer():
            for _ in range(2):
                connection, _ = server.accept()
                connection.sendall(b"x" * 4096)

        threading.Thread(target=answer, daemon=True).start()
        port = server.getsockname()[1]
        for outcome in map(finish, [processes.start(variables(rank, 2, port), "run", packages[2]) for rank in (0, 1)]):
            tool.assert_error(outcome, "KILN-E0710", "something that is no rank of this Kiln answers", status=4)


def test_a_missing_library_is_named(packages, tmp_path):
    empty = tmp_path / "empty.so"
    empty.write_bytes(b"")
    for path in (tmp_path / "none.so", empty):
        (outcome,) = [finish(processes.start(variables(0, 2, free_port(), KILN_GLOO_LIBRARY=path), "run", packages[2]))]
        tool.assert_error(outcome, "KILN-E0702", "the transport between nodes cannot be loaded", str(path), "libgloo-dev", status=4)


#
# Nodes as network namespaces
#


NAMES = itertools.count()


class Nodes:
    """Network namespaces that a bridge connects, each with a name of its own."""

    def __init__(self, count):
        # The kernel removes a namespace's links some time after the namespace, so names are never reused.
        own = f"{os.getpid() % 100000}{next(NAMES)}"
        self.names = [f"kt{own}{i}" for i in range(count)]
        self.bridge = f"kb{own}"

    def ip(self, *arguments):
        subprocess.run(["ip", *map(str, arguments)], check=True, capture_output=True)

    def __enter__(self):
        try:
            self.ip("link", "add", self.bridge, "type", "bridge")
            self.ip("link", "set", self.bridge, "up")
            for i, name in enumerate(self.names):
                self.ip("netns", "add", name)
                self.ip("link", "add", f"{name}h", "type", "veth", "peer", "name", "eth0", "netns", name)
                self.ip("link", "set", f"{name}h", "master", self.bridge, "up")
                for command in (f"addr add 10.199.77.{i + 1}/24 dev eth0", "link set eth0 up", "link set lo up"):
                    self.ip("-n", name, *command.split())
        except (OSError, subprocess.CalledProcessError) as error:
            self.__exit__()
            pytest.skip(f"this system permits no network namespaces: {getattr(error, 'stderr', error)}")
        return self

    def __exit__(self, *_):
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], capture_output=True)
        subprocess.run(["ip", "link", "del", self.bridge], capture_output=True)

    def start(self, rank, *arguments):
        own = {"RANK": rank, "WORLD_SIZE": len(self.names), "LOCAL_WORLD_SIZE": 1, "MASTER_ADDR": "10.199.77.1", "MASTER_PORT": 29500}
        inside = f'hostname node{rank}; exec "$0" "$@"'
        command = ["ip", "netns", "exec", self.names[rank], "unshare", "--uts", "sh", "-c", inside, tool.binary(), *arguments]
        return subprocess.Popen([*map(str, command)], env=processes.environment(own), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def mpirun(self, folder, *arguments):
        """One mpirun starts a process in each node. What rank R does is in the files R.pid, R.out, R.err and R.status of the folder.

        mpirun sees one machine, so each process is told that it is alone on its node. A process that fails would make mpirun end the others
        before they say why, so its status goes to a file."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        inside = f'hostname node$OMPI_COMM_WORLD_RANK; echo $$ > {folder}/$OMPI_COMM_WORLD_RANK.pid; exec "$0" "$@"'
        names = " ".join(self.names)
        outside = f"""
            export OMPI_COMM_WORLD_LOCAL_SIZE=1
            rank=$OMPI_COMM_WORLD_RANK names=({names})
            ip netns exec ${{names[rank]}} unshare --uts sh -c '{inside}' "$0" "$@" > {folder}/$rank.out 2> {folder}/$rank.err
            echo $? > {folder}/$rank.status"""
        own = {"MASTER_ADDR": "10.199.77.1", "MASTER_PORT": 29500, "OMPI_ALLOW_RUN_AS_ROOT": 1, "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": 1}
        command = ["mpirun", "--oversubscribe", "-n", len(self.names), "bash", "-c", outside, tool.binary(), *arguments]
        return subprocess.Popen([*map(str, command)], env=processes.environment(own), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def pids(folder):
    return [int(path.read_text()) for path in folder.glob("*.pid") if path.read_text().strip()]


def outcomes_of(folder, ranks):
    """Of ranks that mpirun has started."""

    def read(rank, name):
        return (folder / f"{rank}.{name}").read_text()

    return [tool.Outcome(int(read(rank, "status")), read(rank, "out"), tool.PROGRESS.sub("", read(rank, "err"))) for rank in range(ranks)]


def generate(decoder):
    return ["generate", decoder, "--prompt", "/// Returns", "--max-new", 8, "--json"]


@pytest.fixture(scope="module")
def tokens(decoder):
    return json.loads(tool.call(*generate(decoder), env=processes.environment({})).stdout)["tokens"]


def test_generate(decoder, tokens):
    first, *others = map(finish, start(3, *generate(decoder)))
    assert all(one.status == 0 and not one.stdout for one in others), others
    assert json.loads(first.stdout)["tokens"] == tokens


def test_a_node_that_is_cut_off_is_named(decoder, tokens):
    """Three nodes decode; then the link of one goes down, which no connection notices."""
    with Nodes(3) as nodes:
        done = [finish(rank) for rank in [nodes.start(rank, *generate(decoder)) for rank in range(3)]]
        assert [outcome.status for outcome in done] == [0, 0, 0], done
        assert json.loads(done[0].stdout)["tokens"] == tokens
        ranks = have_met([nodes.start(rank, "bench", decoder, "--prompt", 8, "--gen", 1024, "--duration", 600) for rank in range(3)])
        nodes.ip("link", "set", f"{nodes.names[2]}h", "down")
        begin = time.monotonic()
        for outcome in map(finish, ranks[:2]):
            assert time.monotonic() - begin < 30
            tool.assert_error(outcome, "KILN-E0711", "rank 2 on node node2 has not come", "its node is cut off", status=4)
        tool.assert_error(finish(ranks[2]), "KILN-E0711", "has not come", status=4)


def test_divided_caches(tmp_path):
    """Nodes that each keep a range of a cache's positions: the tokens of threads."""
    package = decoders.compile_tinylm(tmp_path, "--shard", "dcp=2", "--dims", "rows=1,capacity=1..64,sequence=1..16")
    expected = json.loads(tool.call(*generate(package), env=processes.environment({})).stdout)["tokens"]
    with Nodes(2) as nodes:
        first, second = [finish(rank) for rank in [nodes.start(rank, *generate(package)) for rank in range(2)]]
        assert first.status == 0 and second.status == 0 and not second.stdout, (first, second)
        assert json.loads(first.stdout)["tokens"] == expected


@pytest.mark.skipif(not shutil.which("mpirun"), reason="mpirun (Debian: openmpi-bin) is not installed")
def test_nodes_that_mpirun_starts(decoder, tokens, tmp_path):
    """Rank and size are those of Open MPI: the tokens of one node, and a node that is cut off while it decodes is named."""
    with Nodes(3) as nodes:
        job = nodes.mpirun(tmp_path / "good", *generate(decoder))
        said, _ = job.communicate(timeout=120)
        assert job.returncode == 0, said
        first, *others = outcomes_of(tmp_path / "good", 3)
        assert first.status == 0 and json.loads(first.stdout)["tokens"] == tokens, first
        assert all(one.status == 0 and not one.stdout and not one.stderr for one in others), others
        folder = tmp_path / "cut"
        job = nodes.mpirun(folder, "bench", decoder, "--prompt", 8, "--gen", 1024, "--duration", 600)
        wait_for(lambda: len(pids(folder)) == 3 and all("kiln ranks" in processes.mappings(pid) for pid in pids(folder)))
        time.sleep(0.5)
        assert job.poll() is None, job.communicate()[0]
        nodes.ip("link", "set", f"{nodes.names[2]}h", "down")
        job.communicate(timeout=30)
        for outcome in outcomes_of(folder, 3)[:2]:
            tool.assert_error(outcome, "KILN-E0711", "rank 2 on node node2 has not come", "its node is cut off", status=4)
        tool.assert_error(outcomes_of(folder, 3)[2], "KILN-E0711", "has not come", status=4)
        assert not any(os.path.exists(f"/proc/{pid}") for pid in pids(folder))
