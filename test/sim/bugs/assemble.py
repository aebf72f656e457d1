#!/usr/bin/env python3
"""Writes out every planted bug and its twin and has ptxas assemble them; exits with 77 where ptxas is missing.

assemble.py RUNNER FILE.bugs...
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77


def main(runner, *files):
    ptxas = shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")
    if not ptxas:
        print("skipped: ptxas is not installed")
        return SKIPPED
    problems, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([runner, *files, "--expand", folder], check=True)
        for path in sorted(pathlib.Path(folder).glob("*.ptx")):
            count += 1
            arch = re.search(r"^\.target (\S+)", path.read_text(), re.MULTILINE)[1]
            done = subprocess.run([ptxas, f"-arch={arch}", path.name, "-o", "/dev/null"], cwd=folder,
                                  capture_output=True, text=True)
            if done.returncode:
                problems.append(f"{path.name}: {done.stderr.strip()}")
    print("\n".join(problems + [f"{count} files, {len(problems)} problems"]))
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
