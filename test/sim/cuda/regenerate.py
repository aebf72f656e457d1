#!/usr/bin/env python3
"""Compiles kernels/*.cu to generated/*.ptx with nvcc, for the architectures that programs.def names.

--check compares instead of writing, and has ptxas assemble every file; without the toolkit it says so and exits with 77,
which ctest counts as skipped. Names given on the command line restrict both to those programs.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
RELEASE = "release 13.0"
TOOLKIT_FOLDERS = ("/usr/local/cuda/bin", "/usr/local/cuda-13.0/bin")


def find(tool):
    found = shutil.which(tool) or shutil.which(tool, path=":".join(TOOLKIT_FOLDERS))
    return found


def programs():
    """(name, arch) of every file to generate."""
    text = (HERE / "programs.def").read_text()
    for name, archs in re.findall(r'^PROGRAM\((\w+), "([^"]+)"\)', text, re.MULTILINE):
        for arch in archs.split():
            yield name, arch


UNIT_HASH = re.compile(r"(_INTERNAL_|_GLOBAL__N__)[0-9a-f]{8}(_)")


def zero_hash(text):
    return UNIT_HASH.sub(r"\g<1>00000000\2", text)


def rewrite_bytes(block):
    """The same for a string that is written as `.b8` lists; it keeps its length and its line breaks."""
    rows = [[int(number) for number in row[4:].split(",")] for row in block[0].splitlines()]
    text = zero_hash(bytes(value for row in rows for value in row).decode("latin-1")).encode("latin-1")
    out = ""
    for row in rows:
        out += ".b8 " + ",".join(map(str, text[: len(row)])) + "\n"
        text = text[len(row) :]
    return out


def portable(ptx):
    """Without this machine's folders, and without the hash of them in the names of internal functions."""
    ptx = re.sub(r'(\.file\s+\d+ ")[^"]*/([^/"]+")', r"\1\2", ptx)
    ptx = re.sub(r'(\.file\s+\d+ "[^"]*"), \d+, \d+', r"\1", ptx)
    return re.sub(r"(?:^\.b8 [\d,]+\n)+", rewrite_bytes, zero_hash(ptx), flags=re.MULTILINE)


def compile_one(nvcc, name, arch):
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / f"{name}.ptx"
        command = [nvcc, "-ptx", f"-arch={arch}", "-O3", "-lineinfo", "-std=c++17", f"{name}.cu", "-o", str(output)]
        done = subprocess.run(command, cwd=HERE / "kernels", capture_output=True, text=True)
        if done.returncode:
            return None, done.stderr
        return portable(output.read_text()), done.stderr


def assemble(ptxas, path, arch):
    done = subprocess.run([ptxas, f"-arch={arch}", str(path), "-o", "/dev/null"], capture_output=True, text=True)
    return done.stdout + done.stderr if done.returncode else ""


def handle(tools, name, arch, check):
    """The problems of one file, as lines."""
    nvcc, ptxas = tools
    target = HERE / "generated" / f"{name}.{arch}.ptx"
    ptx, errors = compile_one(nvcc, name, arch)
    if ptx is None:
        return [f"{target.name}: nvcc: {errors.strip()}"]
    problems = [f"{target.name}: nvcc: {errors.strip()}"] if errors.strip() else []
    if not check:
        target.write_text(ptx)
    elif not target.exists() or target.read_text() != ptx:
        problems.append(f"{target.name}: differs from what nvcc writes now; run regenerate.py and commit")
    if target.exists() and (complaint := assemble(ptxas, target, arch)):
        problems.append(f"{target.name}: ptxas: {complaint.strip()}")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, do not write")
    parser.add_argument("names", nargs="*", help="programs; all without")
    options = parser.parse_args()
    nvcc, ptxas = find("nvcc"), find("ptxas")
    if not nvcc or not ptxas:
        print("skipped: nvcc or ptxas is not installed; the committed PTX is used as it is")
        return SKIPPED
    if RELEASE not in subprocess.run([nvcc, "--version"], capture_output=True, text=True).stdout and options.check:
        print(f"skipped: the committed PTX is from nvcc {RELEASE}, this one is another")
        return SKIPPED
    wanted = [pair for pair in programs() if not options.names or pair[0] in options.names]
    (HERE / "generated").mkdir(exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda pair: handle((nvcc, ptxas), *pair, options.check), wanted)
        problems = [line for lines in results for line in lines]
    stale = {path.name for path in (HERE / "generated").glob("*.ptx")} - {f"{n}.{a}.ptx" for n, a in programs()}
    problems += [f"{name}: no program generates it" for name in sorted(stale)]
    print("\n".join(problems + [f"{len(wanted)} files, {len(problems)} problems"]))
    return 1 if problems or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())
