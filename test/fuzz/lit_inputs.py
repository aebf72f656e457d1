#!/usr/bin/env python3
"""Changes the inputs and commands of lit's tests by chance: kiln-opt ends by itself, within 5 s, with a result or an error.

    test/fuzz/lit_inputs.py --seconds 60
    test/fuzz/lit_inputs.py --count 100000 --seed 7 --keep found
    test/fuzz/lit_inputs.py --seed 7 --case 1234          one case again, with what kiln-opt says
    test/fuzz/lit_inputs.py --server --seconds 60         as files that an editor opens

A case is one changed input; 16 cases of a test are one call (--split-input-file), whose command may be changed as well: odd
numbers in options, passes too early, twice or of another test. If a call crashes (a signal, or KILN-E0900), or takes longer than
5 s of a CPU for a case, its cases are run alone. Prints the seed, the case and the command of each that fails, one of each kind, by the
innermost functions of Kiln in the stack; exit status 1 if there is one. A case that runs out of its memory with KILN-E0700 is
counted, and does not fail. Passes that run what they are given (kiln-test-evaluate and the like) are left out: it may run long. With
--server, kiln-lsp-server gets the inputs in place of kiln-opt, and questions about their ops.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import time

import ir_mutations

SECONDS = 5  # of a CPU
WAIT = 12  # times as long on the clock, beside other programs
MEMORY = 4 << 30
CASES_PER_CALL = 16
# A function of Kiln in a stack that LLVM prints.
FRAME = re.compile(r"^ *#\d+ 0x\w+ (\(anonymous namespace\)::[\w:~]+|kiln::[\w:~]+|[A-Za-z_][\w:~]*)", re.MULTILINE)


def limit(seconds):
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


class Outcome:
    """The end of a call: "ok", "error", "memory", "hang" or "crash"."""

    def __init__(self, status, message):
        self.status, self.message = status, message
        if status is None or status in (-signal.SIGXCPU, -signal.SIGKILL):
            self.kind = "hang"
        elif "KILN-E0700" in message:
            self.kind = "memory"
        elif status < 0 or status > 4 or "KILN-E0900" in message:
            self.kind = "crash"
        else:
            self.kind = "error" if status else "ok"

    @property
    def failed(self):
        return self.kind in ("hang", "crash")


def session(inputs):
    """What an editor sends that opens files one after the other and points at a place in each."""
    calls = [("initialize", {"processId": None, "rootPath": "", "capabilities": {}})]
    for i, text in enumerate(inputs):
        uri = f"test:///{i}.mlir"
        calls.append(("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "mlir", "version": 1, "text": text}}))
        place = {"textDocument": {"uri": uri}, "position": {"line": len(text) % (text.count("\n") + 1), "character": 8}}
        calls += [("textDocument/hover", place), ("textDocument/definition", place), ("textDocument/completion", place)]
        calls.append(("textDocument/didClose", {"textDocument": {"uri": uri}}))
    calls += [("shutdown", None), ("exit", None)]
    messages = []
    for i, (name, params) in enumerate(calls):
        notification = name in ("textDocument/didOpen", "textDocument/didClose", "exit")
        message = {"jsonrpc": "2.0", "method": name, "params": params} | ({} if notification else {"id": i})
        messages.append(json.dumps(message) + "\n")
    return "// -----\n".join(messages)


class Fuzzer:
    def __init__(self, arguments, folder):
        self.server = arguments.server
        self.tool = arguments.binaries / ("kiln-lsp-server" if self.server else "kiln-opt")
        self.corpus = ir_mutations.Corpus(arguments.filter)
        self.seed, self.keep, self.folder = arguments.seed, arguments.keep, folder
        self.counts, self.kinds = collections.Counter(), collections.Counter()

    def group(self, number):
        """The command and the changed inputs of a call: cases number * 16 to number * 16 + 15."""
        rng = random.Random(f"{self.seed} {number}")
        _, calls, inputs = rng.choice(self.corpus.tests)
        command = [] if self.server else self.corpus.command(calls, rng)
        return command, [ir_mutations.mutate(rng.choice(inputs), rng) for _ in range(CASES_PER_CALL)]

    def call(self, command, path, seconds, **environment):
        words, sent = [str(self.tool), *command, str(path), "-o", os.devnull], None
        if self.server:
            words, sent = [str(self.tool), "-lit-test"], session(path.read_text().split("// -----\n")).encode()
        try:
            done = subprocess.run(words, input=sent, capture_output=True, timeout=seconds * WAIT, preexec_fn=lambda: limit(seconds),
                                  env={**os.environ, "TMPDIR": str(self.folder), **environment})
        except subprocess.TimeoutExpired:
            return Outcome(None, "")
        return Outcome(done.returncode, done.stderr.decode(errors="replace"))

    def run_group(self, number):
        command, cases = self.group(number)
        path = self.folder / f"{number}.mlir"
        path.write_text("// -----\n".join(cases))
        outcome = self.call(["--split-input-file", *command], path, SECONDS * 2)
        found = []
        if outcome.failed or outcome.kind == "memory":
            found = self.run_alone(number, command, cases)
        self.counts.update({outcome.kind: len(cases) - len(found)} if not outcome.failed else {"error": len(cases) - len(found)})
        path.unlink()
        return found

    def run_alone(self, number, command, cases):
        """(case, command, outcome, kind of failure) of those that fail alone."""
        found, path = [], self.folder / f"{number}-alone.mlir"
        for place, text in enumerate(cases):
            path.write_text(text)
            outcome = self.call(command, path, SECONDS)
            if outcome.failed or outcome.kind == "memory":
                found.append((number * CASES_PER_CALL + place, command, outcome, self.kind(outcome, command, path), text))
        path.unlink()
        return found

    def kind(self, outcome, command, path):
        if outcome.kind != "crash":
            return f"{outcome.kind}: {' '.join(command)}"
        stack = self.call(command, path, 60, KILN_CORE="1").message
        frames = [name for name in FRAME.findall(stack) if not re.match(r"(llvm|mlir|std|_|raise|abort|gsignal|main\b)", name)]
        return "crash in " + (", ".join(frames[:2]) or outcome.message.strip().splitlines()[-1:][0][:120] if outcome.message else "?")

    def report(self, found):
        for case, command, outcome, kind, text in found:
            self.counts[outcome.kind] += 1
            if not outcome.failed:
                continue
            self.kinds[kind] += 1
            if self.kinds[kind] > 1:
                continue
            line = f"{self.tool.name} {shlex.join(command)}"
            print(f"FAILED --seed {self.seed} --case {case}: {kind}\n    {line}", flush=True)
            if self.keep:
                self.keep.mkdir(parents=True, exist_ok=True)
                (self.keep / f"{self.seed}-{case}.mlir").write_text(f"// RUN: {line}\n// {kind}\n{text}")

    def run_until(self, end, first, groups, jobs):
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            waiting, number = set(), first
            while waiting or (number < groups and time.monotonic() < end):
                while len(waiting) < jobs * 2 and number < groups and time.monotonic() < end:
                    waiting.add(pool.submit(self.run_group, number))
                    number += 1
                done, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
                for task in done:
                    self.report(task.result())


def show(fuzzer, case):
    """Runs one case with the tool's messages on the terminal."""
    command, cases = fuzzer.group(case // CASES_PER_CALL)
    path = (fuzzer.keep or fuzzer.folder) / f"{fuzzer.seed}-{case}.mlir"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(cases[case % CASES_PER_CALL])
    print(f"{fuzzer.tool.name} {shlex.join(command)}\n{path.read_text()}", flush=True)
    outcome = fuzzer.call(command, path, SECONDS)
    print(f"{outcome.kind}, status {outcome.status}\n{outcome.message}")
    return int(outcome.failed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=sys.maxsize, help="cases at most")
    parser.add_argument("--first", type=int, default=0, help="the case to begin with, to go on with an earlier run")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no case after these")
    parser.add_argument("--case", type=int, help="run this one alone")
    parser.add_argument("--server", action="store_true", help="give them to kiln-lsp-server")
    parser.add_argument("--filter", default="", help="a part of the tests' paths")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", type=pathlib.Path, help="the folder for cases that fail")
    binaries = os.environ.get("KILN_BIN", ir_mutations.ROOT / "build/bin")
    parser.add_argument("--binaries", type=pathlib.Path, default=pathlib.Path(binaries))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        fuzzer = Fuzzer(arguments, pathlib.Path(folder))
        if arguments.case is not None:
            return show(fuzzer, arguments.case)
        first = arguments.first // CASES_PER_CALL
        groups = first + -(-arguments.count // CASES_PER_CALL)
        fuzzer.run_until(time.monotonic() + arguments.seconds, first, groups, arguments.jobs)
    print(f"seed {arguments.seed}, {sum(fuzzer.counts.values())} cases:", dict(fuzzer.counts))
    for kind, count in fuzzer.kinds.most_common():
        print(f"{count:6}  {kind}")
    return 1 if fuzzer.kinds else 0


if __name__ == "__main__":
    sys.exit(main())
