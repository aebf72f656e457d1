"""The trials of the runtime by family: how to run each, and which results are right."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import dataclasses
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
sys.path.insert(0, str(ROOT / "test" / "e2e"))

import decoders  # noqa: E402
import hostile  # noqa: E402
import models  # noqa: E402
import tool  # noqa: E402

REFUSED = r"KILN-E050[0-9]"
SAME = "same bits"


@dataclasses.dataclass
class Setup:
    """Programs and packages, made once."""

    driver: pathlib.Path
    reload: pathlib.Path
    library: pathlib.Path
    small: pathlib.Path  # x f32[batch,seq,8] -> y
    decoder: pathlib.Path  # tinylm
    folder: pathlib.Path
    environment: dict
    seed: int


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout[-2000:]}{done.stderr}"
    return done.stdout


def set_up(folder, seed):
    prefix = folder / "installed"
    run("cmake", "--install", os.environ["KILN_BUILD"], "--component", "runtime", "--prefix", prefix)
    library = next(prefix.rglob("libkiln_runtime.so"))
    flags = ["-Wall", "-Wextra", "-Werror", "-O1", "-g", "-I", prefix / "include", "-pthread", "-ldl"]
    compiler = shutil.which("clang++-22") or "c++"
    run(compiler, "-std=c++17", *sorted((FOLDER / "driver").glob("*.cpp")), *flags, "-L", library.parent, "-lkiln_runtime", "-rdynamic",
        "-o", folder / "driver")
    run("cc", "-std=c11", FOLDER / "reload.c", *flags, "-o", folder / "reload")
    models.write(folder / "small.onnx", models.MLP)
    tool.call("compile", folder / "small.onnx", "-o", folder / "small.kiln", "--dims", "batch=1..4,seq=1..16")
    environment = os.environ | {"LD_LIBRARY_PATH": str(library.parent)}
    decoder = decoders.compile_tinylm(folder)
    return Setup(folder / "driver", folder / "reload", library, folder / "small.kiln", decoder, folder, environment, seed)


def drive(setup, *arguments):
    """(trial, result) of each line; the driver itself must end well, and in time."""
    text = run(setup.driver, *arguments, env=setup.environment, timeout=1200)
    return [tuple(line.split("\t", 1)) for line in text.splitlines()]


def of_packages(change, package):
    def trials(setup, count):
        folder = setup.folder / f"{change.__name__}-{package}"
        folder.mkdir()
        data = getattr(setup, package).read_bytes()
        for name, bytes_of in [("as it is", data), *change(random.Random(f"{setup.seed}{folder.name}"), data, count)]:
            (folder / name).write_bytes(bytes_of)
        found = drive(setup, "packages", folder)
        same = dict(found)["as it is"]
        return [(name, SAME if result == same else result) for name, result in found if name != "as it is"]

    return trials


def of_allocations(kinds, package):
    return lambda setup, step: drive(setup, "allocations", getattr(setup, package), kinds, step)


def of_environment(setup, count):
    root = setup.folder / "root"
    root.mkdir()
    shutil.copy(setup.small, root / "m.kiln")
    return drive(setup, "environments", setup.small, root)


def of_reload(setup, count):
    text = run(setup.reload, setup.library, setup.small, count, env=setup.environment)
    return [tuple(line.split("\t", 1)) for line in text.splitlines()]


@dataclasses.dataclass
class Family:
    name: str
    trials: object  # (setup, count) -> [(trial, result)]
    right: str  # regular expression of valid results
    counts: tuple  # number of trials, or step between them: in an ordinary run, and in a full one

    def wrong(self, found):
        return [f"{trial}: {result}" for trial, result in found if not re.fullmatch(self.right, result)]

    def summary(self, found):
        """Number of trials, and how often each result came."""
        counts = collections.Counter(re.sub(r"^ran [0-9a-f]+$", "other bits", result) for _, result in found)
        return len(found), ", ".join(f"{result} {count}" for result, count in sorted(counts.items()))


MEMORY = "KILN-E0700|KILN-E0703|unharmed"
SKIPPED = "skipped: .*"
VALID = rf"KILN-E05\d\d|KILN-E06\d\d|KILN-E0700|{SAME}|ran .*"  # a changed plan may be valid and give other results
FAMILIES = [
    Family("package of a perceptron, damaged: flip, cut, swap, zero, tail", of_packages(hostile.damaged, "small"), rf"{REFUSED}|{SAME}", (30, 150)),
    Family("package of a decoder, damaged", of_packages(hostile.damaged, "decoder"), rf"{REFUSED}|{SAME}", (30, 60)),
    Family("package of a perceptron, damaged, hashes made right again", of_packages(hostile.sealed, "small"),
           VALID, (40, 300)),
    Family("package of a decoder, damaged, hashes made right again", of_packages(hostile.sealed, "decoder"), VALID, (20, 100)),
    Family("one allocation on the heap fails: load, check, create, shapes, run", of_allocations(1, "small"), MEMORY, (5, 1)),
    Family("one allocation on the heap fails, a decoder", of_allocations(1, "decoder"), MEMORY, (50, 5)),
    Family("one mapping fails", of_allocations(2, "small"), f"{MEMORY}|KILN-E0004", (1, 1)),
    Family("one thread cannot start", of_allocations(4, "small"), "unharmed", (1, 1)),
    Family("wrong calls", lambda setup, _: drive(setup, "calls", setup.small), "KILN-E0\\d\\d\\d|runs|nothing", (1, 1)),
    Family("alarms during loads and runs", lambda setup, count: [t for t in drive(setup, "signals", setup.small, count) if t[0]], SAME, (1, 8)),
    Family("forks beside loads and runs", lambda setup, count: drive(setup, "forks", setup.small, count), SAME, (10, 60)),
    Family("exits at once after loading, from an observer, beside runs", lambda setup, count: drive(setup, "exits", setup.small, count), "exits", (5, 60)),
    Family("limits: address space, files, stack, locked memory, threads, CPUs", lambda setup, _: drive(setup, "limits", setup.small),
           rf"{SAME}|KILN-E0700|KILN-E0002|KILN-E0703|{SKIPPED}", (1, 1)),
    Family("floating-point environments, small stacks, no /proc and /sys", of_environment, f"{SAME}|no such stack|{SKIPPED}", (1, 1)),
    Family("file of a package changed between runs", lambda setup, _: drive(setup, "files", setup.small, setup.folder), rf"{SAME}|KILN-E0514", (1, 1)),
    Family("four threads: load, check, create, run, cancel, ask", lambda setup, count: drive(setup, "threads", setup.small, setup.seed, count), SAME, (10, 100)),
    Family("dlopen and dlclose", of_reload, "loads", (10, 40)),
]
