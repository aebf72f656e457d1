#!/usr/bin/env python3
"""What control over runs costs: deadlines, observers, outputs by choice, pools, and the runtime beside an earlier one.

  build/venv/bin/python test/bench/service.py --before ../before/build/lib/libkiln_runtime.so --before-commit d806e82a

Runs MiniLM on one thread by service_speed.cpp, which this compiles with the headers and the library of the build folder. Writes
service.json and the table made of it, service.md; docs/benchmarks/README.md says what the fields mean.
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
import tempfile

import packages
import timing

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOADS = 21
NAMES = {
    "earlier library": "the earlier library, this one",
    "the same twice": "a run, a run",
    "deadline": "a run, a run with a deadline",
    "observer that does nothing": "a run, a run with an observer that does nothing",
    "one of two outputs": "both outputs, one of them",
}


def main():
    arguments = parse_arguments()
    arguments.output_dir.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        program = build(pathlib.Path(folder), arguments.build)
        result = {
            "command": shlex.join(["python", *sys.argv]),
            "machine": timing.machine(),
            "commit": packages.commit(),
            "before_commit": arguments.before_commit,
            "load_average_before": os.getloadavg()[0],
            "library_bytes": stripped_bytes(arguments.build / "lib/libkiln_runtime.so", pathlib.Path(folder)),
            "pairs": lines_of(program, "pairs", arguments.package, arguments.before),
            "loads": measure_loads(program, arguments),
        }
    result["load_average_after"] = os.getloadavg()[0]
    (arguments.output_dir / "service.json").write_text(json.dumps(result, indent=1) + "\n")
    (arguments.output_dir / "service.md").write_text(table(result))
    print(table(result))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=pathlib.Path, help="the earlier libkiln_runtime.so")
    parser.add_argument("--before-commit", default="", help="what it was built from")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--package", type=pathlib.Path, default=ROOT / "build/models/minilm.kiln", help="MiniLM, as tools/quickstart compiles it")
    parser.add_argument("--output-dir", type=pathlib.Path, default=ROOT / "docs/benchmarks")
    return parser.parse_args()


def build(folder, build_folder):
    program = folder / "service_speed"
    library = build_folder / "lib"
    subprocess.run(["c++", "-std=c++17", "-O2", f"-I{ROOT / 'runtime/include'}", ROOT / "test/bench/service_speed.cpp", "-o", program,
                    f"-L{library}", "-lkiln_runtime", f"-Wl,-rpath,{library.resolve()}", "-ldl", "-lpthread"], check=True)
    return program


def stripped_bytes(library, folder):
    stripped = folder / "stripped.so"
    subprocess.run(["strip", "-o", stripped, library], check=True)
    return stripped.stat().st_size


def lines_of(program, mode, package, library):
    command = [program, mode, package, *([library] if library else [])]
    output = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return [json.loads(line) for line in output.splitlines()]


def measure_loads(program, arguments):
    """Medians of processes of both libraries in turns."""
    libraries = {"now": None} | ({"before": arguments.before} if arguments.before else {})
    records = {name: [] for name in libraries}
    for _ in range(LOADS):
        for name, library in libraries.items():
            records[name] += lines_of(program, "load", arguments.package, library)
    return {name: {key: statistics.median(record[key] for record in values) for key in values[0]} for name, values in records.items()}


def table(result):
    info = result["machine"]
    lines = [
        "# What control over runs costs",
        "",
        f"Measured on {info['cpu']} ({', '.join(info['isa'])}; {info['cores']} cores) with",
        "",
        f"    {result['command']}",
        "",
        f"Commit {result['commit']}; the earlier library is of {result['before_commit'] or 'no commit'}. The load average was "
        f"{result['load_average_before']:.1f} at the beginning and {result['load_average_after']:.1f} at the end. Stripped, `libkiln_runtime.so` "
        f"has {result['library_bytes']:,} bytes. README.md says what each column means.",
        "",
        "| first, second | first, us | second, us | times as fast | half of the pairs within |",
        "| --- | ---: | ---: | ---: | --- |",
    ]
    for pair in result["pairs"]:
        name = NAMES.get(pair["pair"], f"{pair['pair'].removeprefix('pool of ')} threads with a session each, a {pair['pair']}")
        low, high = pair["quartiles"]
        lines.append(f"| {name} | {pair['first_us']:.1f} | {pair['second_us']:.1f} | {pair['speedup']:.3f} | {low:.3f} to {high:.3f} |")
    lines += ["", "| library | load and session, ms | with the first run, ms | private memory, KiB |", "| --- | ---: | ---: | ---: |"]
    for name, load in result["loads"].items():
        lines.append(f"| {name} | {load['created_ms']:.2f} | {load['first_run_ms']:.1f} | {load['private_kib']:.0f} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
