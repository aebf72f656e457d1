"""The ten models of which build.py measures what compiling them takes."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools
import pathlib
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test/e2e"))

import quantized_exports  # noqa: E402

DECODER_DIMS = ["--dims", "rows=1..1,capacity=1..256,sequence=1..64"]


def built(name, *options):
    """A maker of the model that models/build.py calls so."""

    def make(folder):
        path = folder / f"{'-'.join([name, *options])}.onnx"
        if not path.exists():
            subprocess.run([sys.executable, ROOT / "models/build.py", name, *options, "-o", path], check=True)
        return path

    return make


@functools.cache
def tinylm_in_f32(folder):
    return quantized_exports.build(folder)


def exported(name):
    """A maker of an export of tinylm by ONNX Runtime's quantizers."""

    def make(folder):
        path = folder / f"tinylm-{name.replace(' ', '-')}.onnx"
        return path if path.exists() else quantized_exports.EXPORTS[name](tinylm_in_f32(folder), path)

    return make


def matmuls(folder):
    """64 matmuls side by side, no two of one shape."""
    path, random = folder / "matmuls.onnx", np.random.default_rng(0)
    widths = [(16 * (2 + i % 8), 16 * (2 + i // 8)) for i in range(64)]
    inputs = [helper.make_tensor_value_info(f"x{i}", TensorProto.FLOAT, ["rows", k]) for i, (k, _) in enumerate(widths)]
    outputs = [helper.make_tensor_value_info(f"y{i}", TensorProto.FLOAT, ["rows", n]) for i, (_, n) in enumerate(widths)]
    weights = [numpy_helper.from_array(random.standard_normal((k, n)).astype(np.float32), f"w{i}") for i, (k, n) in enumerate(widths)]
    nodes = [helper.make_node("MatMul", [f"x{i}", f"w{i}"], [f"y{i}"]) for i in range(len(widths))]
    graph = helper.make_graph(nodes, "matmuls", inputs, outputs, weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10), path)
    return path


# Name: function that builds the model, and the options of kiln compile.
MODELS = {
    "minilm": (built("minilm-shape"), []),
    "bert-base": (built("bert-base"), []),
    "gpt2, 2 layers": (built("gpt2", "--layers", "2"), []),
    "tinylm": (built("tinylm"), DECODER_DIMS),
    "tinylm for three targets": (built("tinylm"), [*DECODER_DIMS, "--target", "native,sm_80,sm_90a"]),
    "tinylm, QDQ": (exported("pairs"), DECODER_DIMS),
    "tinylm, quantized cache": (exported("cache per tensor"), DECODER_DIMS),
    "64 matmuls": (matmuls, []),
    "llama-110m": (built("llama-110m", "--dtype", "f32"), []),
    "llama-110m in fp8": (built("llama-110m", "--dtype", "f32"), ["--precision", "fp8", "--activations", "fp8"]),
}
