"""Runs all cases of test/e2e, a process per file and as many at a time as there are CPUs, and writes down how each ended.

    build/venv/bin/python test/e2e/all_cases.py                     what cases.json does not have of this commit yet
    build/venv/bin/python test/e2e/all_cases.py test_gates.py       some files, again if need be
    build/venv/bin/python test/e2e/all_cases.py --minutes 30        begins no file after half an hour; the next call goes on
    build/venv/bin/python test/e2e/all_cases.py --ordinary          the cases of an ordinary run, for costs.json alone

Each file is written to docs/benchmarks/cases.json when it has ended, so that nothing but the files under way is lost when the run
is interrupted; cases.md is made of it. costs.json, by which sampling.py chooses cases, gets the CPU seconds of each function.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import concurrent.futures
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
sys.path.insert(0, str(ROOT / "test" / "bench"))

import cases_table  # noqa: E402
import sampling  # noqa: E402
import timing  # noqa: E402

RESULT = ROOT / "docs" / "benchmarks" / "cases.json"
SLOWEST = 30
ENDED = (0, 1, 5)  # pytest's exit status for a completed run: all passed, some failed, none collected


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", dest="workers", type=int, default=len(os.sched_getaffinity(0)), help="processes, one per CPU by default")
    parser.add_argument("--ordinary", action="store_true", help="run what an ordinary run does; writes costs.json alone")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no file after so many minutes")
    parser.add_argument("--restart", action="store_true", help="forget what cases.json has")
    parser.add_argument("--output", type=pathlib.Path, default=RESULT, help="the JSON file; the table is beside it")
    parser.add_argument("--costs", type=pathlib.Path, default=sampling.COSTS)
    parser.add_argument("files", nargs="*", help="some of the files")
    return parser.parse_args()


def commit():
    """The commit that is tested. Writing the record does not make it another one."""
    paths = ["--", ".", ":!docs", ":!test/e2e/costs.json"]
    last, changes = (subprocess.run(["git", *command, *paths], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
                     for command in (["log", "-1", "--format=%h"], ["status", "--porcelain"]))
    return last + ("-dirty" if changes else "")


def read(path, default):
    return json.loads(path.read_text()) if path.exists() else default


def write(path, text):
    """In one step: an interruption leaves the old file or the new one."""
    new = path.with_name(path.name + ".new")
    new.write_text(text)
    new.replace(path)


def files_to_run(options, result, now):
    """Those that take longest first."""
    known, seconds = read(options.costs, {}), {}
    for function, cost in known.items():
        file = function.split("::")[0]
        seconds[file] = seconds.get(file, 0) + cost["seconds"] + cost["setup"]
    done = {name for name, row in result["files"].items() if row["commit"] == now and not options.ordinary}
    names = [pathlib.Path(name).name for name in options.files]
    names = names or [path.name for path in FOLDER.glob("test_*.py") if path.name not in done]
    return sorted(names, key=lambda name: (-seconds.get(name, 0), name))


def run(name, options):
    """Runs a file; returns the rows of its cases, and pytest's exit status and output."""
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder) / "record.json"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--basetemp={folder}/tests", f"--case-record={record}"]
        command += [*([] if options.ordinary else ["--all-cases"]), name]
        done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False)
        rows = [json.loads(line) for line in record.read_text().splitlines()] if record.exists() else []
    return rows, done.returncode, done.stdout + done.stderr


def portable(reason):
    """Without the folders of this machine."""
    data = os.environ.get("KILN_TEST_DATA", str(ROOT.parent / "shared" / "data"))
    return reason.replace(data, "$KILN_TEST_DATA").replace(str(ROOT), ".")


PHASES = ("setup", "call", "teardown")


def seconds_of(row):
    return sum(row.get(phase, 0) for phase in PHASES)


def cpu_seconds_of(row):
    return sum(row.get(f"cpu_{phase}", 0) for phase in PHASES)


def summary(rows, now):
    """A file's entry in cases.json."""
    skipped, failures = {}, {}
    for row in rows:
        if row["outcome"] == "skipped":
            skipped[portable(row["reason"])] = skipped.get(portable(row["reason"]), 0) + 1
        elif row["outcome"] == "failed":
            failures[row["case"]] = portable(row["reason"])
    slowest = sorted(rows, key=seconds_of, reverse=True)[:SLOWEST]
    return {
        "commit": now,
        "passed": sum(row["outcome"] == "passed" for row in rows),
        "failed": failures,
        "skipped": skipped,
        "seconds": round(sum(map(seconds_of, rows)), 1),
        "slowest": {row["case"]: round(seconds_of(row), 1) for row in slowest if seconds_of(row) >= 1},
    }


def function_costs(rows):
    """{function: the median CPU seconds of a case, what was set up besides, and how many cases tell}."""
    groups = {}
    for row in rows:
        if row["outcome"] != "skipped":
            groups.setdefault(row["case"].split("[")[0], []).append(row)
    found = {}
    for function, cases in groups.items():
        setups = [case["cpu_setup"] for case in cases]
        own = statistics.median(setups) if len(cases) >= sampling.FEW else 0
        seconds = statistics.median(cpu_seconds_of(case) - case["cpu_setup"] for case in cases) + own
        found[function] = {"seconds": round(seconds, 2), "setup": round(sum(setups) - own * len(cases), 2), "cases": len(cases)}
    return found


def merged_costs(known, rows):
    """A function with a case that failed may take longer than was measured: it keeps what was known, or assumed, where that is more."""
    found = function_costs(rows)
    for function in {row["case"].split("[")[0] for row in rows if row["outcome"] == "failed"}:
        least = known.get(function, sampling.UNKNOWN)
        found[function] |= {key: max(found[function][key], least[key]) for key in ("seconds", "setup")}
    return dict(sorted({**known, **found}.items()))


def write_costs(path, rows):
    lines = (f"  {json.dumps(function)}: {json.dumps(cost)}" for function, cost in merged_costs(read(path, {}), rows).items())
    write(path, "{\n" + ",\n".join(lines) + "\n}\n")


def report(name, rows, status, output, begin):
    counts = {outcome: sum(row["outcome"] == outcome for row in rows) for outcome in ("passed", "failed", "skipped")}
    print(f"[{time.monotonic() - begin:6.0f} s] {name}: " + ", ".join(f"{count} {outcome}" for outcome, count in counts.items()), flush=True)
    if status not in (0, 5):
        print(output[-4000:], flush=True)


def keep(name, rows, status, options, result):
    """Writes down a file that has been run to its end."""
    if status not in ENDED:
        return
    write_costs(options.costs, rows)
    if options.ordinary:
        return
    result["files"][name] = summary(rows, result["now"])
    stored = {key: value for key, value in result.items() if key != "now"}
    write(options.output, json.dumps(stored, indent=1) + "\n")
    write(options.output.with_suffix(".md"), cases_table.table(stored))


def run_files(names, options, begin):
    """Yields (name, outcome of run) as files end; takes names from the list as processes become free."""
    with concurrent.futures.ThreadPoolExecutor(options.workers) as pool:
        running = {}
        while True:
            while names and len(running) < options.workers and time.monotonic() - begin < 60 * options.minutes:
                name = names.pop(0)
                running[pool.submit(run, name, options)] = name
            if not running:
                return
            for future in concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED).done:
                yield running.pop(future), future.result()


def main():
    options = parse_arguments()
    now, begin = commit(), time.monotonic()
    result = {"files": {}} if options.restart else read(options.output, {"files": {}})
    # Drop records of files that no longer exist.
    result["files"] = {name: row for name, row in sorted(result["files"].items()) if (FOLDER / name).exists()}
    result |= {"machine": timing.machine(), "now": now}
    failed, names = False, files_to_run(options, result, now)
    for name, (rows, status, output) in run_files(names, options, begin):
        report(name, rows, status, output, begin)
        keep(name, rows, status, options, result)
        failed |= status not in (0, 5)
    if names:
        print(f"{len(names)} files are left; run this again to go on")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
