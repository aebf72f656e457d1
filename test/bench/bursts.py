#!/usr/bin/env python3
"""Requests that come now and then: bursts of 4 after 100 ms of sleep beside a steady loop, and what an idle session costs.

  build/venv/bin/python test/bench/bursts.py                      into docs/benchmarks
  build/venv/bin/python test/bench/bursts.py --sequences 64 --output-dir build/bench

Writes bursts.json and the table made of it, bursts.md; docs/benchmarks/README.md says what the fields mean.
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

os.environ.pop("OPENBLAS_CORETYPE", None)

import timing  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
GAP_SECONDS = 0.1
BURST = 4
QUOTA = pathlib.Path("/sys/fs/cgroup/cpu/kiln-bench")  # cgroup v1; 1.5 CPUs


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", type=pathlib.Path, default=ROOT / "build/bin/kiln")
    parser.add_argument("--sequences", nargs="+", type=int, default=[16, 32, 64, 128])
    parser.add_argument("--rounds", type=int, default=5, help="turns of steady loop and bursts")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/bench", help="for models and packages")
    parser.add_argument("--output-dir", type=pathlib.Path, default=ROOT / "docs/benchmarks")
    parser.add_argument("--measure", help=argparse.SUPPRESS)  # runtime:package:sequence:threads, in a separate process
    return parser.parse_args()


# ---- The measuring process
# --------------------------------------------------------------------------------------------


def request(runtime, path, sequence, threads):
    import numpy as np

    ones = np.ones((1, sequence), np.int64)
    feeds = {"input_ids": ones, "attention_mask": ones, "token_type_ids": 0 * ones}
    if runtime == "kiln":
        import kiln

        session = kiln.Session(path, threads=threads)
        return lambda: session.run(feeds)
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return lambda: session.run(None, feeds)


def seconds(call):
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def measure(text, rounds):
    runtime, path, sequence, threads = text.split(":")
    call = request(runtime, path, int(sequence), int(threads))
    steady, bursts = [], []
    for _ in range(rounds):
        for _ in range(5):
            call()
        steady += [seconds(call) for _ in range(40)]
        for _ in range(10):
            time.sleep(GAP_SECONDS)
            bursts += [seconds(call) for _ in range(BURST)]
    call()
    time.sleep(0.001)
    begin = time.process_time()
    time.sleep(1)
    return {
        "steady_ms": statistics.median(steady) * 1e3,
        "burst_ms": statistics.median(bursts) * 1e3,
        "idle_cpu_ms_per_s": (time.process_time() - begin) * 1e3,
    }


# ---- All situations ---------------------------------------------------------------------------------------------------


def measure_apart(arguments, runtime, path, sequence, threads, **popen):
    case = f"{runtime}:{path}:{sequence}:{threads}"
    command = [sys.executable, __file__, "--measure", case, "--rounds", str(arguments.rounds)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, **popen)
    return json.loads(done.stdout)


def on_one_core():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def join_quota():
    (QUOTA / "tasks").write_text(str(os.getpid()))


def make_quota():
    """Whether this machine lets us limit a process to one and a half CPUs."""
    try:
        QUOTA.mkdir(exist_ok=True)
        (QUOTA / "cpu.cfs_period_us").write_text("100000")
        (QUOTA / "cpu.cfs_quota_us").write_text("150000")
        return True
    except OSError:
        return False


class Neighbour:
    """A process that keeps the last core busy."""

    def __enter__(self):
        core = max(os.sched_getaffinity(0))
        self.process = subprocess.Popen([sys.executable, "-c", "while True: pass"],
                                        preexec_fn=lambda: os.sched_setaffinity(0, {core}))

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def measure_all(arguments, paths):
    for sequence in arguments.sequences:
        for threads in (1, 2):
            for runtime, path in paths.items():
                yield "alone", sequence, threads, runtime, measure_apart(arguments, runtime, path, sequence, threads)
    for runtime, path in paths.items():
        yield "one core", 64, 2, runtime, measure_apart(arguments, runtime, path, 64, 2, preexec_fn=on_one_core)
        with Neighbour():
            yield "a neighbour", 64, 2, runtime, measure_apart(arguments, runtime, path, 64, 2)
        if make_quota():
            yield "quota of 1.5", 64, 2, runtime, measure_apart(arguments, runtime, path, 64, 2, preexec_fn=join_quota)


def table(result):
    machine = result["machine"]
    yield "# Requests now and then"
    yield ""
    yield f"Measured on {machine['cpu']} ({', '.join(machine['isa'])}; {machine['cores']} cores) with"
    yield ""
    yield f"    {result['command']}"
    yield ""
    yield f"MiniLM, f32, batch 1. A burst: {BURST} requests after {GAP_SECONDS * 1e3:.0f} ms of sleep."
    yield ""
    yield "| situation | sequence | threads | runtime | steady ms | burst ms | burst / steady | idle CPU ms per s |"
    yield "| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: |"
    for case in result["cases"]:
        yield (f"| {case['situation']} | {case['sequence']} | {case['threads']} | {case['runtime']} "
               f"| {case['steady_ms']:.2f} | {case['burst_ms']:.2f} | {case['burst_ms'] / case['steady_ms']:.2f} "
               f"| {case['idle_cpu_ms_per_s']:.2f} |")


def main():
    arguments = parse_arguments()
    if arguments.measure:
        print(json.dumps(measure(arguments.measure, arguments.rounds)))
        return
    arguments.work.mkdir(parents=True, exist_ok=True)
    paths = {"kiln": arguments.work / "minilm.kiln", "onnxruntime": arguments.work / "minilm.onnx"}
    if not paths["onnxruntime"].exists():
        builder = [sys.executable, ROOT / "models/build.py", "minilm-shape", "--seed", "0", "-o", paths["onnxruntime"]]
        subprocess.run(builder, check=True)
    subprocess.run([arguments.kiln, "compile", paths["onnxruntime"], "-o", paths["kiln"], "-q"], check=True)
    fields = ("situation", "sequence", "threads", "runtime")
    cases = []
    for *names, figures in measure_all(arguments, paths):
        cases.append({**dict(zip(fields, names)), **figures})
        print(cases[-1], flush=True)
    result = {"command": shlex.join(["python", *sys.argv]), "machine": timing.machine(), "cases": cases}
    (arguments.output_dir / "bursts.json").write_text(json.dumps(result, indent=2) + "\n")
    (arguments.output_dir / "bursts.md").write_text("\n".join(table(result)) + "\n")


if __name__ == "__main__":
    main()
