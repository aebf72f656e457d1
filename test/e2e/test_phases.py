"""Each phase of kiln compile is a pipeline of kiln-opt: on the dump of the phase before it, with the options that the dump records,
kiln-opt has the same passes and writes the very bytes of the next dump."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import re
import subprocess
import sys

import decoders
import pytest
import tool

ROOT = pathlib.Path(__file__).resolve().parents[2]
PHASES = ["import", "graph", "kernels", "code", "plan"]
# Options of kiln compile, with what the dump must contain for each.
DECODER = "--dims", "rows=1..4,capacity=1..128,sequence=1..96"
OPTIONS = {
    "none": ([], "capacity"),
    "targets": (["--target", "x86-64-v3,sm_80,sm_120a", "--batch-invariant"], "targets={x86-64-v3,sm_80,sm_120a} batch-invariant=true"),
    "precision": (["--precision", "int4", "--activations", "bf16", "--algorithm", "mse"], "precision=int4 algorithm=mse activations=bf16"),
    "caches": (["--precision", "bf16", "--kv", "int8"], "precision=bf16 kv=int8"),
    "tensor": (["--shard", "sp=2", "--overlap", "2"], "shard=sp=2 overlap=2"),
    "context": (["--shard", "tp=2,dcp=2"], "shard=tp=2,dcp=2"),
    "stages": (["--shard", "pp=2", "--micro-batches", "2"], "shard=pp=2 micro-batches=2"),
    "plain": (["--no-state", "--clamp-indices", "--memory-limit", "1GiB"], "state=false clamp-indices=true memory-limit=1073741824"),
}  # fmt: skip


def dump(folder, phase, suffix=".mlir"):
    return folder / f"{PHASES.index(phase)}-{phase}{suffix}"


def recorded(path):
    """The options that a dump records."""
    found = re.search(r'graph\.compile = \{options = "([^"]*)"', path.read_text())
    return found[1] if found else ""


def optimize(path, *arguments):
    return subprocess.run([tool.binary("kiln-opt"), path, *arguments], capture_output=True, text=True, timeout=300)


def assert_phases(dumps):
    """kiln-opt goes on from each dump, with the same passes, to the same module."""
    for before, phase in zip(PHASES, PHASES[1:]):
        pipeline = f"--kiln-{phase}-pipeline={recorded(dump(dumps, before))}"
        done = optimize(dump(dumps, before), pipeline, "-mlir-print-debuginfo", "--dump-pass-pipeline")
        assert done.returncode == 0, done.stderr
        passes = re.sub(r"\n *", "", done.stderr[done.stderr.index("builtin.module(") :])
        assert passes == dump(dumps, phase, ".passes").read_text().strip(), f"kiln-opt has other passes than kiln compile in phase {phase}"
        assert done.stdout == dump(dumps, phase).read_text(), f"kiln-opt differs from kiln compile in phase {phase}"


def compile_and_assert_phases(model, folder, *options):
    tool.call("compile", model, "-o", folder / "m.kiln", "--save-temps", folder / "dumps", *options)
    assert_phases(folder / "dumps")


def test_small(small_package, tmp_path):
    compile_and_assert_phases(small_package[0], tmp_path)


def test_bert_toy(bert_toy, tmp_path):
    compile_and_assert_phases(bert_toy, tmp_path)


@pytest.fixture(scope="module")
def minilm(tmp_path_factory):
    """The shape of all-MiniLM-L6-v2 as exporters spell it, with seeded weights."""
    model = tmp_path_factory.mktemp("minilm") / "minilm.onnx"
    subprocess.run([sys.executable, ROOT / "models/build.py", "minilm-shape", "--seed", "0", "-o", model], check=True)
    return model


def test_minilm(minilm, tmp_path):
    compile_and_assert_phases(minilm, tmp_path)


def test_minilm_kernels_are_verified(minilm, tmp_path):
    tool.call("compile", minilm, "-o", tmp_path / "m.kiln", "--verify=each", "--dims", "batch=1..2,sequence=1..32")
    text = tool.call("verify", tmp_path / "m.kiln", "--dims", "batch=2,sequence=7").stdout
    assert "49 launches of 13 kernels checked" in text and "PASSED" in text, text


@pytest.fixture(scope="module")
def decoder(tmp_path_factory):
    return decoders.Packages(tmp_path_factory.mktemp("decoder")).model("llama")


def compiled_to_plan(model, folder, *options):
    """The dumps of a decoder."""
    dims = [] if "--no-state" in options else DECODER
    tool.call("compile", model, "-o", folder / "plan.mlir", "--compile-to=plan", "--save-temps", folder / "dumps", "-q", *dims, *options)
    return folder / "dumps"


@pytest.mark.parametrize("name", OPTIONS)
def test_passes_and_modules_are_those_of_kiln_compile(decoder, tmp_path, name):
    options, words = OPTIONS[name]
    dumps = compiled_to_plan(decoder, tmp_path, *options)
    assert all(word in recorded(dump(dumps, phase)) for phase in PHASES for word in words.split())
    assert_phases(dumps)


@pytest.fixture(scope="module")
def tinylm(tmp_path_factory):
    model = tmp_path_factory.mktemp("tinylm") / "tinylm.onnx"
    subprocess.run([sys.executable, ROOT / "models/build.py", "tinylm", "-o", model], check=True)
    return model


@pytest.mark.parametrize(
    "how, records",
    [
        (["--precision", "int4"], ["calibration"]),
        (["--precision", "fp8", "--activations", "fp8", "--range", "percentile:99.9"], ["activation_ranges"]),
    ],
)
def test_a_calibrated_compile_is_replayed(tinylm, tmp_path, how, records):
    """The module records what samples say of matmuls; their matrices stay where they are."""
    text = tmp_path / "text.txt"
    text.write_bytes(decoders.HELD_OUT.read_bytes()[:600])
    dumps = compiled_to_plan(tinylm, tmp_path, *how, "--calib", text)
    header = dump(dumps, "import").read_text()
    assert [name for name in ("calibration", "activation_ranges") if f"graph.{name} = [" in header] == records
    assert_phases(dumps)


def test_a_package_has_no_record_of_the_compile(small_package):
    assert "graph.compile" in tool.call("compile", small_package[0], "--compile-to=kernels").stdout
    assert b"graph.compile" not in small_package[1].read_bytes()


def test_printed_passes_run_by_themselves(decoder, tmp_path):
    dumps = compiled_to_plan(decoder, tmp_path, "--precision", "int4")
    for before, phase in zip(PHASES, PHASES[1:]):
        passes = dump(dumps, phase, ".passes").read_text().strip()
        done = optimize(dump(dumps, before), f"--pass-pipeline={passes}", "-mlir-print-debuginfo")
        assert done.returncode == 0 and done.stdout == dump(dumps, phase).read_text(), done.stderr


def test_a_dump_that_a_phase_does_not_take(decoder, tmp_path):
    dumps = compiled_to_plan(decoder, tmp_path, "--precision", "bf16")
    options = recorded(dump(dumps, "import"))
    old = tmp_path / "old.mlir"
    old.write_text(re.sub(r'version = "[^"]*"', 'version = "0.0.1"', dump(dumps, "graph").read_text()))
    for path, pipeline, words in (
        (dump(dumps, "import"), "--kiln-graph-pipeline", ["KILN-E0304", "compiled with other options", f"--kiln-graph-pipeline='{options}'"]),
        (dump(dumps, "graph"), f"--kiln-graph-pipeline={options}", ["KILN-E0301", "phase graph: it has run on the module already"]),
        (dump(dumps, "import"), f"--kiln-code-pipeline={options}", ["KILN-E0301", "expected a module behind phase kernels", "behind phase import"]),
        (old, f"--kiln-kernels-pipeline={options}", ["KILN-E0304", "another version of Kiln wrote the module", "found '0.0.1'"]),
        (dump(dumps, "import"), "--kiln-graph-pipeline=precision=int9", ["KILN-E0001", "no precision has this name"]),
        (dump(dumps, "import"), "--kiln-graph-pipeline=overlap=0", ["KILN-E0001", "overlap"]),
        (dump(dumps, "import"), "--kiln-graph-pipeline=shards=2", ["shards"]),
        (dump(dumps, "import"), "--kiln-graph-pipeline=targets=sm_999", ["KILN-E", "sm_999"]),
    ):
        done = optimize(path, pipeline)
        assert done.returncode != 0 and all(word in done.stderr for word in words), done.stderr
