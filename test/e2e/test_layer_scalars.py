"""Layers whose kernels differ in scalars alone share code: how many kernels are left, and that results are those of the reference."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import pathlib
import subprocess
import sys

import models
import pytest
import tool

FUZZER = pathlib.Path(__file__).resolve().parents[1] / "fuzz" / "layer_scalars.py"
SCALES = [0.5, 0.3, 1.7, 0.09]


def layers(scales):
    """Softmax of a scaled value and a bounded multiple of it, once for each scale; the result of each layer is an output."""
    steps = []
    for i, scale in enumerate(scales):
        steps.append(f"""
  [scale{i}] s{i} = Mul (x{i}, a{i})
  [softmax{i}] p{i} = Softmax <axis = -1> (s{i})
  [back{i}] q{i} = Div (p{i}, a{i})
  [end{i}] x{i + 1} = Tanh (q{i})""")
    constants = ", ".join(f"float a{i} = {{{scale}}}" for i, scale in enumerate(scales))
    outputs = ", ".join(f"float[rows,40] x{i + 1}" for i in range(len(scales)))
    return f"layers (float[rows,40] x0) => ({outputs})\n<{constants}>\n{{{''.join(steps)}\n}}"


def compile_text(folder, text, *options):
    model, package = folder / "m.onnx", folder / "m.kiln"
    models.write(model, text)
    tool.call("compile", model, "-o", package, "-q", *options)
    return package


def kernels_of(package):
    plan = json.loads(tool.call("inspect", package, "--json").stdout)
    return sorted({step["kernel"] for step in plan["steps"] if "kernel" in step})


def weights_of(package):
    return tool.call("inspect", package, "--graph").stdout.count("graph.weight @scalar")


def test_layers_that_differ_in_scales_share_a_kernel(tmp_path):
    package = compile_text(tmp_path, layers(SCALES))
    assert len(kernels_of(package)) == 1 and weights_of(package) == len(SCALES)


def test_equal_scales_stay_in_the_kernel(tmp_path):
    package = compile_text(tmp_path, layers([0.5] * 4))
    assert len(kernels_of(package)) == 1 and weights_of(package) == 0


def test_a_single_layer_keeps_its_scale(tmp_path):
    assert weights_of(compile_text(tmp_path, layers([0.3]))) == 0


@pytest.mark.parametrize("device, target", [("cpu", "native"), ("sim:a100", "sm_80"), ("sim:h200", "sm_90a")])
def test_shared_kernels_are_those_of_the_reference(driver, tmp_path, device, target):
    package = compile_text(tmp_path, layers(SCALES), "--target", target, "--dims", "rows=1..8")
    tool.assert_verified(package, [device], driver)


@pytest.mark.parametrize("device, count", [("cpu", 12), ("sim:a100", 4), ("sim:h200", 4)])
def test_layers_have_the_bits_that_they_have_alone(driver, device, count):
    command = [sys.executable, FUZZER, "--kiln", tool.binary(), "--count", count, "--seed", 1, "--device", device]
    done = subprocess.run([*map(str, command)], env=driver, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0 and done.stdout.startswith(f"0 of {count} cases wrong"), done.stdout + done.stderr
