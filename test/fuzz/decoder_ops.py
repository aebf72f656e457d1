#!/usr/bin/env python3
"""Operators of decoders with random shapes, attributes and optional inputs: what the import makes of them, computed by the
reference, against ONNX Runtime.

    test/fuzz/decoder_ops.py --count 200 --kind gqa

Prints how many cases of each kind were right; exit status 1 if one was wrong or refused. `--seed N` repeats a run, `--only K` its
case number K.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import collections
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

import numpy as np
import onnx

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import decoder_cases  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULT = re.compile(r"^  (\S+) = dense<(.*)> : tensor<((?:\d+x)*)(f32|i8)>$", re.MULTILINE)
TYPES = {"f32": np.float32, "i8": np.int8}


def number(text):
    """As MLIR prints one: infinities and NaN by their bits."""
    return struct.unpack("f", struct.pack("I", int(text, 16)))[0] if text.startswith("0x") else float(text)


def values(text):
    """{output: array} of what --kiln-test-evaluate prints."""
    found = {}
    for name, dense, dims, element in RESULT.findall(text):
        shape = [int(dim) for dim in dims.split("x")[:-1]]
        if dense.startswith('"0x'):  # larger constants are printed as bits
            found[name] = np.frombuffer(bytes.fromhex(dense[3:-1]), TYPES[element]).reshape(shape)
            continue
        numbers = [number(word) for word in re.findall(r"[^\[\], ]+", dense)]
        splat = len(numbers) == 1 and np.prod(shape) != 1
        found[name] = np.full(shape, numbers[0]) if splat else np.array(numbers).reshape(shape)
    return found


def evaluate(binaries, model):
    """({output: array}, "") or (None, what the import says)."""
    imported = subprocess.run([binaries / "kiln-translate", "--import-onnx", model], capture_output=True, text=True)
    if imported.returncode:
        return None, imported.stderr
    command = [binaries / "kiln-opt", "--kiln-test-evaluate", "-o", os.devnull]
    done = subprocess.run(command, input=imported.stdout, capture_output=True, text=True)
    return (None, done.stderr) if done.returncode else (values(done.stdout + done.stderr), "")


def judge(binaries, case, path):
    """None, or what is wrong."""
    onnx.save(case.model(constant=True), path)
    found, message = evaluate(binaries, path)
    if found is None:
        return message
    try:
        expected = case.expected()
    except Exception as error:  # ONNX Runtime rejects it: not a case
        return f"the judge: {error}"
    for name, right in expected.items():
        if name not in found:
            return f"no result {name}"
        if found[name].shape != right.shape:
            return f"{name}: shape {found[name].shape}, expected {right.shape}"
        if not np.allclose(found[name], right, rtol=2e-5, atol=2e-5):
            return f"{name} is off by {np.abs(found[name] - right).max()}"
    return None


def make(kind, seed, number):
    return decoder_cases.KINDS[kind](np.random.default_rng([seed, number, *kind.encode()]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=50, help="of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int)
    parser.add_argument("--kind", nargs="+", choices=decoder_cases.KINDS, default=list(decoder_cases.KINDS))
    parser.add_argument("--binaries", type=pathlib.Path, default=pathlib.Path(os.environ.get("KILN_BIN", ROOT / "build/bin")))
    arguments = parser.parse_args()
    right, failures = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        for kind in arguments.kind:
            for index in range(arguments.count) if arguments.only is None else [arguments.only]:
                case = make(kind, arguments.seed, index)
                wrong = judge(arguments.binaries, case, pathlib.Path(folder) / "m.onnx")
                right[kind] += not wrong
                if wrong:
                    failures += 1
                    shapes = {name: array.shape for name, array in case.inputs.items() if array is not None}
                    print(f"FAILED {kind} {index}: {case.attributes} {shapes}\n  {wrong}", flush=True)
    for kind, count in right.items():
        print(f"{count:6}  {kind}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
