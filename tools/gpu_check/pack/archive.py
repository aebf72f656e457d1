"""Compiles models, evaluates them, and writes the archive."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import tarfile

import numpy as np
import onnx

from . import reference
from .model import BF16

LIMIT = 64 << 20
README = """Kiln's GPU check. Needs Linux on x86-64 with glibc 2.34 and an NVIDIA driver of CUDA 12.0 or later; nothing else.

  sha256sum --quiet -c SHA256SUMS
  ./gpu-check run                 everything, on GPU 0; gpu-check-out/report.json
  ./gpu-check run --only bits     one part
  ./gpu-check --help
"""


class PackError(Exception):
    pass


class Packer:
    """Fills a folder; `kiln` is the compiler."""

    def __init__(self, folder, kiln, targets):
        self.folder, self.kiln, self.targets = pathlib.Path(folder), kiln, targets
        self.cases, self.speeds = [], []

    def compile(self, model, package, flags=(), heroes=()):
        path = self.folder / package
        path.parent.mkdir(parents=True, exist_ok=True)
        source = path.with_suffix(".onnx")
        onnx.save(model, source)
        self.call("compile", source, "-o", path, "--target", self.targets, "-q", *flags)
        source.unlink()
        found = {step["hero"] for step in json.loads(self.call("inspect", path, "--json"))["steps"]}
        if missing := set(heroes) - found:
            raise PackError(f"{package}: no step of {sorted(missing)}; the plan has {sorted(found)}")

    def call(self, *words):
        done = subprocess.run([str(self.kiln), *map(str, words)], capture_output=True, text=True)
        if done.returncode:
            raise PackError(f"kiln {' '.join(map(str, words))} ended with {done.returncode}\n{done.stderr}")
        return done.stdout

    def add_case(self, name, model, feeds, tolerance="-", flags=(), heroes=()):
        package = f"cases/{name}/model.kiln"
        self.compile(model, package, flags, heroes)
        place = (self.folder / package).parent
        for i, array in enumerate(feeds.values()):
            save(place / f"in{i}.npy", array)
        for i, array in enumerate(reference.evaluate(model, feeds)):
            save(place / f"out{i}.npy", narrow(array, model.graph.output[i].type.tensor_type.elem_type))
        self.cases.append(f"{name} {package} {tolerance}")

    def add_speed(self, kind, name, where, keys=(), model=None, package=None, flags=(), heroes=()):
        if model is not None:
            package = f"speed/{name}.kiln"
            self.compile(model, package, flags, heroes)
        self.speeds.append(" ".join([kind, name, package, where, *(f"{k}={v}" for k, v in dict(keys).items())]))

    def finish(self, build, out):
        """Adds the programs, writes tables and checksums, and packs everything. Returns the bytes of the archive."""
        (self.folder / "lib").mkdir(exist_ok=True)
        copy_program(build / "bin/kiln-gpu-check", self.folder / "gpu-check")
        copy_program(build / "lib/libkiln_runtime.so.0", self.folder / "lib/libkiln_runtime.so.0")
        copy_program(build / "lib/libkiln_sim_cuda.so", self.folder / "lib/libkiln_sim_cuda.so")
        (self.folder / "README.txt").write_text(README)
        (self.folder / "cases.txt").write_text("# name package tolerance\n" + "\n".join(self.cases) + "\n")
        (self.folder / "speed.txt").write_text("# kind name package where key=value...\n" + "\n".join(self.speeds) + "\n")
        files = sorted(path for path in self.folder.rglob("*") if path.is_file())
        sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(self.folder)}" for path in files]
        (self.folder / "SHA256SUMS").write_text("\n".join(sums) + "\n")
        write_tar(out, self.folder, [*files, self.folder / "SHA256SUMS"])
        size = os.path.getsize(out)
        if size > LIMIT:
            os.remove(out)
            raise PackError(f"{out} would take {size / 2**20:.1f} MiB; at most {LIMIT >> 20} MiB are allowed")
        return size


def narrow(array, element):
    """A result as it is stored: f32 holds all that a comparison with 16 bits can see."""
    return array.astype(np.float32) if element in (onnx.TensorProto.FLOAT16, onnx.TensorProto.BFLOAT16) else array


def save(path, array):
    # NumPy lacks bf16; the runtime reads it as two raw bytes.
    np.save(path, array.view("V2") if array.dtype == BF16 else array)


def copy_program(source, target):
    shutil.copyfile(os.path.realpath(source), target)
    os.chmod(target, 0o755)
    if strip := shutil.which("strip"):
        subprocess.run([strip, "--strip-unneeded", str(target)], check=True)


def write_tar(out, folder, files):
    """The same bytes for the same files: no times, no owners."""
    with tarfile.open(out, "w") as tar:
        for path in files:
            entry = tarfile.TarInfo(f"gpu-check/{path.relative_to(folder)}")
            entry.size, entry.mode = path.stat().st_size, 0o755 if os.access(path, os.X_OK) else 0o644
            with open(path, "rb") as content:
                tar.addfile(entry, content)
