#!/usr/bin/env python3
"""Measures the source tree: what is compared before and after a change of its structure.

usage: measure.py [--json] [--root DIR] [--before FILE.json]

Prints Markdown, docs/hacking/structure.md: lines per folder, files in the fullest folders, methods per class, functions and files by length, cycles
between folders, lines of lit tests per line of the compiler, private words, doc comments by how they begin. --root measures another checkout with today's rules; --before puts an older
result, as --json prints it, beside.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import collections
import json
import pathlib
import re
import sys

import class_sizes
import cxx
import doc_comments
import folder_cycles
import index_maps
import private_words
import tree

SOURCES = cxx.SUFFIXES + (".td", ".def")
COMPILER = ("dialects", "include", "lib")
# Folders of tests that do not run under lit; what is left is dialects, passes, code generation and import.
LIT_SUFFIXES = (".mlir", ".onnxtxt", ".test")
FOLDERS = COMPILER + ("runtime", "tools")
SHOWN = 12
HEADING = """# The structure of the source in numbers

With this page you can see whether a change makes Kiln's source easier or harder to find one's way in. It is written by

    test/lint/measure.py --before docs/hacking/structure-before.json > docs/hacking/structure.md

"before" is commit d806e82a. Functions are counted in headers and sources, a class's methods without constructors; private
words are those of test/lint/words.txt, doc comments to rewrite those of test/lint/doc_comments.py, cycles those of test/lint/folder_cycles.py. Files of a
folder are those that lie in it, not below. Lines that tell index maps are those of the functions in test/lint/index_maps.txt; an audit counted those of
"before" by reading (docs/rationale/index-maps.md). Files that name a narrow type are those of dialects, include and lib with a class or constant of
a float of 8 bits or fewer (Float8E4M3FNType, kF8E4M3FN); the others ask dialects/Types for a property.
"""
NARROW_TYPE = re.compile(r"\bFloat(?:8E|6E|4E)\w*Type\b|\bkF[864]E\w+")
FUNCTION_AIM, FILE_AIM, FILES_AIM = 15, 250, 30


def lines_of(path):
    return len(tree.read(path).splitlines())


def folder_of(path):
    """A folder two levels down; headers of include/kiln count where they are implemented."""
    parts = ("lib", *path.parts[2:]) if path.parts[:2] == ("include", "kiln") else path.parts
    return "/".join(parts[: min(3 if parts[1] in ("Codegen", "Target", "Transforms", "sim") else 2, len(parts) - 1)])


def lines_per_folder():
    counts = collections.Counter()
    for path in tree.files(*SOURCES):
        if path.parts[0] in FOLDERS:
            counts[folder_of(path)] += lines_of(path)
    return dict(sorted(counts.items()))


def files_per_folder():
    """Of the folders with more than FILES_AIM of them."""
    counts = collections.Counter(str(path.parent) for path in tree.files(*SOURCES) if path.parts[0] in FOLDERS)
    return dict(sorted((folder, count) for folder, count in counts.items() if count > FILES_AIM))


def lit_per_line():
    lit = sum(lines_of(path) for path in tree.files(*LIT_SUFFIXES, under="test"))
    source = sum(lines_of(path) for path in tree.files(*SOURCES) if path.parts[0] in COMPILER)
    return {"lit lines": lit, "compiler lines": source, "lit lines per compiler line": round(lit / source, 3)}


def words():
    places, _ = private_words.found()
    return dict(sorted(private_words.totals({key: len(lines) for key, lines in places.items()}).items()))


def map_lines():
    lines, problems = index_maps.counted()
    if problems:
        sys.exit("\n".join(problems))
    return sum(lines.values())


def narrow_files():
    files = [path for path in tree.files(*SOURCES) if path.parts[0] in COMPILER]
    return sum(1 for path in files if NARROW_TYPE.search(tree.read(path)))


def files_by_length():
    return sorted(((lines_of(path), str(path)) for path in tree.files(*SOURCES) if path.parts[0] in FOLDERS), reverse=True)


def measure():
    classes, functions = class_sizes.read_all()
    files = files_by_length()
    found = folder_cycles.all_cycles()
    counted = words()
    return {
        "totals": {
            "lines of sources": sum(lines_per_folder().values()),
            **lit_per_line(),
            "methods of the largest class": classes[0][0],
            f"classes over {class_sizes.STOP} methods": sum(1 for n, _ in classes if n > class_sizes.STOP),
            f"classes over {class_sizes.AIM} methods": sum(1 for n, _ in classes if n > class_sizes.AIM),
            "functions": len(functions),
            "lines of the longest function": functions[0][0],
            f"functions over {FUNCTION_AIM} lines": sum(1 for n, _ in functions if n > FUNCTION_AIM),
            f"files over {FILE_AIM} lines": sum(1 for n, _ in files if n > FILE_AIM),
            "lines of the longest file": files[0][0],
            "cycles between folders": sum(len(groups) for groups in found.values()),
            "private words": sum(counted.values()),
            "lines that tell index maps": map_lines(),
            "files that name a narrow type": narrow_files(),
            "doc comments to rewrite": sum(len(lines) for lines in doc_comments.found().values()),
        },
        "lines per folder": lines_per_folder(),
        "files per folder": files_per_folder(),
        "methods per class": {name: n for n, name in classes if n > class_sizes.AIM},
        "longest functions": {re.sub(r":\d+ ", " ", name, count=1): n for n, name in functions[:SHOWN]},
        "longest files": {name: n for n, name in files[:SHOWN]},
        "cycles": {f"{folder}: {', '.join(group)}": len(group) for folder, groups in found.items() for group in groups},
        "words": counted,
    }


def print_table(title, now, before):
    print(f"## {title}\n")
    if before is None:
        print(f"| {title} | now |\n| --- | ---: |")
        print("\n".join(f"| {name} | {value} |" for name, value in now.items()) + "\n")
        return
    print(f"| {title} | before | after |\n| --- | ---: | ---: |")
    for name in [*now, *(name for name in before if name not in now)]:
        print(f"| {name} | {before.get(name, '')} | {now.get(name, '')} |")
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--root", type=pathlib.Path, help="the checkout to measure (default: this one)")
    parser.add_argument("--before", type=pathlib.Path, help="an older result to put beside")
    options = parser.parse_args()
    before = json.loads(options.before.read_text()) if options.before else {}
    # The words are today's, so that both sides of a comparison count the same.
    rules = private_words.rules()
    private_words.rules = lambda: rules
    if options.root:
        tree.ROOT = options.root.resolve()
    result = measure()
    if options.json:
        print(json.dumps(result, indent=1))
        return
    print(HEADING)
    for title, table in result.items():
        print_table(title, table, before.get(title))


if __name__ == "__main__":
    main()
