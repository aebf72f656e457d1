#!/usr/bin/env python3
"""Checks that every pass has a lit test named after it: kiln-fuse-attention has fuse-attention.mlir."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

import tree

PASS = re.compile(r'^def\s+(\w+)\s*:\s*\w*Pass\w*<\s*"([^"]+)"', re.MULTILINE)


def main():
    tables = [path for path in tree.files(".td") if path.name.endswith("Passes.td")]
    tests = {path.stem for path in tree.files(".mlir", ".onnxtxt", ".test", under="test")}
    problems, count = [], 0
    for table in tables:
        for name, flag in PASS.findall(tree.read(table)):
            count += 1
            if not flag.startswith("kiln-"):
                problems.append(f"{table}: {name}: {flag} must start with kiln-")
            if flag.removeprefix("kiln-") not in tests:
                problems.append(f"{table}: {name}: no test/**/{flag.removeprefix('kiln-')}.mlir")
    tree.finish(problems, f"tests of {count} passes")


if __name__ == "__main__":
    main()
