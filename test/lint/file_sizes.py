#!/usr/bin/env python3
"""Reports the largest files and fails on one over its limit: nobody finds anything in a long file.

Headers are counted without comments and blank lines, because their comments are the documentation of what they
declare; everything else is counted whole. Some folders have a limit of their own.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

import tree

SUFFIXES = (".cpp", ".c", ".h", ".hpp", ".td", ".mlir", ".onnxtxt", ".py", ".cmake", ".sh")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
SHOWN = 12
# All lines of a folder: a kernel family is small, and this one shows it.
FOLDERS = {"test/lib/Square": 150}


def limit(path):
    if path.parts[0] == "test" or "tests" in path.parts:
        return 400
    if path.parts[0] == "tools" and path.name == "main.cpp":
        return 50
    return {".h": 300, ".hpp": 300, ".td": 600}.get(path.suffix, 800)


def lines(path):
    text = tree.read(path)
    if path.suffix in (".h", ".hpp"):
        text = COMMENT.sub("", text)
        return sum(1 for line in text.splitlines() if line.strip())
    return len(text.splitlines())


def main():
    sizes = sorted(((lines(path) / limit(path), path) for path in tree.files(*SUFFIXES)), reverse=True)
    print("nearest to their limits:")
    for share, path in sizes[:SHOWN]:
        print(f"  {share:4.0%}  {round(share * limit(path)):4} of {limit(path):3}  {path}")
    problems = [f"{path}: {lines(path)} lines; at most {limit(path)}" for share, path in sizes if share > 1]
    for folder, allowed in FOLDERS.items():
        count = sum(len(tree.read(path).splitlines()) for path in tree.files(under=folder))
        if not 0 < count <= allowed:
            problems.append(f"{folder}: {count} lines; at most {allowed}")
    tree.finish(problems, f"sizes of {len(sizes)} files")


if __name__ == "__main__":
    main()
