"""Twenty estimates for which the closed form of kiln estimate is compared with its simulator (estimates.py, test_estimate.py)."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses
import json
import pathlib
import subprocess
import sys

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
BUILD = {
    "llama-70b": ["llama-70b", "--no-weights"],
    "llama-110m": ["llama-110m", "--dtype", "f32", "--no-weights"],
    "bert-base": ["bert-base", "--no-weights"],
    "minilm": ["minilm-shape", "--no-weights"],
    "tinylm": ["tinylm", "--spelling", "past"],
}


@dataclasses.dataclass(frozen=True)
class Case:
    model: str
    topology: str
    mesh: str
    dims: str
    options: tuple = ()


BF16 = ("--precision", "bf16")
CASES = [
    Case("llama-70b", "h100x8", "tp=8", "rows=1,sequence=4096,capacity=8192", BF16),
    Case("llama-70b", "h100x8", "sp=8", "rows=1,sequence=4096,capacity=8192", (*BF16, "--overlap", "4")),
    Case("llama-70b", "h100x8", "tp=2,cp=2", "rows=1,sequence=4096,capacity=8192", BF16),
    Case("llama-70b", "h100x8", "pp=2,tp=2,cp=2", "rows=4,sequence=1024,capacity=2048", BF16),
    Case("llama-70b", "h100x8", "pp=4,tp=2", "rows=1,sequence=512,capacity=1024", (*BF16, "--runs", "8")),
    Case("llama-70b", "h100x8x2nodes", "pp=2,tp=8", "rows=1,sequence=4096,capacity=8192", BF16),
    Case("llama-70b", "h100x8x2nodes", "tp=8,cp=2", "rows=1,sequence=4096,capacity=8192", BF16),
    Case("llama-70b", "h100x8x2nodes", "sp=16", "rows=2,sequence=2048,capacity=4096", BF16),
    Case("llama-70b", "l40sx8-pcie", "tp=8", "rows=1,sequence=1024,capacity=2048", BF16),
    Case("llama-110m", "h100x8", "tp=2", "rows=4,sequence=512,capacity=1024"),
    Case("llama-110m", "a100x8", "cp=8", "rows=1,sequence=2048,capacity=2048"),
    Case("llama-110m", "a100x8", "tp=2,cp=4", "rows=2,sequence=2048,capacity=2048"),
    Case("llama-110m", "l4x4-pcie", "pp=4", "rows=1,sequence=128,capacity=256", ("--runs", "4")),
    Case("llama-110m", "l4x4-pcie", "tp=2,cp=2", "rows=1,sequence=1024,capacity=1024"),
    Case("minilm", "l4x4-pcie", "tp=4", "batch=8,sequence=128"),
    Case("bert-base", "h100x8", "pp=2,tp=4", "batch=32,sequence=512", ("--runs", "2")),
    Case("bert-base", "a100x8", "sp=4", "batch=16,sequence=384", ("--overlap", "2")),
    Case("minilm", "epyc9654x2", "cp=2", "batch=4,sequence=256"),
    Case("tinylm", "epyc9654x2", "tp=2", "rows=2,sequence=64,capacity=256"),
    Case("tinylm", "h100x8", "pp=2,tp=2", "rows=8,sequence=512,capacity=1024"),
]


def build(model, folder):
    """The file of a model, without weights where it is large."""
    path = folder / f"{model}.onnx"
    if not path.exists():
        subprocess.run([sys.executable, MODELS / "build.py", *BUILD[model], "-o", path], check=True)
    return path


@dataclasses.dataclass(frozen=True)
class Comparison:
    program: str
    predicted: float
    simulated: float

    @property
    def difference(self):
        return self.predicted / self.simulated - 1


def compare(kiln, case, folder):
    """Seconds of each program of a case."""
    command = [kiln, "estimate", build(case.model, folder), "--topology", case.topology, "--shard", case.mesh, "--dims", case.dims, *case.options, "--json"]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True)
    assert done.returncode == 0, (case, done.stderr)
    found = json.loads(done.stdout)
    assert found["chosen"]["mesh"] == case.mesh
    programs = found["chosen"]["programs"]
    return [Comparison(program["name"], program["seconds"], seconds) for program, seconds in zip(programs, found["simulated_seconds"], strict=True)]
