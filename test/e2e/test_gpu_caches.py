"""Caches of 8 bits on the simulated GPU: attention reads the codes where it is in f32, as the reference says and near the
host; in 16 bits it expands them, and says so."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import decoders
import numpy as np
import pytest
import test_ptx
import tool

FORMATS = ["int8", "fp8"]
DIMS = ["--dims", "rows=1..2,capacity=1..128,sequence=1..64"]
# Sums in another order sometimes round a cache element to the adjacent quantized value, which moves logits by a
# fraction of what quantizing the cache does.
FRACTION = 1 / 10
DEVICES = {"sm_80": "sim:a100", "sm_89": "sim:l40s", "sm_90a": "sim:h200"}


def compile_with(folder, target, *options):
    return decoders.compile_tinylm(folder, "--target", f"native,{target}", *options, *DIMS, spelling="past")


def attention_in(folder):
    """The lines of the code of a compile that are attention, before fusion and codegen."""
    return [line for line in (folder / "1-graph.mlir").read_text().splitlines() if "graph.attention" in line]


@pytest.fixture(scope="module")
def exact(driver, tmp_path_factory):
    """The logits without codes."""
    folder = tmp_path_factory.mktemp("f32")
    return decoders.run_elsewhere(compile_with(folder, "sm_80"), "cpu", folder, driver)[0]


@pytest.mark.parametrize("cache, target", [("int8", "sm_80"), ("fp8", "sm_89"), ("int8", "sm_90a")])
def test_steps_are_near_the_host(driver, tmp_path, exact, cache, target):
    """Prompts and steps of one and more tokens, with rows of other lengths."""
    package = compile_with(tmp_path, target, "--kv", cache)
    expected, lengths = decoders.run_elsewhere(package, "cpu", tmp_path, driver)
    found, found_lengths = decoders.run_elsewhere(package, DEVICES[target], tmp_path, {**driver, "KILN_SIM_CHECK": "all"})
    assert np.array_equal(lengths, found_lengths)
    assert 0 < np.abs(found - expected).max() < np.abs(expected - exact).max() * FRACTION


@pytest.mark.parametrize("cache, target", [("fp8", "sm_80"), ("int8", "sm_89"), ("fp8", "sm_90a")])
def test_kernels_are_those_of_the_reference(driver, tmp_path, cache, target):
    """Also those that write new rows, at random positions and counts, and with the whole look for races."""
    package = compile_with(tmp_path, target, "--kv", cache)
    outcome = tool.call("verify", package, "--device", DEVICES[target], "--dims", "rows=2,capacity=37,tokens=9",
                        env={**driver, "KILN_SIM_CHECK": "all"}, status=None, timeout=600)
    rows = [line.split() for line in outcome.stdout.splitlines()]
    results = [row[5] for row in rows if row[1:2] in (["attention"], ["kv_write"])]
    assert results and set(results) == {"PASSED"}, outcome.stdout + outcome.stderr
    assert outcome.status == 0 and "race" not in outcome.stderr, outcome.stderr


@pytest.mark.parametrize("cache", FORMATS)
def test_every_target_assembles_without_spills(tmp_path, cache):
    decoders.compile_tinylm(tmp_path, spelling="past")
    test_ptx.check(tmp_path / "past.onnx", tmp_path, test_ptx.TARGETS, "--kv", cache, *DIMS)


@pytest.mark.parametrize("precision, warns", [("f32", False), ("int4", False), ("bf16", True)])
def test_what_is_expanded(tmp_path, precision, warns):
    package = compile_with(tmp_path, "sm_80")
    outcome = tool.call("compile", tmp_path / "past.onnx", "-o", package, "-q", "--kv", "int8", "--precision", precision,
                        "--target", "native,sm_80", "--save-temps", tmp_path / "ir", *DIMS)
    assert ("warning: attention of sm_80 in bf16 does not read caches in int8" in outcome.stderr) == warns
    attention = attention_in(tmp_path / "ir")
    assert attention and all((" scales " in line) != warns for line in attention)
