#!/usr/bin/env python3
"""Checks how doc comments begin: with a verb ("Returns ...") or a noun phrase ("Register layout of operand B ..."). A reader who looks
a function up has no sentence in front of "Of a step that exists" or "The same for columns" to complete it with.

LIMITS has how many of each folder begin otherwise. They may only shrink: where a folder has fewer, the limit must say so. `--list FOLDER`
prints them.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys

import tree

SUFFIXES = (".h", ".hpp", ".cpp", ".td")
BEGINNING = re.compile(r"^(?:What|Of|The same|Those|That|Whose|Also|Likewise|As above|Same)\b")
LIMITS = {"runtime": 74}


def first_lines(text):
    """(line, text) of each block of `///` comments that stands on lines of its own."""
    before = False
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        is_doc = stripped.startswith("///") and not stripped.startswith("///<")
        if is_doc and not before:
            yield number, stripped.removeprefix("///").strip()
        before = is_doc


def found():
    """Lines that begin otherwise, by folder."""
    lines = {folder: [] for folder in LIMITS}
    for path in tree.files(*SUFFIXES):
        folder = path.parts[0]
        if folder not in ("lib", "dialects", "include", "runtime", "tools", "test", "examples"):
            continue
        for number, text in first_lines(tree.read(path)):
            if BEGINNING.match(text):
                lines.setdefault(folder, []).append(f"{path}:{number}: {text}")
    return lines


def main():
    lines = found()
    if sys.argv[1:2] == ["--list"]:
        print(*lines[sys.argv[2]], sep="\n")
        return
    problems = []
    for folder, own in lines.items():
        limit = LIMITS.get(folder, 0)
        if len(own) > limit:
            problems += [f"{len(own)} doc comments of {folder} begin with What, Of, The same, Those ...; at most {limit}", *own[-3:]]
        if len(own) < limit:
            problems.append(f"{folder} has {len(own)} such comments now, not {limit}: lower its limit in {__file__}")
    tree.finish(problems, f"beginnings of doc comments: {sum(map(len, lines.values()))} to rewrite")


if __name__ == "__main__":
    main()
