#!/usr/bin/env python3
"""What kiln estimate says of a Llama of 70 billion parameters on 8 and on 16 GPUs, and of 4,096 ranks on paper.

  build/venv/bin/python test/bench/estimates.py                     into docs/benchmarks
  build/venv/bin/python test/bench/estimates.py --output-dir build/bench

Writes estimates.md: the commands, what they print, and what is in their timelines. Nothing is measured but how long each
estimate takes. At the end twenty cases of other models and meshes, by the closed form and by the simulator.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import collections
import json
import pathlib
import shlex
import resource
import subprocess
import sys

import estimate_cases

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZES = ["--precision", "bf16", "--dims", "rows=1,sequence=4096,capacity=8192"]
CASES = [
    ("8 GPUs of a node", ["--topology", "h100x8", "--ranks", "8"], True),
    (
        "8 GPUs of a node, rows in four parts",
        ["--topology", "h100x8", "--ranks", "8", "--shard", "sp", "--overlap", "4"],
        True,
    ),
    ("16 GPUs of two nodes", ["--topology", "h100x8x2nodes", "--ranks", "16"], True),
    (
        "16 GPUs of two nodes, eight requests at a time",
        ["--topology", "h100x8x2nodes", "--ranks", "16", "--runs", "8"],
        True,
    ),
    ("8 GPUs without NVLink", ["--topology", "l40sx8-pcie", "--ranks", "8"], False),
    ("The smallest number of GPUs", ["--topology", "h100x8"], False),
    ("4,096 ranks on paper", ["--topology", "h100x8x512nodes", "--ranks", "4096"], False),
]
MODEL = "llama-70b.onnx"


def main():
    arguments = parse_arguments()
    arguments.work.mkdir(parents=True, exist_ok=True)
    build = [sys.executable, ROOT / "models/build.py", "llama-70b", "--no-weights", "-o", arguments.work / MODEL]
    subprocess.run(build, check=True)
    lines = [
        "# Estimates for 70 billion parameters",
        "",
        "The shape of Llama 3 70B without its weights, products in bf16, one request with a prompt of 4,096 tokens and room for 8,192.",
        "Written by `test/bench/estimates.py`. These are predictions, not measurements: collectives are those of the links, and without NCCL Kiln moves them through host memory.",
        "",
        f"    models/build.py llama-70b --no-weights -o {MODEL}",
    ]
    for title, options, timeline in CASES:
        lines += case(arguments, title, options, timeline)
    lines += comparisons(arguments)
    arguments.output_dir.mkdir(parents=True, exist_ok=True)
    (arguments.output_dir / "estimates.md").write_text("\n".join(lines) + "\n")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/bench", help="for the model and timelines")
    parser.add_argument("--output-dir", type=pathlib.Path, default=ROOT / "docs/benchmarks")
    return parser.parse_args()


def case(arguments, title, options, timeline):
    command = ["kiln", "estimate", MODEL, *options, *SIZES, *(["--timeline", "trace.json"] if timeline else [])]
    begin = cpu_seconds()
    done = subprocess.run(
        [(arguments.build / "bin/kiln").resolve(), *command[1:]],
        cwd=arguments.work,
        check=True,
        capture_output=True,
        text=True,
    )
    seconds = cpu_seconds() - begin
    yield from ["", f"## {title}", "", f"    $ {shlex.join(command)}"]
    yield from (f"    {line}".rstrip() for line in done.stdout.splitlines())
    yield from ["", f"The estimate took {seconds:.0f} s of CPU time."]
    if timeline:
        yield from ["", *tracks(json.loads((arguments.work / "trace.json").read_text()))]


def cpu_seconds():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def comparisons(arguments):
    """The closed form against the simulator."""
    yield from ["", "## The closed form and the simulator", ""]
    yield "The closed form adds up steps and collectives; the simulator runs the steps of every rank as events, which compete for links."
    yield from ["", "| model | topology | mesh | sizes | program | closed form | simulator | difference |", "| --- | --- | --- | --- | --- | ---: | ---: | ---: |"]
    for one in estimate_cases.CASES:
        sizes = " ".join([one.dims.replace(",", " "), *one.options])
        for found in estimate_cases.compare((arguments.build / "bin/kiln").resolve(), one, arguments.work):
            times = f"{found.predicted * 1e3:.3f} ms | {found.simulated * 1e3:.3f} ms | {100 * found.difference:+.1f} %"
            yield f"| {one.model} | {one.topology} | {one.mesh} | {sizes} | {found.program} | {times} |"


def tracks(trace):
    """How busy the tracks of a timeline are, in each program; equal tracks as one."""
    events = trace["traceEvents"]
    names = {event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name"}
    busy, ends, begins = collections.defaultdict(float), {}, {}
    for event in events:
        if event["ph"] == "X":
            program = event["cat"]
            busy[program, names[event["tid"]]] += event["dur"]
            ends[program] = max(ends.get(program, 0), event["ts"] + event["dur"])
            begins[program] = min(begins.get(program, event["ts"]), event["ts"])
    groups = collections.defaultdict(list)
    for name in names.values():
        groups[tuple(round(100 * busy[program, name] / (ends[program] - begins[program])) for program in ends)].append(name)
    spans = sum(event["ph"] == "X" for event in events)
    yield f"Its timeline has {len(names)} tracks and {spans} spans. Time that tracks are busy (a rank: also while it waits in a collective):"
    yield ""
    yield f"| tracks | {' | '.join(ends)} |"
    yield "| --- |" + " ---: |" * len(ends)
    for shares, members in groups.items():
        label = members[0] if len(members) == 1 else f"{members[0]} to {members[-1]} ({len(members)})"
        yield f"| {label} | {' | '.join(f'{share} %' for share in shares)} |"


if __name__ == "__main__":
    main()
