"""Packages for several ranks: kiln run, generate, bench and inspect, and what they say of wrong numbers of ranks."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools
import json
import os
import re
import subprocess

import decoders
import kiln
import numpy as np
import pytest
import tool

from bert import config, encoder, save, weights  # isort: skip  (decoders names their folder)

HIDDEN, LAYERS = 128, 2
SMALL = config.Config(hidden=HIDDEN, layers=LAYERS, heads=4, intermediate=512, vocabulary=100, positions=64)
BATCH, SEQUENCE = 4, 32
PROMPT = "/// Returns true if the "


class Meshes:
    """Packages by their mesh, each compiled when it is first asked for."""

    def __init__(self, model, folder, *options):
        self.model, self.folder, self.options = model, folder, options

    @functools.cache
    def of_mesh(self, mesh, *options):
        path = self.folder / f"{mesh}{'-'.join(options)}.kiln"
        split = ["--shard", mesh] if mesh else []
        tool.call("compile", self.model, "-o", path, "-q", *split, *self.options, *options)
        return path

    def package(self, ranks):
        return self.of_mesh(f"tp={ranks}" if ranks > 1 else "")


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bert")
    save.save(*encoder.build(SMALL, weights.seeded(SMALL, 5), config.Outputs(sentence=True)), folder / "bert.onnx")
    return Meshes(folder / "bert.onnx", folder, "--dims", f"batch=1..{BATCH},sequence=1..{SEQUENCE}")


@pytest.fixture(scope="module")
def tinylm(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tinylm")
    dims = ["--dims", "rows=1..2,capacity=1..256,sequence=1..64"]
    decoders.compile_tinylm(folder, *dims)
    return Meshes(folder / "past.onnx", folder, *dims)


def inputs_of(batch, sequence):
    ids = np.random.default_rng(batch).integers(0, 100, (batch, sequence))
    return {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}


def run_processes(*command, environment=None, size=2):
    """Standard output of a kiln command as so many processes, a rank each, none of which may fail."""
    base = {**(environment or os.environ), "WORLD_SIZE": str(size), "MASTER_ADDR": f"ranks-{os.getpid()}", "MASTER_PORT": "1"}
    words = [str(word) for word in (tool.binary(), *command)]
    ranks = [subprocess.Popen(words, env=base | {"RANK": str(rank)}, stdout=subprocess.PIPE, text=True) for rank in range(size)]
    written = [rank.communicate(timeout=60)[0] for rank in ranks]
    assert all(rank.returncode == 0 for rank in ranks)
    return written


def assert_close(found, expected):
    assert found.keys() == expected.keys()
    for name, values in expected.items():
        error = np.abs(found[name] - values).max() / np.sqrt(np.mean(np.square(values)))
        assert error < 1e-4, f"{name}: {error}"


@pytest.mark.parametrize("ranks", [2, 4])
def test_outputs_are_those_of_one_rank(bert, ranks):
    one, group = kiln.Session(bert.package(1)), kiln.Group(bert.package(ranks))
    assert group.ranks == ranks
    for dims in [(1, 1), (BATCH, SEQUENCE), (3, 7), (1, 1)]:
        results = group.run_all_ranks(inputs_of(*dims))
        assert len(results) == ranks
        for own in results:
            assert all(own[name].tobytes() == results[0][name].tobytes() for name in own)
        assert_close(results[0], one.run(inputs_of(*dims)))


def test_bits_do_not_depend_on_threads(bert):
    results = [kiln.Group(bert.package(2), threads=t).run(inputs_of(BATCH, SEQUENCE)) for t in (1, 2, 4)]
    for name, expected in results[0].items():
        assert all(found[name].tobytes() == expected.tobytes() for found in results)


def test_run(bert, tmp_path):
    outputs = {name: tmp_path / f"{name}.npy" for name in ("last_hidden_state", "sentence_embedding")}
    written = [text for name, path in outputs.items() for text in ("--output", f"{name}=@{path}")]
    dims = ["--dims", "batch=2,sequence=9"]
    tool.call("run", bert.package(1), *dims, *written)
    for options in ([], ["--ranks", 2], ["--ranks", 2, "--device", "cpu", "--threads", 1]):
        outcome = tool.call("run", bert.package(2), *dims, *options, "--compare", tmp_path)
        assert "PASSED" in outcome.stdout and " threads of 2 ranks\n" in outcome.stdout
    assert "4 threads of 4 ranks" in tool.call("run", bert.package(4), "--ranks", 4, "-t", 1).stdout
    stats = json.loads(tool.call("run", bert.package(2), "--stats=json", *dims).stdout)
    assert stats["ranks"] == 2 and any(arena["measured_bytes"] for arena in stats["arenas"])


@pytest.mark.parametrize("command", ["run", "bench"])
def test_other_numbers_of_ranks_are_refused(bert, command):
    outcome = tool.call(command, bert.package(2), "--ranks", 3, status=2)
    tool.assert_error(outcome, "KILN-E0621", "expected 2 ranks, found 3 ranks", "kiln run --ranks", status=2)
    assert outcome.stderr.count("\n") == 1 and not outcome.stdout
    tool.assert_error(tool.call(command, bert.package(2), "--ranks", 1, status=2), "KILN-E0621", "expected 2 ranks", status=2)
    outcome = tool.call(command, bert.package(1), "--ranks", 2, status=2)
    tool.assert_error(outcome, "KILN-E0621", "expected 1 rank, found 2 ranks", status=2)
    tool.call(command, bert.package(1), "--ranks", 1, *(["--iterations", 1] if command == "bench" else []))
    assert tool.call(command, bert.package(1), "--ranks", 0, status=2).code == "KILN-E0001"


def test_tune_wants_one_rank(bert, tmp_path):
    outcome = tool.call("tune", bert.model, "-o", tmp_path / "configs", "--ranks", 2, *bert.options, status=2)
    tool.assert_error(outcome, "KILN-E0001", "kernels are timed in one session", "found 2", status=2)


def test_devices_that_do_not_exist(bert, tinylm):
    for command, package in (("run", bert), ("bench", bert), ("generate", tinylm)):
        options = ["--prompt", "a"] if command == "generate" else []
        outcome = tool.call(command, package.package(2), "--device", "gpu", *options, status=4)
        tool.assert_error(outcome, "KILN-E0702", "there is no such device", "found gpu", status=4)


def test_verify(bert, tinylm):
    """The kernels of every rank, each with its weights."""
    outcome = tool.call("verify", bert.package(4), "--model", bert.model, "--dims", "batch=2,sequence=9")
    launches = int(re.search(r"(\d+) launches of \d+ kernels checked, on all ranks", outcome.stdout).group(1))
    assert launches % 4 == 0 and launches > 4 * 4 * LAYERS and outcome.stdout.endswith("PASSED\n")
    outcome = tool.call("verify", tinylm.package(2), "--dims", "rows=2,capacity=37,tokens=3,sequence=5")
    assert outcome.stdout.count("on all ranks") == 2 and outcome.stdout.endswith("PASSED\n")


@pytest.mark.parametrize("ranks", [2, 4])
def test_inspect(bert, ranks):
    (whole,) = json.loads(tool.call("inspect", bert.package(1), "--ranks", "--json").stdout)["ranks"]
    assert whole["replicated_bytes"] == whole["weights_bytes"]
    table = json.loads(tool.call("inspect", bert.package(ranks), "--ranks", "--json").stdout)
    assert [rank["rank"] for rank in table["ranks"]] == list(range(ranks))
    for rank in table["ranks"]:
        replicated = rank["replicated_bytes"]
        # Embedding tables are replicated, projections divided. Offsets in the file are aligned, sizes are not.
        assert 100 * HIDDEN * 4 < replicated < whole["weights_bytes"] / 4
        expected = (whole["weights_bytes"] - replicated) / ranks + replicated
        assert rank["weights_bytes"] == pytest.approx(expected, rel=1e-3)
    # After each attention, and after each MLP's second matmul.
    assert [one["kind"] for one in table["collectives"]] == ["all_reduce"] * 2 * LAYERS
    for one in table["collectives"]:
        assert one["bytes"] == BATCH * SEQUENCE * HIDDEN * 4 and one["nodes"] and one["entry"] == "main"
    text = tool.call("inspect", bert.package(ranks), "--ranks").stdout
    assert text.count("all_reduce") == 2 * LAYERS and "of them on all ranks" in text
    summary = tool.call("inspect", bert.package(ranks)).stdout
    assert f"  ranks    {ranks}, each with weights of " in summary
    assert "  ranks " not in tool.call("inspect", bert.package(1)).stdout
    assert json.loads(tool.call("inspect", bert.package(ranks), "--json").stdout)["ranks"] == table["ranks"]


def test_bench(bert):
    outcome = tool.call("bench", bert.package(2), "--iterations", 3, "--warm-up", 0, "--profile", "--json", "-t", 2)
    report = json.loads(outcome.stdout)
    assert (report["ranks"], report["threads"], report["runs"]) == (2, 2, 3)
    assert sum(step["kernel"] == "all_reduce" for step in report["steps"]) == 2 * LAYERS
    assert all(step["median_seconds"] > 0 for step in report["steps"])
    text = tool.call("bench", bert.package(4), "--iterations", 1, "--warm-up", 0, "-t", 1).stdout
    assert "  threads    4 of 4 ranks\n" in text


def generate(package, *options):
    return json.loads(tool.call("generate", package, "--json", *options).stdout)


def test_generate(tinylm):
    options = ["--prompt", PROMPT, "--max-new", 40]
    expected, found = (generate(tinylm.package(ranks), *options) for ranks in (1, 2))
    assert found["tokens"] == expected["tokens"] and found["text"] == expected["text"]
    # Both ranks read norms and embeddings.
    assert expected["step_bytes"] < found["step_bytes"] < 1.5 * expected["step_bytes"]
    assert generate(tinylm.package(2), *options, "--ranks", 2, "-t", 1)["tokens"] == expected["tokens"]
    one, two = (decoders.perplexity(tinylm.package(ranks)) for ranks in (1, 2))
    assert two == pytest.approx(one, rel=1e-4)
    outcome = tool.call("generate", tinylm.package(2), "--ranks", 4, "--prompt", "a", status=2)
    tool.assert_error(outcome, "KILN-E0621", "expected 2 ranks, found 4 ranks", status=2)


def test_bench_of_a_decoder(tinylm):
    options = ["--prompt", 8, "--gen", 4, "--duration", 0.1]
    report = json.loads(tool.call("bench", tinylm.package(2), *options, "-t", 2, "--json").stdout)
    assert (report["ranks"], report["threads"]) == (2, 2) and report["step_seconds"] > 0
    tool.call("bench", tinylm.package(2), "--entry", "decode", "--dims", "rows=1,capacity=64,tokens=1", "--iterations", 2)
    tool.call("run", tinylm.package(2), "--entry", "prefill", "--dims", "rows=2,capacity=64,sequence=5")
    table = json.loads(tool.call("inspect", tinylm.package(2), "--ranks", "--json").stdout)
    assert {one["entry"] for one in table["collectives"]} == {"prefill", "decode"}


@pytest.mark.parametrize("spelling, ranks", [("past", 4), ("gqa", 4), ("scatter", 2)])
def test_every_spelling_of_a_decoder(tinylm, tmp_path, spelling, ranks):
    """With four ranks two have the same key head."""
    package = decoders.compile_tinylm(tmp_path, "--ranks", ranks, *tinylm.options, spelling=spelling)
    options = ["--prompt", PROMPT, "--max-new", 64]
    assert generate(package, *options)["tokens"] == generate(tinylm.package(1), *options)["tokens"]


@pytest.mark.parametrize("precision, bound", [("bf16", 3e-4), ("int4", 3e-4), ("int8", 3e-4), ("fp8 --activations fp8", 1e-3),
                                              ("nvfp4 --activations nvfp4", 5e-3)])
def test_formats(tinylm, tmp_path, precision, bound):
    """Blocks with scales, and rows of activations with one, are found within the part of a rank, so that codes may differ from those of one rank."""
    found = []
    for ranks in (1, 2):
        (tmp_path / str(ranks)).mkdir()
        options = ["--precision", *precision.split(), "--ranks", ranks, *tinylm.options]
        found.append(decoders.perplexity(decoders.compile_tinylm(tmp_path / str(ranks), *options)))
    assert found[1] == pytest.approx(found[0], rel=bound)


@pytest.mark.parametrize("ranks, shard, algorithm", [(2, "tp", "gptq"), (4, "tp=2,cp=2", "awq")])
def test_calibration(tinylm, tmp_path, ranks, shard, algorithm):
    """Samples are run on one rank. Where ranks divide the rows of a weight, it is quantized whole, so that GPTQ gives the codes of one rank."""
    text = tmp_path / "text.txt"
    text.write_bytes(decoders.HELD_OUT.read_bytes()[:4000])
    options = ["--precision", "int4", "--algorithm", algorithm, "--calib", text, *tinylm.options]
    found = []
    for count, mesh in ((1, "tp"), (ranks, shard)):
        (tmp_path / str(count)).mkdir()
        found.append(decoders.compile_tinylm(tmp_path / str(count), *options, "--ranks", count, "--shard", mesh))
    one, many = map(decoders.perplexity, found)
    assert many == pytest.approx(one, rel=3e-4)
    entries = json.loads(tool.call("inspect", found[1], "--precision", "--json").stdout)["precision_report"]
    assert sum(f"by {algorithm}" in entry["why"] for entry in entries) == 25
    # Two matmuls per layer are split by rows.
    graph = tool.call("compile", found[1].with_suffix(".onnx"), *options, "--ranks", ranks, "--shard", shard, "--compile-to=graph").stdout
    whole = "graph.quantize_weight codes of", "tensor<256x256xf32>"
    assert sum(all(part in line for part in whole) for line in graph.splitlines()) >= 6
    factors = graph.count("codes of") - sum(" factor " not in line for line in graph.splitlines() if "codes of" in line)
    assert factors == (25 if algorithm == "gptq" else 0)


def test_an_accuracy_budget(tinylm, tmp_path):
    """It is measured on one rank, whose codes ranks have."""
    text = tmp_path / "text.txt"
    text.write_bytes(decoders.HELD_OUT.read_bytes()[:3000])
    options = ["--precision", "int4", "--ranks", 2, *tinylm.options]
    package = decoders.compile_tinylm(tmp_path, *options, "--accuracy", f"ppl<=2%:{text}")
    assert decoders.perplexity(package, text) <= 1.02 * decoders.perplexity(tinylm.package(1), text) * (1 + 3e-4)


def test_a_cache_of_eight_bits(tinylm, tmp_path):
    one, two = (tmp_path / name for name in ("one", "two"))
    for ranks, folder in ((1, one), (2, two)):
        folder.mkdir()
        decoders.compile_tinylm(folder, "--kv", "int8", "--ranks", ranks, *tinylm.options)
    options = ["--prompt", PROMPT, "--max-new", 40]
    (first,), (second,) = one.glob("*.kiln"), two.glob("*.kiln")
    assert generate(second, *options)["tokens"] == generate(first, *options)["tokens"]


def test_the_same_bytes(bert, tmp_path):
    for threads in (1, 2):
        path = tmp_path / f"{threads}.kiln"
        tool.call("compile", bert.model, "-o", path, "-q", "--ranks", 2, "--threads", threads, *bert.options)
        assert path.read_bytes() == bert.package(2).read_bytes()


def test_what_is_split_is_reported(bert, tmp_path):
    outcome = tool.call("compile", bert.model, "-o", tmp_path / "m.kiln", "--ranks", 2, *bert.options)
    products = f"{LAYERS} attention by heads, {4 * LAYERS} matmul by columns, {2 * LAYERS} matmul by rows"
    assert f"  ranks    2: {products}; an all-reduce behind each by rows\n" in outcome.stdout
    assert " of each rank: weights " in outcome.stdout


def test_what_cannot_be_split(bert, tinylm, tmp_path):
    def compile_with(*options, model=bert.model, **expected):
        return tool.call("compile", model, "-o", tmp_path / "m.kiln", *options, **expected)

    outcome = compile_with("--ranks", 3, *bert.options, status=3)
    words = "no product can be split among 3 ranks", "3 ranks do not divide"
    tool.assert_error(outcome, "KILN-E0209", *words, parts=("fix: ",))
    for options, words in (
        (["--ranks", 0], ["1 to 64", "'0'"]), (["--ranks", 65], ["1 to 64"]), (["--ranks", "two"], ["'two'"]),
    ):  # fmt: skip
        tool.assert_error(compile_with(*options, status=2), "KILN-E0001", *map(str, words), status=2)
    assert not (tmp_path / "m.kiln").exists()


def test_a_head_is_gathered(tmp_path):
    """One that is no table of embeddings: each rank computes its part of the vocabulary's logits."""
    name = next(name for name, config in decoders.FAMILIES.items() if not config.tied and config.vocabulary % 2 == 0)
    packages = decoders.Packages(tmp_path)
    dims = ["--dims", decoders.DIMS]
    one, two = (tmp_path / f"{ranks}.kiln" for ranks in (1, 2))
    for ranks, path in ((1, one), (2, two)):
        tool.call("compile", packages.model(name), "-o", path, "--ranks", ranks, *dims)
    collectives = json.loads(tool.call("inspect", two, "--ranks", "--json").stdout)["collectives"]
    gathers = {each["entry"]: each["bytes"] for each in collectives if each["kind"] == "all_gather"}
    half = decoders.FAMILIES[name].vocabulary // 2
    assert gathers == {"prefill": 5 * half * 4, "decode": 5 * 16 * half * 4}  # only the last positions; up to 16
    ids = [[3, 1, 4], [1, 5], [9], [2, 6, 5, 3], [5]]
    found = [kiln.Decoder(path, rows=5, capacity=64).prefill(ids) for path in (one, two)]
    np.testing.assert_allclose(found[1], found[0], atol=1e-4 * np.abs(found[0]).max())
