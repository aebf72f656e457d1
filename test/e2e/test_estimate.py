"""kiln estimate: what it says of memory and collectives is what compiled packages have, and every wrong request is named."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import dataclasses
import json
import pathlib
import subprocess
import sys
import time

import decoders
import pytest
import tool

from decoder import config as shapes  # isort: skip
from decoder import past, weights  # isort: skip
from bert import save  # isort: skip

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "bench"))
import estimate_cases  # noqa: E402

LAYERS = 4
SHAPE = dataclasses.replace(shapes.LLAMA_110M, hidden=256, layers=LAYERS, heads=8, key_heads=4, head_size=32, wide=512, vocabulary=500)
DIMS = ["--dims", "rows=2,sequence=32,capacity=64"]
CPUS = "epyc9654x2"


def write(folder, absent):
    path = folder / "llama.onnx"
    save.save(*past.build(SHAPE, weights.seeded(SHAPE, 1)), path, absent=absent)
    return path


@pytest.fixture(scope="module")
def described(tmp_path_factory):
    """A decoder whose weights are in no file."""
    return write(tmp_path_factory.mktemp("described"), absent=True)


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    return write(tmp_path_factory.mktemp("stored"), absent=False)


def estimate(model, *options, topology="h100x8", dims=DIMS):
    done = tool.call("estimate", model, "--topology", topology, "--json", *dims, *options)
    return json.loads(done.stdout)


def four_cpus(folder):
    device = {"name": "half a socket", "target": "x86-64-v4", "memory_gib": 192, "memory_gb_per_s": 230, "step_us": 5, "tflops": {"f32": 3.7}}
    link = {"kind": "memory", "gb_per_s": 64, "latency_us": 1}
    (folder / "four.json").write_text(json.dumps({"name": "four", "devices_per_node": 4, "device": device, "link": link}))
    return folder / "four.json"


def programs(candidate):
    return {program["name"]: program for program in candidate["programs"]}


@pytest.mark.parametrize("mesh", ["tp=1", "tp=2", "pp=2"])
def test_memory_is_that_of_the_package(described, stored, tmp_path, mesh):
    found = estimate(described, "--shard", mesh, topology=CPUS)["chosen"]["memory"]
    package = tmp_path / "m.kiln"
    tool.call("compile", stored, "-o", package, "-q", "--target", "x86-64-v4", "--shard", mesh, *DIMS)
    ranks = json.loads(tool.call("inspect", package, "--ranks", "--json").stdout)["ranks"]
    largest = max(rank["weights_bytes"] for rank in ranks)
    # Packages round the size of each weight up to 64 bytes.
    assert found["weights_bytes"] <= largest <= found["weights_bytes"] + 64 * 100
    if mesh == "tp=2":
        # Replicated weights are on both ranks.
        assert abs(found["replicated_bytes"] - ranks[0]["replicated_bytes"]) <= 64 * 100


@pytest.mark.parametrize("mesh", ["tp=2", "sp=2", "cp=2", "dcp=2", "tp=2,cp=2", "tp=2,dcp=2"])
def test_a_package_is_estimated_as_its_model(stored, tmp_path, mesh):
    package, topology = tmp_path / "m.kiln", four_cpus(tmp_path)
    tool.call("compile", stored, "-o", package, "-q", "--target", "x86-64-v4", "--shard", mesh, *DIMS)
    of_model = estimate(stored, "--shard", mesh, topology=topology)["chosen"]
    of_package = json.loads(tool.call("estimate", package, "--topology", topology, "--json").stdout)["chosen"]
    assert of_package["mesh"] == of_model["mesh"] == mesh and of_package["fits"]
    kinds = {"tp=2": {"all-reduce"}, "sp=2": {"reduce-scatter", "all-gather"}, "cp=2": {"all-gather"}}.get(mesh, {"all-reduce", "all-gather"})
    assert {each["kind"] for each in programs(of_model)["prefill"]["collectives"]} >= kinds
    assert of_model["cp"] == (2 if "cp" in mesh else 1) and of_model["tp"] == (2 if "tp" in mesh or "sp" in mesh else 1)
    assert of_model["sequence"] == (mesh == "sp=2") and of_model["divides_caches"] == of_package["divides_caches"] == ("dcp" in mesh)
    for key in ("activations_bytes", "inputs_and_outputs_bytes"):
        assert of_package["memory"][key] == of_model["memory"][key], key
    # Packages align each state to 64 bytes.
    assert 0 <= of_package["memory"]["state_bytes"] - of_model["memory"]["state_bytes"] < 64 * 100
    for name, program in programs(of_package).items():
        for key in ("tokens", "collective_seconds"):
            assert program[key] == pytest.approx(programs(of_model)[name][key]), (name, key)
        assert program["kernel_seconds"] == pytest.approx(programs(of_model)[name]["kernel_seconds"], rel=0.05)
    outcome = tool.call("estimate", package, "--topology", topology, "--shard", "pp=2", status=None)
    tool.assert_error(outcome, "KILN-E0001", "a package is of one mesh", status=2)


def kinds_of(program):
    counts = collections.Counter()
    for entry in program["collectives"]:
        counts[entry["kind"]] += entry["count"]
    return counts


@pytest.fixture(scope="module")
def families(tmp_path_factory):
    return decoders.Packages(tmp_path_factory.mktemp("families"))


@pytest.mark.parametrize("name", list(decoders.FAMILIES | decoders.GENAI))
def test_what_ranks_can_keep_is_not_gathered(families, name):
    """Of each family, as torch and onnxruntime-genai export it: two sums per layer, of rows where these are divided, and with cp keys and values."""
    config = (decoders.FAMILIES | decoders.GENAI)[name]
    one_head = config.heads % 2 != 0  # attention is not split
    sums = (1 if one_head else 2) * config.layers
    of_mesh = {mesh: programs(estimate(families.model(name), "--shard", mesh, dims=["--dims", "rows=1,sequence=32,capacity=64"])["chosen"]) for mesh in ("tp=2", "sp=2", "cp=2")}
    for program in of_mesh["tp=2"].values():
        counts = kinds_of(program)
        assert counts["all-reduce"] == sums and counts["all-gather"] <= 1 and counts.total() <= sums + 1
    counts = kinds_of(of_mesh["sp=2"]["prefill"])
    # After the last attention only the last position is processed.
    assert counts["reduce-scatter"] + counts["all-reduce"] == sums and counts["all-reduce"] <= 2
    assert counts["all-gather"] <= counts["reduce-scatter"] + 1
    gathered = [entry["bytes"] for entry in of_mesh["cp=2"]["prefill"]["collectives"] for _ in range(entry["count"])]
    # Also the sines and cosines, once, and the rows from which the last position is gathered.
    assert kinds_of(of_mesh["cp=2"]["prefill"]).keys() == {"all-gather"} and len(gathered) <= 2 * config.layers + 4
    assert not of_mesh["cp=2"]["decode"]["collectives"]


def test_two_all_reduces_per_layer(described):
    for program in programs(estimate(described, "--shard", "tp=4")["chosen"]).values():
        assert kinds_of(program) == {"all-reduce": 2 * LAYERS, "all-gather": 1}
    tokens = {name: program["tokens"] for name, program in programs(estimate(described)["chosen"]).items()}
    assert tokens == {"prefill": 64, "decode": 2}


def test_auto_ranks_every_mesh(described):
    found = estimate(described, "--ranks", "8")
    meshes = {entry["mesh"] for entry in found["ranking"]}
    whole = {"pp=8", "tp=2,cp=4", "tp=4,cp=2", "pp=2,tp=2,cp=2", *(f"{stages}{name}={ranks}" for name in ("tp", "sp", "cp") for stages, ranks in (("", 8), ("pp=2,", 4), ("pp=4,", 2)))}
    assert {mesh for mesh in meshes if "dcp" not in mesh} == whole
    large = estimate(described, "--ranks", "8", dims=["--dims", "rows=8,sequence=32,capacity=4096"])["ranking"]  # caches
    assert {entry["mesh"] for entry in large} == whole | {mesh.replace("cp", "dcp") for mesh in whole if "cp" in mesh}
    assert found["ranking"][0] == found["chosen"] and "why_not" not in found["chosen"]
    times = [entry["request_seconds"] for entry in found["ranking"] if entry["fits"]]
    assert times == sorted(times)
    assert all(entry["why_not"] for entry in found["ranking"][1:])
    # The simulator agrees with the closed form.
    for seconds, program in zip(found["simulated_seconds"], found["chosen"]["programs"], strict=True):
        assert abs(seconds / program["seconds"] - 1) < 0.1


# estimates.py compares all twenty; the other cases take 70 B.
QUICK = [case for case in estimate_cases.CASES if case.model != "llama-70b"]


@pytest.mark.parametrize("case", QUICK, ids=lambda case: f"{case.model} {case.mesh} {case.topology}")
def test_the_closed_form_is_that_of_the_simulator(case, tmp_path_factory):
    folder = tmp_path_factory.getbasetemp() / "estimate-cases"
    folder.mkdir(exist_ok=True)
    for found in estimate_cases.compare(tool.binary(), case, folder):
        assert abs(found.difference) <= 0.1, found


def test_twenty_cases():
    assert len(estimate_cases.CASES) == 20 and len(QUICK) >= 10


def test_four_thousand_ranks_on_paper(tmp_path):
    """Every mesh of 4,096 ranks, within a minute: of eight layers of 70 B here, of all 80 in docs/benchmarks/estimates.md."""
    model = tmp_path / "m.onnx"
    build = [sys.executable, estimate_cases.MODELS / "build.py", "llama-70b", "--layers", "8", "--no-weights", "-o", model]
    subprocess.run(build, check=True)
    options = ["--ranks", 4096, "--precision", "bf16", "--dims", "rows=1,sequence=4096,capacity=8192", "--json"]
    begin = time.monotonic()
    found = json.loads(tool.call("estimate", model, "--topology", "h100x8x512nodes", *options).stdout)
    assert time.monotonic() - begin < 60
    assert found["chosen"]["ranks"] == 4096 and found["chosen"]["fits"]
    assert {"tp=4096", "pp=64,tp=8,cp=8"} <= {one["mesh"] for one in found["ranking"]}


def test_the_smallest_number_of_ranks_is_found(described):
    found = estimate(described)
    assert found["chosen"]["ranks"] == 1
    assert [entry["ranks"] for entry in found["rank_counts"]] == [1, 2, 4, 8]


def test_heads_that_do_not_divide_are_named(described):
    outcome = tool.call("estimate", described, "--topology", "h100x8x2nodes", "--shard", "tp=3", *DIMS, status=None)
    tool.assert_error(outcome, "KILN-E0209", "3 ranks do not divide", parts=("fix: ",))


def test_a_timeline_has_a_track_per_rank_and_link(described, tmp_path):
    trace = tmp_path / "trace.json"
    estimate(described, "--shard", "pp=2,tp=2", "--timeline", trace)
    events = json.loads(trace.read_text())["traceEvents"]
    tracks = {event["args"]["name"] for event in events if event["name"] == "thread_name"}
    assert {f"rank {rank}" for rank in range(4)} <= tracks
    assert {f"rank {rank} NVLink {way}" for rank in range(4) for way in ("in", "out")} <= tracks
    spans = [event for event in events if event["ph"] == "X"]
    assert {event["cat"] for event in spans} == {"prefill", "decode"}
    # Two per layer and program, on both ranks of the layer's stage.
    assert sum(event["name"].startswith("all-reduce") and event["pid"] == 1 for event in spans) == 2 * 2 * LAYERS * 2


def test_prices_give_the_cost_of_a_million_tokens(described, tmp_path):
    prices = tmp_path / "prices.json"
    prices.write_text(json.dumps({"currency": "EUR", "device_hour": {"H100 SXM5 80GB": 3.6}}))
    found = estimate(described, "--shard", "tp=2", "--prices", prices)
    decode = programs(found["chosen"])["decode"]
    expected = 0.001 * 2 * decode["seconds"] / decode["tokens"] * 1e6
    assert found["cost_per_million_tokens"]["decode"] == pytest.approx(expected)
    text = tool.call("estimate", described, "--topology", "h100x8", "--shard", "tp=2", "--prices", prices, *DIMS).stdout
    assert "EUR per million tokens of decode" in text
    assert "without NCCL Kiln moves them through host memory" in text
    prices.write_text(json.dumps({"currency": "EUR", "device_hour": {"L4": 1}}))
    outcome = tool.call("estimate", described, "--topology", "h100x8", "--prices", prices, *DIMS, status=None)
    tool.assert_error(outcome, "KILN-E0001", "has no price of 'H100 SXM5 80GB'", status=2)


def test_auto_compiles_the_best_mesh(stored, tmp_path):
    package = tmp_path / "m.kiln"
    options = ["--ranks", "2", "--shard", "auto", "--target", "x86-64-v4", *DIMS]
    text = tool.call("compile", stored, "-o", package, "--topology", CPUS, *options).stdout
    expected = estimate(stored, "--ranks", "2", topology=CPUS)["chosen"]
    provenance = json.loads(tool.call("inspect", package, "--json").stdout)
    assert len(provenance["ranks"]) == 2
    assert "as --shard auto ranks them" in text and expected["mesh"] in text
    outcome = tool.call("compile", stored, "-o", package, *options, status=None)
    tool.assert_error(outcome, "KILN-E0001", "no --topology", status=2)
    outcome = tool.call("compile", stored, "-o", package, "--topology", "l4x1", *options, status=None)
    tool.assert_error(outcome, "KILN-E0001", "more than the topology has devices", status=2)


@pytest.mark.parametrize(
    "options, code, words",
    [
        (["--topology", "h100x9"], "KILN-E0002", "neither a profile nor a file"),
        (["--topology", "h100x8", "--ranks", "9"], "KILN-E0001", "more than the topology has devices"),
        (["--topology", "h100x8", "--ranks", "4", "--shard", "tp=8"], "KILN-E0001", "does not divide the ranks"),
        (["--topology", "h100x8", "--shard", "cp=2,sp=2"], "KILN-E0001", "divides rows of sequences twice"),
        (["--topology", "h100x8", "--shard", "ep=8"], "KILN-E0001", "not a way to split a model"),
        (["--topology", "h100x8x512nodes", "--ranks", "4096", "--timeline", "t.json"], "KILN-E0001", "is for fewer ranks"),
        ([], "KILN-E0001", "--topology"),
    ],
)
def test_wrong_requests_are_named(described, tmp_path, options, code, words):
    outcome = tool.call("estimate", described, *options, *DIMS, status=None, cwd=tmp_path)
    tool.assert_error(outcome, code, words, status=outcome.status)
    assert outcome.status in (2, 3)


LONG = ["--dims", "rows=1,sequence=1..8192,capacity=1..8192"]


def test_auto_finds_parts(described):
    """Of long prompts products hide collectives, and stages compute micro-batches; a number of parts that is given is taken."""
    options = ["--ranks", "4", "--new-tokens", "0"]
    ranking = estimate(described, *options, topology="a100x8", dims=LONG)["ranking"]
    seconds = {(entry["mesh"], entry["overlap"], entry["micro_batches"]): entry["request_seconds"] for entry in ranking}
    assert len(seconds) == len(ranking)
    parts = {key for key in seconds if key[1] > 1 or key[2] > 1}
    assert any(overlap > 1 for _, overlap, _ in parts) and any(count > 1 for _, _, count in parts)
    for mesh, overlap, count in parts:
        assert overlap == 1 if "pp" in mesh else count == 1
        assert seconds[mesh, overlap, count] < seconds[mesh, 1, 1]
    given = estimate(described, *options, "--micro-batches", "4", topology="a100x8", dims=LONG)["ranking"]
    assert {(entry["micro_batches"], entry["overlap"]) for entry in given if entry["possible"]} == {(1, 1), (4, 1)}


def test_auto_compiles_in_parts(stored, tmp_path):
    """Where weights do not fit whole and links are slow a pipeline is best; the package has the micro-batches that the ranking names."""
    device = {"name": "small", "target": "x86-64-v4", "memory_gib": 0.007, "memory_gb_per_s": 230, "step_us": 1, "tflops": {"f32": 0.02}}
    link = {"kind": "memory", "gb_per_s": 1, "latency_us": 1000}
    (tmp_path / "slow.json").write_text(json.dumps({"name": "slow", "devices_per_node": 2, "device": device, "link": link}))
    options = ["--ranks", "2", "--shard", "auto", "--topology", tmp_path / "slow.json", "--target", "x86-64-v4", "--dims", "rows=1,sequence=1..512,capacity=1..512"]
    outcome = tool.call("compile", stored, "--compile-to", "plan", *options)
    best = json.loads(tool.call("estimate", stored, "--json", *options[:2], *options[4:6], *options[8:]).stdout)["chosen"]
    assert best["mesh"] == "pp=2" and best["micro_batches"] > 1
    assert f"micro_batches = {best['micro_batches']} : i64" in outcome.stdout
