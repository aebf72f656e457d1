#!/usr/bin/env python3
"""Changes bytes of a model or of a package and runs what comes out: every mutant ends in a coded error or in a right result.

    test/fuzz/mutants.py --count 2000 onnx model.onnx
    test/fuzz/mutants.py --count 2000 package model.onnx

Prints a table of how the mutants ended; exit status 1 if one crashed, hung, failed without a code, or gave a wrong result.
Mutants of models that compile are checked by `kiln verify` against the reference. One that fails there is right all the
same where its results are ONNX Runtime's: weights near the largest f32 overflow in both, and not in the reference's double
precision. A mutant of a package either keeps its
hashes, where no change of what is hashed may go unnoticed, or gets right ones ("sealed"), where the checks behind the
hashes have to keep it from crashing before its code runs: only its plan is changed, and it is inspected, not run.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import collections
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))

import packages  # noqa: E402

CODE = re.compile(r"^error: (KILN-E\d{4}): ", re.MULTILINE)


def mutate(data, begin, end, rng):
    """Changes one to four places of [begin, end)."""
    data = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(begin, end)
        kind = rng.randrange(5)
        if kind == 0:
            data[place] ^= 1 << rng.randrange(8)
        elif kind == 1:
            data[place] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))
        elif kind == 2:
            size = min(rng.randint(1, 64), end - place)
            data[place : place + size] = bytes(size)
        elif kind == 3:
            size = min(8, end - place)
            data[place : place + size] = rng.choice((b"\xff" * 8, b"\xff" * 7 + b"\x7f", b"\0\0\0\x80" * 2))[:size]
        else:
            size = min(rng.randint(1, 64), end - place)
            source = rng.randrange(begin, end - size + 1)
            data[place : place + size] = data[source : source + size]
    return bytes(data)


class Runner:
    def __init__(self, kiln, folder, kept):
        self.kiln, self.folder, self.kept = kiln, folder, kept
        self.counts, self.failures = collections.Counter(), []

    def call(self, *arguments):
        """(exit status, code or None); a hang is status 124."""
        command = [str(self.kiln), *map(str, arguments)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120)
        except subprocess.TimeoutExpired:
            return 124, None
        match = CODE.search(done.stderr)
        return done.returncode, match.group(1) if match else None

    def judge(self, number, outcome, status, code, data, suffix):
        ok = status == 0 or (status in (2, 3, 4) and code and code != "KILN-E0900")
        self.counts[outcome if status == 0 else code or f"status {status}"] += 1
        if not ok:
            path = self.kept / f"mutant-{number}{suffix}"
            path.write_bytes(data)
            self.failures.append(f"{path}: status {status}, {code}")


def beside_onnxruntime(model, package):
    """Status 0 if a run of both gives the same, NaN and infinities too."""
    import kiln
    import numpy as np
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    theirs = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    ours = kiln.Session(str(package))
    rng, feeds = np.random.default_rng(0), {}
    dtypes = {"tensor(float)": np.float32, "tensor(int64)": np.int64, "tensor(int32)": np.int32, "tensor(bool)": bool}
    for tensor in theirs.get_inputs():
        shape = [size if isinstance(size, int) else 4 for size in tensor.shape]
        feeds[tensor.name] = rng.integers(0, 2, shape).astype(dtypes[tensor.type])
    found = ours.run({tensor.name: feeds[tensor.name] for tensor in ours.inputs})
    for output, value in zip(theirs.get_outputs(), theirs.run(None, feeds)):
        scale = np.abs(value[np.isfinite(value)]).max(initial=1e-3)
        np.testing.assert_allclose(found[output.name], value, rtol=1e-3, atol=1e-3 * scale)


def run_onnx(runner, model, count, rng):
    data = model.read_bytes()
    source, package = runner.folder / ("m" + model.suffix), runner.folder / "m.kiln"
    for number in range(count):
        mutant = mutate(data, 0, len(data), rng)
        if rng.randrange(10) == 0:
            mutant = mutant[: rng.randrange(len(mutant))]
        source.write_bytes(mutant)
        status, code = runner.call("compile", source, "-o", package, "-q")
        if status == 0:
            status, code = runner.call("verify", package, "--model", source)
            if status == 1:
                status = subprocess.run([sys.executable, __file__, "beside", source, package], capture_output=True).returncode
        runner.judge(number, "right result", status, code, mutant, model.suffix)


def run_packages(runner, model, count, rng):
    package = runner.folder / "m.kiln"
    status, code = runner.call("compile", model, "-o", package, "-q")
    assert status == 0, f"{model} does not compile: {code}"
    data = package.read_bytes()
    hashed = [(s.offset, s.offset + s.size) for s in packages.sections(data) if s.size]
    hashed.append((0, packages.HEADER.size + len(packages.sections(data)) * packages.SECTION.size))
    plan = packages.section(data, "plan")
    for number in range(count):
        sealed = number % 3 == 2
        begin, end = (plan.offset, plan.offset + plan.size) if sealed else rng.choice(hashed)
        mutant = mutate(data, begin, end, rng)
        if sealed:
            mutant = packages.seal(mutant)
        elif rng.randrange(10) == 0:
            mutant = mutant[: rng.randrange(len(mutant))]
        package.write_bytes(mutant)
        status, code = runner.call("inspect", "--check", package) if sealed else runner.call("run", package)
        if status == 0 and not sealed and mutant != data:
            status, code = 1, "a change that was not noticed"
        runner.judge(number, "sealed and consistent" if sealed else "unchanged", status, code, mutant, ".kiln")


def main():
    if sys.argv[1:2] == ["beside"]:  # in a separate process: a hostile model may crash ONNX Runtime
        return beside_onnxruntime(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=("onnx", "package"))
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    folder = pathlib.Path(os.environ.get("KILN_BIN", pathlib.Path(__file__).resolve().parents[2] / "build" / "bin"))
    parser.add_argument("--kiln", type=pathlib.Path, default=folder / "kiln")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path(), help="the folder for mutants that fail")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(arguments.kiln, pathlib.Path(folder), arguments.keep)
        rng = random.Random(arguments.seed)
        (run_onnx if arguments.kind == "onnx" else run_packages)(runner, arguments.model, arguments.count, rng)
    for outcome, number in runner.counts.most_common():
        print(f"{number:6}  {outcome}")
    for failure in runner.failures:
        print("FAILED", failure)
    return 1 if runner.failures else 0


if __name__ == "__main__":
    sys.exit(main())
