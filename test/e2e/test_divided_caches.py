"""Decode context parallelism (--shard dcp): each rank keeps a range of a cache's positions, and what attention gives of them is merged."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json

import decoders
import kiln
import numpy as np
import pytest
import tool
from test_gpu_products import SCHEDULES
from test_ptx import assemble, ptx_of
from test_ranks import Meshes, bert, generate, run_processes, tinylm  # noqa: F401 (fixtures)

# Divided softmax sums are in another order: the logits differ by a few f32 roundings.
TOLERANCE = {"rtol": 2e-4, "atol": 2e-4}


def state_bytes(decoder, rank=0):
    """Of the caches; lengths are whole on every rank."""
    session = decoder.session
    of_rank = [rank] if isinstance(session, kiln.Group) else []
    return sum(session.state_bytes(i, *of_rank) for i, state in enumerate(session.states) if state.name != "lengths")


def assert_near(found, expected, where):
    np.testing.assert_allclose(found, expected, err_msg=where, **TOLERANCE)


def assert_near_but_for_codes(found, expected, where):
    """A key or value on the border between two codes may get either one, by a rounding of what it is computed from: see assert_codes_alike."""
    np.testing.assert_allclose(found, expected, err_msg=where, rtol=0, atol=0.01)


def codes_of(decoder, state, rank=0):
    """[row, head, position, element] of a cache, or of a rank's part of it; neighbours differ by 1."""
    session = decoder.session
    rows, heads, _, width = (dim if isinstance(dim, int) else decoder.rows for dim in session.states[state].shape)
    read = session.read_state(state, rank=rank) if isinstance(session, kiln.Group) else session.read_state(state)
    codes = np.frombuffer(read, np.int8).astype(int).reshape(rows, heads, -1, width)
    # E4M3 has a sign and a magnitude, not two's complement.
    return codes if session.states[state].dtype == "int8" else np.where(codes < 0, -(codes & 127), codes)


def assert_codes_alike(one, two):
    """Equal but for a few neighbours."""
    for state, tensor in enumerate(one.session.states):
        if not tensor.name.endswith(("key", "value")):
            continue
        parts = np.concatenate([codes_of(two, state, rank) for rank in range(2)], axis=2)
        difference = np.abs(parts - codes_of(one, state))
        assert difference.max() <= 1 and np.count_nonzero(difference) < 1e-2 * difference.size, tensor.name


def assert_decodes_alike(one, other, assert_alike=assert_near):
    """Rows of several lengths, across all borders of parts, by prompts and by steps of one and of several positions."""
    for step, ids in enumerate((decoders.tokens(0, 2, 41), [[], [5, 6, 7]], decoders.tokens(1, 2, 17))):
        assert_alike(other.prefill(ids), one.prefill(ids), f"prefill {step}")
    for step, count in enumerate((4, 1, 1, 16, 1)):
        ids = decoders.tokens(step + 2, 2, count)
        assert_alike(other.decode(ids), one.decode(ids), f"decode {step}")


@pytest.mark.parametrize("mesh", ["dcp=2", "dcp=3", "dcp=4", "tp=2,dcp=2", "pp=2,dcp=2"])
def test_a_decoder(tinylm, mesh):  # noqa: F811
    """Nearly the logits of one rank, the same bits on all ranks, and the same tokens."""
    one, other = (kiln.Decoder(tinylm.of_mesh(m), rows=2, capacity=128) for m in ("", mesh))
    assert_decodes_alike(one, other)
    options = ["--prompt", "/// Returns true if the string is", "--max-new", 64]
    assert generate(tinylm.of_mesh(mesh), *options)["tokens"] == generate(tinylm.of_mesh(""), *options)["tokens"]


@pytest.mark.parametrize("capacity", [127, 128, 3, 1])
def test_a_rank_has_its_part(tinylm, capacity):  # noqa: F811
    """Of odd capacities ranks have one position more than they need; the last positions can be written."""
    one, four = (kiln.Decoder(tinylm.of_mesh(mesh), rows=1, capacity=capacity) for mesh in ("", "dcp=4"))
    part = -(-capacity // 4)
    assert [state_bytes(four, rank) * capacity for rank in range(4)] == [state_bytes(one) * part] * 4
    ids = decoders.tokens(0, 1, capacity)
    at = max(capacity - 3, 0)
    if at:
        for begin in range(0, at, 64):
            one.prefill(ids[:, begin : min(begin + 64, at)]), four.prefill(ids[:, begin : min(begin + 64, at)])
    np.testing.assert_allclose(four.prefill(ids[:, at:]), one.prefill(ids[:, at:]), **TOLERANCE)
    assert four.lengths[0] == capacity
    with pytest.raises(kiln.Error, match="KILN-E0617"):
        four.decode(ids[:, :1])


def test_a_part_alone_is_the_whole(tinylm):  # noqa: F811
    """As long as sequences end in the first part, other ranks add 0 times nothing: the bits of cp."""
    cp, dcp = (kiln.Decoder(tinylm.of_mesh(mesh), rows=2, capacity=256) for mesh in ("cp=2", "dcp=2"))
    ids = decoders.tokens(3, 2, 60)
    assert dcp.prefill(ids).tobytes() == cp.prefill(ids).tobytes()
    for step in range(8):
        token = decoders.tokens(step, 2, 4)
        assert dcp.decode(token).tobytes() == cp.decode(token).tobytes()


def test_states(tinylm, tmp_path):  # noqa: F811
    """Fork, trim, save and load, across the border of two parts."""
    one, two = (kiln.Decoder(tinylm.of_mesh(mesh), rows=2, capacity=32) for mesh in ("", "dcp=2"))
    for decoder in (one, two):
        decoder.prefill([decoders.tokens(0, 1, 19)[0], []])
        decoder.fork(0, 1)
    two.save(tmp_path / "state")
    expected = one.decode(decoders.tokens(1, 2, 4))
    found = two.decode(decoders.tokens(1, 2, 4))
    np.testing.assert_allclose(found, expected, **TOLERANCE)
    two.trim(0, 3)
    two.load(tmp_path / "state")
    assert two.decode(decoders.tokens(1, 2, 4)).tobytes() == found.tobytes()
    for decoder in (one, two):
        decoder.trim(0, 14)
    np.testing.assert_allclose(two.decode(decoders.tokens(2, 2, 4)), one.decode(decoders.tokens(2, 2, 4)), **TOLERANCE)


@pytest.mark.parametrize("options", [("--kv", "int8"), ("--kv", "fp8"), ("--precision", "int8")], ids=" ".join)
def test_quantized(tinylm, options):  # noqa: F811
    """Codes and their scales are divided alike."""
    one, two = (kiln.Decoder(tinylm.of_mesh(mesh, *options), rows=2, capacity=128) for mesh in ("", "dcp=2"))
    assert state_bytes(two) * 2 == state_bytes(one)
    if options[0] == "--kv":
        assert_decodes_alike(one, two, assert_near_but_for_codes)
        return assert_codes_alike(one, two)
    # Activations are quantized, so a rounding difference may move a logit by quantization steps.
    for ids in (decoders.tokens(0, 2, 41), decoders.tokens(1, 2, 40)):
        np.testing.assert_allclose(two.prefill(ids), one.prefill(ids), rtol=0, atol=0.3)
    return None


@pytest.mark.parametrize("name", ["llama", "qwen2", "gpt2", "phi3"])
def test_families(tmp_path, name):
    """Biases, learned positions, and rotations of a part of each head."""
    model, dims = decoders.Packages(tmp_path).model(name), ["--dims", "rows=1,capacity=1..64,sequence=1..32"]
    meshes = Meshes(model, tmp_path, *dims)
    one, two = (kiln.Decoder(meshes.of_mesh(mesh), rows=1) for mesh in ("", "dcp=2"))
    assert state_bytes(two) * 2 == state_bytes(one)
    for step, count in enumerate((21, 3, 18)):
        ids = decoders.tokens(step, 1, count)
        np.testing.assert_allclose(two.prefill(ids), one.prefill(ids), **TOLERANCE)
    np.testing.assert_allclose(two.decode([[1]]), one.decode([[1]]), **TOLERANCE)


def test_processes(tinylm):  # noqa: F811
    """The tokens of threads."""
    command = ["generate", tinylm.of_mesh("dcp=2"), "--prompt", "/// Returns true if the string is", "--max-new", 16, "--json"]
    first, second = run_processes(*command)
    assert json.loads(first)["tokens"] == generate(tinylm.of_mesh("dcp=2"), *command[2:-1])["tokens"] and not second


def test_collectives_and_report(tinylm, tmp_path):  # noqa: F811
    """A step of decode gathers a number per query and head, and adds up the results, once per layer."""
    table = json.loads(tool.call("inspect", tinylm.of_mesh("dcp=2"), "--ranks", "--json").stdout)
    decode = [one["kind"] for one in table["collectives"] if one["entry"] == "decode"]
    layers = decode.count("all_reduce")
    assert layers > 1 and decode == ["all_gather", "all_reduce"] * layers
    report = tool.call("compile", tinylm.model, "-o", tmp_path / "m.kiln", "--shard", "dcp=2", *tinylm.options).stdout
    assert f"{2 * layers} attention by cache" in report and "an all-reduce behind each by cache" in report
    assert (tmp_path / "m.kiln").read_bytes() == tinylm.of_mesh("dcp=2").read_bytes()


def test_kernels_are_verified(tinylm):  # noqa: F811
    """Attention and its log-sum-exp are two results of one kernel; each is compared with the reference."""
    assert tool.call("verify", tinylm.of_mesh("dcp=2")).stdout.endswith("PASSED\n")


@pytest.mark.parametrize("precision", ["f32", "bf16"])
@pytest.mark.parametrize("target", ["sm_80", "sm_90a"])
def test_on_gpus(tmp_path, driver, target, precision):
    """Every kernel against the reference under several schedules, with all detectors; its PTX assembles; the tokens of the CPU."""
    model, options = decoders.Packages(tmp_path).model("llama"), ["--target", f"native,{target}", "--precision", precision]
    meshes = Meshes(model, tmp_path, "--dims", "rows=1..2,capacity=1..64,sequence=1..32", *options)
    package, device = meshes.of_mesh("dcp=2"), decoders.DEVICES[target]
    for schedule in SCHEDULES:
        environment = {**driver, "KILN_SIM_SCHEDULE": schedule, "KILN_SIM_CHECK": "all"}
        for sizes in ("rows=2,capacity=40,sequence=19,tokens=1", "rows=1,capacity=37,sequence=32,tokens=5"):
            outcome = tool.call("verify", package, "--device", device, "--dims", sizes, env=environment)
            assert outcome.stdout.endswith("PASSED\n") and not outcome.stderr, outcome.stdout + outcome.stderr
    if precision == "f32":
        options = ["generate", package, "--prompt-ids", ",".join(map(str, range(1, 30))), "--max-new", 9, "--json"]
        found, expected = (json.loads(tool.call(*options, *on, env=driver).stdout)["tokens"] for on in (["--device", device], []))
        assert found == expected
    for path in ptx_of(package, tmp_path / "ptx"):
        if "attention" in path.read_text():
            assemble(path, target)


def test_what_is_refused(bert, tinylm, tmp_path):  # noqa: F811
    def fails(model, *options, code, words):
        outcome = tool.call("compile", model, "-o", tmp_path / "m.kiln", *options, status=None)
        assert outcome.status != 0 and code in outcome.stderr and words in outcome.stderr, outcome.stderr

    fails(bert.model, "--shard", "dcp=2", *bert.options, code="KILN-E0209", words="no cache can be divided among context-parallel ranks")
    fails(tinylm.model, "--shard", "cp=2,dcp=2", *tinylm.options, code="KILN-E0001", words="names an axis twice")
