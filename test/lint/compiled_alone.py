#!/usr/bin/env python3
"""Compiles public headers, and sources that the build compiles in batches, each alone: a file includes what it uses.

    compiled_alone.py BUILD          a part of the public headers and of the sources, which the commit chooses
    compiled_alone.py BUILD --all    all of both
    compiled_alone.py BUILD --changed COMMIT   those that are not as in a commit

A source of a batch sees what the sources before it include, so that the build does not tell when an include is missing. Headers of
MLIR, LLVM and the standard library may come from the precompiled header, as in the preset `dev`.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

import tree

sys.path.insert(0, str(tree.ROOT / "test" / "e2e"))

import sampling  # noqa: E402

PARTS, PARTS_OF_HEADERS = 40, 3  # one of each takes about a minute of a CPU
INCLUDE = re.compile(r'^#include "(.+)"$', re.MULTILINE)
PUBLIC = ("include", "dialects", "runtime/include")


def commands(build):
    """{source: (folder, the compiler's arguments without source and output)}; a source in a batch has those of the batch."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        arguments, path = shlex.split(entry["command"]), pathlib.Path(entry["file"])
        if not path.name.endswith(".cpp"):
            continue
        output = arguments.index("-o")
        arguments = [a for i, a in enumerate(arguments) if i not in (output, output + 1) and a not in ("-c", entry["file"])]
        for source in batch(build, path):
            found.setdefault(source, (entry["directory"], arguments))
    return found


def batch(build, path):
    """The sources of the repository in a file that the build compiles."""
    if path.is_relative_to(build / "batches"):
        return INCLUDE.findall(path.read_text())
    inside = path.is_relative_to(tree.ROOT) and not path.is_relative_to(build)
    return [str(path.relative_to(tree.ROOT))] if inside else []


def home(header):
    """The folder with the sources that a public header belongs to."""
    folder = str(header.parent)
    return folder.replace("include/kiln", "lib", 1) if folder.startswith("include/kiln") else folder


def command_for(header, known):
    """The command of a source in the header's folder, or else in the folder with the longest common path."""
    folder = home(header)
    if folder.startswith("runtime"):
        return known["runtime/base/status.cpp"]
    near = min(known, key=lambda source: (-len(os.path.commonprefix([source, folder + "/"])), source))
    return known[near]


def name_of(header):
    return re.sub(r"^(include|runtime/include)/", "", str(header))


def compile_text(text, command):
    """The compiler's messages about a file of this text; nothing if it compiles."""
    folder, arguments = command
    call = [*arguments, f"-I{tree.ROOT}", "-fsyntax-only", "-x", "c++", "-"]
    done = subprocess.run(call, cwd=folder, input=text, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else ""


def problem(path, message):
    first = next((line for line in message.splitlines() if ": error:" in line or "fatal error" in line), message.strip())
    return f"{path} does not compile alone: {first}"


def part_of(files, parts, seed):
    return files[seed % parts :: parts]


def chosen(files, parts, options):
    """The files to compile: all, the changed ones, or one of so many parts."""
    if options.changed:
        command = ["git", "diff", "--name-only", options.changed, "--"]
        changed = subprocess.run(command, cwd=tree.ROOT, capture_output=True, text=True, check=True).stdout.split()
        return [file for file in files if str(file) in changed]
    seed = int(os.environ.get(sampling.SEED) or sampling.seed_of_commit())
    return files if options.all else part_of(files, parts, seed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--changed", metavar="COMMIT")
    options = parser.parse_args()
    build = options.build.resolve()
    known = commands(build)
    all_headers = sorted(header for folder in PUBLIC for header in tree.files(".h", under=folder))
    headers, sources = chosen(all_headers, PARTS_OF_HEADERS, options), chosen(sorted(known), PARTS, options)
    work = [(header, f'#include "{name_of(header)}"\n' * 2, command_for(header, known)) for header in headers]
    work += [(source, f'#include "{source}"\n', known[source]) for source in sources]
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        messages = list(pool.map(lambda item: compile_text(item[1], item[2]), work))
    problems = [problem(item[0], message) for item, message in zip(work, messages) if message]
    if not headers or not sources:
        problems.append("there are no headers, or no sources")
    tree.finish(problems, f"{len(headers)} of {len(all_headers)} public headers and {len(sources)} of {len(known)} sources compiled alone")


if __name__ == "__main__":
    main()
