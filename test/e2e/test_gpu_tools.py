"""The tools on GPU packages, on the simulated GPU: the ledger of kiln bench, the graph of kiln inspect, packages for GPUs
alone, memory that does not suffice."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import re

import models
import packages
import pytest
import tool


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A small model for GPUs alone, that allows two instances of its graph."""
    folder = tmp_path_factory.mktemp("gpu-tools")
    model = models.write(folder / "m.onnx", models.MLP)
    steps = compile(model, folder / "probe.kiln")["cuda_graph"]["nodes"]
    compile(model, folder / "m.kiln", "--graph-memory", f"{2 * 64 * steps}KiB")
    return folder / "m.kiln"


def compile(model, package, *options):
    tool.call("compile", model, "-o", package, "--target", "sm_80", "--dims", "batch=1..4,seq=1..16", *options)
    return json.loads(tool.call("inspect", package, "--json").stdout)


def test_inspect_shows_the_graph(package):
    description = json.loads(tool.call("inspect", package, "--json").stdout)
    graph, steps = description["cuda_graph"], description["steps"]
    assert graph["nodes"] == len(steps) and graph["instances"] == 2
    assert graph["bytes_each"] == 65536 * graph["nodes"] and graph["memory"] == 2 * graph["bytes_each"]
    assert graph["edges"] == sum(len(step["after"]) for step in steps)
    assert all(earlier < i for i, step in enumerate(steps) for earlier in step["after"])
    text = tool.call("inspect", package).stdout
    assert f"  graph    {graph['nodes']} nodes" in text and "keeps 2 of" in text


def test_no_graph_without_code_for_gpus(small_package):
    assert json.loads(tool.call("inspect", small_package[1], "--json").stdout)["cuda_graph"] is None
    assert "graph " not in tool.call("inspect", small_package[1]).stdout


def test_a_package_for_gpus_alone(driver, package):
    text = tool.call("run", package, "--device", "sim:a100", env=driver).stdout
    assert re.search(r"^  y +f32\[1,", text, re.MULTILINE), text
    outcome = tool.call("run", package, status=3)
    tool.assert_error(outcome, "KILN-E0510", "no code for a CPU", "sm_80", "--device")


def bench(driver, package, *options):
    return tool.call("bench", package, "--device", "sim:a100", "--dims", "batch=4,seq=16", *options, env=driver).stdout


def test_the_ledger(driver, package):
    report = json.loads(bench(driver, package, "--json"))
    device, steps = report["device"], report["steps"]
    assert device["gpu"].startswith("NVIDIA A100") and device["target"] == "sm_80" and device["simulated"]
    assert device["limits"]["bytes_per_second"] == 2039e9
    for step in steps:
        roofline = step["roofline"]
        assert roofline["memory_seconds"] == pytest.approx(step["bytes"] / 2039e9)
        assert roofline["compute_seconds"] == pytest.approx(step["flops"] / 19.5e12)
        assert roofline["arithmetic"] == "f32"
        bound = max(roofline["memory_seconds"], roofline["compute_seconds"])
        assert roofline["achieved"] == pytest.approx(bound / step["median_seconds"]) and 0 < roofline["achieved"] <= 1
        # The model is far too small for this GPU.
        assert roofline["why"].startswith("launch; ") and "of 108 multiprocessors have work" in roofline["why"]
        blocks = step["blocks_per_multiprocessor"]
        assert blocks >= 1 and roofline["waves"] == pytest.approx(step["tasks"] / (108 * blocks))
    assert report["seconds"]["median"] == pytest.approx(sum(step["median_seconds"] for step in steps))
    assert any("nothing was measured" in warning for warning in report["warnings"])


def test_the_ledger_as_text(driver, package):
    text = bench(driver, package)
    assert "device     sim:a100: NVIDIA A100" in text and "limits     2039 GB/s, f32 19.5" in text
    assert "modelled" in text and "latency" not in text
    assert "roofline  achieved  why" in text and "warning: nothing was measured" in text
    assert text == bench(driver, package), "a model gives the same numbers every time"


def test_a_cpu_has_no_ledger(small_package):
    text = tool.call("bench", small_package[1], "--iterations", "10", "--profile").stdout
    assert "device     cpu" in text and "roofline" not in text and "GB/s" in text


def test_memory_that_does_not_suffice(driver, package):
    outcome = tool.call("run", package, "--device", "sim", status=4, env={**driver, "KILN_SIM_MEMORY": "4K"})
    tool.assert_error(outcome, "KILN-E0708", "fix: narrow the dims of the session (--dims)", status=4)
    outcome = tool.call("run", package, "--device", "sim", status=4, env={**driver, "KILN_SIM_MEMORY": "64"})
    words = ["the weights of ", "expected at most 64 bytes, which are free of 64", "--precision bf16"]
    tool.assert_error(outcome, "KILN-E0708", *words, status=4)
    assert "dims" not in outcome.message


def test_memory_is_that_of_the_dims_at_hand(driver, tmp_path):
    """A range that no GPU has the memory for is no obstacle to a run with few rows."""
    model, package = models.write(tmp_path / "m.onnx", models.MLP), tmp_path / "m.kiln"
    tool.call("compile", model, "-o", package, "--target", "sm_80", "--dims", "batch=1..64,seq=1..100000")
    options = ["--device", "sim", "--dims", "batch=1,seq=3"]
    environment = {**driver, "KILN_SIM_MEMORY": "1M"}
    for command in (["run"], ["bench", "--iterations", "2"], ["verify", "--only-these-dims"]):
        tool.call(command[0], package, *command[1:], *options, env=environment)
    outcome = tool.call("run", package, "--device", "sim", "--dims", "batch=64,seq=100000", status=4, env=environment)
    tool.assert_error(outcome, "KILN-E0708", "the session does not fit", status=4)


def test_a_ptx_section_with_a_wrong_bit(driver, package, tmp_path):
    data = package.read_bytes()
    section = next(s for s in packages.sections(data) if data[s.offset : s.offset + 200].find(b".version") >= 0)
    changed = packages.flip(data, section.offset + data[section.offset :].index(b".version") + 4)
    for name, content, code, word, status in (
        ("flipped", changed, "KILN-E0503", "PTX", 3),
        ("sealed", packages.seal(changed), "KILN-E0707", "compile the model again", 4),
    ):
        (tmp_path / name).write_bytes(content)
        outcome = tool.call("run", tmp_path / name, "--device", "sim", status=status, env=driver)
        tool.assert_error(outcome, code, word, status=status)
