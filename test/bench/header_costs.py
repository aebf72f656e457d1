#!/usr/bin/env python3
"""Which headers and templates cost the most time to compile, by clang's -ftime-trace.

  cmake --preset dev && build/venv/bin/python test/bench/header_costs.py build-dev                   every eighth source
  build/venv/bin/python test/bench/header_costs.py build-dev --every 1                               all of them
  build/venv/bin/python test/bench/header_costs.py build-dev --before old.json                       beside an earlier run

BUILD is a configured build folder of the preset `dev`, with one object per file; its generated headers and precompiled headers must
be there (ninja kiln). Nothing in it is changed. Writes headers.json and headers.md into --output-dir. The seconds of a header include
what it includes; they are sums over the sources that were compiled, times --every. They are CPU seconds: the wall times that a trace
has are scaled by what the compiler used of a CPU meanwhile, so that other work on the machine counts little.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

import timing

ROOT = pathlib.Path(__file__).resolve().parents[2]
LISTED = 10
MICROSECOND = 1e-6
PHASES = {"Frontend": "front end", "Backend": "optimisation and code generation", "Total ExecuteCompiler": "all"}
# Files of the precompiled header are in no trace.
KINDS = {"Source": "headers", "InstantiateClass": "templates", "InstantiateFunction": "templates"}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=8, metavar="N", help="compile every N-th source")
    parser.add_argument("--before", type=pathlib.Path, help="the headers.json of an earlier run")
    parser.add_argument("--output-dir", type=pathlib.Path, default=ROOT / "docs/benchmarks")
    return parser.parse_args()


def sources(build):
    """The entries of the compiler's own sources: those of lib, dialects and tools."""
    entries = json.loads((build / "compile_commands.json").read_text())
    root = pathlib.Path(next(e["directory"] for e in entries)).parent
    wanted = tuple(f"{root}/{folder}/" for folder in ("lib", "dialects", "tools"))
    return sorted((e for e in entries if e["file"].startswith(wanted)), key=lambda e: e["file"])


def trace(entry):
    """The events of compiling one source, in CPU time."""
    with tempfile.TemporaryDirectory() as folder:
        out, log = pathlib.Path(folder) / "out.o", pathlib.Path(folder) / "log"
        arguments = shlex.split(entry["command"])
        arguments[arguments.index("-o") + 1] = str(out)
        with log.open("wb") as output:
            begin = time.perf_counter()
            process = subprocess.Popen([*arguments, "-ftime-trace", "-ftime-trace-granularity=100"], cwd=entry["directory"], stdout=output, stderr=output)
            _, status, usage = os.wait4(process.pid, 0)
            wall, process.returncode = time.perf_counter() - begin, os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"error: {entry['file']} does not compile; fix: build the generated and precompiled headers first\n{log.read_text(errors='replace')}")
        events = json.loads(out.with_suffix(".json").read_text())["traceEvents"]
        return in_cpu_time(events, (usage.ru_utime + usage.ru_stime) / wall)


def in_cpu_time(events, share):
    """The events with times that are scaled by the share of a CPU that the compiler had."""
    return [event | {key: event[key] * share for key in ("ts", "dur") if key in event} for event in events]


def name_of(detail, root):
    """The path that an #include of the header has from the root: one name, from wherever it is included."""
    path = os.path.normpath(detail.replace(f"{root}/", ""))
    return re.sub(r"^(.*/llvm-\d+/include/|build[^/]*/|(\.\./)+)", "", path)


def template_of(detail):
    """A template without its arguments."""
    return re.sub(r"<.*", "<>", re.sub(r"^.*?\b((?:\w+::)*~?\w+<).*$", r"\1", detail))


def commit(source):
    command = ["git", "-C", str(source), "describe", "--always", "--dirty"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def complete(events):
    """The events with a duration: clang writes those of headers as a beginning and an end, nested, and all others as one."""
    begun = []
    for event in events:
        if event.get("ph") == "X":
            yield event
        elif event.get("ph") == "b":
            begun.append(event)
        elif event.get("ph") == "e":
            first = begun.pop()
            yield first | {"dur": event["ts"] - first["ts"]}


def add_costs(costs, events, root):
    """Adds microseconds; a header or template inside one of the same name counts once."""
    open_until = {}
    for event in sorted(complete(events), key=lambda e: (e["ts"], -e["dur"])):
        kind, detail = event["name"], event.get("args", {}).get("detail", "")
        if kind in PHASES:
            costs["phases"][PHASES[kind]] += event["dur"]
        elif kind in KINDS:
            name = name_of(detail, root) if kind == "Source" else template_of(detail)
            if event["ts"] >= open_until.get((kind, name), 0):
                open_until[kind, name] = event["ts"] + event["dur"]
                costs[KINDS[kind]][name] += event["dur"]


def measure(build, every):
    entries = sources(build)
    chosen, root = entries[::every], pathlib.Path(entries[0]["directory"]).parent
    costs = collections.defaultdict(collections.Counter)
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for events in pool.map(trace, chosen):
            add_costs(costs, events, root)
    rounded = {kind: {name: round(us * MICROSECOND * every, 1) for name, us in counter.most_common(3 * LISTED)} for kind, counter in costs.items()}
    return {"sources": len(entries), "compiled": len(chosen), **rounded}


def rows(kind, result, before):
    for name, seconds in list(result[kind].items())[:LISTED]:
        old = before.get(kind, {}).get(name, "")
        yield f"| `{name}` | {old} | {seconds} |" if before else f"| `{name}` | {seconds} |"


def per_source(result, before):
    """The seconds of a phase for one source: trees may differ in how many they have."""
    for phase, seconds in result["phases"].items():
        each = [run["phases"][phase] / run["sources"] for run in (before, result) if phase in run.get("phases", {})]
        yield f"| {phase} | {' | '.join(f'{value:.1f}' for value in each)} |"


def conditions(run):
    return f"commit {run['commit']}, {run['compiled']} of {run['sources']} sources, load average {run['load_average_before']:.1f}"


def table(result):
    before = result.get("before", {})
    head = "| {} | before, s | now, s |\n| --- | ---: | ---: |" if before else "| {} | s |\n| --- | ---: |"
    lines = ["# Headers and templates that cost the most to compile", "",
             f"`{result['command']}`, {result['machine']['cpu']}: sources of lib, dialects and tools, one object per file, with precompiled headers of MLIR.",
             "CPU seconds are those of all sources. A header's include what it includes.", "",
             *([f"Before: {conditions(before)}."] if before else []), f"Now: {conditions(result)}.", ""]
    lines += [head.format("phase, of one source"), *per_source(result, before), ""]
    for kind, title in (("phases", "phase"), ("headers", "header"), ("templates", "template")):
        lines += [head.format(title), *rows(kind, result, before), ""]
    lost = [name for name in list(before.get("headers", {}))[:LISTED] if name not in list(result["headers"])[:LISTED]]
    if lost:
        lines += ["Headers that were among the first ten before: " + ", ".join(f"`{name}` ({before['headers'][name]} s, now {result['headers'].get(name, 'less than those listed')})" for name in lost) + ".", ""]
    return "\n".join(lines)


def main():
    arguments = parse_arguments()
    build = arguments.build.resolve()
    result = {"command": shlex.join(["python", "test/bench/header_costs.py", build.name, "--every", str(arguments.every)]), "machine": timing.machine()}
    result |= {"commit": commit(build.parent), "load_average_before": os.getloadavg()[0]} | measure(build, arguments.every)
    if arguments.before:
        result["before"] = {key: value for key, value in json.loads(arguments.before.read_text()).items() if key != "before"}
    arguments.output_dir.mkdir(parents=True, exist_ok=True)
    (arguments.output_dir / "headers.json").write_text(json.dumps(result, indent=1) + "\n")
    text = table(result)
    (arguments.output_dir / "headers.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
