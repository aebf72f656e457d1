#!/usr/bin/env python3
"""Reports the classes with the most methods and fails on one over the limit, and on a function over its own.

Constructors, and what is defaulted or deleted, do not count. Classes over the limit today stand in KNOWN with their
number of methods, which may only shrink; an entry that is no longer true is an error.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import cxx
import tree

AIM, STOP = 25, 40
LINES = 100
KNOWN = {
    "lib/Codegen/Expression/NodeEmitter.h NodeEmitter": 47,
    "lib/Import/GraphBuilder.h GraphBuilder": 42,
}


def read_all():
    """((methods, "file class"), (lines, "file:line function")) of the code outside of tests, largest first."""
    classes, functions = [], []
    for path in tree.files(*cxx.SUFFIXES):
        if "test" in path.parts or "tests" in path.parts:
            continue
        here, inside = cxx.read(tree.read(path))
        functions += [(found.lines, f"{path}:{found.line} {found.name}") for found in here]
        classes += [(len(found.methods), f"{path} {found.name}") for found in inside]
    return sorted(classes, reverse=True), sorted(functions, reverse=True)


def main():
    classes, functions = read_all()
    sizes = {name: methods for methods, name in classes}
    print(f"more than {AIM} methods:")
    for methods, name in classes:
        if methods > AIM:
            print(f"  {methods:4} of {KNOWN.get(name, STOP):3}  {name}")
    problems = [f"{name}: {methods} methods; at most {KNOWN.get(name, STOP)}" for methods, name in classes
                if methods > KNOWN.get(name, STOP)]
    problems += [f"{name}: {lines} lines; at most {LINES}" for lines, name in functions if lines > LINES]
    for name, known in KNOWN.items():
        now = sizes.get(name, 0)
        if now < known:
            problems.append(f"{__file__}: {name} has {now} methods now, not {known}: "
                            f"{'lower the number' if now > STOP else 'strike the entry out'}")
    tree.finish(problems, f"methods of {len(classes)} classes, lines of {len(functions)} functions")


if __name__ == "__main__":
    main()
