#!/usr/bin/env python3
"""Checks that each test of ctest is in exactly one tier, so that no run leaves it out or makes it twice.

    test/lint/tiers.py CTEST BUILD_FOLDER
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import subprocess
import sys

import tree

TIERS = ("check-kiln", "check-kiln-e2e", "check-kiln-all")


def labels(test):
    found = [entry["value"] for entry in test.get("properties", []) if entry["name"] == "LABELS"]
    return found[0] if found else []


def problems(tests):
    """Of the entries of `ctest --show-only=json-v1`."""
    for test in tests:
        tiers = [label for label in labels(test) if label in TIERS]
        if len(tiers) != 1:
            yield f"{test['name']} is in {', '.join(tiers) or 'no tier'}; expected one of {', '.join(TIERS)}; add it by kiln_add_test"


def main():
    command = [sys.argv[1], "--show-only=json-v1", "--test-dir", sys.argv[2]]
    tests = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["tests"]
    tree.finish(list(problems(tests)) or ([] if tests else ["there are no tests"]), f"{len(tests)} tests")


if __name__ == "__main__":
    main()
