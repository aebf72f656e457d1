"""A package for several CPUs: the runtime chooses the code that uses more features of the CPU at hand."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import pathlib
import re
import subprocess
import sys

import kiln
import numpy as np
import onnx
import onnx.helper
import onnx.numpy_helper
import pytest
import tool

MODEL = pathlib.Path(__file__).resolve().parents[1] / "Driver" / "models" / "two-targets.onnxtxt"
# From the one with the smallest set of features to that with the largest.
TARGETS = ["x86-64-v3", "x86-64-v4", "sapphirerapids"]
RUN = """
import json, sys, kiln, numpy as np
session = kiln.Session(sys.argv[1])
y = session.run({"x": np.linspace(-2, 2, 24, dtype=np.float32).reshape(3, 8)})["y"]
print(json.dumps([session.target, y.tolist()]))
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    path = tmp_path_factory.mktemp("targets") / "m.kiln"
    tool.call("compile", MODEL, "-o", path, "-q", "--target", ",".join(TARGETS))
    return path


@pytest.fixture(scope="module")
def needs(package):
    """{target: features that its code needs}, and the targets that run here."""
    text = tool.call("inspect", package).stdout
    found = dict(re.findall(r"target +(\S+) .*\n +needs (.*)", text))
    assert list(found) == TARGETS
    return {name: set(features.split(", ")) for name, features in found.items()}, re.findall(r"target +(\S+) \(runs here\)", text)


def run(package, monkeypatch, hidden):
    monkeypatch.setenv("KILN_HIDE_CPU_FEATURES", ",".join(hidden))
    return subprocess.run([sys.executable, "-c", RUN, package], capture_output=True, text=True)


def test_features_grow_with_the_targets(needs):
    features, _ = needs
    for smaller, larger in zip(TARGETS, TARGETS[1:]):
        assert features[smaller] < features[larger], (smaller, larger)


def test_each_target_is_chosen_where_the_next_one_cannot_run(package, needs, monkeypatch):
    features, here = needs
    assert here, "no CPU of this age is supported"
    results = []
    for place, name in enumerate(here):
        hidden = features[here[place + 1]] - features[name] if place + 1 < len(here) else set()
        done = run(package, monkeypatch, hidden)
        assert done.returncode == 0, done.stderr
        target, values = json.loads(done.stdout)
        assert target == name, f"with {hidden} hidden"
        results.append(values)
    for values in results:
        np.testing.assert_allclose(values, results[0], rtol=1e-6)


@pytest.fixture(scope="module")
def matmul(tmp_path_factory):
    """A matmul of any number of rows by a weight of 128 x 40."""
    weight = np.random.default_rng(1).normal(size=(128, 40)).astype(np.float32)
    x, y = (onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["rows", width]) for name, width in (("x", 128), ("y", 40)))
    graph = onnx.helper.make_graph([onnx.helper.make_node("MatMul", ["x", "w"], ["y"])], "g", [x], [y], [onnx.numpy_helper.from_array(weight, "w")])
    path = tmp_path_factory.mktemp("codes") / "m.onnx"
    onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8), path)
    return path


@pytest.mark.parametrize("precision", ["int8", "int4", "nvfp4"])
def test_codes_are_multiplied_with_the_same_bits_by_every_instruction(matmul, tmp_path, precision):
    """vpmaddubsw and vpmaddwd, vpdpbusd on 256 and on 512 bits."""
    data = np.random.default_rng(2).normal(size=(33, 128)).astype(np.float32)
    results = {}
    for target in ("x86-64-v3", "alderlake", "x86-64-v4", "cascadelake"):
        package = tmp_path / f"{target}.kiln"
        tool.call("compile", matmul, "-o", package, "-q", "--target", target, "--precision", precision)
        if "(runs here)" not in tool.call("inspect", package).stdout:
            continue
        with kiln.Session(package) as session:
            results[target] = [session.run({"x": data[:rows]})["y"] for rows in (1, 2, 3, 5, 9, 31, 32, 33)]
    assert "x86-64-v3" in results
    for target, values in results.items():
        for found, expected in zip(values, results["x86-64-v3"]):
            np.testing.assert_array_equal(found, expected, err_msg=target)
    if len(results) == 1:
        pytest.skip("this CPU has AVX2 alone: there is nothing to compare with")


def test_a_cpu_that_none_of_them_is_for(package, needs, monkeypatch):
    done = run(package, monkeypatch, {"fma"})
    assert "KILN-E0510" in done.stderr and "a CPU without fma" in done.stderr, done.stderr
    for name in TARGETS:
        assert f"({name})" in done.stderr


def test_names_that_are_no_feature_hide_nothing(package, needs, monkeypatch):
    _, here = needs
    done = run(package, monkeypatch, ["banana", "", "avx5"])
    assert json.loads(done.stdout)[0] == here[-1]
