"""The table of docs/benchmarks/cases.md, from the JSON beside it."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections

SLOWEST = 30


def table(result):
    files = dict(sorted(result["files"].items()))
    machine = result["machine"]
    commits = sorted({row["commit"] for row in files.values()})
    passed = sum(row["passed"] for row in files.values())
    failed = sum(len(row["failed"]) for row in files.values())
    skipped = sum(sum(row["skipped"].values()) for row in files.values())
    lines = [
        "# All cases of test/e2e",
        "",
        f"{passed} passed, {failed} failed, {skipped} skipped, of {len(files)} files; on {machine['cpu']} ({machine['cores']} cores) "
        f"at {'commit' if len(commits) == 1 else 'commits'} {', '.join(commits)}, by",
        "",
        "    build/venv/bin/python test/e2e/all_cases.py",
        "",
        "Seconds are the sum over a file's cases, with what they set up; as many files run at a time as there are CPUs.",
        "",
        "| file | passed | failed | skipped | seconds |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for name, row in files.items():
        lines.append(f"| {name} | {row['passed']} | {len(row['failed'])} | {sum(row['skipped'].values())} | {row['seconds']:.0f} |")
    return "\n".join(lines + failures(files) + skips(files) + slowest(files)) + "\n"


def cell(text):
    return text.replace("|", "\\|")


def failures(files):
    rows = [(case, reason) for row in files.values() for case, reason in row["failed"].items()]
    if not rows:
        return []
    return ["", "## Failed", "", "| case | reason |", "| --- | --- |", *(f"| {cell(case)} | {cell(reason)} |" for case, reason in rows)]


def skips(files):
    reasons = collections.Counter()
    for name, row in files.items():
        for reason, count in row["skipped"].items():
            reasons[name, reason] += count
    if not reasons:
        return []
    rows = (f"| {name} | {count} | {cell(reason)} |" for (name, reason), count in sorted(reasons.items()))
    return ["", "## Skipped", "", "| file | cases | reason |", "| --- | ---: | --- |", *rows]


def slowest(files):
    cases = [(seconds, case) for row in files.values() for case, seconds in row["slowest"].items()]
    if not cases:
        return []
    rows = (f"| {cell(case)} | {seconds:.0f} |" for seconds, case in sorted(cases, reverse=True)[:SLOWEST])
    return ["", f"## The {SLOWEST} slowest cases", "", "| case | seconds |", "| --- | ---: |", *rows]
