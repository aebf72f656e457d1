#!/usr/bin/env python3
"""Convolutions and pooling by themselves, as front ends of transformers have them, beside ONNX Runtime.

  build/venv/bin/python test/bench/windows.py                                 into docs/benchmarks
  build/venv/bin/python test/bench/windows.py --only depthwise --output-dir build/bench

Writes windows.json and the table made of it, windows.md; docs/benchmarks/README.md says what the fields mean.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys

os.environ.pop("OPENBLAS_CORETYPE", None)

import peers  # noqa: E402
import timing  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]

# name: op, input dims, outputs, groups, kernel, and attributes whose values differ from their defaults.
CASES = {
    "patches 16x16, ViT": ("Conv", [1, 3, 224, 224], 768, 1, [16, 16], {"strides": [16, 16]}),
    "patches 4x4, ConvNeXt": ("Conv", [1, 3, 224, 224], 96, 1, [4, 4], {"strides": [4, 4]}),
    "overlapping patches 7x7, SegFormer": ("Conv", [1, 3, 512, 512], 32, 1, [7, 7], {"strides": [4, 4], "pads": [3] * 4}),
    "overlapping patches 3x3, SegFormer": ("Conv", [1, 32, 128, 128], 64, 1, [3, 3], {"strides": [2, 2], "pads": [1] * 4}),
    "reduction 8x8, SegFormer": ("Conv", [1, 32, 128, 128], 32, 1, [8, 8], {"strides": [8, 8]}),
    "downsampling 2x2, ConvNeXt": ("Conv", [1, 96, 56, 56], 192, 1, [2, 2], {"strides": [2, 2]}),
    "depthwise 7x7, ConvNeXt 56x56": ("Conv", [1, 96, 56, 56], 96, 96, [7, 7], {"pads": [3] * 4}),
    "depthwise 7x7, ConvNeXt 14x14": ("Conv", [1, 384, 14, 14], 384, 384, [7, 7], {"pads": [3] * 4}),
    "depthwise 3x3, SegFormer 128x128": ("Conv", [1, 128, 128, 128], 128, 128, [3, 3], {"pads": [1] * 4}),
    "depthwise 3x3, SegFormer 16x16": ("Conv", [1, 1024, 16, 16], 1024, 1024, [3, 3], {"pads": [1] * 4}),
    "depthwise 31, Conformer": ("Conv", [1, 512, 400], 512, 512, [31], {"pads": [15] * 2}),
    "1x1": ("Conv", [1, 96, 56, 56], 384, 1, [1, 1], {}),
    "3x3": ("Conv", [1, 64, 56, 56], 64, 1, [3, 3], {"pads": [1] * 4}),
    "1 channel, kernel 10, wav2vec2": ("Conv", [1, 1, 48000], 512, 1, [10], {"strides": [5]}),
    "kernel 3 stride 2, wav2vec2": ("Conv", [1, 512, 1999], 512, 1, [3], {"strides": [2]}),
    "positions, 16 groups, wav2vec2": ("Conv", [1, 768, 149], 768, 16, [128], {"pads": [64] * 2}),
    "kernel 3, Whisper": ("Conv", [1, 80, 3000], 384, 1, [3], {"pads": [1] * 2}),
    "kernel 3 stride 2, Whisper": ("Conv", [1, 384, 3000], 384, 1, [3], {"strides": [2], "pads": [1] * 2}),
    "MaxPool 3x3 stride 2": ("MaxPool", [1, 64, 112, 112], 0, 1, [3, 3], {"strides": [2, 2], "pads": [1] * 4}),
    "MaxPool 2x2": ("MaxPool", [1, 64, 112, 112], 0, 1, [2, 2], {"strides": [2, 2]}),
    "AveragePool 3x3, PoolFormer": ("AveragePool", [1, 64, 56, 56], 0, 1, [3, 3], {"pads": [1] * 4}),
    "AveragePool 2x2": ("AveragePool", [1, 64, 112, 112], 0, 1, [2, 2], {"strides": [2, 2]}),
}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", type=pathlib.Path, default=ROOT / "build/bin/kiln")
    parser.add_argument("--only", default="", help="cases with this in their name")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=9, help="turns of each runtime per case")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/bench", help="for models and packages")
    parser.add_argument("--output-dir", type=pathlib.Path, default=ROOT / "docs/benchmarks")
    return parser.parse_args()


def write_model(case, path):
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    op, dims, outputs, groups, kernel, attributes = case
    weights = []
    if op == "Conv":
        random = np.random.default_rng(0)
        weight = random.standard_normal([outputs, dims[1] // groups, *kernel], np.float32) * 0.1
        weights = [numpy_helper.from_array(weight, "w"), numpy_helper.from_array(random.standard_normal(outputs, np.float32), "b")]
        attributes = {**attributes, "group": groups}
    node = helper.make_node(op, ["x", *(weight.name for weight in weights)], ["y"], kernel_shape=kernel, **attributes)
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, dims)
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph([node], "windows", [x], [y], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(onnx.shape_inference.infer_shapes(model), path)


def measure(arguments, name, case):
    import kiln
    import numpy as np

    stem = "".join(c if c.isalnum() else "_" for c in name)
    model, package = arguments.work / f"{stem}.onnx", arguments.work / f"{stem}.kiln"
    write_model(case, model)
    subprocess.run([arguments.kiln, "compile", model, "-o", package, "-q"], check=True)
    feeds = {"x": np.random.default_rng(1).standard_normal(case[1], np.float32)}
    session = kiln.Session(str(package), threads=arguments.threads)
    peer = peers.load("onnxruntime", str(model), arguments.threads)
    found, expected = session.run(feeds)["y"], peer(feeds)["y"]
    calls = [lambda: session.run(feeds), lambda: peer(feeds)]
    own, other = timing.interleaved(calls, rounds=arguments.rounds, seconds_per_turn=0.1)
    return {
        "name": name,
        "kiln_ms": own * 1e3,
        "onnxruntime_ms": other * 1e3,
        "largest_relative_difference": float(np.abs(found - expected).max() / np.abs(expected).max()),
    }


def row(case):
    return (f"| {case['name']} | {case['kiln_ms']:.3f} | {case['onnxruntime_ms']:.3f} "
            f"| {case['onnxruntime_ms'] / case['kiln_ms']:.2f} | {case['largest_relative_difference']:.1e} |")


def table(result):
    machine = result["machine"]
    yield "# Convolutions and pooling"
    yield ""
    yield f"Measured on {machine['cpu']} ({', '.join(machine['isa'])}; {machine['cores']} cores) with"
    yield ""
    yield f"    {result['command']}"
    yield ""
    yield f"f32, batch 1, threads: {result['threads']}, ONNX Runtime {result['onnxruntime']}. Ratio: its time over Kiln's."
    yield ""
    yield "| window | Kiln ms | ONNX Runtime ms | ratio | difference |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    yield from map(row, result["cases"])


def main():
    arguments = parse_arguments()
    arguments.work.mkdir(parents=True, exist_ok=True)
    arguments.output_dir.mkdir(parents=True, exist_ok=True)
    cases = []
    for name, case in CASES.items():
        if arguments.only in name:
            cases.append(measure(arguments, name, case))
            print(row(cases[-1]), flush=True)
    result = {
        "command": shlex.join(["python", *sys.argv]),
        "machine": timing.machine(),
        "threads": arguments.threads,
        "onnxruntime": peers.version("onnxruntime"),
        "cases": cases,
    }
    (arguments.output_dir / "windows.json").write_text(json.dumps(result, indent=2) + "\n")
    (arguments.output_dir / "windows.md").write_text("\n".join(table(result)) + "\n")


if __name__ == "__main__":
    main()
