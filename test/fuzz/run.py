#!/usr/bin/env python3
"""Runs a fuzzer of this folder on cases that change with the commit, as the last tier of tests does.

    test/fuzz/run.py decoders.py --count 20

KILN_CASE_SEED repeats a run, as for test/e2e; mutants.py gets a small model.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
sys.path.insert(0, str(ROOT / "test/e2e"))

import sampling  # noqa: E402


def call(*command):
    print("$", *command, flush=True)
    return subprocess.run([str(word) for word in command], check=False).returncode


def main():
    fuzzer, *options = sys.argv[1:]
    seed = int(os.environ.get(sampling.SEED) or sampling.seed_of_commit()) % 1_000_000
    kiln = pathlib.Path(os.environ.get("KILN_BIN", ROOT / "build/bin")) / "kiln"
    command = [sys.executable, FOLDER / fuzzer, *options, "--seed", seed]
    if "--binaries" not in (FOLDER / fuzzer).read_text():
        command += ["--kiln", kiln]
    if fuzzer != "mutants.py":
        return call(*command)
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "small.onnx"
        return call(sys.executable, ROOT / "models/build.py", "small", "llama", "-o", model) or call(*command, model)


if __name__ == "__main__":
    sys.exit(main())
