#!/usr/bin/env python3
"""Which headers and templates cost the most time to compile, by clang's -ftime-trace.

  cmake --preset dev && build/venv/bin/python test/bench/header_costs.py build-dev                   every eighth source
  build/venv/bin/python test/bench/header_costs.py build-dev --every 1                               all of them
  build/venv/bin/python test/bench/header_costs.py build-dev --before old.json                       beside an earlier run

BUILD is a configured build folder of the preset `dev`, with one object per file; its generated headers and precompiled headers must
be there (ninja kiln). Nothing in it is changed. Writes headers.json and headers.md into --output-dir. The seconds of a header include
what it includes; they are sums over the sources that were compiled, times --every.
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
import tempfile

import timing

ROOT = pathlib.Path(__file__).resolve().parents[2]
LISTED = 10
MICROSECOND = 1e-6
PHASES = {"Frontend": "front end", "Backend": "optimisation and code generation", "Total ExecuteCompiler": "all"}
# Files of the precompiled header appear in no trace.
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
    """The events of compiling one source."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out.o"
        arguments = shlex.split(entry["command"])
        arguments[arguments.index("-o") + 1] = str(out)
        subprocess.run([*arguments, "-ftime-trace", "-ftime-trace-granularity=100"], cwd=entry["directory"], check=True, capture_output=True)
        return json.loads(out.with_suffix(".json").read_text())["traceEvents"]


def name_of(detail, root):
    """The path that an #include of the header has."""
    return re.sub(r"^(.*/llvm-\d+/include/|build[^/]*/|(\.\./)+)", "", detail.replace(f"{root}/", ""))


def template_of(detail):
    """A template without its arguments."""
    return re.sub(r"<.*", "<>", re.sub(r"^.*?\b((?:\w+::)*~?\w+<).*$", r"\1", detail))


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


def table(result):
    before = result.get("before", {})
    head = "| {} | before, s | now, s |\n| --- | --- | --- |" if before else "| {} | s |\n| --- | --- |"
    lines = ["# Headers and templates that cost the most to compile", "",
             f"`{result['command']}`, {result['machine']['cpu']}: {result['compiled']} of {result['sources']} sources of lib, dialects and tools, one object per file,",
             "with precompiled headers of MLIR; seconds are those of all sources. A header's include what it includes.", ""]
    for kind, title in (("phases", "phase"), ("headers", "header"), ("templates", "template")):
        lines += [head.format(title), *rows(kind, result, before), ""]
    lost = [name for name in list(before.get("headers", {}))[:LISTED] if name not in list(result["headers"])[:LISTED]]
    if lost:
        lines += ["Headers that were among the first ten before: " + ", ".join(f"`{name}` ({before['headers'][name]} s, now {result['headers'].get(name, 'less than those listed')})" for name in lost) + ".", ""]
    return "\n".join(lines)


def main():
    arguments = parse_arguments()
    result = {"command": shlex.join(["python", "test/bench/header_costs.py", arguments.build.name, "--every", str(arguments.every)]), "machine": timing.machine()}
    result |= measure(arguments.build.resolve(), arguments.every)
    if arguments.before:
        result["before"] = {key: value for key, value in json.loads(arguments.before.read_text()).items() if key != "before"}
    arguments.output_dir.mkdir(parents=True, exist_ok=True)
    (arguments.output_dir / "headers.json").write_text(json.dumps(result, indent=1) + "\n")
    text = table(result)
    (arguments.output_dir / "headers.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
