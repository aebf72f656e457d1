"""Runs of decoders that end early: no sequence has new rows, and the next run has the bits of one without them."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import decoders
import kiln
import numpy as np
import pytest
import tool
from decoder import config as shapes
from decoder import past
from decoder import weights as weights_module

ROWS, STEPS = 2, (7, 1, 1, 12, 1, 1)


@pytest.fixture(scope="module", params=["cache", "ring"])
def package(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    window = {"window": 5} if request.param == "ring" else {}
    config = shapes.Config(hidden=24, layers=4, heads=4, key_heads=2, head_size=16, wide=20, vocabulary=90, positions=64, **window)
    values = weights_module.seeded(config, 4, np.dtype(np.float32))
    decoders.save.save(*past.build(config, values), folder / "m.onnx", False)
    tool.call("compile", folder / "m.onnx", "-o", folder / "m.kiln", "--dims", "rows=1..2,capacity=1..64,sequence=1..16", "-q")
    return folder / "m.kiln"


def session_of(package, threads):
    return kiln.Session(package, threads=threads, dims={"rows": ROWS, "capacity": 64})


def inputs_of(step, count):
    return {"input_ids": decoders.tokens(step, ROWS, count), "counts": np.full(ROWS, count)}


def lengths_of(session):
    index = [state.name for state in session.states].index("lengths")
    return np.frombuffer(session.read_state(index), np.int64).tolist()


@pytest.mark.parametrize("threads", [1, 2])
def test_no_sequence_has_new_rows(package, threads):
    reference, session = session_of(package, threads), session_of(package, threads)
    ended, position, timeout = 0, 0, 0.0
    for step, count in enumerate(STEPS):
        inputs = inputs_of(step, count)
        expected = reference.run(inputs)["logits"]
        for _ in range(40):  # each is cancelled a bit later, between other steps
            try:
                found = session.run(inputs, timeout=timeout)["logits"]
            except kiln.Error as error:
                assert error.code == "KILN-E0714"
                assert lengths_of(session) == [position] * ROWS
                ended += "step" in error.found
                timeout += 3e-6
            else:
                timeout = 2e-5
                break
        else:
            found = session.run(inputs)["logits"]
        position += count
        assert np.array_equal(found, expected)
        assert lengths_of(session) == [position] * ROWS
    assert ended >= 3


def test_run_that_ends_before_it_begins(package):
    session = session_of(package, 1)
    for step in range(4):
        session.run(inputs_of(step, 10))
    token = kiln.CancelToken()
    token.cancel()
    with pytest.raises(kiln.Error, match="KILN-E0713"):
        session.run(inputs_of(9, 10), token=token)
    expected = session_of(package, 1)
    for step in range(4):
        expected.run(inputs_of(step, 10))
    assert np.array_equal(session.run(inputs_of(4, 3))["logits"], expected.run(inputs_of(4, 3))["logits"])
