#!/usr/bin/env python3
"""Perplexity of tinylm on its held-out text by format and algorithm of its weights, and by the format of its cache.

  build/venv/bin/python test/bench/perplexities.py

Samples for calibration are 128 windows of 512 bytes of the text that tinylm was trained on (the installed headers of LLVM and
MLIR, models/tinylm/corpus.py), of which the held-out text is no part. Writes quantization.json and the table made of it,
quantization.md, into docs/benchmarks.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import json
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TINYLM = ROOT / "models/tinylm"
sys.path.insert(0, str(TINYLM))

import corpus  # noqa: E402

TEXT_BYTES = 400_000
DIMS = "rows=1,capacity=1..512,sequence=1..256"
FORMATS, ALGORITHMS = ("int8", "mxfp6", "int4", "nvfp4", "mxfp4"), ("rtn", "mse", "gptq", "awq")
RANGES = ("max", "percentile:99.99", "mse", "entropy")
# Precision, algorithm, type of the KV cache, type of activations, range method of their static scale.
CASES = [
    ("f32", "", "", ""),
    *((precision, algorithm, "", "") for precision in FORMATS for algorithm in ALGORITHMS),
    ("mxfp6_e3m2", "rtn", "", ""),
    ("mxfp8", "rtn", "", ""),
    ("int8", "smoothquant", "", ""),
    ("fp8", "rtn", "", ""),
    *((precision, "rtn", "", "fp8") for precision in ("fp8", "mxfp8", "mxfp6_e3m2", "mxfp4")),
    *((precision, "rtn", "", precision) for precision in ("nvfp4", "mxfp4")),
    ("f32", "", "int8", ""),
    ("f32", "", "fp8", ""),
    ("fp8", "rtn", "fp8", ""),
    ("int4", "gptq", "int8", ""),
    *(("int8", "rtn", "", "", method) for method in RANGES),
    *(("fp8", "rtn", "", "fp8", method) for method in RANGES),
]
KEY = ("precision", "algorithm", "cache", "activations", "range")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", type=pathlib.Path, default=ROOT / "build/bin/kiln")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/bench")
    parser.add_argument("--output-dir", type=pathlib.Path, default=ROOT / "docs/benchmarks")
    parser.add_argument("--only", metavar="PRECISION", nargs="*", help="measure these and cases that are new, and take the others from the last quantization.json")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    model, text = arguments.work / "tinylm.onnx", arguments.work / "calibration.txt"
    run([sys.executable, ROOT / "models/build.py", "tinylm", "--spelling", "past", "-o", model])
    text.write_bytes(corpus.read()[0][:TEXT_BYTES].replace(bytes([corpus.END]), b""))
    known = {}
    if arguments.only is not None:
        last = json.loads((arguments.output_dir / "quantization.json").read_text())["cases"]
        known = {tuple(case.get(name, "") for name in KEY): case for case in last if case["precision"] not in arguments.only}
    cases = [known.get((*case, "")[: len(KEY)]) or measure(arguments, model, text, *case) for case in CASES]
    result = {"command": shlex.join(["python", sys.argv[0]]), "cases": cases}
    (arguments.output_dir / "quantization.json").write_text(json.dumps(result, indent=2) + "\n")
    (arguments.output_dir / "quantization.md").write_text(table(result))
    print(table(result))


def run(command):
    return subprocess.run([*map(str, command)], check=True, capture_output=True, text=True).stdout


def measure(arguments, model, text, precision, algorithm, cache, activations, method=""):
    package = arguments.work / "tinylm.kiln"
    options = ["--algorithm", algorithm] if algorithm else []
    options += ["--calib", text] if method or algorithm in ("gptq", "awq", "smoothquant") else []
    options += ["--range", method] if method else []
    options += ["--kv", cache] if cache else []
    options += ["--activations", activations] if activations else []
    run([arguments.kiln, "compile", model, "-o", package, "-q", "--dims", DIMS, "--precision", precision, *options])
    found = json.loads(run([arguments.kiln, "generate", package, "--perplexity", TINYLM / "held_out.bin", "--json"]))
    report = json.loads(run([arguments.kiln, "inspect", package, "--precision", "--json"]))["precision_report"]
    return {
        "precision": precision,
        "algorithm": algorithm,
        "cache": cache,
        "activations": activations,
        "range": method,
        "perplexity": found["perplexity"],
        "weight_bytes": sum(entry["weight_bytes_after"] for entry in report) or None,
    }


def table(result):
    exact = result["cases"][0]["perplexity"]
    lines = [
        "# What quantized weights and caches cost tinylm",
        "",
        "Perplexity on the held-out text (32 KiB) over f32, and bytes of the weights of products, by",
        "",
        f"    {result['command']}",
        "",
        "`rtn` rounds to nearest, `mse` takes ranges with the smallest squared error, `gptq`, `awq` and `smoothquant` calibrate on 128 windows of "
        "512 bytes of the text that the model was trained on. A cache is f32 unless it is named. Where no activations are named, they are f32 beside `fp8`, `mxfp8` and "
        "`mxfp6_e3m2`, and integers of 8 bits beside the other formats. Where a range is named, they have one scale, a constant that follows from the same samples; else scales "
        "are found in every run.",
        "",
        "| precision | algorithm | cache | activations | range | perplexity | over f32 | KiB of weights |",
        "| --- | --- | --- | --- | --- | ---: | ---: | ---: |",
    ]
    for case in result["cases"]:
        size = f"{case['weight_bytes'] / 1024:.0f}" if case["weight_bytes"] else ""
        lines.append(f"| {case['precision']} | {case['algorithm']} | {case['cache']} | {case.get('activations', '')} | {case.get('range', '')} | {case['perplexity']:.5f} "
                     f"| {(case['perplexity'] / exact - 1) * 100:+.2f} % | {size} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
