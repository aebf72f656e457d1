"""kiln generate, and the other tools on packages with state."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import re

import decoders
import kiln
import numpy as np
import pytest
import tool

PROMPT = "/// Returns true if the "


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    return decoders.Packages(tmp_path_factory.mktemp("decoders"))


@pytest.fixture(scope="module")
def tinylm(tmp_path_factory):
    return decoders.compile_tinylm(tmp_path_factory.mktemp("tinylm"), "--target", "native,sm_80,sm_90a")


def generate(package, *options, **keywords):
    return json.loads(tool.call("generate", package, "--json", *options, **keywords).stdout)


def test_text_reads_like_the_headers(tinylm):
    outcome = tool.call("generate", tinylm, "--prompt", PROMPT, "--max-new", 60)
    assert "that is a " in outcome.stdout and outcome.stdout.isascii() and len(outcome.stdout) == 61
    assert "tokens/s" in outcome.stderr and outcome.stderr.startswith("memory ")


@pytest.mark.parametrize("device", ["sim:a100", "sim:h200"])
def test_devices_generate_the_same(tinylm, driver, device):
    expected = generate(tinylm, "--prompt", "class ", "--max-new", 8)
    found = generate(tinylm, "--prompt", "class ", "--max-new", 8, "--device", device, env=driver)
    assert found["tokens"] == expected["tokens"] and found["text"] == expected["text"]


def test_greedy_tokens_are_those_of_python(tinylm):
    expected = generate(tinylm, "--prompt", PROMPT, "--max-new", 40)["tokens"]
    decoder = kiln.Decoder(tinylm, capacity=128)
    logits = decoder.prefill([list(PROMPT.encode())])
    found = []
    for _ in range(40):
        found.append(int(logits[0].argmax()))
        logits = decoder.decode([[found[-1]]])[:, -1]
    assert found == expected


def test_sampling(tinylm):
    options = ["--prompt", PROMPT, "--max-new", 30, "--temperature", 1]
    texts = [generate(tinylm, *options, "--seed", seed)["text"] for seed in range(4)]
    assert len(set(texts)) == 4
    assert generate(tinylm, *options, "--seed", 2)["text"] == texts[2]
    greedy = generate(tinylm, "--prompt", PROMPT, "--max-new", 30)["text"]
    for narrow in (["--top-k", 1], ["--top-p", 1e-6], ["--min-p", 1]):
        assert generate(tinylm, *options, "--seed", 3, *narrow)["text"] == greedy
    assert generate(tinylm, *options, "--repetition-penalty", 30, "--top-k", 1)["text"] != greedy


def test_it_ends_where_it_should(tinylm):
    whole = generate(tinylm, "--prompt", PROMPT, "--max-new", 40)["text"]
    stop = whole[12:15]
    found = generate(tinylm, "--prompt", PROMPT, "--max-new", 40, "--stop", "~never~", "--stop", stop)
    assert found["stopped_by"] == stop and found["text"] == whole[: whole.index(stop) + 3]
    full = generate(tinylm, "--prompt", PROMPT, "--max-new", 100, "--capacity", 30)
    assert full["stopped_by"] == "capacity" and len(full["tokens"]) == 30 - len(PROMPT) + 1


def test_token_ids(packages):
    package = packages.package("llama", "native")
    outcome = tool.call("generate", package, "--prompt-ids", "1,2,3", "--max-new", 5, "-t", 1)
    ids = [int(text) for text in outcome.stdout.split(",")]
    decoder = kiln.Decoder(package, capacity=64)
    assert ids[0] == decoder.prefill([[1, 2, 3]])[0].argmax()
    np.testing.assert_array_equal(ids[1:], [decoder.decode([[i]])[0, 0].argmax() for i in ids[:4]])


BAD = {
    "no prompt": ([], "KILN-E0001", "the prompt is empty"),
    "two prompts": (["--prompt", "a", "--prompt-ids", "1"], "KILN-E0001", "two prompts are given"),
    "no ids": (["--prompt-ids", "1,x"], "KILN-E0001", "is no list of token ids"),
    "ids beyond the vocabulary": (["--prompt-ids", "256"], "KILN-E0614", "256"),
    "long prompt": (["--prompt", "a" * 9, "--capacity", 8], "KILN-E0617", "at most 8 tokens, found 9"),
    "large capacity": (["--prompt", "a", "--capacity", 4096], "KILN-E0617", "at most 2048"),
    "negative temperature": (["--prompt", "a", "--temperature", "-1"], "KILN-E0001", "--temperature"),
    "top-p above one": (["--prompt", "a", "--top-p", "1.5"], "KILN-E0001", "more than 0, up to 1"),
    "no penalty": (["--prompt", "a", "--repetition-penalty", "0"], "KILN-E0001", "0.001 to 1000"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_use(tinylm, name):
    options, code, text = BAD[name]
    outcome = tool.call("generate", tinylm, *options, status=None)
    assert outcome.status != 0 and outcome.code == code and text in outcome.message and not outcome.stdout


def test_packages_that_do_not_fit(packages, small_package):
    outcome = tool.call("generate", small_package[1], "--prompt", "a", status=2)
    assert outcome.code == "KILN-E0617" and "no decoder with state" in outcome.message
    outcome = tool.call("generate", packages.package("llama", "native"), "--prompt", "a", status=2)
    assert outcome.code == "KILN-E0001" and "a vocabulary of 256, found 90" in outcome.message


@pytest.mark.parametrize("family", decoders.FAMILIES)
@pytest.mark.parametrize("device", ["cpu", "sim:a100"])
def test_every_kernel_is_verified(packages, driver, family, device):
    for dims in ("rows=2,capacity=33,sequence=5,tokens=3", "rows=1,capacity=64,sequence=1,tokens=1"):
        outcome = tool.call("verify", packages.package(family), "--device", device, "--dims", dims, env=driver)
        assert outcome.stdout.endswith("PASSED\n") and outcome.stdout.count("\n  kv_write") >= 2
        assert [line for line in outcome.stdout.splitlines() if "entry" in line] == ["entry prefill", "entry decode"]


def test_bench_and_inspect(packages):
    package = packages.package("qwen3", "native")
    for entry, dims in (("prefill", "sequence=1"), ("decode", "tokens=1")):
        text = tool.call("bench", package, "--entry", entry, "--dims", "rows=1,capacity=64," + dims, "--iterations", 20,
                         "--profile").stdout
        assert "kv_write_" in text and dims in text
    described = json.loads(tool.call("inspect", package, "--json").stdout)
    entries = [described, *described["other_entries"]]
    assert [entry["entry"] for entry in entries] == ["prefill", "decode"]
    for entry in entries:
        state = next(arena for arena in entry["arenas"] if arena["kind"] == "state")
        assert set(re.findall("[a-z]+", state["formula"])) - {"ceildiv", "max"} == {"rows", "capacity"}
    assert [dim["expr"] for entry in entries for dim in entry["outputs"][0]["dims"][:2]] == ["rows", "1", "rows", "tokens"]
    shown = tool.call("inspect", package).stdout
    assert "state    lengths i64[rows]" in shown and "past_key_values.0.key f32[rows,2,capacity,32]" in shown


def test_an_entry_that_is_not_there(packages, small_package):
    for command in ("run", "bench", "verify"):
        outcome = tool.call(command, packages.package("llama", "native"), "--entry", "main", status=2)
        assert outcome.code == "KILN-E0619" and "expected prefill, decode, found main" in outcome.message
        outcome = tool.call(command, small_package[1], "--entry", "decode", status=2)
        assert outcome.code == "KILN-E0619" and "expected main, found decode" in outcome.message


def test_one_token_at_a_time_is_decode_alone(packages, tmp_path):
    """And a range of one for a model that takes several."""
    package = tmp_path / "m.kiln"
    tool.call("compile", packages.model("llama"), "-o", package, "--dims",
              "rows=1..2,capacity=1..64,sequence=1..16,tokens=1", "-q")
    assert kiln.Session(package, dims={"rows": 1, "capacity": 8}).entry("decode").inputs[0].shape == ("rows", 1)
    outcome = tool.call("compile", packages.model("llama"), "-o", package, "--dims", "tokens=1..17", "-q",
                        status=2)
    assert outcome.code == "KILN-E0123" and "a part of 1..16, found 1..17" in outcome.message


def test_perplexity_is_that_of_onnxruntime(tinylm):
    """models/tinylm/perplexity.tsv has what ONNX Runtime finds on the same windows."""
    lines = (decoders.MODELS / "tinylm" / "perplexity.tsv").read_text().splitlines()
    tokens, bits = next(line.split("\t")[1:3] for line in lines if line.startswith("tinylm past\t"))
    held_out = decoders.MODELS / "tinylm" / "held_out.bin"
    found = json.loads(tool.call("generate", tinylm, "--perplexity", held_out, "--json").stdout)
    assert found["tokens"] == int(tokens)
    assert found["bits_per_token"] == pytest.approx(float(bits), rel=1e-5)
    assert found["perplexity"] == pytest.approx(2 ** float(bits), rel=1e-4)
    # A text shorter than a window is used completely.
    text = tool.call("generate", tinylm, "--perplexity", held_out, "--capacity", 1000).stdout
    assert "over 32000 tokens" in text


def test_perplexity_of_what_is_none(tinylm, packages, tmp_path):
    short = tmp_path / "short"
    short.write_bytes(b"a")
    for package, file, code, text in [
        (tinylm, short, "KILN-E0001", "at least two tokens, found 1"),
        (tinylm, tmp_path / "missing", "KILN-E0002", "cannot be opened"),
        (packages.package("llama", "native"), short, "KILN-E0001", "a vocabulary of 256, found 90"),
    ]:
        outcome = tool.call("generate", package, "--perplexity", file, status=None)
        assert outcome.status != 0 and outcome.code == code and text in outcome.message


def test_prompt_and_steps_are_measured(tinylm, driver):
    options = ["--prompt", 20, "--gen", 5, "--duration", "0.1"]
    found = json.loads(tool.call("bench", tinylm, *options, "--json").stdout)
    assert found["rounds"] >= 3 and found["prefill_seconds"] > 0 and 7e6 < found["step_bytes"] < 7.1e6
    assert found["bandwidth_share"] > 0 and found["memory_bandwidth"] > 1e9
    text = tool.call("bench", tinylm, *options).stdout
    assert re.search("; (reading as many bytes takes \\d+ % of that|other programs slow).*; memory is read at [0-9.]+ GB/s\n", text)
    # Bandwidths on a simulated GPU are meaningless in wall-clock time.
    simulated = tool.call("bench", tinylm, "--prompt", 3, "--gen", 1, "--duration", "0.01", "--device", "sim:a100", "--json",
                          env=driver)
    found = json.loads(simulated.stdout)
    assert found["bandwidth_share"] is None and found["memory_bandwidth"] is None
    for bad in (["--prompt", 20], ["--gen", 3], [*options, "--profile"], [*options, "--dims", "rows=1"]):
        assert tool.call("bench", tinylm, *bad, status=2).code == "KILN-E0001"
