#!/usr/bin/env python3
"""Kiln on a Llama of 1.1 billion parameters in bf16, and on one of a tenth: compile, load, and some tokens.

  build/venv/bin/python test/bench/large_model.py                       both models, into docs/benchmarks
  build/venv/bin/python test/bench/large_model.py --layers 1 --repeats 1 --output-dir build/bench

Needs 5 GB of disk in --work. Writes large_model.json and the table made of it, large_model.md; docs/benchmarks/README.md says what
the fields mean.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import json
import os
import pathlib
import shlex
import statistics
import subprocess
import sys

import timing

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ("llama-1b", "llama-110m")
MIB = 2**20


def main():
    arguments = parse_arguments()
    arguments.work.mkdir(parents=True, exist_ok=True)
    load = os.getloadavg()[0]
    result = {
        "command": shlex.join(["python", *sys.argv]),
        "machine": timing.machine(),
        "load_average_before": load,
        "models": [measure(name, arguments) for name in MODELS],
    }
    arguments.output_dir.mkdir(parents=True, exist_ok=True)
    (arguments.output_dir / "large_model.json").write_text(json.dumps(result, indent=2) + "\n")
    text = table(result)
    (arguments.output_dir / "large_model.md").write_text(text)
    print(text)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", type=pathlib.Path, default=ROOT / "build/bin/kiln")
    parser.add_argument("--layers", type=int, help="of each model instead of its own")
    parser.add_argument("--repeats", type=int, default=3, help="compiles of each model")
    parser.add_argument("--tokens", type=int, default=32, help="tokens to generate")
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/bench", help="for models and packages")
    parser.add_argument("--output-dir", type=pathlib.Path, default=ROOT / "docs/benchmarks")
    return parser.parse_args()


def measure(name, arguments):
    print(f"  {name}", flush=True)
    model = arguments.work / f"{name}-{arguments.layers or 'all'}.onnx"
    if not model.exists():
        layers = ["--layers", arguments.layers] if arguments.layers else []
        builder = [sys.executable, ROOT / "models/build.py", name, "--external", *layers, "-o", model]
        subprocess.run([str(part) for part in builder], check=True)
    package = model.with_suffix(".kiln")
    compiles = [timing.run_measured([arguments.kiln, "compile", model, "-o", package, "-q"]) for _ in range(arguments.repeats)]
    return {
        "model": name,
        "model_bytes": model.with_name(model.name + ".data").stat().st_size,
        "package_bytes": package.stat().st_size,
        "compile_seconds": statistics.median(seconds for seconds, _ in compiles),
        "compile_peak_anonymous_bytes": max(peak for _, peak in compiles),
        "load_ms": load_ms(arguments.kiln, package),
        "load_trusted_ms": load_ms(arguments.kiln, package, "--trust-weights"),
        "generated": [generate(package, threads, arguments) for threads in arguments.threads],
    }


def load_ms(program, package, *options):
    """The median of some loads of a package in the page cache, each in a process of its own."""
    dims = "rows=1,capacity=256,tokens=1"
    command = [program, "bench", package, "--entry", "decode", "--dims", dims, "--iterations", 1, "--warm-up", 0, "--json", *options]
    times = []
    for _ in range(5):
        done = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True)
        times.append(json.loads(done.stdout)["load_seconds"])
    return statistics.median(times) * 1e3


def generate(package, threads, arguments):
    command = [arguments.kiln, "generate", package, "--prompt-ids", "1,306,4658,278,6593,310,2834,338", "--max-new",
               arguments.tokens, "--threads", threads, "--json"]  # fmt: skip
    done = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True)
    found = json.loads(done.stdout)
    keys = ("decode_tokens_per_second", "step_bytes", "bandwidth_share", "tokens")
    return {"threads": threads} | {key: found[key] for key in keys}


def table(result):
    machine = result["machine"]
    lines = [
        "# A large model",
        "",
        f"Llamas of 1.1 billion parameters and of a tenth, weights in bf16, computed in f32, on {machine['cpu']} "
        f"({', '.join(machine['isa'])}; {machine['cores']} cores) with",
        "",
        f"    {result['command']}",
        "",
        f"The machine's load average was {result['load_average_before']:.1f} when it began. README.md says what each column means.",
        "",
        "| model | weights MiB | package MiB | compile s | peak anonymous MiB | load ms | load, weights trusted, ms |",
        "| --- |" + " ---: |" * 6,
    ]
    for model in result["models"]:
        lines.append(
            f"| {model['model']} | {model['model_bytes'] / MIB:.0f} | {model['package_bytes'] / MIB:.0f} "
            f"| {model['compile_seconds']:.1f} | {model['compile_peak_anonymous_bytes'] / MIB:.0f} "
            f"| {model['load_ms']:.0f} | {model['load_trusted_ms']:.1f} |")
    lines += ["", "| model | threads | decode tokens/s | bandwidth |", "| --- | ---: | ---: | ---: |"]
    for model in result["models"]:
        for run in model["generated"]:
            lines.append(f"| {model['model']} | {run['threads']} | {run['decode_tokens_per_second']:.1f} "
                         f"| {run['bandwidth_share'] * 100:.0f} % |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
