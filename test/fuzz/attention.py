#!/usr/bin/env python3
"""Attention of random extents, types, masks and lengths on simulated GPUs: every kernel against the reference.

    test/fuzz/attention.py --count 100 --target sm_90a

Prints how many cases each kind of kernel computed; exit status 1 if one was wrong, left a finding of the simulator, or failed
without a code. `--seed N` repeats a run, `--only K` its case number K.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import collections
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test/e2e"))

from attention_models import Attention  # noqa: E402

DEVICES = {"sm_80": "sim:a100", "sm_90a": "sim:h200", "sm_120": "sim:rtx5090"}
CODE = re.compile(r"^error: (KILN-E\d{4}): ", re.MULTILINE)
HEADS = (8, 16, 20, 32, 40, 64, 72, 80, 96, 128, 160, 192, 256)


def extent(rng):
    """Around the edges of tiles, or anything."""
    return max(1, rng.choice((1, 16, 32, 33, 64, 65, 128, 129, 192)) + rng.randint(-2, 2)) if rng.random() < 0.6 else rng.randint(1, 400)


def case(rng):
    queries, keys, shared = extent(rng), extent(rng), rng.choice((1, 1, 2, 4))
    causal, batch = rng.random() < 0.4, rng.choice((1, 1, 2, 3))
    lengths = rng.random() < 0.3
    if rng.random() < 0.3:  # as in a decoding step, where blocks divide the keys
        queries, keys, causal = rng.choice((1, 1, rng.randint(2, 16))), rng.randint(500, 1800), causal and lengths
    elif causal:
        keys = queries if rng.random() < 0.7 else max(keys, queries)
    mask = ()
    if rng.random() < 0.4:
        mask = (rng.choice((1, batch)), rng.choice((1, 2 * shared)), rng.choice((1, queries)), keys)
    depth = rng.choice(HEADS)
    sinks = rng.random() < 0.3 and not lengths
    return Attention(queries, keys, depth, heads=2 * shared, shared=shared, batch=batch, causal=causal, lengths=lengths, mask=mask,
                     sinks=sinks, columns=rng.choice((0, 0, 0, rng.choice(HEADS))), kind=rng.choice(("FLOAT16", "BFLOAT16", "BFLOAT16", "FLOAT")))


def judge(kiln, model, package, target, schedule):
    """(what computed it or its error code, None or what is wrong)."""
    def call(*words):
        environment = {**os.environ, "KILN_SIM_SCHEDULE": schedule}
        return subprocess.run([str(kiln), *map(str, words)], capture_output=True, text=True, env=environment, timeout=600)

    done = call("compile", model, "-o", package, "--target", target, "-q")
    if done.returncode:
        code = CODE.search(done.stderr)
        return (code.group(1), None) if code and code.group(1) != "KILN-E0900" else ("crash", done.stderr)
    kinds = re.findall(r"(\w*attention_config|\w*gemm_config|split) ?=?", call("inspect", package, "--kernels").stdout)
    done = call("verify", package, "--device", DEVICES[target])
    wrong = None if done.returncode == 0 and not done.stderr else done.stdout + done.stderr
    return " ".join(sorted(set(kinds))) or "other kernels", wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int)
    parser.add_argument("--target", choices=DEVICES, default="sm_90a")
    parser.add_argument("--kiln", type=pathlib.Path, default=pathlib.Path(os.environ.get("KILN_BIN", ROOT / "build/bin")) / "kiln")
    arguments = parser.parse_args()
    counts, failures = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for number in range(arguments.count) if arguments.only is None else [arguments.only]:
            rng = random.Random(arguments.seed * 1_000_003 + number)
            written = case(rng)
            schedule = rng.choice(("eager,forward,1", "late,reverse,1", f"random,random,{number}"))
            model = written.write(folder / "m.onnx")
            kind, wrong = judge(arguments.kiln, model, folder / "m.kiln", arguments.target, schedule)
            counts[kind] += 1
            if wrong:
                failures += 1
                print(f"FAILED {number}: {written} with {schedule}\n{wrong}", flush=True)
    for kind, count in counts.most_common():
        print(f"{count:6}  {kind}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
