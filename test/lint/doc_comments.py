#!/usr/bin/env python3
"""Checks how doc comments begin: with a verb ("Returns ...") or a noun phrase ("Register layout of operand B ..."). A reader who looks
a function up has no sentence in front of "Of a step that exists" or "The same for columns" to complete it with.

No folder may have a comment that begins otherwise. `--list FOLDER` prints those that do.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys

import tree

SUFFIXES = (".h", ".hpp", ".cpp", ".td")
BEGINNING = re.compile(r"^(?:What|Of|The same|Those|That|Whose|Also|Likewise|As above|Same)\b")
FOLDERS = ("lib", "dialects", "include", "runtime", "tools", "test", "examples")


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
    lines = {folder: [] for folder in FOLDERS}
    for path in tree.files(*SUFFIXES):
        folder = path.parts[0]
        if folder not in FOLDERS:
            continue
        for number, text in first_lines(tree.read(path)):
            if BEGINNING.match(text):
                lines[folder].append(f"{path}:{number}: {text}")
    return lines


def main():
    lines = found()
    if sys.argv[1:2] == ["--list"]:
        print(*lines[sys.argv[2]], sep="\n")
        return
    problems = [f"{line}: begin with a verb or a noun phrase" for own in lines.values() for line in own]
    tree.finish(problems, "beginnings of doc comments")


if __name__ == "__main__":
    main()
