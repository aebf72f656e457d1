#!/usr/bin/env python3
"""Unpacks ONNX's node tests once and runs onnx-node-tests on them; status 77 (skipped) if they are not there."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import pathlib
import subprocess
import sys
import tarfile

ARCHIVE = "onnx-node-tests.tar.xz"
SKIPPED = 77


def unpack(archive, folder):
    """The folder that holds node/ and simple/, unpacked from the archive if it was not yet."""
    stamp = folder / "unpacked"
    if not stamp.exists():
        print(f"unpacking {archive.name}", flush=True)
        folder.mkdir(parents=True, exist_ok=True)
        with tarfile.open(archive) as tar:
            tar.extractall(folder, filter="data")
        stamp.touch()
    return next(folder.rglob("node")).parent


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("tool", "data", "work", "list"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("tests", nargs="*", help="only cases whose name contains one of these")
    options = parser.parse_args()
    archive = options.data / ARCHIVE
    if not archive.exists():
        print(f"SKIPPED: {archive} is not there, so no ONNX node test was run")
        return SKIPPED
    data = unpack(archive, options.work)
    command = [options.tool, options.list, data / "node", data / "simple", *(f"+{test}" for test in options.tests)]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
