#!/usr/bin/env python3
"""Does what runtime/sim/README.md says: its commands in their order, its tables against the library that they built.

run_readme.py --source ROOT --work FOLDER --compiler CXX --program COMMAND...

The commands run in the work folder, where the repository's folders are links. COMMAND becomes ./my-program. What was built
stays there for the next time.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys

COUNT = 1024  # threads of the README's launch


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", type=pathlib.Path, required=True)
    parser.add_argument("--program", nargs=argparse.REMAINDER, required=True)
    arguments = parser.parse_args()
    readme = (arguments.source / "runtime/sim/README.md").read_text()
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    prepare(arguments, [text for language, text in blocks if language == "ptx"])
    # A build that was never configured to the end, for want of a compiler perhaps, cannot be configured again.
    if not (arguments.work / "build-sim/build.ninja").exists():
        shutil.rmtree(arguments.work / "build-sim", ignore_errors=True)
    for command in (line for language, text in blocks if not language for line in text.splitlines()):
        run(arguments.work, command)
    check_results(arguments.work)
    check_variables(arguments, readme)
    check_counters(arguments.work, readme)
    check_names(arguments.source, readme)
    print("all that the README says was done")


def fail(message):
    sys.exit(f"runtime/sim/README.md: {message}")


def environment(work, **more):
    clean = {key: value for key, value in os.environ.items() if not key.startswith("KILN_")}
    return {**clean, "PATH": f"{work / 'tools'}:{os.environ['PATH']}", **more}


def run(work, command, **more):
    print("$", command, flush=True)
    done = subprocess.run(["bash", "-c", command], cwd=work, env=environment(work, **more), text=True,
                          capture_output=True)
    print((done.stdout + done.stderr)[-2000:], flush=True)
    if done.returncode:
        fail(f"`{command}` ended with {done.returncode}")


def prepare(arguments, kernels):
    """The names that the commands use: clang++, ninja (with few jobs), my-program, scale.ptx, in.npy."""
    work = arguments.work
    for name in ("sim", "tools"):
        shutil.rmtree(work / name, ignore_errors=True)
    (work / "tools").mkdir(parents=True)
    for name in ("runtime", "cmake", "test"):
        if not (work / name).is_symlink():
            (work / name).symlink_to(arguments.source / name)
    jobs, ninja = os.environ.get("KILN_JOBS", "2"), shutil.which("ninja")
    script(work / "tools/clang++", [arguments.compiler])
    script(work / "tools/ninja", [ninja, "-j", jobs])
    script(work / "my-program", arguments.program)
    if len(kernels) != 1:
        fail("there is to be one kernel, scale.ptx")
    (work / "scale.ptx").write_text(kernels[0])
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({COUNT},), }}".encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    values = struct.pack(f"<{COUNT}f", *range(COUNT))
    (work / "in.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + values)
    (work / "out.npy").unlink(missing_ok=True)


def script(path, words):
    path.write_text(f'#!/bin/sh\nexec {shlex.join(map(str, words))} "$@"\n')
    path.chmod(0o755)


def check_results(work):
    out = struct.unpack(f"<{COUNT}f", (work / "out.npy").read_bytes()[-4 * COUNT :])
    if out != tuple(1.5 * i for i in range(COUNT)):
        fail("kiln-ptx run computed something else")


def program(work, setting):
    """Runs my-program with a variable set, as the README does; gives the finished process."""
    name, value = setting.split("=", 1)
    return subprocess.run(["./my-program"], cwd=work, text=True, capture_output=True,
                          env=environment(work, LD_LIBRARY_PATH=str(work / "sim"), **{name: value}))


def check_variables(arguments, readme):
    """Each example of the table does what its row says; no variable is missing. Those of the modelled NCCL have no effect on
    the program, which does not load it."""
    rows = re.findall(r"^\| `(KILN_SIM_\w+)=([^`]*)` \|", readme, re.MULTILINE)
    sources = "".join(path.read_text() for path in (arguments.source / "runtime/sim").rglob("*.cpp"))
    known = set(re.findall(r'"(KILN_SIM_[A-Z_]+)"', sources))
    if known != {name for name, _ in rows}:
        fail(f"the table of variables and the sources differ: {known ^ {name for name, _ in rows}}")
    rows = [row for row in rows if not row[0].startswith("KILN_SIM_NCCL_")]
    files = {"KILN_SIM_TRACE", "KILN_SIM_COUNTERS", "KILN_SIM_COVERAGE"}
    for name, value in rows:
        path = arguments.work / value
        if name in files:
            path.unlink(missing_ok=True)
        done = program(arguments.work, f"{name}={value}")
        print(f"{name}={value}: {done.returncode}", flush=True)
        if (done.returncode != 0) != (name == "KILN_SIM_FAIL"):
            fail(f"with {name}={value} my-program ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        if name in files and not path.stat().st_size:
            fail(f"{name}={value} wrote nothing")
        if name not in files and not program(arguments.work, f"{name}=?!").returncode:
            fail(f"{name}=?! was taken")
    checks = re.search(r"or a list of `([a-z ]+)`", readme).group(1).split()
    for check in checks + ["-" + check for check in checks]:
        if program(arguments.work, f"KILN_SIM_CHECK={check}").returncode:
            fail(f"KILN_SIM_CHECK={check} is refused")


def check_counters(work, readme):
    """Every key of a line of counters has its place in the section."""
    section = readme.split("## Counters")[1].split("\n## ")[0]
    words = set(re.findall(r"`(\w+)`", section))
    for line in (work / "counters.json").read_text().splitlines():
        counters = json.loads(line)
        keys = set(counters)
        for name in ("flops", "global", "shared", "local", "barriers", "tma"):
            keys |= set(counters[name])
        if keys - words:
            fail(f"counters that are not described: {keys - words}")


def check_names(source, readme):
    """The devices are those that have profiles."""
    profiles = sorted(path.stem for path in (source / "runtime/sim/profile/data").glob("*.profile"))
    listed = re.search(r"by profile: `([a-z0-9 ]+)`", readme).group(1).split()
    if sorted(listed) != profiles:
        fail(f"the devices are {profiles}, not {listed}")


if __name__ == "__main__":
    main()
