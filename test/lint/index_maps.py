#!/usr/bin/env python3
"""Counts the lines of functions that say by themselves how ops read their operands, where they could ask the ops' index maps.

index_maps.txt lists them with reasons. A function that no longer exists, and more lines than STOP, are problems.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib

import cxx
import tree

LIST = "test/lint/index_maps.txt"
STOP = 400


def listed():
    """(file, function) of the list; none in a checkout without a list."""
    for line in tree.read(LIST).splitlines() if (tree.ROOT / LIST).exists() else []:
        if line and not line.startswith("#"):
            file, function, _ = (field.strip() for field in line.split("|"))
            yield file, function


def counted():
    """(lines by "file function", problems: functions that do not exist)."""
    functions, lines = {}, {}
    for file, function in listed():
        if file not in functions:
            exists = (tree.ROOT / file).exists()
            functions[file] = cxx.read(tree.read(pathlib.Path(file)))[0] if exists else []
        begin = function if "(" in function else f"{function}("
        lines[f"{file} {function}"] = sum(found.lines for found in functions[file] if found.signature.startswith(begin))
    return lines, [f"{LIST}: there is no {name}; strike the line out" for name, count in lines.items() if not count]


def main():
    lines, problems = counted()
    total = sum(lines.values())
    if total > STOP:
        problems.append(f"functions of {LIST} have {total} lines; at most {STOP}: ask the ops' index maps (kiln/Analysis/Indexing.h)")
    print("\n".join(f"{count:4} {name}" for name, count in lines.items()))
    tree.finish(problems, f"{total} lines of functions that tell index maps")


if __name__ == "__main__":
    main()
