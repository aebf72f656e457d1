#!/usr/bin/env python3
"""Runs onnx-node-tests on the cases of ort_cases.py and on ONNX's node tests, which are unpacked once.

Status 77 (skipped) if the latter are not there; the former run all the same.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import pathlib
import subprocess
import sys
import tempfile

import cases
import ort_cases

SKIPPED = 77


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("tool", "data", "work", "list"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("tests", nargs="*", help="only cases whose name contains one of these")
    options = parser.parse_args()
    filters = [f"+{test}" for test in options.tests]
    with tempfile.TemporaryDirectory() as folder:
        print(f"{ort_cases.write_all(pathlib.Path(folder))} cases with the results of ONNX Runtime", flush=True)
        first = subprocess.run([options.tool, "/dev/null", folder, *filters], check=False).returncode
    archive = options.data / cases.ARCHIVE
    if not archive.exists():
        print(f"SKIPPED: {archive} is not there, so no node test of ONNX was run")
        return first or SKIPPED
    data = cases.unpack(archive, options.work)
    command = [options.tool, options.list, data / "node", data / "simple", *filters]
    return subprocess.run(command, check=False).returncode or first


if __name__ == "__main__":
    sys.exit(main())
