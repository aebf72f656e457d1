#!/usr/bin/env python3
# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the compiled Triton kernels of generated/ on the simulated GPU, against references in numpy.

    run.py LIBRARY [--arch 80,89,90] [--table FILE] [--same-table FILE] [--verbose] [CASE ...]

LIBRARY is libkiln_sim_cuda.so. All detectors are on: what they find is a failure, as is a number outside its tolerance.
--table writes the table of docs/hacking/triton.md.
"""
import argparse
import json
import lzma
import os
import sys
import tempfile
import time

try:
    import numpy as np
except ImportError:
    print("no numpy here")
    sys.exit(77)

from cases import ARCHS, HERE, Descriptor, Fresh, load
from driver import Context, Driver, DriverError
from formats import NATIVE, from_bits

VERSION = "3.9.0"  # Triton's version that made generated/
DEVICES = {80: "a100", 89: "l40s", 90: "h100"}
# Triton's element types by their metadata numbers, mapped to the driver's numbers.
ELEMENTS = {8: 10, 9: 8, 10: 9}


def packed(value, kind):
    return np.asarray(value).astype(NATIVE[kind.removesuffix("/16")]).tobytes()


def descriptor(context, argument, address, metadata):
    """The parameters that a descriptor of the host becomes."""
    array = argument.array
    shape = list(array.shape)
    strides = [s // array.itemsize for s in array.strides]
    long = lambda numbers: [packed(n, "i64") for n in numbers]  # noqa: E731
    short = lambda numbers: [packed(n, "i32") for n in numbers]  # noqa: E731
    if not metadata:
        return [packed(address, "u64"), *long(shape), *long(strides), b"\0", b"\0", *short(shape), *long(strides)]
    element = metadata["elem_type"]
    tensor_map = context.tensor_map(address, shape, strides, metadata["block_size"], ELEMENTS.get(element, element),
                                    metadata["elem_size"], metadata["swizzle"])  # fmt: skip
    return [tensor_map, *short(shape), *long(strides)]


class Memory:
    """The arrays of a test on the device: one that several launches name is there once."""

    def __init__(self, context):
        self.context, self.addresses, self.arrays = context, {}, []

    def address(self, argument):
        key = id(argument)
        if key not in self.addresses:
            self.arrays.append(argument)
            fresh = isinstance(argument, Fresh)
            self.addresses[key] = self.context.allocate(argument.array.nbytes) if fresh else self.context.upload(argument)
        return self.addresses[key]

    def read(self, argument):
        array = argument.array if isinstance(argument, (Fresh, Descriptor)) else argument
        if isinstance(array, Fresh):
            array = array.array
        found = np.empty_like(array)
        self.context.download(self.addresses_of(argument), found)
        return found

    def addresses_of(self, argument):
        return self.address(argument.array if isinstance(argument, Descriptor) else argument)


def parameters(case, launch, compiled, arch, memory, context):
    found, descriptors = [], list(compiled["tensordesc_meta"] or [])
    for name, kind in case.signature_of(arch).items():
        argument = launch.arguments[name]
        if kind.startswith("tensordesc"):
            metadata = descriptors.pop(0) if descriptors else None
            address = memory.addresses_of(argument)
            inner = argument.array.array if isinstance(argument.array, Fresh) else argument.array
            found += descriptor(context, Descriptor(inner, argument.block), address, metadata)
        elif kind.startswith("*"):
            found.append(packed(memory.address(argument), "u64"))
        else:
            found.append(packed(argument, kind))
    blocks = int(np.prod(launch.grid)) * compiled["num_ctas"]
    for scratch in ("global_scratch_size", "profile_scratch_size"):
        size = compiled[scratch] * blocks
        found.append(packed(context.allocate(size) if size else 0, "u64"))
    return found


def difference(found, expected):
    """A line on the worst element that is out of tolerance, or None."""
    values = from_bits(found, expected.format) if expected.format else found
    if values.shape != expected.values.shape:
        values = values.reshape(expected.values.shape)
    if np.asarray(expected.values).dtype.kind in "iub" and values.dtype.kind in "iub":
        wrong = values != expected.values
    else:
        values, wanted = values.astype(np.float64), expected.values.astype(np.float64)
        with np.errstate(invalid="ignore"):
            close = np.abs(values - wanted) <= expected.atol + expected.rtol * np.abs(wanted)
        wrong = ~(close | (values == wanted) | (np.isnan(values) & np.isnan(wanted)))
    if not wrong.any():
        return None
    at = tuple(int(i[0]) for i in np.nonzero(wrong)) if wrong.shape else ()
    return (f"{expected.name}: {int(wrong.sum())} of {wrong.size} wrong, first at {at}: "
            f"found {values[at]!r}, expected {expected.values[at]!r}")  # fmt: skip


def run_case(driver, case, arch):
    """None if all is right, else what is wrong."""
    path = HERE / "generated" / (case.name + ".json.xz")
    if not path.exists():
        return "not compiled: run regenerate.py"
    compiled = json.loads(lzma.decompress(path.read_bytes()))[str(arch)]
    test = case.test(arch)
    with Context(driver, list(DEVICES).index(arch)) as context:
        memory = Memory(context)
        function = context.load(compiled["ptx"], compiled["name"], compiled["shared"])
        for launch in test.launches:
            context.launch(function, launch.grid, compiled["num_warps"] * 32, compiled["shared"],
                           parameters(case, launch, compiled, arch, memory, context), compiled["num_ctas"],
                           compiled["launch_cooperative_grid"], compiled["launch_pdl"])  # fmt: skip
        context.synchronize()
        arguments = test.launches[-1].arguments
        problems = [difference(memory.read(arguments[e.name]), e) for e in test.expected]
        for name, right, format in test.checks:
            found = memory.read(arguments[name])
            if not right(from_bits(found, format) if format else found):
                problems.append(f"{name}: the check of its values failed")
    return "; ".join(p for p in problems if p) or None


class Captured:
    """What the simulator writes to stderr meanwhile."""

    def __enter__(self):
        self.file = tempfile.TemporaryFile()
        self.saved = os.dup(2)
        os.dup2(self.file.fileno(), 2)
        return self

    def __exit__(self, *_):
        os.dup2(self.saved, 2)
        os.close(self.saved)
        self.file.seek(0)
        self.text = self.file.read().decode(errors="replace")


def attempt(driver, case, arch):
    with Captured() as captured:
        try:
            problem = run_case(driver, case, arch)
        except DriverError as error:
            problem = str(error)
    return problem and problem + ("\n" + captured.text.strip() if captured.text.strip() else "")


PAGE = """# Triton kernels on the simulated GPU

The kernels of `test/sim/triton`, which were written for these tests, as Triton {version} compiles them for each architecture: run on the
simulated A100, L40S and H100 with all detectors on, against references in numpy. "right": the numbers are within the tolerance that
the case states, and nothing was found. `python test/sim/triton/run.py build/lib/libkiln_sim_cuda.so --table docs/hacking/triton.md` writes
this page; `runtime/sim/README.md` says what Triton's code needs.

"""


def table(results, archs, version):
    lines = ["| kernel | " + " | ".join(f"sm_{a}{'a' if a == 90 else ''}" for a in archs) + " |",
             "| --- |" + " --- |" * len(archs)]  # fmt: skip
    words = {None: "right"}
    for name, by_arch in results.items():
        cells = [words.get(p, "finding" if p and "kiln-sim:" in p else "wrong") for p in by_arch.values()]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    right = sum(all(p is None for p in by_arch.values()) for by_arch in results.values())
    summary = f"{right} of {len(results)} kernels are right on every architecture, without a finding.\n"
    return PAGE.format(version=version) + summary + "\n" + "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--arch", default=",".join(map(str, ARCHS)))
    parser.add_argument("--table")
    parser.add_argument("--same-table", help="fail if this file is not the table")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_intermixed_args()
    os.environ["KILN_SIM_DEVICES"] = ",".join(DEVICES.values())
    driver = Driver(options.library)
    archs = [int(a) for a in options.arch.split(",")]
    results, failed = {}, 0
    for name, case in load().items():
        if options.cases and not any(pattern in name for pattern in options.cases):
            continue
        results[name] = {}
        for arch in archs:
            start = time.process_time()
            results[name][arch] = problem = attempt(driver, case, arch)
            failed += problem is not None
            if problem or options.verbose:
                print(f"{'FAIL' if problem else 'pass'} {name} sm_{arch} {time.process_time() - start:.2f} s"
                      + (f": {problem}" if problem else ""), flush=True)  # fmt: skip
    print(f"{sum(len(r) for r in results.values()) - failed} of {sum(len(r) for r in results.values())} runs are right")
    if options.table:
        with open(options.table, "w") as file:
            file.write(table(results, archs, VERSION))
    if options.same_table and open(options.same_table).read() != table(results, archs, VERSION):
        print(f"{options.same_table} is not what --table writes")
        failed += 1
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
