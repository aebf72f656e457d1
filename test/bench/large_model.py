#!/usr/bin/env python3
"""Kiln on a Llama of 1.1 billion parameters in bf16, and on one of a tenth: compile, load, and some tokens; and what it takes to
lower the large one to int4 to nearest, and the small one by GPTQ.

  build/venv/bin/python test/bench/large_model.py                       both models, into docs/benchmarks
  build/venv/bin/python test/bench/large_model.py --only-lowering       lowering alone; the rest is that of the last run
  build/venv/bin/python test/bench/large_model.py --only-models         all but lowering, which is that of the last run
  build/venv/bin/python test/bench/large_model.py --layers 1 --repeats 1 --output-dir build/bench

Needs 5 GB of disk in --work. Writes large_model.json and the table made of it, large_model.md; docs/benchmarks/README.md says what
the fields mean.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import json
import os
import pathlib
import resource
import shlex
import statistics
import subprocess
import sys
import time

import kiln
import numpy as np
import timing

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ("llama-1b", "llama-110m")
# Model, type of its weights, and the algorithm with which --precision int4 is measured.
LOWERING = (("llama-1b", "bf16", "rtn"), ("llama-110m", "f32", "gptq"))
SAMPLES, TOKENS = 128, 512
MIB = 2**20


def main():
    arguments = parse_arguments()
    arguments.work.mkdir(parents=True, exist_ok=True)
    load = os.getloadavg()[0]
    last = arguments.output_dir / "large_model.json"
    result = json.loads(last.read_text()) if arguments.only_lowering or arguments.only_models else {}
    if not arguments.only_lowering:
        result |= {
            "command": shlex.join(["python", *sys.argv]),
            "machine": timing.machine(),
            "load_average_before": load,
            "models": [measure(name, arguments) for name in MODELS],
        }
    if not arguments.only_models:
        result["lowering_load_average_before"] = load
        result["lowering"] = [lower(*case, arguments) for case in LOWERING]
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
    parts = parser.add_mutually_exclusive_group()
    parts.add_argument("--only-lowering", action="store_true", help="take all but lowering from the last large_model.json")
    parts.add_argument("--only-models", action="store_true", help="take lowering from the last large_model.json")
    parser.add_argument("--tokens", type=int, default=32, help="tokens to generate")
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/bench", help="for models and packages")
    parser.add_argument("--output-dir", type=pathlib.Path, default=ROOT / "docs/benchmarks")
    return parser.parse_args()


def build(name, arguments, dtype="bf16"):
    model = arguments.work / f"{name}-{arguments.layers or 'all'}{'' if dtype == 'bf16' else '-' + dtype}.onnx"
    if not model.exists():
        layers = ["--layers", arguments.layers] if arguments.layers else []
        builder = [sys.executable, ROOT / "models/build.py", name, "--external", "--dtype", dtype, *layers, "-o", model]
        subprocess.run([str(part) for part in builder], check=True)
    return model


def samples(arguments):
    """Of token ids, equal in every run. Their values do not change what calibration takes."""
    path = arguments.work / "llama-samples.npz"
    ids = np.random.default_rng(0).integers(0, 256, (SAMPLES, 1, TOKENS))
    np.savez(path, input_ids=ids)
    return path


def lower(name, dtype, algorithm, arguments):
    """To int4: seconds of the wall and of all CPUs, and memory; and the same without a format, in one run each."""
    print(f"  {name}, int4 by {algorithm}", flush=True)
    model, package = build(name, arguments, dtype), arguments.work / "lowered.kiln"
    options = ["--precision", "int4", "--algorithm", algorithm, *(["--calib", samples(arguments)] if algorithm != "rtn" else [])]
    found = {"model": name, "weights": dtype, "algorithm": algorithm}
    for key, extra in (("lowered", options), ("plain", [])):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [arguments.kiln, "compile", model, "-o", package, "-q", "--time-limit", 0, *extra]
        seconds, peak = timing.run_measured(command)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        found[key] = {"seconds": seconds, "cpu_seconds": cpu, "peak_anonymous_bytes": peak, "package_bytes": package.stat().st_size}
    package.unlink()
    return found


def measure(name, arguments):
    print(f"  {name}", flush=True)
    model = build(name, arguments)
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
        "checked_ms": checked_ms(package),
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


def checked_ms(package):
    """The median time from the beginning of a load until all weights have been compared with their hash."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        kiln.Session(package, dims={"rows": 1, "capacity": 256, "tokens": 1, "sequence": 1}).check_weights()
        times.append(time.perf_counter() - start)
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
        "| model | weights MiB | package MiB | compile s | peak anonymous MiB | load ms | load, weights trusted, ms | all weights compared after ms |",
        "| --- |" + " ---: |" * 7,
    ]
    for model in result["models"]:
        lines.append(
            f"| {model['model']} | {model['model_bytes'] / MIB:.0f} | {model['package_bytes'] / MIB:.0f} "
            f"| {model['compile_seconds']:.1f} | {model['compile_peak_anonymous_bytes'] / MIB:.0f} "
            f"| {model['load_ms']:.1f} | {model['load_trusted_ms']:.1f} | {model['checked_ms']:.0f} |")
    lines += ["", "| model | threads | decode tokens/s | bandwidth |", "| --- | ---: | ---: | ---: |"]
    for model in result["models"]:
        for run in model["generated"]:
            lines.append(f"| {model['model']} | {run['threads']} | {run['decode_tokens_per_second']:.1f} "
                         f"| {run['bandwidth_share'] * 100:.0f} % |")
    lines += lowering_lines(result)
    return "\n".join(lines) + "\n"


def lowering_lines(result):
    if "lowering" not in result:
        return []
    lines = [
        "",
        "## Lowering to int4",
        "",
        f"`--precision int4`, and the same model without it (plain); `gptq` with {SAMPLES} samples of {TOKENS} tokens. The load average was "
        f"{result['lowering_load_average_before']:.1f}: wall times are upper bounds where it is not near 0.",
        "",
        "| model | weights | algorithm | s | CPU s | peak anonymous MiB | package MiB | plain: s | CPU s | peak anonymous MiB |",
        "| --- | --- | --- |" + " ---: |" * 7,
    ]
    for case in result["lowering"]:
        own, plain = case["lowered"], case["plain"]
        lines.append(f"| {case['model']} | {case['weights']} | {case['algorithm']} | {own['seconds']:.0f} | {own['cpu_seconds']:.0f} "
                     f"| {own['peak_anonymous_bytes'] / MIB:.0f} | {own['package_bytes'] / MIB:.0f} "
                     f"| {plain['seconds']:.0f} | {plain['cpu_seconds']:.0f} | {plain['peak_anonymous_bytes'] / MIB:.0f} |")
    return lines


if __name__ == "__main__":
    main()
