#!/usr/bin/env python3
"""Checks that every constraint tag of a dialect, (C1), (C2) ... in its .td files, has a negative test.

A test says what it violates: in a comment, `// graph.matmul C2` (in test/<Dialect> the dialect's name may be left out),
and then the same part of the file, up to the next `// -----`, must expect an error that carries the tag or a KILN code (in
C++ a string must); or, in test/<Dialect>, by the name of its function or kernel, `@matmul_c2`, and then the part must
expect any error. An op that has the name of a type is called `view_op` there.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

import tree

DEFINITION = re.compile(r"^def\s+\w+\s*:[^{;]*", re.MULTILINE)
QUOTED = re.compile(r'"(\w+)"')
MNEMONIC = re.compile(r'let\s+mnemonic\s*=\s*"(\w+)"')
TAG = re.compile(r"\((C\d+)\)")
COMMENT = re.compile(r"//\s*#?(?:(\w+)\.)?(\w+) (C\d+)\b")
NAMED = re.compile(r"@(\w+?)_(c\d+)(?=\b|_)")
EXPECTED = re.compile(r"expected-error.*?\{\{(.*?)\}\}\s*$", re.MULTILINE)


def definitions(text):
    """(mnemonic, is a type or attribute, body) of everything a .td file defines."""
    starts = [match.start() for match in DEFINITION.finditer(text)] + [len(text)]
    for begin, end in zip(starts, starts[1:]):
        body = text[begin:end]
        header = DEFINITION.match(body)[0]
        name = MNEMONIC.search(body) or QUOTED.search(header)
        if name:
            yield name[1].lower(), re.search(r"Type<|AttrDef<|TypeDef<", header) is not None, body


def required(dialect):
    """(name in tests, tag) -> the .td file that says so."""
    found = [(path, *definition) for path in tree.files(".td", under=f"dialects/{dialect}")
             for definition in definitions(tree.read(path))]
    types = {mnemonic for _, mnemonic, is_type, _ in found if is_type}
    tags = {}
    for path, mnemonic, is_type, body in found:
        name = f"{mnemonic}_op" if mnemonic in types and not is_type else mnemonic
        tags.update({(name, tag): path for tag in TAG.findall(body)})
    return tags


def parts(path):
    """The cases of a test, each with the errors it expects."""
    text = tree.read(path)
    if path.suffix == ".mlir":
        return [(part, "\n".join(EXPECTED.findall(part))) for part in text.split("// -----")]
    return [(text, text)]


def tested(dialect):
    for path in tree.files(".mlir", ".cpp", under="test"):
        own = dialect in path.parts
        for part, errors in parts(path):
            for prefix, mnemonic, tag in COMMENT.findall(part):
                named = prefix == dialect.lower() or (own and not prefix)
                if named and (f"({tag})" in errors or "KILN-E" in errors):
                    yield mnemonic.lower(), tag
            for mnemonic, tag in NAMED.findall(part) if own and errors else []:
                yield mnemonic.lower(), tag.upper()


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
