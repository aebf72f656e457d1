#!/usr/bin/env python3
"""Checks errors.def and docs/errors against each other: one page per code, one code per page, well-formed codes."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

import tree

LIST = "runtime/include/kiln/errors.def"
ENTRY = re.compile(r'^KILN_ERROR\((\d+),\s*(\w+),\s*(\d+),\s*"([^"]*)"\)', re.MULTILINE)
ANY_ENTRY = re.compile(r"^KILN_ERROR\(", re.MULTILINE)
HEADERS = "cmake/ErrorCodes.cmake"
RANGE = re.compile(r"^kiln_write_error_codes\(\w+ (\d\d)\)", re.MULTILINE)
# The exits a code may have; the ranges themselves are described in docs/hacking/architecture.md.
EXITS = {"2", "3", "4"}


def check_list(text, entries):
    numbers, names = [entry[0] for entry in entries], [entry[1] for entry in entries]
    if len(ANY_ENTRY.findall(text)) != len(entries):
        yield f"{LIST}: an entry is not on one line or not of the form KILN_ERROR(number, name, exit, \"summary\")"
    if numbers != sorted(set(numbers)):
        yield f"{LIST}: codes must be unique and in order"
    if len(set(names)) != len(names):
        yield f"{LIST}: names must be unique"
    for number, name, exit_code, _ in entries:
        if len(number) != 4 or exit_code not in EXITS:
            yield f"{LIST}: {number} {name}: expected four digits and an exit of 2, 3 or 4"


def check_headers(entries):
    ranges = set(RANGE.findall(tree.read(HEADERS)))
    for number, name, _, _ in entries:
        if number[:2] not in ranges:
            yield f"{LIST}: {number} {name} is in no range of {HEADERS}, so that no header has its constant"


def check_pages(entries):
    pages = {path.stem: path for path in tree.files(".md", under="docs/errors") if path.stem.startswith("KILN-E")}
    codes = [f"KILN-E{entry[0]}" for entry in entries]
    for code in codes:
        if code not in pages:
            yield f"docs/errors/{code}.md is missing"
    for code, path in pages.items():
        if code not in codes:
            yield f"{path}: no such code in {LIST}"
        elif not tree.read(path).startswith(f"# {code}"):
            yield f"{path}: the first line must be a heading that starts with {code}"


def main():
    text = tree.read(LIST)
    entries = ENTRY.findall(text)
    tree.finish([*check_list(text, entries), *check_headers(entries), *check_pages(entries)], f"{len(entries)} error codes and their pages")


if __name__ == "__main__":
    main()
