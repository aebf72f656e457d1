#!/usr/bin/env python3
"""Runs whole encoders in bf16 on a simulated H200 in nine orders of execution, as a CUDA graph and launch by launch, and
writes one line per model: every run has to give the same bits and nothing to report.

  PYTHONPATH=build/python build/venv/bin/python test/conformance/encoder_schedules.py --table test/conformance/encoder_schedules.md
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import hashlib
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ["minilm-shape", "bert-base"]
ASYNC, WARPS = ["eager", "late", "random"], ["forward", "reverse", "random"]
SCHEDULES = [f"{copies},{warps},{seed}" for seed, (copies, warps) in enumerate(itertools.product(ASYNC, WARPS), 1)]
WARPGROUP = re.compile(r"warpgroup_attention_config")
HEADER = """# Whole encoders in every order of execution

Written by

    PYTHONPATH=build/python build/venv/bin/python test/conformance/encoder_schedules.py --table test/conformance/encoder_schedules.md

bf16, random inputs of `batch=1,sequence=40`, on sim:h200 with all its detectors. A schedule says when asynchronous copies
land (eager, late, random) and which warp is next (forward, reverse, random). "bits" are the SHA-256 of all outputs.

| model | attention on warpgroups | schedules | graph and launches | distinct results | findings | bits |
| --- | ---: | ---: | --- | ---: | ---: | --- |
"""


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", type=pathlib.Path, default=ROOT / "build/bin/kiln")
    parser.add_argument("--driver", type=pathlib.Path, default=ROOT / "build/lib/libkiln_sim_cuda.so")
    parser.add_argument("--models", nargs="+", choices=MODELS, default=MODELS)
    parser.add_argument("--dims", default="batch=1,sequence=40")
    parser.add_argument("--table", type=pathlib.Path, help="where to write the table (default: print it)")
    return parser.parse_args()


def call(*command, **environment):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env={**os.environ, **environment})
    if done.returncode:
        sys.exit(f"{command[:3]}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def outputs_of(kiln, package):
    text = call(kiln, "inspect", package).stdout
    return re.findall(r"^ *output +(\S+)", text, re.MULTILINE)


def run(arguments, package, folder, schedule, options):
    """(hash of the outputs, what the simulator reported)"""
    files = {name: folder / f"{number}.npy" for number, name in enumerate(outputs_of(arguments.kiln, package))}
    asked = [word for name, file in files.items() for word in ("-o", f"{name}=@{file}")]
    done = call(arguments.kiln, "run", package, "--device", "sim:h200", "--dims", arguments.dims, "-q", *asked, *options,
                KILN_SIM_DRIVER=str(arguments.driver), KILN_SIM_SCHEDULE=schedule)
    digest = hashlib.sha256()
    for file in files.values():
        digest.update(file.read_bytes())
    return digest.hexdigest(), done.stderr.strip()


def judge(arguments, name, folder):
    model, package = folder / f"{name}.onnx", folder / f"{name}.kiln"
    call(sys.executable, ROOT / "models/build.py", name, "-o", model)
    call(arguments.kiln, "compile", model, "-o", package, "--target", "sm_90a", "--precision", "bf16", "-q")
    attentions = len(WARPGROUP.findall(call(arguments.kiln, "inspect", package, "--kernels").stdout))
    runs = [run(arguments, package, folder, schedule, options)
            for schedule in SCHEDULES for options in ([], ["--no-graph"])]
    bits, findings = {bits for bits, _ in runs}, [finding for _, finding in runs if finding]
    for finding in findings:
        print(finding, file=sys.stderr)
    line = (f"| {name} | {attentions} | {len(SCHEDULES)} | both | {len(bits)} | {len(findings)} | "
            f"`{sorted(bits)[0][:16]}` |")
    return line, len(bits) == 1 and not findings and attentions > 0


def main():
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory() as folder:
        judged = [judge(arguments, name, pathlib.Path(folder)) for name in arguments.models]
    text = HEADER + "".join(line + "\n" for line, _ in judged)
    if arguments.table:
        arguments.table.write_text(text)
    print(text)
    return 0 if all(right for _, right in judged) else 1


if __name__ == "__main__":
    sys.exit(main())
