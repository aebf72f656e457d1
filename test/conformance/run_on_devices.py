#!/usr/bin/env python3
"""Compiles the cases of ort_cases.py and ONNX's node tests for the host and for a GPU, in one package, runs them on the
CPU and on the simulated GPU, and compares with the results that the cases give.

Without --subset: all cases; --table writes what came out. With --subset FILE: the cases named there, each of which has to
pass on both. Status 1 if a case is wrong somewhere, or passes on the host and not on the GPU; 77 (skipped) if ONNX's node
tests are not there; the cases of ort_cases.py run all the same.

Cases that unsupported.txt names are known to differ from ONNX's results: they count as `differs`.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import concurrent.futures
import dataclasses
import importlib.util
import json
import os
import pathlib
import queue
import subprocess
import sys
import tempfile
import threading
import time

import cases
import device_table
import ort_cases

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77


@dataclasses.dataclass
class Outcome:
    """Of a case on a device."""

    verdict: str  # pass, refused, wrong, differs
    reason: str


class Worker:
    """A process of device_worker.py. A case that ends it, or that was wrong, gets the next one a new process."""

    def __init__(self, options):
        self.options = options
        self.process = None

    def start(self):
        options = self.options
        command = [sys.executable, HERE / "device_worker.py", "--kiln", options.kiln, "--device", options.device,
                   "--target", options.target, "--work", options.scratch, "--timeout", str(options.timeout)]
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
                                        text=True)

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.communicate()
            self.errors.close()
        self.process = None

    def line(self):
        """The next message; None if the process ended or did not answer in time, which ends it."""
        # The compiler has its own limit, which comes first.
        timer = threading.Timer(self.options.timeout + 15, self.process.kill)
        timer.start()
        text = self.process.stdout.readline()
        timer.cancel()
        return json.loads(text) if text else None

    def how_it_ended(self, seconds):
        status = self.process.wait()
        if seconds > self.options.timeout:
            return f"has not ended after {self.options.timeout:g} s"
        self.errors.seek(0)
        said = self.errors.read().decode(errors="replace").strip()
        return f"ended with {status}: {said[-2000:]}"

    def judge(self, folder):
        if not self.process:
            self.start()
        outcome, stage = {}, "the start"
        self.process.stdin.write(f"{folder}\n")
        self.process.stdin.flush()
        while True:
            begin = time.monotonic()
            message = self.line()
            if message is None:
                ended = Outcome("wrong", f"{stage} {self.how_it_ended(time.monotonic() - begin)}")
                outcome = {device: outcome.get(device, ended) for device in ("host", "sim")}
                break
            if "done" in message:
                break
            if "stage" in message:
                stage = message["stage"]
            else:
                outcome[message["device"]] = Outcome(message["verdict"], message["reason"].strip())
        if any(o.verdict == "wrong" for o in outcome.values()):
            self.stop()
        return outcome


def run_all(folders, options):
    """{case: {device: Outcome}}, in the order of the names."""
    idle = queue.SimpleQueue()
    workers = [Worker(options) for _ in range(options.jobs)]
    for worker in workers:
        idle.put(worker)

    def judge(folder):
        worker = idle.get()
        try:
            outcome = worker.judge(folder)
        finally:
            idle.put(worker)
        for device, found in outcome.items():
            if found.verdict == "wrong" or options.verbose:
                print(f"{folder.name}: {device}: {found.verdict} {found.reason}", flush=True)
        return folder.name, outcome

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = dict(sorted(pool.map(judge, folders)))
    for worker in workers:
        worker.stop()
    return results


def known_to_differ():
    """Lines of unsupported.txt that are names of cases."""
    lines = (line.split("#")[0].strip() for line in (HERE / "unsupported.txt").read_text().splitlines())
    return {line for line in lines if line and " " not in line}


def excuse(results):
    """Makes `wrong` into `differs` where that is known."""
    for name in known_to_differ() & results.keys():
        for outcome in results[name].values():
            if outcome.verdict == "wrong" and outcome.reason.startswith("output "):
                outcome.verdict = "differs"


def problems(results):
    for name, outcome in results.items():
        host, sim = outcome["host"].verdict, outcome["sim"].verdict
        if "wrong" in (host, sim):
            yield f"{name}: wrong"
        elif host != sim:
            yield f"{name}: {host} on the host, {sim} on the GPU"


def select(folders, options):
    """The cases that are wanted, and what is wrong with that wish."""
    if not options.subset:
        chosen = [f for f in folders if not options.tests or any(test in f.name for test in options.tests)]
        return chosen, []
    lines = (line.split("#")[0].strip() for line in options.subset.read_text().splitlines())
    wanted = {line for line in lines if line}
    missing = sorted(wanted - {folder.name for folder in folders})
    return [folder for folder in folders if folder.name in wanted], missing


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", type=pathlib.Path, required=True, help="the program")
    parser.add_argument("--driver", type=pathlib.Path, required=True, help="the simulated driver")
    parser.add_argument("--data", type=pathlib.Path, required=True, help=f"the folder of {cases.ARCHIVE}")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="where it is unpacked")
    parser.add_argument("--device", default="sim:a100")
    parser.add_argument("--target", default="sm_80")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=60, help="of a compilation or a run, in seconds")
    parser.add_argument("--subset", type=pathlib.Path, help="a file of names, one in a line")
    parser.add_argument("--table", type=pathlib.Path, help="where to write the table")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("tests", nargs="*", help="only cases whose name contains one of these")
    return parser.parse_args()


def main():
    options = arguments()
    if not options.driver.exists():
        print(f"SKIPPED: {options.driver} is absent (KILN_BUILD_SIM is off), so no case was run")
        return SKIPPED
    if not importlib.util.find_spec("kiln"):
        print("SKIPPED: the Python package is not in PYTHONPATH (KILN_BUILD_PYTHON is off), so no case was run")
        return SKIPPED
    os.environ["KILN_SIM_DRIVER"] = str(options.driver)
    archive = options.data / cases.ARCHIVE
    with tempfile.TemporaryDirectory() as scratch:
        options.scratch = pathlib.Path(scratch)
        ort_cases.write_all(options.scratch / "ort")
        folders = cases.find(options.scratch / "ort")
        if archive.exists():
            data = cases.unpack(archive, options.work)
            folders += cases.find(data / "node", data / "simple")
        chosen, missing = select(folders, options)
        begin = time.monotonic()
        results = run_all(chosen, options)
        seconds = time.monotonic() - begin
    excuse(results)
    found = list(problems(results))
    if options.subset:
        found += [f"{name}: {device}: {outcome.verdict} {outcome.reason}" for name, both in results.items()
                  for device, outcome in both.items() if outcome.verdict == "refused"]
        found += [f"{name}: there is no such case" for name in missing if archive.exists()]
    if options.table:
        options.table.write_text(device_table.text(results, options))
    for line in found:
        print(f"PROBLEM {line}")
    print(f"{device_table.totals(results)}; {len(found)} problems; {seconds:.0f} s")
    if not archive.exists():
        print(f"SKIPPED: {archive} is not there, so no node test of ONNX was run")
    return 1 if found else 0 if archive.exists() else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
