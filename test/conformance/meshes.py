#!/usr/bin/env python3
"""Runs models on several ranks, as threads, as processes and as simulated GPUs, and compares them with one rank and with each
other. Writes one line per model and mesh; exit status 1 if something differs that must not.

  PYTHONPATH=build/python build/venv/bin/python test/conformance/meshes.py --table test/conformance/meshes.md
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "models"))

from bert import save  # noqa: E402
from decoder import config as shapes  # noqa: E402
from decoder import gpt2, past, weights  # noqa: E402

MESHES = ("tp=2", "tp=4", "sp=2", "cp=2", "cp=4", "pp=2", "pp=4", "pp=2,tp=2", "pp=2,sp=2", "pp=2,cp=2", "tp=2,cp=2", "dcp=2", "tp=2,dcp=2")
ENCODER = ["--dims", "batch=1..2,sequence=1..40"], ["--dims", "batch=2,sequence=37"]
DECODER = ["--dims", "rows=1..2,capacity=1..128,sequence=1..64"], ["--entry", "prefill", "--dims", "rows=2,capacity=64,sequence=37"]
GPT2 = ["--dims", "rows=1..2,capacity=1..64,sequence=1..64"], DECODER[1]  # it has 64 positions
MODELS = ("minilm", "tinylm", "tinylm int4", *shapes.FAMILIES, "gpt2")
TOLERANCE = 1e-4  # of the root mean square of an output; all is computed in f32
CODE_TOLERANCE = 2e-2  # of a row in which an activation of 8 bits was rounded to a neighbour
SEEDS = range(1, 5)  # of prompts among whose rows some must have none
PROMPT, STEPS = "7,30,11", 64
HEADER = """# Models on several ranks

Written by

    PYTHONPATH=build/python build/venv/bin/python test/conformance/meshes.py --table test/conformance/meshes.md

"error" is the largest difference of an output (encoders: 2 sequences of 37 tokens; decoders: the logits of such a prompt) from that of one rank on the CPU, over the
root mean square of the output; 0 says the same bits. "processes" compares the bits of a process per rank with those of threads. On GPUs (sim:a100, a simulated GPU per
rank) collectives go through host memory and through the modelled NCCL; "NCCL" compares the bits of both. "tokens": how many of 64 greedy tokens (gpt2: 61) are those of one rank.
Products of `tinylm int4` round their rows to 8 bits. Where sums are in another order (`tp`, `sp`, `dcp`), a number at the edge of two codes gets the other one now and then, and its row
differs by a code's step from there on; all other rows differ as those of f32 do.

| model | mesh | error | processes | error on GPUs | NCCL | tokens |
| --- | --- | ---: | --- | ---: | --- | ---: |
"""


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", type=pathlib.Path, default=ROOT / "build/bin/kiln")
    parser.add_argument("--driver", type=pathlib.Path, default=ROOT / "build/lib/libkiln_sim_cuda.so")
    parser.add_argument("--models", nargs="+", choices=MODELS, default=MODELS)
    parser.add_argument("--meshes", nargs="+", default=MESHES)
    parser.add_argument("--table", type=pathlib.Path, help="where to write the table (default: print it)")
    return parser.parse_args()


def build(name, folder):
    """The ONNX model, and what `kiln compile` and `kiln run` get for it."""
    path = folder / f"{name.split()[0]}.onnx"
    if name.startswith(("minilm", "tinylm")):
        real = ROOT / "build/models/minilm.onnx"
        if name == "minilm" and real.exists():
            return real, *ENCODER
        builder = "minilm-shape" if name == "minilm" else "tinylm"
        subprocess.run([sys.executable, ROOT / "models/build.py", builder, "-o", path], check=True)
        return path, *(ENCODER if name == "minilm" else DECODER)
    config = shapes.GPT2_SMALL if name == "gpt2" else shapes.FAMILIES[name]
    values = (weights.gpt2_seeded if name == "gpt2" else weights.seeded)(config, 3, np.dtype(np.float32))
    save.save(*(gpt2 if name == "gpt2" else past).build(config, values), path, False)
    return path, *(GPT2 if name == "gpt2" else DECODER)


class Judge:
    """One model."""

    def __init__(self, arguments, name, folder):
        self.kiln, self.folder, self.name = arguments.kiln, folder, name
        self.driver = arguments.driver
        self.model, self.dims, self.run_options = build(name, folder)
        self.options = ["--target", "native,sm_80", *(["--precision", "int4"] if name.endswith("int4") else [])]
        self.one = self.compile("")
        self.names = re.findall(r"^ *output +(\S+)", self.call("inspect", self.one).stdout, re.MULTILINE)
        self.expected, self.tokens = self.outputs(self.one), self.generate(self.one)

    def call(self, *command, check=True, **environment):
        command = [str(word) for word in (self.kiln, *command)]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
        if check and done.returncode:
            sys.exit(f"{' '.join(command)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def compile(self, mesh):
        """The package; why there is none, in words."""
        path = self.folder / "m.kiln" if mesh else self.folder / "one.kiln"
        split = ["--shard", mesh] if mesh else []
        done = self.call("compile", self.model, "-o", path, "-q", *split, *self.dims, *self.options, check=not mesh)
        if "KILN-E0209" in done.stderr:
            return done.stderr.split("KILN-E0209: ")[1].split("; fix:")[0]
        if done.returncode:
            sys.exit(done.stderr)
        return path

    def outputs(self, package, *options, processes=1, **environment):
        files = {name: self.folder / f"{number}.npy" for number, name in enumerate(dict.fromkeys(self.names))}
        for file in files.values():
            file.unlink(missing_ok=True)
        asked = [f"--output={name}=@{file}" for name, file in files.items()]
        # A stage of a pipeline takes its time on a simulated GPU.
        patience = ["--timeout", "600"]
        command = [str(word) for word in (self.kiln, "run", package, "-q", *self.run_options, *asked, *patience, *options)]
        base = {**os.environ, **environment}
        if processes > 1:
            base |= {"WORLD_SIZE": str(processes), "MASTER_ADDR": f"meshes-{os.getpid()}", "MASTER_PORT": "1"}
        ranks = [subprocess.Popen(command, env=base | ({"RANK": str(rank)} if processes > 1 else {})) for rank in range(processes)]
        if any([rank.wait() for rank in ranks]):
            sys.exit(f"{' '.join(command)} failed")
        return [np.load(file) for file in files.values() if file.exists()]

    def generate(self, package):
        if self.dims is ENCODER[0]:
            return None
        steps = 64 - 3 if self.dims is GPT2[0] else STEPS
        options = ["--prompt-ids", PROMPT, "--max-new", steps, "--json"]
        return json.loads(self.call("generate", package, *options).stdout)["tokens"]

    def error(self, found):
        if all(each.tobytes() == other.tobytes() for each, other in zip(found, self.expected, strict=True)):
            return 0.0
        scale = [np.sqrt(np.mean(np.square(other, dtype=np.float64))) for other in self.expected]
        return max(float(np.abs(each - other).max() / size) for each, other, size in zip(found, self.expected, scale))

    def smallest_error(self, package):
        """Of the rows of several prompts: codes that were rounded otherwise are in some rows, a wrong sum is in all."""
        errors = []
        for seed in SEEDS:
            pairs = zip(*(self.outputs(each, "--seed", seed) for each in (package, self.one)), strict=True)
            for found, expected in pairs:
                scale = np.sqrt(np.mean(np.square(expected, dtype=np.float64)))
                errors += [float(np.abs(a - b).max() / scale) for a, b in zip(found, expected, strict=True)]
        return min(errors)

    def judge(self, mesh):
        """A line of the table, and whether all is as it must be."""
        package = self.compile(mesh)
        if isinstance(package, str):
            return f"| {self.name} | {mesh} | refused: {package} | | | | |", True
        count = len(json.loads(self.call("inspect", package, "--ranks", "--json").stdout)["ranks"])
        threads, processes = self.outputs(package), self.outputs(package, processes=count)
        gpus = {"KILN_CUDA_DRIVER": str(self.driver), "KILN_SIM_DEVICES": ",".join(["a100"] * count)}
        host, nccl = (self.outputs(package, "--device", "cuda", **gpus, KILN_COLLECTIVES=path) for path in ("host", "nccl"))
        error, gpu_error = self.error(threads), self.error(host)
        same = [all(a.tobytes() == b.tobytes() for a, b in zip(*pair, strict=True)) for pair in ((threads, processes), (host, nccl))]
        bits = ["same bits" if each else "other bits" for each in same]
        found = self.generate(package)
        equal = sum(a == b for a, b in zip(found, self.tokens, strict=True)) if found else None
        keeps_bits = not any(axis in mesh for axis in ("tp", "sp", "dcp"))
        rounds_codes = self.name.endswith("int4") and not keeps_bits
        tolerance = CODE_TOLERANCE if rounds_codes else TOLERANCE
        right = all(same) and max(error, gpu_error) < tolerance and found == self.tokens
        right &= not rounds_codes or self.smallest_error(package) < TOLERANCE
        right &= not keeps_bits or error == 0
        shown = f"{equal} of {len(found)}" if found else ""
        return f"| {self.name} | {mesh} | {error:.2g} | {bits[0]} | {gpu_error:.2g} | {bits[1]} | {shown} |", right


def main():
    arguments, lines, failed = parse_arguments(), [], []
    for name in arguments.models:
        with tempfile.TemporaryDirectory() as folder:
            judge = Judge(arguments, name, pathlib.Path(folder))
            for mesh in arguments.meshes:
                if "dcp" in mesh and judge.tokens is None:
                    continue  # no cache to divide
                line, right = judge.judge(mesh)
                print(line, "" if right else "FAILED", flush=True)
                lines.append(line)
                failed += [] if right else [line]
    if arguments.table:
        arguments.table.write_text(HEADER + "".join(line + "\n" for line in lines))
    print(f"{len(lines) - len(failed)} of {len(lines)} as they must be")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
