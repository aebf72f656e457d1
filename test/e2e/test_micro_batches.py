"""Runs in parts that stages of a pipeline compute one behind the other (--micro-batches): the bits of one rank, and what is refused."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import re

import decoders
import kiln
import numpy as np
import pytest
import tool
from test_gpu_ranks import assert_same_bits as assert_same_outputs
from test_gpu_ranks import run, two_gpus  # noqa: F401
from test_pipeline import assert_same_bits, bert  # noqa: F401
from test_ranks import Meshes, generate, inputs_of, run_processes

LONG = ("--dims", "rows=1..3,capacity=1..192,sequence=1..128")
PROMPT_LENGTHS = [[128, 1, 33], [3, 2, 1], [67, 4, 128]]


@pytest.fixture(scope="module")
def tinylm(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tinylm")
    decoders.compile_tinylm(folder, *LONG)
    return Meshes(folder / "past.onnx", folder, *LONG)


@pytest.fixture(scope="module")
def families(tmp_path_factory):
    packages = decoders.Packages(tmp_path_factory.mktemp("families"))
    return lambda family: Meshes(packages.model(family), packages.folder, *LONG)


def parts(count):
    return ("--micro-batches", str(count))


def pipelined(package):
    provenance = json.loads(tool.call("inspect", package, "--json").stdout)["provenance"]
    return {one["program"]: one for one in provenance["pipelined"]}


def assert_same_logits(one, other, lengths, rows=3):
    """Of prompts of several lengths, of a step behind them, and of a second prompt behind that."""
    first, second = (kiln.Decoder(package, rows=rows, capacity=192) for package in (one, other))
    prompts = [decoders.tokens(row, 1, count)[0] for row, count in enumerate(lengths)]
    for decoder_step in ("prefill", "decode", "prefill"):
        inputs = {"decode": decoders.tokens(7, rows, 2), "prefill": prompts}[decoder_step]
        expected, found = (getattr(decoder, decoder_step)(inputs) for decoder in (first, second))
        assert np.asarray(found).tobytes() == np.asarray(expected).tobytes(), decoder_step
        prompts = [prompt[:40] for prompt in prompts]


@pytest.mark.parametrize("mesh, count", [("pp=2", 2), ("pp=2", 4), ("pp=3", 3), ("pp=4", 2)])
@pytest.mark.parametrize("lengths", PROMPT_LENGTHS)
def test_causal_parts_have_the_bits_of_one_rank(tinylm, mesh, count, lengths):
    assert_same_logits(tinylm.of_mesh(""), tinylm.of_mesh(mesh, *parts(count)), lengths)


@pytest.mark.parametrize("axis", ["tp=2", "sp=2"])
def test_both_axes_have_the_bits_of_tensor_parallel_ranks(tinylm, axis):
    assert_same_logits(tinylm.of_mesh(axis), tinylm.of_mesh(f"pp=2,{axis}", *parts(2)), PROMPT_LENGTHS[0])


@pytest.mark.parametrize("family", ["llama", "qwen3", "phi3"])
def test_families(families, family):
    meshes = families(family)
    assert_same_logits(meshes.of_mesh(""), meshes.of_mesh("pp=2", *parts(3)), PROMPT_LENGTHS[0])


@pytest.mark.parametrize("options", [("--kv", "int8"), ("--precision", "int4"), ("--precision", "bf16")])
def test_precision_is_kept(tinylm, options):
    assert_same_logits(tinylm.of_mesh("", *options), tinylm.of_mesh("pp=2", *parts(2), *options), PROMPT_LENGTHS[0])


@pytest.mark.parametrize("mesh, count", [("pp=2", 2), ("pp=2", 4), ("pp=3", 3)])
def test_sequences_have_the_bits_of_one_rank(bert, mesh, count):  # noqa: F811
    """An encoder in parts of a batch, also of fewer sequences than parts."""
    one, group = kiln.Session(bert.of_mesh("")), kiln.Group(bert.of_mesh(mesh, *parts(count)))
    for dims in [(1, 1), (4, 32), (3, 7), (2, 9), (1, 32)]:
        expected = one.run(inputs_of(*dims))
        for own in group.run_all_ranks(inputs_of(*dims)):
            assert_same_bits(own, expected)


def test_processes(bert, tmp_path):  # noqa: F811
    written = [f"--output={name}=@{tmp_path}/{name}.npy" for name in ("last_hidden_state", "sentence_embedding")]
    tool.call("run", bert.of_mesh(""), "--dims", "batch=3,sequence=9", *written)
    first, second = run_processes("run", bert.of_mesh("pp=2", *parts(2)), "--dims", "batch=3,sequence=9", "--compare", tmp_path)
    assert "PASSED" in first and not second


def test_gpus(bert, two_gpus, tmp_path):  # noqa: F811
    """Stages on simulated GPUs: the bits of stages that compute all at once."""
    meshes = Meshes(bert.model, tmp_path, *bert.options, "--target", "native,sm_80", "--batch-invariant")
    whole, split = (run(meshes.of_mesh("pp=2", *options), "cuda", tmp_path, two_gpus) for options in ((), parts(2)))
    assert_same_outputs(split, whole)


def test_text(tinylm):
    options = ["--prompt", "/// Returns true if the string is empty, and false", "--max-new", 32]
    one, two = (generate(package, *options) for package in (tinylm.of_mesh(""), tinylm.of_mesh("pp=2", *parts(2))))
    assert two["tokens"] == one["tokens"]


def test_stages_compute_at_the_same_time(tinylm, tmp_path):
    """The bubble that the report states shrinks with the number of parts, and only prefill is split."""
    bubbles = []
    for options in ((), parts(2), parts(4)):
        programs = pipelined(tinylm.of_mesh("pp=2", *options))
        assert programs["decode"]["micro_batches"] == 1 and 0.4 < programs["decode"]["bubble"] < 0.6
        bubbles.append(programs["prefill"]["bubble"])
    assert 0.4 < bubbles[0] < 0.6 and bubbles[0] - 0.08 > bubbles[1] > bubbles[2] + 0.05 and bubbles[2] < 0.4
    report = tool.call("compile", tinylm.model, "-o", tmp_path / "m.kiln", "--shard", "pp=2", *parts(2), *LONG).stdout
    line = rf"prefill in 2 micro-batches: a stage waits for {round(100 * bubbles[1])} % of it \(the bubble\)\n"
    assert re.search(line, report) and re.search(line, tool.call("inspect", tmp_path / "m.kiln").stdout)
    assert (tmp_path / "m.kiln").read_bytes() == tinylm.of_mesh("pp=2", *parts(2)).read_bytes()


def test_estimate(tinylm):
    """Both the closed form and the simulator say that prefill gets faster, and decode does not."""
    large = ["--dims", "rows=1..64,capacity=1..2048,sequence=1..2048"]  # steps take longer than their launch
    command = ["estimate", tinylm.model, "--topology", "epyc9654x2", "--shard", "pp=2", *large, "--json"]
    whole, split = (json.loads(tool.call(*command, *options).stdout) for options in ((), parts(4)))
    for key in ("simulated", "closed"):
        seconds = [each["simulated_seconds"] if key == "simulated" else [one["seconds"] for one in each["chosen"]["programs"]] for each in (whole, split)]
        assert seconds[1][0] < 0.8 * seconds[0][0] and seconds[1][1] == pytest.approx(seconds[0][1], rel=0.02)


@pytest.mark.parametrize(
    "options, words",
    [
        (["--shard", "pp=2", "--micro-batches", 0], ["--micro-batches", "is not a number of parts", "1 to 16"]),
        (["--shard", "pp=2", "--micro-batches", 17], ["--micro-batches", "is not a number of parts", "1 to 16"]),
        (["--shard", "tp=2", "--micro-batches", 2], ["--micro-batches", "is for stages of a pipeline"]),
        (["--micro-batches", 2], ["--micro-batches", "is for stages of a pipeline"]),
        (["--shard", "pp=2,cp=2", "--micro-batches", 2], ["--micro-batches", "a mesh with pp and without cp"]),
    ],
)
def test_bad_options(bert, tmp_path, options, words):  # noqa: F811
    outcome = tool.call("compile", bert.model, "-o", tmp_path / "m.kiln", *options, *bert.options, status=2)
    tool.assert_error(outcome, "KILN-E0001", *words, status=2)


def test_models_that_cannot_be_split(bert, tmp_path):  # noqa: F811
    dims = ["--dims", "batch=1..2,sequence=1..32"]
    outcome = tool.call("compile", bert.model, "-o", tmp_path / "m.kiln", "--shard", "pp=2", "--micro-batches", 3, *dims, status=3)
    tool.assert_error(outcome, "KILN-E0209", "cannot be split into 3 micro-batches", "a sequence has at most 32 rows", "a batch has at most 2 sequences", status=3, parts=["fix: "])


def test_rings_are_refused(families, tmp_path):
    """The mask of attention over a ring is of one that has all rows of the run."""
    meshes = families("gemma2")
    outcome = tool.call("compile", meshes.model, "-o", tmp_path / "m.kiln", "--shard", "pp=2", *parts(2), *LONG, status=3)
    tool.assert_error(outcome, "KILN-E0209", "layers.0/self_attn/Softmax", "needs all of them", status=3, parts=["fix: "])
