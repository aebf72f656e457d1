#!/usr/bin/env python3
"""Whether packages are as fast as those of an earlier compiler: encoders and decoders compiled by both, run in pairs.

  build/venv/bin/python test/bench/packages.py --before ../before/build/bin/kiln --before-commit d806e82a
  build/venv/bin/python test/bench/packages.py --before ../before/build/bin/kiln --models minilm --output-dir build/bench

Both packages of a model live in one process, in today's runtime, so that only what the compiler made differs. They take turns,
in the order before, now, now, before, and so on. The package that is loaded first is faster by up to 5 percent, wherever its memory
lies, so each case is measured with either of them loaded first. Writes packages.json and the table made of it, packages.md; docs/benchmarks/README.md
says what the fields mean.
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

import timing

# This variable, which is set while tuning by hand, changes the speed of numpy.
os.environ.pop("OPENBLAS_CORETYPE", None)

ROOT = pathlib.Path(__file__).resolve().parents[2]
LLAMA = ("llama-110m", "--dtype", "f32")
# Name: arguments of models/build.py, and the options of kiln compile.
MODELS = {
    "minilm": (("minilm-shape",), []),
    "bert-base": (("bert-base",), []),
    "llama-110m": (LLAMA, []),
    "llama-110m in int8": (LLAMA, ["--precision", "int8"]),
    "llama-110m in int4": (LLAMA, ["--precision", "int4"]),
}
ENCODER_CASES = [(1, 16), (1, 128), (4, 128)]
# Tokens in the cache before a decoding step, and tokens of a prompt.
STEP, PROMPT = 127, 128


def main():
    arguments = parse_arguments()
    arguments.work.mkdir(parents=True, exist_ok=True)
    arguments.output_dir.mkdir(parents=True, exist_ok=True)
    result = {
        "command": shlex.join(["python", *sys.argv]),
        "machine": timing.machine(),
        "commit": commit(),
        "before_commit": arguments.before_commit,
        "load_average_before": os.getloadavg()[0],
        "threads": arguments.threads,
        "cases": [],
    }
    for name in arguments.models:
        result["cases"] += measure(name, arguments)
        result["load_average_after"] = os.getloadavg()[0]
        (arguments.output_dir / "packages.json").write_text(json.dumps(result, indent=1) + "\n")
        (arguments.output_dir / "packages.md").write_text(table(result))
    print(table(result))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=pathlib.Path, required=True, help="the earlier kiln")
    parser.add_argument("--before-commit", default="", help="what it was built from")
    parser.add_argument("--kiln", type=pathlib.Path, default=ROOT / "build/bin/kiln")
    parser.add_argument("--models", nargs="+", choices=list(MODELS), default=list(MODELS))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=15, help="pairs of turns per case")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/bench", help="for models and packages")
    parser.add_argument("--output-dir", type=pathlib.Path, default=ROOT / "docs/benchmarks")
    return parser.parse_args()


def commit():
    return subprocess.run(["git", "-C", str(ROOT), "describe", "--always", "--dirty"], capture_output=True, text=True, check=True).stdout.strip()


def measure(name, arguments):
    build, options = MODELS[name]
    model = arguments.work / f"{'-'.join(build)}.onnx"
    if not model.exists():
        subprocess.run([sys.executable, ROOT / "models/build.py", *build, "-o", model], check=True)
    packages = []
    for side, compiler in (("before", arguments.before), ("now", arguments.kiln)):
        packages.append(arguments.work / f"{side}.kiln")
        subprocess.run([compiler, "compile", model, "-o", packages[-1], "-q", *options], check=True)
    same = packages[0].read_bytes() == packages[1].read_bytes()
    calls_of = decoder_calls if build == LLAMA else encoder_calls
    now_first = [pairs_of(now, before, arguments.rounds) for _, now, before in calls_of(*packages[::-1], arguments.threads)]
    before_first = [(what, pairs_of(*calls, arguments.rounds)) for what, *calls in calls_of(*packages, arguments.threads)]
    for (what, pairs), others in zip(before_first, now_first):
        print(f"  {name}, {what}", flush=True)
        yield {"model": name, "what": what, "same_bytes": same, "package_bytes": [path.stat().st_size for path in packages],
               **compare(pairs, [pair[::-1] for pair in others])}


def encoder_calls(first, second, threads):
    import encoders
    import kiln

    sessions = [kiln.Session(str(path), threads=threads) for path in (first, second)]
    for batch, sequence in ENCODER_CASES:
        feeds = encoders.inputs(batch, sequence)
        yield f"batch {batch}, sequence {sequence}", *[lambda run=session.run: run(feeds) for session in sessions]


def decoder_calls(first, second, threads):
    import decoders
    import kiln
    import numpy as np

    for what, call_of, count in ((f"step behind {STEP} tokens", decoders.step_of, STEP), (f"prompt of {PROMPT} tokens", decoders.prompt_of, PROMPT)):
        ids = np.random.default_rng(0).integers(0, 32000, (1, count + 1))
        yield what, *[call_of(kiln.Decoder(path, threads=threads, capacity=count + 1), ids) for path in (first, second)]


def pairs_of(one, other, rounds, seconds=0.25):
    """CPU seconds of both in turns that are next to each other. Those of this process: other work on the machine slows them down
    less than wall seconds."""
    count = max(1, min(20, int(seconds / max(turn(one, 1), turn(other, 1)))))
    pairs = []
    for i in range(rounds):
        first, second = (one, other) if i % 2 == 0 else (other, one)
        pair = [turn(first, count), turn(second, count)]
        pairs.append(pair if i % 2 == 0 else pair[::-1])
    return pairs


def compare(before_first, now_first):
    """Medians of both packages, and how many times as fast `now` is: the median of the ratios of pairs, the geometric mean of that
    with either package loaded first."""
    pairs = before_first + now_first
    orders = [sorted(a / b for a, b in order) for order in (before_first, now_first)]
    ratios = sorted(a / b for a, b in pairs)
    return {"before_ms": statistics.median(a for a, _ in pairs) * 1e3, "ms": statistics.median(b for _, b in pairs) * 1e3,
            "speedup": statistics.geometric_mean(statistics.median(order) for order in orders),
            "quartiles": [ratios[len(ratios) // 4], ratios[-1 - len(ratios) // 4]]}


def turn(call, count):
    """CPU seconds of one of several calls in a row."""
    begin = time.process_time()
    for _ in range(count):
        call()
    return (time.process_time() - begin) / count


def table(result):
    info = result["machine"]
    lines = [
        "# Packages beside those of an earlier compiler",
        "",
        f"Measured on {info['cpu']} ({', '.join(info['isa'])}; {info['cores']} cores) with",
        "",
        f"    {result['command']}",
        "",
        f"Commit {result['commit']}, before: {result['before_commit']}; both by the runtime of the former, on {result['threads']} thread"
        f"{'s' if result['threads'] > 1 else ''}. The load average was {result['load_average_before']:.1f} at the beginning and "
        f"{result['load_average_after']:.1f} at the end. README.md says what each column means.",
        "",
        "| model | what | before, CPU ms | now, CPU ms | times as fast | half of the pairs within | bytes |",
        "| --- | --- | ---: | ---: | ---: | ---: | --- |",
    ]
    for case in result["cases"]:
        low, high = case["quartiles"]
        lines.append(f"| {case['model']} | {case['what']} | {case['before_ms']:.2f} | {case['ms']:.2f} | {case['speedup']:.3f} "
                     f"| {low:.2f} to {high:.2f} | {'equal' if case['same_bytes'] else 'differ'} |")
    middle = statistics.geometric_mean(case["speedup"] for case in result["cases"])
    lines += ["", f"The geometric mean is {middle:.3f}."]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
