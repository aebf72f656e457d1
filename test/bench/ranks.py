#!/usr/bin/env python3
"""Several ranks as threads of a process beside one rank with as many threads: a decoder of 110 million parameters and BERT-base;
and an all-reduce beside a copy.

  build/venv/bin/python test/bench/ranks.py                     into docs/benchmarks
  build/venv/bin/python test/bench/ranks.py --output-dir build/bench

Writes ranks.json and the table made of it, ranks.md; docs/benchmarks/README.md says what the fields mean.
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

import kiln  # noqa: E402
import numpy as np  # noqa: E402

import decoders  # noqa: E402
import timing  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAST, PROMPT, SEQUENCE = 127, 512, 128
BYTES = [4 << 10, 64 << 10, 512 << 10, 4 << 20]


def main():
    arguments = parse_arguments()
    arguments.work.mkdir(parents=True, exist_ok=True)
    result = {
        "command": shlex.join(["python", *sys.argv]),
        "machine": timing.machine(),
        "models": [measure_decoder(arguments), measure_encoder(arguments)],
        "collectives": measure_collectives(arguments),
    }
    arguments.output_dir.mkdir(parents=True, exist_ok=True)
    (arguments.output_dir / "ranks.json").write_text(json.dumps(result, indent=2) + "\n")
    text = table(result)
    (arguments.output_dir / "ranks.md").write_text(text)
    print(text)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--rounds", type=int, default=7, help="turns of each package per case")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/bench", help="for models and packages")
    parser.add_argument("--output-dir", type=pathlib.Path, default=ROOT / "docs/benchmarks")
    return parser.parse_args()


def packages(arguments, name, dims, *options):
    """{ranks: package} of a model that is built once."""
    model = arguments.work / f"{name}.onnx"
    if not model.exists():
        subprocess.run([sys.executable, ROOT / "models/build.py", name, *options, "-o", model], check=True)
    found = {}
    for ranks in (1, 2):
        found[ranks] = arguments.work / f"{name}-{ranks}.kiln"
        command = [arguments.build / "bin/kiln", "compile", model, "-o", found[ranks], "--ranks", ranks, "--dims", dims, "-q"]
        subprocess.run([*map(str, command)], check=True)
    return found


def compare(kind, calls, arguments):
    """Calls of one rank and of two."""
    one, two = (call() for call in calls)
    seconds = timing.interleaved(calls, arguments.rounds)
    return {
        "kind": kind,
        "one_rank_ms": seconds[0] * 1e3,
        "two_ranks_ms": seconds[1] * 1e3,
        "speedup": seconds[0] / seconds[1],
        "largest_relative_difference": float(np.abs(one - two).max() / np.abs(one).max()),
    }


def describe(name, found, cases, arguments):
    command = [arguments.build / "bin/kiln", "inspect", found[2], "--ranks", "--json"]
    table = json.loads(subprocess.run([*map(str, command)], capture_output=True, text=True, check=True).stdout)
    whole, own = found[1].stat().st_size, found[2].stat().st_size
    return {
        "model": name,
        "package_bytes": {"one_rank": whole, "two_ranks": own},
        "rank_weights_bytes": table["ranks"][0]["weights_bytes"],
        "replicated_bytes": table["ranks"][0]["replicated_bytes"],
        "cases": cases,
    }


def measure_decoder(arguments):
    name = "llama-110m"
    found = packages(arguments, name, "rows=1,capacity=1..1024,sequence=1..512", "--dtype", "f32")
    ids = np.random.default_rng(0).integers(0, 32000, (1, PROMPT + 1))
    loaded = [kiln.Decoder(found[ranks], threads=2, capacity=PROMPT + 1) for ranks in (1, 2)]
    prompt = compare(f"prompt of {PROMPT}", [decoders.prompt_of(decoder, ids) for decoder in loaded], arguments)
    for decoder in loaded:
        decoder.reset()
    steps = [decoders.step_of(decoder, ids[:, : PAST + 1]) for decoder in loaded]
    return describe(name, found, [prompt, compare(f"step behind {PAST}", steps, arguments)], arguments)


def measure_encoder(arguments):
    name = "bert-base"
    found = packages(arguments, name, f"batch=1,sequence=1..{SEQUENCE}")
    ids = np.random.default_rng(0).integers(0, 30000, (1, SEQUENCE))
    inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    loaded = [kiln.Session(found[1], threads=2), kiln.Group(found[2], threads=2)]
    calls = [lambda session=session: session.run(inputs)["last_hidden_state"] for session in loaded]
    return describe(name, found, [compare(f"batch 1, sequence {SEQUENCE}", calls, arguments)], arguments)


def measure_collectives(arguments):
    command = [arguments.build / "bin/collective-speed", *BYTES]
    lines = subprocess.run([*map(str, command)], capture_output=True, text=True, check=True).stdout.splitlines()
    return [case | {"ratio": case["all_reduce_us"] / case["copy_us"]} for case in map(json.loads, lines)]


def table(result):
    machine = result["machine"]
    lines = [
        "# Ranks as threads",
        "",
        f"Measured on {machine['cpu']} ({', '.join(machine['isa'])}; {machine['cores']} cores) with",
        "",
        f"    {result['command']}",
        "",
        "Two threads each: one rank with two, and two ranks with one. README.md says what each column means.",
        "",
        "| model | case | one rank ms | two ranks ms | speedup | difference | weights MiB of a rank | of them on both |",
        "| --- | --- |" + " ---: |" * 6,
    ]
    for model in result["models"]:
        for case in model["cases"]:
            lines.append(
                f"| {model['model']} | {case['kind']} | {case['one_rank_ms']:.2f} | {case['two_ranks_ms']:.2f} | {case['speedup']:.2f} "
                f"| {case['largest_relative_difference']:.1e} | {model['rank_weights_bytes'] / 2**20:.1f} "
                f"| {model['replicated_bytes'] / 2**20:.1f} |"
            )
    lines += ["", "| bytes | all-reduce us | copy us | ratio | exchange us |", "| ---: | ---: | ---: | ---: | ---: |"]
    for case in result["collectives"]:
        times = f"{case['all_reduce_us']:.1f} | {case['copy_us']:.1f} | {case['ratio']:.2f} | {case['exchange_us']:.1f}"
        lines.append(f"| {case['bytes']} | {times} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
