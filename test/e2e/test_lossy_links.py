"""Ranks on several nodes whose link delays, drops and reorders packets."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import time

import pytest
import test_nodes
import tool
from lossy_links import LossyNodes
from test_nodes import decoder, generate, have_met, packages, tokens  # noqa: F401
from test_processes import DIMS, OUTPUTS, environment, finish, written

pytestmark = test_nodes.pytestmark


@pytest.mark.parametrize("seed", [1, 2])
def test_bits_are_those_of_threads(packages, tmp_path, seed):  # noqa: F811
    """The job takes as long as its packets, and has the same bits."""
    options, expected = written(tmp_path, "threads")
    tool.call("run", packages[2], *DIMS, *options, env=environment({}))
    with LossyNodes(2, seed, delay=(0.005, 0.03), loss=0.03) as nodes:
        options, found = written(tmp_path, "nodes")
        begin = time.monotonic()
        for outcome in [finish(rank) for rank in [nodes.start(rank, "run", packages[2], *DIMS, *options) for rank in (0, 1)]]:
            assert outcome.status == 0 and not outcome.stderr, outcome.stderr
        # Round trips of the rendezvous, and of each of several collectives.
        assert time.monotonic() - begin > 10 * 0.005
        assert nodes.carried > 50 and nodes.dropped > 0 and nodes.overtaken > 0
    for name in OUTPUTS:
        assert found[name].read_bytes() == expected[name].read_bytes()


def test_generate(decoder, tokens):  # noqa: F811
    with LossyNodes(3, 7, delay=(0.001, 0.01), loss=0.01) as nodes:
        first, *others = [finish(rank) for rank in [nodes.start(rank, *generate(decoder)) for rank in range(3)]]
        assert all(one.status == 0 and not one.stdout for one in others), others
        assert json.loads(first.stdout)["tokens"] == tokens
        assert nodes.dropped > 0 and nodes.overtaken > 0


def test_a_link_that_loses_everything(decoder):  # noqa: F811
    """From some moment in decode on. No device goes down, and no connection is closed: each rank finds another one silent."""
    with LossyNodes(3, 7, delay=(0.0, 0.002)) as nodes:
        ranks = have_met([nodes.start(rank, "bench", decoder, "--prompt", 8, "--gen", 1024, "--duration", 600) for rank in range(3)])
        nodes.cut()
        begin = time.monotonic()
        for outcome in map(finish, ranks):
            tool.assert_error(outcome, "KILN-E0711", "has not come", "within 5000 ms", status=4)
        assert time.monotonic() - begin < 15  # 5 s, plus delays on a busy machine
        assert nodes.dropped > 0
