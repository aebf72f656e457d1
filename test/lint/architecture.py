#!/usr/bin/env python3
"""Compares the table of docs/hacking/architecture.md with the tree.

Every folder and every CMake target that the table names exists, the target in the folder of its row (or below), and every
folder directly in dialects, lib, runtime and tools has a row. A target may end in `*`.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import fnmatch
import re

import tree

PAGE = "docs/hacking/architecture.md"
PARENTS = ("dialects", "lib", "runtime", "tools")
DEFINED = re.compile(r"\badd_(?:kiln_|sim_)?(?:library|executable|tool|driver)\(\s*([\w-]+)")


def rows():
    """(line, folders, targets) of each row of the table under the heading that mentions folders."""
    lines = tree.read(PAGE).splitlines()
    begin = next((i for i, line in enumerate(lines) if line.startswith("| folder | target |")), len(lines))
    for number, line in enumerate(lines[begin + 2 :], begin + 3):
        if not line.startswith("|"):
            return
        folders, targets = (cell.replace("`", "") for cell in line.split("|")[1:3])
        targets = re.sub(r"\(.*?\)", "", targets)
        yield number, [name.strip() for name in folders.split(",")], [name.strip() for name in targets.split(",")]


def targets_of(folder):
    """The CMake targets that a folder and those below define."""
    lists = [path for path in tree.files(".txt", under=folder) if path.name == "CMakeLists.txt"]
    return {name for path in lists for name in DEFINED.findall(tree.read(path))}


def check_row(number, folders, targets):
    missing = [folder for folder in folders if not (tree.ROOT / folder).is_dir()]
    yield from (f"{PAGE}:{number}: there is no folder {folder}" for folder in missing)
    defined = set().union(*(targets_of(folder) for folder in folders if folder not in missing))
    for target in targets:
        if target and not fnmatch.filter(defined, target):
            yield f"{PAGE}:{number}: no CMakeLists.txt of {', '.join(folders)} defines {target}"


def main():
    table, problems = list(rows()), []
    if not table:
        problems.append(f"{PAGE}: no table that begins with | folder | target |")
    for row in table:
        problems += check_row(*row)
    named = {folder for _, folders, _ in table for folder in folders}
    for parent in PARENTS:
        for folder in sorted({path.parts[1] for path in tree.files(under=parent) if len(path.parts) > 2}):
            inside = f"{parent}/{folder}"
            if inside not in named and not any(name.startswith(inside + "/") for name in named):
                problems.append(f"{PAGE}: {inside} has no row")
    tree.finish(problems, f"{len(table)} rows of {PAGE}")


if __name__ == "__main__":
    main()
