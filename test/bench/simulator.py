#!/usr/bin/env python3
"""What the simulated GPU costs: a whole encoder and the CUDA programs with and without its detectors, and instructions
per second.

  build/venv/bin/python test/bench/simulator.py                     into docs/benchmarks
  build/venv/bin/python test/bench/simulator.py --output-dir build/bench

Writes simulator.json and the table made of it, simulator.md. The figures say how long a person waits, nothing of a GPU.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import datetime
import json
import os
import pathlib
import resource
import shlex
import statistics
import subprocess
import sys

import timing

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGETS = {"sm_80": "sim:a100", "sm_90a": "sim:h200"}
CHECKS = ["all", "none"]
DIMS = "batch=1,sequence=16"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--output-dir", type=pathlib.Path, default=ROOT / "docs/benchmarks")
    arguments = parser.parse_args()
    work = arguments.build / "bench"
    work.mkdir(parents=True, exist_ok=True)
    model = work / "minilm.onnx"
    subprocess.run([sys.executable, ROOT / "models/build.py", "minilm-shape", "-o", model], check=True,
                   capture_output=True)
    result = {
        "command": shlex.join(["python", *sys.argv]),
        "date": datetime.date.today().isoformat(),
        "machine": timing.machine(),
        "encoder": [measure_encoder(model, target, arguments) for target in TARGETS],
        "programs": measure_programs(arguments),
        "instructions": {checks: measure_speed(arguments, checks) for checks in CHECKS},
    }
    arguments.output_dir.mkdir(parents=True, exist_ok=True)
    (arguments.output_dir / "simulator.json").write_text(json.dumps(result, indent=2) + "\n")
    text = table(result)
    (arguments.output_dir / "simulator.md").write_text(text)
    print(text)


def environment(arguments, **more):
    return {**os.environ, "KILN_SIM_DRIVER": str(arguments.build / "lib/libkiln_sim_cuda.so"), **more}


def measure_encoder(model, target, arguments):
    package = model.parent / f"minilm-{target}.kiln"
    kiln = arguments.build / "bin/kiln"
    subprocess.run([kiln, "compile", model, "-o", package, "--target", target, "--precision", "bf16", "-q"], check=True)
    run = [kiln, "run", package, "--device", TARGETS[target], "--dims", DIMS]
    entry = {"target": target, "device": TARGETS[target], "dims": DIMS}
    for checks in CHECKS:
        entry[checks] = statistics.median(
            seconds_of(run, environment(arguments, KILN_SIM_CHECK=checks)) for _ in range(arguments.rounds))
    return entry


def measure_programs(arguments):
    """Core seconds of each program of test/sim/cuda, the best of some runs: most of them are short."""
    run = [arguments.build / "bin/cuda-programs", "--ptx", ROOT / "test/sim/cuda/generated"]
    names = sorted({line.split()[0] for line in
                    subprocess.run([run[0], "--list"], check=True, capture_output=True, text=True).stdout.splitlines()})
    driver = str(arguments.build / "lib/libkiln_sim_cuda.so")
    seconds = lambda name, checks: min(
        seconds_of([*run, "--only", name], environment(arguments, KILN_CUDA_DRIVER=driver, KILN_SIM_CHECK=checks))
        for _ in range(arguments.rounds))
    return {name: {checks: seconds(name, checks) for checks in CHECKS} for name in names}


def dearest(programs, count=6):
    """Names of those whose detectors cost most for what they do. Much of a short program is its start."""
    long = [name for name, seconds in programs.items() if seconds["all"] >= 0.02]
    return sorted(long, key=lambda name: programs[name]["none"] / programs[name]["all"])[:count]


def seconds_of(command, env):
    """Of all cores together: what else the machine does must not count."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env=env)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure_speed(arguments, checks):
    """Million warp instructions per second and core, by kind of loop."""
    text = subprocess.run([arguments.build / "bin/sim-speed"], check=True, capture_output=True, text=True,
                          env=environment(arguments, KILN_SIM_CHECK=checks)).stdout
    return {words[0]: float(words[1]) for words in map(str.split, text.splitlines())}


def table(result):
    machine = result["machine"]
    lines = [
        "# The simulated GPU",
        "",
        f"Measured {result['date']} on {machine['cpu']} ({', '.join(machine['isa'])}; {machine['cores']} cores) with",
        "",
        f"    {result['command']}",
        "",
        "MiniLM in bf16, the whole `kiln run` of one request, medians, in seconds of all cores together:",
        "",
        "| target | device | dims | all detectors | none | |",
        "| --- | --- | --- | ---: | ---: | ---: |",
    ]
    lines += [
        f"| {e['target']} | {e['device']} | {e['dims']} | {e['all']:.2f} | {e['none']:.2f} | {e['all'] / e['none']:.1f}x |"
        for e in result["encoder"]
    ]
    programs = result["programs"]
    total = {checks: sum(p[checks] for p in programs.values()) for checks in CHECKS}
    rows = [(f"`{name}`", programs[name]) for name in dearest(programs)]
    lines += ["", f"Core seconds of the {len(programs)} programs of `test/sim/cuda`, and of those for which the detectors "
              "cost most:", "", "| program | all detectors | none | |", "| --- | ---: | ---: | ---: |"]
    lines += [f"| {name} | {p['all']:.3f} | {p['none']:.3f} | {p['all'] / p['none']:.1f}x |"
              for name, p in [("all together", total), *rows]]
    lines += ["", "Million warp instructions per second of one core (`sim-speed`):", "",
              "| loop of | all detectors | none | |", "| --- | ---: | ---: | ---: |"]
    speeds = result["instructions"]
    lines += [f"| {kind} | {speeds['all'][kind]:.0f} | {speeds['none'][kind]:.0f} "
              f"| {speeds['none'][kind] / speeds['all'][kind]:.1f}x |" for kind in speeds["all"]]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
