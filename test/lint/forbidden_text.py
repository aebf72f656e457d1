#!/usr/bin/env python3
"""Checks that no file names a folder of one machine or a package registry's host, or is left unfinished."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

import tree

# Put together here, so that this file passes its own check.
HOSTS = [
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("files", "pythonhosted", "org"),
        ("deb", "debian", "org"),
        ("registry", "npmjs", "org"),
        ("crates", "io"),
        ("proxy", "golang", "org"),
    )
]
MARKERS = ["TO" + "DO", "FIX" + "ME", "X" + "XX"]
RULES = [
    (re.compile(r"(?<![\w.}~-])/(?:work|root|home/\w+)/"), "a path of one machine"),
    (re.compile("|".join(re.escape(host) for host in HOSTS)), "a package registry's host"),
    (re.compile(r"\b(?:%s)\b" % "|".join(MARKERS)), "an unfinished place"),
]
BINARY = {".onnx", ".npy", ".kiln", ".bin", ".png", ".gz", ".xz", ".safetensors"}


def check(path):
    for number, line in enumerate(tree.read(path).splitlines(), 1):
        for pattern, what in RULES:
            if match := pattern.search(line):
                yield f"{path}:{number}: {what}: {match[0]}"


def main():
    sources = [path for path in tree.files() if path.suffix not in BINARY]
    tree.finish([problem for path in sources for problem in check(path)], f"text of {len(sources)} files")


if __name__ == "__main__":
    main()
