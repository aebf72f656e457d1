#!/usr/bin/env python3
"""What work on Kiln waits for: a cold build, the build behind an edit, the tests, and compiling models.

  build/venv/bin/python test/bench/build.py                            all parts, into docs/benchmarks
  build/venv/bin/python test/bench/build.py --parts edits,compile      some parts; the others are those of the last run
  build/venv/bin/python test/bench/build.py --parts dev                in build-dev: after cmake --preset dev and ninja -C build-dev kiln
  build/venv/bin/python test/bench/build.py --before old.json          beside the figures of an earlier run
  build/venv/bin/python test/bench/build.py --source ../old --output-dir build/bench      of another checkout
  build/venv/bin/python test/bench/build.py --parts build --log build/.ninja_log          of a build that was made before

The cold build goes to a folder of its own in --work, without the compiler's cache; --source needs the Python environment and
the ONNX library that tools/test sets up. The other parts use --build. Writes build.json and the tables made of it, build.md;
docs/benchmarks/README.md says what the fields mean.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import json
import os
import pathlib
import re
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import time

import build_log
import build_table
import timing

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = ("build", "edits", "dev", "tests", "compile")
TIERS = ("check-kiln", "check-kiln-e2e")
HEADERS = 10
ERRORS = "runtime/include/kiln/errors.def"
COMMENT = "// An edit.\n"
# For the dev preset: functions that return a file's text after a typical edit.
DEV_EDITS = {
    "a pass": ("lib/Transforms/Raise/RaiseAttention.cpp", lambda text: text + COMMENT),
    "another summary of an error": (ERRORS, lambda text: text.replace("cannot be understood", "is not understood", 1)),
    "a new error of models": (ERRORS, lambda text: re.sub(r'^(KILN_ERROR\(01.*\n)(?!KILN_ERROR\(01)', r'\1KILN_ERROR(0198, Edited, 3, "an edit")\n', text,
                                                          count=1, flags=re.MULTILINE)),
    "the ops of the graph": ("dialects/Graph/Graph.h", lambda text: text + COMMENT),
}


def main():
    arguments = parse_arguments()
    arguments.work.mkdir(parents=True, exist_ok=True)
    last = arguments.output_dir / "build.json"
    result = json.loads(last.read_text()) if last.exists() else {}
    before = json.loads(arguments.before.read_text()) if arguments.before else result.get("before")
    result |= {"command": shlex.join(["python", *sys.argv]), "machine": timing.machine()}
    result |= {"before": {key: value for key, value in before.items() if key != "before"}} if before else {}
    measures = {"build": measure_build, "edits": measure_edits, "dev": measure_dev, "tests": measure_tests, "compile": measure_compile}
    arguments.output_dir.mkdir(parents=True, exist_ok=True)
    for part in arguments.parts:
        print(f"==> {part}", flush=True)
        conditions = {"commit": commit(arguments.source), "load_average_before": os.getloadavg()[0]}
        result[part] = conditions | measures[part](arguments, result)
        last.write_text(json.dumps(result, indent=1) + "\n")
    text = build_table.table(result)
    (arguments.output_dir / "build.md").write_text(text)
    print(text)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", type=parts, default=list(PARTS), help=f"some of {','.join(PARTS)}")
    parser.add_argument("--before", type=pathlib.Path, help="the build.json to compare with (default: what the last run compared with)")
    parser.add_argument("--source", type=pathlib.Path, default=ROOT, help="the checkout")
    parser.add_argument("--build", type=pathlib.Path, help="its build folder")
    parser.add_argument("--log", type=pathlib.Path, help="the .ninja_log of a cold build, instead of making one")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--headers", nargs="+", default=[], help="headers to edit besides the ten most included")
    parser.add_argument("--dev-build", type=pathlib.Path, help="its build folder of the dev preset")
    parser.add_argument("--dev-edits", nargs="+", choices=list(DEV_EDITS), help="some of the edits there; the others keep their figures")
    parser.add_argument("--edit-target", default="kiln", help="what is built behind an edit")
    parser.add_argument("--measure-edits", action="store_true", help="also build behind each edit, without the compiler's cache")
    parser.add_argument("--tiers", nargs="+", default=TIERS)
    parser.add_argument("--models", nargs="+", help="some of the ten models, by name; the others keep their figures")
    parser.add_argument("--repeats", type=int, default=1, help="compiles of each model")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/bench", help="for the cold build, models and packages")
    parser.add_argument("--output-dir", type=pathlib.Path, default=ROOT / "docs/benchmarks")
    arguments = parser.parse_args()
    arguments.source, arguments.work = arguments.source.resolve(), arguments.work.resolve()
    arguments.build = (arguments.build or arguments.source / "build").resolve()
    arguments.dev_build = (arguments.dev_build or arguments.source / "build-dev").resolve()
    return arguments


def parts(text):
    chosen = text.split(",")
    if unknown := set(chosen) - set(PARTS):
        raise argparse.ArgumentTypeError(f"{', '.join(sorted(unknown))}: expected some of {', '.join(PARTS)}")
    return chosen


def commit(source):
    command = ["git", "-C", str(source), "describe", "--always", "--dirty"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, **options).stdout


def timed(*command, check=True, **options):
    """Wall seconds, CPU seconds of all its processes, and the exit status of a command; its output goes to the terminal."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    status = subprocess.run([str(word) for word in command], check=check, **options).returncode
    seconds, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, status


#
# Build from scratch
#


def measure_build(arguments, _):
    if arguments.log:
        text = arguments.log.read_text()
        targets = build_log.by_target(text)
        wall = max(int(line.split("\t")[1]) for line in text.splitlines()[1:]) / 1e3
        phases = {"read from a log": {"steps": sum(row["steps"] for row in targets.values()), "cpu_seconds": None, "seconds": wall}}
        return {"phases": phases, "targets": targets}
    folder = arguments.work / "cold"
    shutil.rmtree(folder, ignore_errors=True)
    cold = {**os.environ, "CCACHE_DISABLE": "1"}
    phases = {"ONNX library": build_onnx(arguments, folder, cold)}
    seconds, cpu, _ = timed("cmake", "-S", arguments.source, "-B", folder / "build", "--preset", "release", cwd=arguments.source, env=cold)
    phases["configuring"] = {"steps": None, "cpu_seconds": cpu, "seconds": seconds}
    log, done = folder / "build/.ninja_log", 0
    for name, targets in (("tools/quickstart", quickstart_targets(arguments.source)), ("tests and other tools", [])):
        seconds, cpu, _ = timed("cmake", "--build", folder / "build", "-j", arguments.jobs, *(["--target", *targets] if targets else []), env=cold)
        steps = len(build_log.once(log.read_text()))
        phases[name] = {"steps": steps - done, "cpu_seconds": cpu, "seconds": seconds}
        done = steps
    return {"phases": phases, "targets": build_log.by_target(log.read_text())}


def build_onnx(arguments, folder, environment):
    """With the functions of tools/setup, to another folder."""
    setup = arguments.source / "tools/setup"
    script = (f"set -euo pipefail; source {setup}/common.sh; source {setup}/onnx.sh; BUILD={folder}/onnx; LOGS=$BUILD/logs; "
              f"mkdir -p $LOGS $BUILD/downloads; cp {arguments.source}/build/downloads/onnx-* $BUILD/downloads; setup_onnx")
    seconds, cpu, _ = timed("bash", "-c", script, env={**environment, "KILN_JOBS": str(arguments.jobs)})
    return {"steps": None, "cpu_seconds": cpu, "seconds": seconds}


def quickstart_targets(source):
    """What tools/quickstart builds; everything where it names no targets."""
    named = re.search(r"^ *prepare (.*)$", (source / "tools/quickstart").read_text(), re.MULTILINE)
    return named[1].split() if named else []


#
# Build after an edit
#


def measure_edits(arguments, result):
    ninja = ["ninja", "-C", arguments.build]
    # A dry run of build.ninja itself would only report that CMake checks for new files first.
    shutil.copy(arguments.build / "build.ninja", arguments.build / "dry-run.ninja")
    if build_log.objects(dry_run(ninja, arguments)):
        sys.exit(f"error: {arguments.build}: {arguments.edit_target} is not up to date; fix: build it first")
    seconds = build_log.steps((arguments.build / ".ninja_log").read_text())
    included = build_log.includes(run(*ninja, "-t", "deps"), arguments.source, arguments.build)
    earlier = result.get("before", {}).get("edits", {}).get("headers", {})
    headers = {}
    for header in dict.fromkeys([*list(included)[:HEADERS], *arguments.headers, *earlier]):
        if (arguments.source / header).exists():
            headers[header] = {"included_by": included.get(header, 0)} | edit(arguments.source / header, ninja, seconds, arguments)
            print(f"    {header}: {headers[header]['objects']} objects", flush=True)
    return {"target": arguments.edit_target, "headers": headers}


def dry_run(ninja, arguments):
    return run(*ninja, "-f", "dry-run.ninja", "-n", arguments.edit_target)


def edit(path, ninja, seconds, arguments):
    """What a changed file makes old: counted, and built where that is asked for. Otherwise the file gets its time back."""
    status = path.stat()
    path.touch()
    try:
        old = build_log.objects(dry_run(ninja, arguments))
        found = {"objects": len(old), "object_seconds": sum(seconds.get(output, 0.0) for output in old)}
        if arguments.measure_edits:
            wall, cpu, _ = timed(*ninja, "-j", arguments.jobs, arguments.edit_target, env={**os.environ, "CCACHE_DISABLE": "1"})
            found |= {"seconds": wall, "cpu_seconds": cpu}
    finally:
        if not arguments.measure_edits:
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    return found


def measure_dev(arguments, result):
    """Builds behind real edits, without the compiler's cache, in a folder with an object per file. Each edit is taken back."""
    ninja = ["ninja", "-C", arguments.dev_build, "-j", arguments.jobs, arguments.edit_target]
    log = arguments.work / "dev.log"
    if rebuilt(ninja, log)["objects"]:
        print(f"    {arguments.dev_build.name} was not up to date", flush=True)
    found = dict(result.get("dev", {}).get("edits", {})) if arguments.dev_edits else {}
    for name in arguments.dev_edits or DEV_EDITS:
        file, change = DEV_EDITS[name]
        path, text = arguments.source / file, (arguments.source / file).read_text()
        if change(text) == text:
            sys.exit(f"error: {file}: '{name}' changes nothing; fix: correct DEV_EDITS")
        path.write_text(change(text))
        try:
            found[name] = {"file": file} | rebuilt(ninja, log, {**os.environ, "CCACHE_DISABLE": "1"})
        finally:
            path.write_text(text)
            rebuilt(ninja, log)
        print(f"    {name}: {found[name]['objects']} objects, {found[name]['cpu_seconds']:.0f} CPU s", flush=True)
    return {"target": arguments.edit_target, "edits": found}


def rebuilt(ninja, log, environment=None):
    """What a build compiles and how long it takes."""
    with log.open("w") as output:
        wall, cpu, _ = timed(*ninja, env=environment, stdout=output)
    return {"objects": len(build_log.objects(log.read_text())), "cpu_seconds": cpu, "seconds": wall}


#
# The tests
#


def measure_tests(arguments, _):
    """Each tier as tools/test runs it, with the seconds of single cases."""
    verbose = {"LIT_OPTS": f"-j {arguments.jobs} --time-tests", "PYTEST_ADDOPTS": "--durations=0 --durations-min=0.5",
               "PYTEST_XDIST_AUTO_NUM_WORKERS": str(arguments.jobs), "KILN_MINILM": str(arguments.build / "models/minilm")}
    tiers, cases = {}, []
    for tier in arguments.tiers:
        command = ["ctest", "--test-dir", arguments.build, "-j", arguments.jobs, "-L", f"^{tier}$"]
        wall, cpu, _ = timed(*command, check=False, env={**os.environ, **verbose})
        log = (arguments.build / "Testing/Temporary/LastTest.log").read_text(errors="replace")
        found = build_log.tests(log)
        failed = len(re.findall(r"^Test Failed\.$", log, re.MULTILINE))
        tiers[tier] = {"seconds": wall, "cpu_seconds": cpu, "failed": failed, "tests": {name: seconds for name, (seconds, _) in found.items()}}
        cases += [case for name, (_, output) in found.items() for case in build_log.cases(name, output)]
    return {"tiers": tiers, "slowest": sorted(cases, reverse=True)[: build_table.CASES]}


#
# Compiling models
#


def measure_compile(arguments, result):
    import build_models  # needs onnx, unlike the other parts

    chosen = arguments.models or list(build_models.MODELS)
    found = dict(result.get("compile", {}).get("models", {})) if arguments.models else {}
    for name in chosen:
        make, options = build_models.MODELS[name]
        model, package = make(arguments.work), arguments.work / "measured.kiln"
        command = [arguments.build / "bin/kiln", "compile", model, "-o", package, "-q", *options]
        times = [timed(*command) for _ in range(arguments.repeats)]
        found[name] = {"seconds": statistics.median(wall for wall, _, _ in times), "cpu_seconds": statistics.median(cpu for _, cpu, _ in times),
                       "package_bytes": package.stat().st_size}
        package.unlink()
        print(f"    {name}: {found[name]['cpu_seconds']:.1f} CPU s", flush=True)
    return {"models": found}


if __name__ == "__main__":
    main()
