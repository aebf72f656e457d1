"""--kv int8 and fp8: how far tinylm's perplexity moves, that every path gives the same bits, and what is refused."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses
import functools
import json

import decoders
import kiln
import numpy as np
import pytest
import tool
from decoders import HELD_OUT, PROMPT, perplexity

FORMATS = ["int8", "fp8"]
HEAD = 32  # elements of a key
TARGETS = ["native", "x86-64-v3"]
# Query heads, key heads, head size: quantized keys of full cache lines, of more than a block, of three blocks, of less
# than a block.
HEADS = {"lines": (6, 2, 64), "blocks": (4, 4, 96), "odd blocks": (4, 1, 48), "no blocks": (6, 3, 20)}
DIMS = ["--dims", "rows=1..2,capacity=1..512,sequence=1..256"]


def compile_with(folder, *options):
    return decoders.compile_tinylm(folder, *options, *DIMS, spelling="past")


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """By format, each in a folder of its own."""
    return {
        cache: compile_with(tmp_path_factory.mktemp(cache or "f32"), *(("--kv", cache) if cache else ()))
        for cache in ("", *FORMATS)
    }


def provenance(package):
    return json.loads(tool.call("inspect", package, "--json").stdout)["provenance"]


def test_perplexity_stays_near(packages):
    exact = perplexity(packages[""])
    for cache in FORMATS:
        assert 0 < abs(perplexity(packages[cache]) / exact - 1) < 3e-3, cache


@pytest.mark.parametrize("cache", FORMATS)
def test_the_report_names_every_cache(packages, cache):
    report = provenance(packages[cache])
    entries = [entry for entry in report["precision_report"] if entry["op"] == "cache"]
    # Keys and values of six layers.
    assert [(entry["was"], entry["became"]) for entry in entries] == [("f32", cache)] * 12
    assert report["cache"] == cache
    assert f"caches in {cache}" in tool.call("inspect", packages[cache], "--precision").stdout


@pytest.mark.parametrize("cache", FORMATS)
def test_state_is_smaller(packages, cache):
    """As many numbers of one byte, and a scale of four per head and position."""

    def size(package):
        session = kiln.Decoder(package, rows=1, capacity=64).session
        return sum(session.state_bytes(i) for i, state in enumerate(session.states) if state.name != "lengths")

    assert size(packages[cache]) / size(packages[""]) == (HEAD + 4) / (4 * HEAD)


@pytest.mark.parametrize("cache", FORMATS)
def test_kernels_are_those_of_the_reference(packages, cache):
    assert tool.call("verify", packages[cache], timeout=300).stdout.endswith("PASSED\n")


@pytest.mark.parametrize("cache", FORMATS)
def test_steps_give_the_bits_of_the_prompt(packages, cache):
    decoders.assert_steps_give_the_bits_of_the_prompt(packages[cache])


@pytest.fixture(scope="module")
def model_of(tmp_path_factory):
    """The path of a small model whose heads are of a kind."""

    def build(kind):
        heads, key_heads, head_size = HEADS[kind]
        config = dataclasses.replace(decoders.FAMILIES["llama"], heads=heads, key_heads=key_heads, head_size=head_size)
        path = tmp_path_factory.mktemp("heads") / "model.onnx"
        decoders.save.save(*decoders.past.build(config, decoders.weights.seeded(config, 3, np.dtype(np.float32))), path, False)
        return path

    return functools.cache(build)


# Every kind of heads in one of the formats on each target, so that all pairs of format and target occur.
@pytest.mark.parametrize("kind, cache, target", [
    (kind, FORMATS[(i + j) % 2], target) for i, kind in enumerate(HEADS) for j, target in enumerate(TARGETS)
])  # fmt: skip
def test_steps_of_heads_of_any_size(model_of, tmp_path, kind, cache, target):
    """One query multiplies codes where they lie or in panels of codes, a prompt multiplies panels of numbers: the same bits at the
    first keys, on both sides of where a panel ends, and at the last key that there is room for; and what the reference says."""
    capacity, package = 67, tmp_path / "m.kiln"
    tool.call("compile", model_of(kind), "-o", package, "-q", "--kv", cache, "--target", target,
              "--dims", f"rows=1..2,capacity=1..{capacity},sequence=1..{capacity}")
    ids = np.random.default_rng(1).integers(0, 90, capacity).tolist()
    whole, steps = (kiln.Decoder(package, rows=1, capacity=capacity, threads=threads) for threads in (2, 1))
    for past in (1, 2, 15, 16, 31, 32, 63, 64, capacity - 1):
        whole.trim(0, 0)
        expected = whole.prefill([ids[: past + 1]])
        steps.trim(0, 0)
        steps.prefill([ids[:past]])
        assert steps.decode([ids[past : past + 1]])[0, 0].tobytes() == expected[0].tobytes(), past
    for entry, tokens in (("decode", "tokens=1"), ("prefill", "sequence=1"), ("prefill", "sequence=3")):
        tool.call("verify", package, "--entry", entry, "--dims", f"rows=2,capacity={capacity},{tokens}")


@pytest.mark.parametrize("cache", FORMATS)
def test_save_load_fork_and_trim(packages, cache, tmp_path):
    """Scales are state like the codes."""
    decoder = kiln.Decoder(packages[cache], rows=2, capacity=64)
    decoder.prefill([PROMPT, []])
    expected = decoder.decode([[65], []])[0, 0].tobytes()
    decoder.trim(0, len(PROMPT))
    assert decoder.decode([[65], []])[0, 0].tobytes() == expected
    decoder.trim(0, len(PROMPT))
    decoder.fork(0, 1)
    assert decoder.decode([[], [65]])[1, 0].tobytes() == expected
    decoder.save(tmp_path / "state")
    other = kiln.Decoder(packages[cache], rows=2, capacity=64)
    other.load(tmp_path / "state")
    assert other.decode([[65], []])[0, 0].tobytes() == expected


@pytest.mark.parametrize("precision", ["int4", "bf16"])
def test_beside_products_of_fewer_bits(packages, tmp_path, precision):
    package = compile_with(tmp_path, "--precision", precision, "--kv", "int8")
    assert {entry["became"] for entry in provenance(package)["precision_report"] if entry["op"] == "cache"} == {"int8"}
    assert tool.call("verify", package, timeout=300).stdout.endswith("PASSED\n")
    assert perplexity(package) / perplexity(packages[""]) - 1 < 1.2e-2


def test_a_policy_names_the_cache(tmp_path):
    policy = tmp_path / "policy.json"
    policy.write_text(json.dumps({"precision": "f32", "cache": "fp8"}))
    assert provenance(compile_with(tmp_path, "--precision", policy))["cache"] == "fp8"
    # The option overrides the policy, whatever the order.
    for options in (["--kv", "int8", "--precision", policy], ["--precision", policy, "--kv", "int8"]):
        assert provenance(compile_with(tmp_path, *options))["cache"] == "int8"


def test_a_policy_that_was_found_names_the_cache(tmp_path):
    """--policy-out writes all that --precision reads."""
    found = tmp_path / "found.json"
    compile_with(tmp_path, "--precision", "int8", "--kv", "int8", "--accuracy", f"ppl<=50%:{HELD_OUT}", "--policy-out", found)
    assert json.loads(found.read_text())["cache"] == "int8"


def test_a_gpu_gives_the_logits_of_the_host(packages, driver, tmp_path):
    """The same codes: logits differ by rounding only."""
    package = compile_with(tmp_path, "--kv", "int8", "--target", "sm_80")
    expected = kiln.Decoder(packages["int8"], rows=1, capacity=64).prefill([PROMPT])
    found = kiln.Decoder(package, rows=1, capacity=64, device="sim:a100").prefill([PROMPT])
    np.testing.assert_allclose(found, expected, atol=2e-3)


def test_what_is_refused(tmp_path, bert_toy):
    compile_with(tmp_path)
    model = tmp_path / "past.onnx"

    def failure(*options, model=model):
        return tool.call("compile", model, "-o", tmp_path / "x.kiln", *options, status=None)

    tool.assert_error(failure("--kv", "int4"), "KILN-E0001", "int8 or fp8", "int4", status=2)
    tool.assert_error(failure("--kv", "int8", "--no-state"), "KILN-E0001", "no cache without state", status=2)
    tool.assert_error(failure("--kv", "int8", model=bert_toy), "KILN-E0001", "the model has no cache", status=2)
