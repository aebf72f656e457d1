"""A kernel family that only tests have (test/lib/Square), registered in kiln-square: explain lists its configs, inspect its
kernels, and verify runs its code on the host and the simulated GPUs."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import subprocess

import onnx
import pytest
import tool
from onnx import TensorProto, helper


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("square")
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", 101]) for name in "xy")
    nodes = [helper.make_node("Exp", ["x"], ["e"]), helper.make_node("Mul", ["e", "e"], ["y"])]
    graph = helper.make_graph(nodes, "g", [x], [y])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), folder / "m.onnx")
    call("compile", folder / "m.onnx", "-o", folder / "m.kiln", "--target", "native,sm_80,sm_90a", "--dims", "n=1..600")
    return folder / "m.kiln"


def call(*arguments, **options):
    command = [tool.binary("kiln-square"), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("device", ["cpu", "sim:a100", "sim:h200"])
@pytest.mark.parametrize("rows", [1, 41, 600])
def test_verify_runs_its_code(package, driver, device, rows):
    report = call("verify", package, "--device", device, "--dims", f"n={rows}", "--only-these-dims", env=driver)
    assert re.search("square_0 +square ", report) and report.endswith("PASSED\n"), report


def test_explain_and_inspect_name_it(package):
    report = call("explain", package, "--kernel", "square_0", "--target", "sm_80")
    assert "squares: more elements per task first" in report and report.count("#tile.pointwise_config") == 2, report
    assert "square_0" in call("inspect", package, "--kernels")


def test_others_do_not_have_it(package, tmp_path):
    tool.call("compile", package.with_suffix(".onnx"), "-o", tmp_path / "m.kiln")
    assert "square" not in tool.call("inspect", tmp_path / "m.kiln", "--kernels").stdout
