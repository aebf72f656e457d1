"""Runs all cases of the tests of which an ordinary run has some (sampling.py), and writes docs/benchmarks/cases.json
and cases.md: per file, how many cases passed, failed and were skipped, and how long they took.

    build/venv/bin/python test/e2e/all_cases.py [-n WORKERS] [FILE ...]
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
sys.path.insert(0, str(ROOT / "test" / "bench"))

import timing  # noqa: E402

OUTCOMES = ("failed", "skipped", "passed")


def sampled_files():
    return sorted(path.name for path in FOLDER.glob("test_*.py") if "pytest.mark.sampled" in path.read_text())


def run(files, workers):
    """Cases of each file by outcome, and their seconds."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "--all-cases", "-p", "no:cacheprovider", "-n", str(workers), "--dist", "worksteal", f"--junitxml={report}", *files]
        subprocess.run(command, cwd=FOLDER, check=False)
        cases = xml.etree.ElementTree.parse(report).iter("testcase")
    result = {name: dict.fromkeys(OUTCOMES, 0) | {"seconds": 0.0} for name in files}
    for case in cases:
        row = result[case.get("classname").split(".")[-1] + ".py"]
        found = {child.tag for child in case}
        row["failed" if found & {"failure", "error"} else "skipped" if "skipped" in found else "passed"] += 1
        row["seconds"] += float(case.get("time"))
    return result


def table(result):
    lines = [
        "# All cases of the tests that an ordinary run samples",
        "",
        f"On {result['machine']['cpu']} at commit {result['commit']}, by",
        "",
        "    build/venv/bin/python test/e2e/all_cases.py",
        "",
        "Seconds are the sum over all cases, of which as many run at a time as the machine has CPUs.",
        "",
        "| file | passed | failed | skipped | seconds |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for name, row in result["files"].items():
        lines.append(f"| {name} | {row['passed']} | {row['failed']} | {row['skipped']} | {row['seconds']:.0f} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", dest="workers", default="auto", help="processes, one per CPU by default")
    parser.add_argument("files", nargs="*", help="some of the files; nothing is written then")
    options = parser.parse_args()
    files = options.files or sampled_files()
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    result = {"commit": commit, "machine": timing.machine(), "files": run(files, options.workers)}
    print(table(result))
    if not options.files:
        (ROOT / "docs" / "benchmarks" / "cases.json").write_text(json.dumps(result, indent=2) + "\n")
        (ROOT / "docs" / "benchmarks" / "cases.md").write_text(table(result))
    return 1 if any(row["failed"] for row in result["files"].values()) else 0


if __name__ == "__main__":
    sys.exit(main())
