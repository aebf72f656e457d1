#!/usr/bin/env python3
"""Runs the CUDA programs on the portable, AVX2 and AVX-512 forms of the simulator: all must compute the same bits.

compare_isas.py RUNNER PTX_FOLDER; KILN_CUDA_DRIVER names the library. A form that the CPU lacks is the next smaller one
there, and says so on stderr.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import subprocess
import sys

FORMS = ("portable", "avx2", "avx512")


def digests(runner, folder, form):
    environment = dict(os.environ, KILN_SIM_ISA=form)
    done = subprocess.run([runner, "--ptx", folder, "--digests"], env=environment, capture_output=True, text=True)
    return sorted(line for line in done.stdout.splitlines() if line.startswith("digest "))


def main(runner, folder):
    found = {form: digests(runner, folder, form) for form in FORMS}
    first = found[FORMS[0]]
    problems = [
        f"{form}: {line}; {FORMS[0]} has another"
        for form in FORMS[1:]
        for line in sorted(set(found[form]) ^ set(first))
    ]
    print("\n".join(problems + [f"{len(first)} programs, {len(problems)} differences"]))
    return 1 if problems or not first else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
