#!/usr/bin/env python3
"""Compiles cases and runs them on devices, for run_on_devices.py, which survives what this process does not.

Reads a folder per line and answers with lines of JSON: {"stage": ...} before anything that may crash or hang,
{"device": ..., "verdict": ..., "reason": ...} for each device, and {"done": true}. The verdict is pass, refused (the
compiler said why, with a code) or wrong. Whatever a run leaves on stderr is wrong: the simulated GPU reports there.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

import kiln
import onnx

import cases

CODE = re.compile(r"^error: KILN-(E\d{4}): (.*)", re.MULTILINE)
PLACE = re.compile(r"' \(([\w.]+)")
FREEZES = ("E0120", "E0122")  # what importing says where a shape is an input


def say(**message):
    print(json.dumps(message), flush=True)


class Worker:
    def __init__(self, options):
        self.options = options
        self.package = options.work / f"{os.getpid()}.kiln"
        self.frozen = options.work / f"{os.getpid()}.onnx"

    def compile(self, model, target):
        """"" or why not."""
        command = [self.options.kiln, "compile", model, "--no-state", "-o", self.package, "--target", target, "--threads", "1", "-q"]
        limit = self.options.timeout
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=limit)
        except subprocess.TimeoutExpired:
            return f"kiln compile has not ended after {limit:g} s"
        if done.returncode == 0:
            return ""
        return done.stderr if CODE.search(done.stderr) else f"kiln compile ended with {done.returncode}: {done.stderr}"

    def compile_case(self, path, model, data, target):
        say(stage=f"the compiler for {target}")
        error = self.compile(path, target)
        code = CODE.search(error)
        if code and code[1] in FREEZES and data:
            onnx.save(cases.freeze(model, data), self.frozen)
            error = self.compile(self.frozen, target)
        return error

    def case(self, folder):
        path = folder / "model.onnx"
        model = onnx.load(path, load_external_data=False)
        data = cases.load(folder, model.graph)
        devices = {"host": ("cpu", "native"), "sim": (self.options.device, self.options.target)}
        # Both in one package, as users have it. If that fails one target may be at fault, and the other be fine.
        error = self.compile_case(path, model, data, ",".join(target for _, target in devices.values()))
        for name, (device, target) in devices.items():
            if error:
                refused = self.compile_case(path, model, data, target)
            verdict, reason = refusal(refused, model) if error and refused else self.run(data, device)
            say(device=name, verdict=verdict, reason=reason)

    def run(self, data, device):
        if data is None:
            return "refused", "types of inputs or outputs that NumPy has not"
        say(stage=f"the run on {device}")
        silent = os.fstat(2).st_size
        try:
            session = kiln.Session(self.package, device=device)
            outputs = session.run({tensor.name: data.inputs[tensor.name] for tensor in session.inputs})
            del session
        except kiln.Error as error:
            return "wrong", f"{said_since(silent)} {error}"
        if said := said_since(silent):
            return "wrong", said
        for name, expected in data.outputs.items():
            if difference := cases.difference(outputs[name], expected):
                return "wrong", f"output {name}: {difference}"
        return "pass", ""


def said_since(place):
    """What this process wrote to stderr, a file, after its first `place` bytes."""
    return os.pread(2, 1 << 16, place).decode(errors="replace")


def refusal(error, model):
    """What `kiln compile` says, as a key of unsupported.txt."""
    code = CODE.search(error)
    if not code:
        return "wrong", error
    place = PLACE.search(code[2])
    op = place[1] if place else model.graph.node[0].op_type if model.graph.node else "?"
    return "refused", f"{code[1]} {op}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("kiln", "device", "target"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--timeout", type=float, required=True, help="of the compiler, in seconds")
    worker = Worker(parser.parse_args())
    for line in sys.stdin:
        worker.case(pathlib.Path(line.strip()))
        say(done=True)


if __name__ == "__main__":
    main()
