#!/usr/bin/env python3
"""Kiln beside ONNX Runtime and OpenVINO on encoders: run time, compile time and memory, load time.

  build/venv/bin/python test/bench/encoders.py                      everything, into docs/benchmarks
  build/venv/bin/python test/bench/encoders.py --models minilm --cases 1x128 --output-dir build/bench

OpenVINO takes part where `pip install openvino` put it into the environment.
Writes encoders.json and the table made of it, encoders.md; docs/benchmarks/README.md says what the fields mean.
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
import time

# This variable, which is set while tuning by hand, changes the speed of numpy.
os.environ.pop("OPENBLAS_CORETYPE", None)

import kiln  # noqa: E402
import numpy as np  # noqa: E402

import peers  # noqa: E402
import report  # noqa: E402
import timing  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = {"minilm": "minilm-shape", "bert-base": "bert-base"}
CASES = ["1x16", "1x64", "1x128", "32x128"]
LOADS = 11
VOCABULARY = 30522


def main():
    arguments = parse_arguments()
    arguments.work.mkdir(parents=True, exist_ok=True)
    models = [measure_model(name, arguments) for name in arguments.models]
    result = {
        "command": shlex.join(["python", *sys.argv]),
        "machine": timing.machine(),
        "peers": {name: peers.version(name) for name in arguments.peers},
        "models": models,
    }
    arguments.output_dir.mkdir(parents=True, exist_ok=True)
    (arguments.output_dir / "encoders.json").write_text(json.dumps(result, indent=2) + "\n")
    text = report.table(result)
    (arguments.output_dir / "encoders.md").write_text(text)
    print(text)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", type=pathlib.Path, default=ROOT / "build/bin/kiln")
    parser.add_argument("--models", nargs="+", choices=list(MODELS), default=list(MODELS))
    parser.add_argument("--cases", nargs="+", default=CASES, metavar="BATCHxSEQUENCE")
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--rounds", type=int, default=9, help="turns of each runtime per case")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/bench", help="for models and packages")
    parser.add_argument("--output-dir", type=pathlib.Path, default=ROOT / "docs/benchmarks")
    parser.add_argument("--peers", nargs="+", choices=peers.NAMES, help="default: those that are installed")
    arguments = parser.parse_args()
    arguments.peers = arguments.peers or [name for name in peers.NAMES if peers.version(name)]
    return arguments


def measure_model(name, arguments):
    model, package = build(name, arguments), arguments.work / f"{name}.kiln"
    seconds, peak = timing.run_measured([arguments.kiln, "compile", model, "-o", package])
    result = {
        "model": name,
        "compile_seconds": seconds,
        "compile_peak_anonymous_bytes": peak,
        "package_bytes": package.stat().st_size,
        "load_ms": median_load(package),
        "cases": [],
    }
    for threads in arguments.threads:
        result["cases"] += measure_cases(model, package, threads, arguments)
    return result


def build(name, arguments):
    model = arguments.work / f"{name}.onnx"
    if not model.exists():
        builder = [sys.executable, ROOT / "models/build.py", MODELS[name], "--seed", "0", "-o", model]
        subprocess.run(builder, check=True)
    return model


def median_load(package):
    """Milliseconds from a path to a session that can run; the file is in the page cache."""
    times = []
    for _ in range(LOADS):
        begin = time.perf_counter()
        session = kiln.Session(str(package), threads=1)
        times.append((time.perf_counter() - begin) * 1e3)
        del session
    return statistics.median(times)


def measure_cases(model, package, threads, arguments):
    session = kiln.Session(str(package), threads=threads)
    others = {name: peers.load(name, model, threads) for name in arguments.peers}
    return [measure_case(session.run, others, threads, case, arguments.rounds) for case in arguments.cases]


def measure_case(ours, others, threads, case, rounds):
    batch, sequence = map(int, case.split("x"))
    feeds = inputs(batch, sequence)
    print(f"  batch {batch}, sequence {sequence}, {threads} threads", flush=True)
    calls = [lambda run=run: run(feeds) for run in (ours, *others.values())]
    kiln_seconds, *seconds = timing.interleaved(calls, rounds)
    return {
        "batch": batch,
        "sequence": sequence,
        "threads": threads,
        "kiln_ms": kiln_seconds * 1e3,
        "peers_ms": {name: value * 1e3 for name, value in zip(others, seconds)},
        "speedup": min(seconds) / kiln_seconds,
        "largest_relative_difference": max(difference(ours(feeds), run(feeds)) for run in others.values()),
    }


def inputs(batch, sequence):
    shape = (batch, sequence)
    return {
        "input_ids": np.random.default_rng(0).integers(0, VOCABULARY, shape),
        "attention_mask": np.ones(shape, np.int64),
        "token_type_ids": np.zeros(shape, np.int64),
    }


def difference(found, wanted):
    """The largest difference of any output, relative to the largest value of that output."""
    return max(float(np.abs(found[name] - other).max() / np.abs(other).max()) for name, other in wanted.items())


if __name__ == "__main__":
    main()
