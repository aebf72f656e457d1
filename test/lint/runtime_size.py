#!/usr/bin/env python3
"""Checks the built runtime library: at most 1 MiB stripped, and nothing of LLVM, MLIR or protobuf loaded with it.

usage: runtime_size.py libkiln_runtime.so [STRIP]
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import re
import subprocess
import sys
import tempfile

import tree

LIMIT = 1 << 20
FORBIDDEN = re.compile(r"lib(LLVM|MLIR|clang|protobuf|onnx|python)", re.IGNORECASE)


def stripped_size(library, strip):
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "stripped.so")
        subprocess.run([strip, "--strip-all", "-o", copy, library], check=True)
        return os.path.getsize(copy)


def main():
    library = sys.argv[1]
    strip = sys.argv[2] if len(sys.argv) > 2 else "strip"
    size = stripped_size(library, strip)
    loaded = subprocess.run(["ldd", library], check=True, capture_output=True, text=True).stdout
    needed = [line.split()[0] for line in loaded.splitlines()]
    print(f"stripped size: {size} of {LIMIT} bytes; needs: {' '.join(needed)}")
    problems = [f"{library}: needs {name}" for name in needed if FORBIDDEN.search(name)]
    if size > LIMIT:
        problems.append(f"{library}: {size} bytes stripped; at most {LIMIT}")
    tree.finish(problems, "the runtime library")


if __name__ == "__main__":
    main()
