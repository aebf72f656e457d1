#!/usr/bin/env python3
"""Checks that every constraint tag of a dialect, (C1), (C2) ... in its .td files, has a negative test.

A test says in a comment what it violates, `// graph.matmul C2` (the dialect's name may be left out), in test/<Dialect>
or test/unit/<Dialect>. In .mlir files the part of the file up to the next `// -----` must expect an error that carries
the tag, in C++ the tag must follow in a string.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

import tree

DEFINITION = re.compile(r"^def\s+\w+\s*:[^{;]*", re.MULTILINE)
QUOTED = re.compile(r'"(\w+)"')
MNEMONIC = re.compile(r'let\s+mnemonic\s*=\s*"(\w+)"')
TAG = re.compile(r"\((C\d+)\)")
COMMENT = re.compile(r"//\s*#?(?:(\w+)\.)?(\w+) (C\d+)\b")
EXPECTED = re.compile(r"expected-error.*?\{\{(.*?)\}\}\s*$", re.MULTILINE)


def definitions(text):
    """(mnemonic, body) of every op, attribute and type."""
    starts = [match.start() for match in DEFINITION.finditer(text)] + [len(text)]
    for begin, end in zip(starts, starts[1:]):
        body = text[begin:end]
        name = MNEMONIC.search(body) or QUOTED.search(DEFINITION.match(body)[0])
        if name:
            yield name[1].lower(), body


def required(dialect):
    """(mnemonic, tag) -> the .td file that says so."""
    tags = {}
    for path in tree.files(".td", under=f"dialects/{dialect}"):
        for mnemonic, body in definitions(tree.read(path)):
            tags.update({(mnemonic, tag): path for tag in TAG.findall(body)})
    return tags


def parts(path):
    """The cases of a test: the text from one comment on, and the errors it expects."""
    text = tree.read(path)
    if path.suffix == ".mlir":
        return [(part, "\n".join(EXPECTED.findall(part))) for part in text.split("// -----")]
    return [(text, text)]


def tested(dialect):
    for folder in (f"test/{dialect}", f"test/unit/{dialect}"):
        for path in tree.files(".mlir", ".cpp", under=folder):
            for part, errors in parts(path):
                for prefix, mnemonic, tag in COMMENT.findall(part):
                    if prefix in ("", dialect.lower()) and f"({tag})" in errors:
                        yield mnemonic.lower(), tag


def main():
    problems, count = [], 0
    for dialect in sorted({path.parts[1] for path in tree.files(".td", under="dialects")}):
        tags, cases = required(dialect), set(tested(dialect))
        count += len(tags)
        for (mnemonic, tag), path in sorted(tags.items()):
            if (mnemonic, tag) not in cases:
                problems.append(f"{path}: no negative test of {dialect.lower()}.{mnemonic} {tag}")
    tree.finish(problems, f"negative tests of {count} constraints")


if __name__ == "__main__":
    main()
