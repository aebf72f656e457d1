#!/usr/bin/env python3
"""Compares the remarks that passes leave with those that their descriptions name.

A pass leaves remarks by remarkPassed, remarkMissed and remarkAnalysis of kiln/Support/PassRemark.h, with its option and the
remark's name as literals (precision passes by a PrecisionLog, which has both). Its description in the .td has a table of them:

    | remark | kind | says |
    | --- | --- | --- |
    | `fuse` | missed | why an op is in another kernel than ... |

tools/generate-docs makes docs/spec/remarks.md of these tables.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

import tree

HOME = "lib/Support/PassRemark.cpp"
DEF = re.compile(r'^def\s+\w+\s*:\s*\w*Pass\w*<\s*"([^"]+)"', re.MULTILINE)
ROW = re.compile(r"^\s*\| `([^`]+)` \| (passed|missed|analysis) \| (.*) \|$", re.MULTILINE)
CALL = re.compile(r"\bremark(Passed|Missed|Analysis)\s*\(")
LOG = re.compile(r'\bPrecisionLog\s+\w+\{(\w+),\s*"([^"]+)"')
RAW = re.compile(r"\bremark::(passed|missed|failed|analysis)\s*\(")
CONSTANT = re.compile(r'\b(k\w+)\s*=\s*"(kiln-[^"]+)"')


def arguments(text, begin):
    """The first three arguments of a call whose parenthesis ends at `begin`."""
    depth, quoted, parts, i = 0, False, [""], begin
    while i < len(text) and depth >= 0 and len(parts) < 4:
        c = text[i]
        quoted ^= c == '"' and text[i - 1] != "\\"
        depth += 0 if quoted else (c in "([{") - (c in ")]}")
        if c == "," and depth == 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += c
        i += 1
    return [part.strip() for part in parts[:3]]


def documented():
    """Remarks of the tables: a set of (pass, kind, name)."""
    found = set()
    for path in tree.files(".td", under="include"):
        text = tree.read(path)
        passes = list(DEF.finditer(text))
        for match, end in zip(passes, [*(m.start() for m in passes[1:]), len(text)]):
            found |= {(match[1], kind, name) for name, kind, _ in ROW.findall(text[match.end() : end])}
    return found


def literal(argument, constants):
    return argument[1:-1] if re.fullmatch(r'"[^"]*"', argument) else constants.get(argument, "")


def left_by(path, text, constants, problems):
    """Remarks of a file, each with its place."""
    for match in CALL.finditer(text):
        place = f"{path}:{text.count(chr(10), 0, match.start()) + 1}"
        _, flag, name = (arguments(text, match.end()) + ["", ""])[:3]
        if (flag, name) == ("pass", "verb"):
            continue  # of a PrecisionLog
        remark = (literal(flag, constants), match[1].lower(), literal(name, constants))
        if all(remark):
            yield place, remark
        else:
            problems.append(f"{place}: the pass and the name of a remark must be literals: {flag}, {name}")
    for flag, name in LOG.findall(text):
        yield from ((path, (constants.get(flag, flag), kind, name)) for kind in ("passed", "missed"))


def left(problems):
    """Remarks that the code leaves: (pass, kind, name) to a place."""
    texts = {path: tree.read(path) for path in tree.files(".cpp", ".h", under="lib") if str(path) != HOME}
    constants = dict(pair for text in texts.values() for pair in CONSTANT.findall(text))
    found = {}
    for path, text in texts.items():
        problems += [f"{path}: remark::{kind}: use kiln/Support/PassRemark.h" for kind in RAW.findall(text)]
        found.update((remark, place) for place, remark in left_by(path, text, constants, problems))
    return found


def main():
    problems = []
    named, found = documented(), left(problems)
    for remark in sorted(found.keys() - named):
        problems.append(f"{found[remark]}: the description of {remark[0]} has no row | `{remark[2]}` | {remark[1]} |")
    for flag, kind, name in sorted(named - found.keys()):
        problems.append(f"the description of {flag} names a remark that no code leaves: {name}, {kind}")
    tree.finish(problems, f"{len(found)} remarks of passes")


if __name__ == "__main__":
    main()
