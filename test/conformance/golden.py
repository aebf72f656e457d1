#!/usr/bin/env python3
"""Records what must not change when the compiler is rewritten, and compares with what was recorded.

    test/conformance/golden.py record FILE.json    before the change
    test/conformance/golden.py check FILE.json     after it: prints what differs, exit status 1 if anything does

For every kernel that tools/gpu-check packs (products, attention, rows, movement; f32, f16, bf16): the SHA-256 of its package
for x86-64-v3, and of its results on the simulated A100 and H200. `--select A,B`: only cases with A or B in their names.
A change of the order of sums changes bits of results: such cases are recorded anew, and the commit says which they are.
golden.json beside this script is the last record (LLVM 22.1.8).
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/gpu_check"))
GPUS = {"sim:a100": "sm_80", "sim:h200": "sm_90a"}


def cases(selected):
    from pack import kernels, products

    parts = [part for part in selected.split(",") if part]
    found = [*products.cases(), *kernels.cases()]
    return [case for case in found if not parts or any(part in case.name for part in parts)]


def build(kiln, case, target, folder):
    import onnx

    model, package = folder / "model.onnx", folder / "model.kiln"
    onnx.save(case.build(), model)
    command = [str(kiln), "compile", model, "-o", package, "--target", target, "-q", "--threads", "1", *case.flags]
    done = subprocess.run(command, capture_output=True, text=True)
    return (package, "") if done.returncode == 0 else (None, done.stderr.strip().splitlines()[-1])


def digest(parts):
    sums = hashlib.sha256()
    for part in parts:
        sums.update(part)
    return sums.hexdigest()[:32]


def record(kiln, device, selected):
    """{case: digest} for the host or one simulated GPU: a process models one."""
    found = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for case in cases(selected):
            package, error = build(kiln, case, GPUS.get(device, "x86-64-v3"), folder)
            if error:
                found[case.name] = error
            elif device == "host":
                found[case.name] = digest([package.read_bytes()])
            else:
                import kiln as runtime

                results = runtime.Session(package, device=device).run(case.feeds)
                found[case.name] = digest(results[key].tobytes() for key in sorted(results))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("record", "check", "part"), help="part: one device, to standard output")
    parser.add_argument("file")
    parser.add_argument("--select", default="")
    parser.add_argument("--kiln", type=pathlib.Path,
                        default=pathlib.Path(os.environ.get("KILN_BIN", ROOT / "build/bin")) / "kiln")
    arguments = parser.parse_args()
    if arguments.action == "part":
        return print(json.dumps(record(arguments.kiln, arguments.file, arguments.select)))

    def part(device):
        command = [sys.executable, __file__, "part", device, "--select", arguments.select, "--kiln", arguments.kiln]
        return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)

    devices = ["host", *GPUS]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = dict(zip(devices, pool.map(part, devices)))
    path = pathlib.Path(arguments.file)
    if arguments.action == "record":
        path.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
        return print(f"{path}: {sum(map(len, found.values()))} digests")
    before, differ = json.loads(path.read_text()), 0
    for device, digests in found.items():
        for name, value in digests.items():
            if before[device].get(name) != value:
                differ += 1
                print(f"{device} {name}: {before[device].get(name)} -> {value}")
    print(f"{differ} of {sum(map(len, found.values()))} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
