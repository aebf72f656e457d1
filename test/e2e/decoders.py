"""Packages of decoders with state, for tests: built from models/decoder and compiled once a session."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools
import json
import pathlib
import subprocess
import sys

import kiln
import numpy as np
import tool

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
sys.path.insert(0, str(MODELS))

from bert import save  # noqa: E402
from decoder import config as shapes  # noqa: E402
from decoder import gpt2, gqa, past, session, weights  # noqa: E402

FAMILIES = shapes.FAMILIES | {"gpt2": shapes.GPT2_SMALL}
# The same models, as onnxruntime-genai exports them.
GENAI = {f"{name}-genai": config for name, config in shapes.FAMILIES.items()}
DEVICES = {"native": "cpu", "sm_80": "sim:a100", "sm_90a": "sim:h200"}
DIMS = "rows=1..5,capacity=1..64,sequence=1..16"


HELD_OUT = MODELS / "tinylm/held_out.bin"
PROMPT = list(b"/// Returns true if the ")


def perplexity(package, text=HELD_OUT):
    """Of a model of bytes."""
    return json.loads(tool.call("generate", package, "--perplexity", text, "--json", timeout=300).stdout)["perplexity"]


def assert_steps_give_the_bits_of_the_prompt(package):
    """One position at a time on one thread, and all at once on two: the same products of other shapes."""
    whole = kiln.Decoder(package, rows=1, capacity=64, threads=2)
    steps = kiln.Decoder(package, rows=1, capacity=64, threads=1)
    expected = whole.prefill([PROMPT])
    steps.prefill([PROMPT[:3]])
    for token in PROMPT[3:]:
        found = steps.decode([[token]])
    assert found[0, 0].tobytes() == expected[0].tobytes()


class Packages:
    """Models and packages by family, each made when it is first asked for."""

    def __init__(self, folder):
        self.folder = folder

    @functools.cache
    def model(self, family):
        path = self.folder / f"{family}.onnx"
        config = (FAMILIES | GENAI)[family]
        builder = gpt2 if family == "gpt2" else gqa if family in GENAI else past
        values = (weights.gpt2_seeded if family == "gpt2" else weights.seeded)(config, 3, np.dtype(np.float32))
        save.save(*builder.build(config, values), path, False)
        return path

    @functools.cache
    def package(self, family, target="native,sm_80,sm_90a"):
        path = self.folder / f"{family}-{target}.kiln"
        tool.call("compile", self.model(family), "-o", path, "--dims", DIMS, "--target", target, "-q")
        return path

    def peer(self, family, rows):
        return session.Decoder(self.model(family), rows)


def compile_tinylm(folder, *options, spelling="past"):
    """The model that ships with the project, as a package in this folder."""
    command = [sys.executable, MODELS / "build.py", "tinylm", "--spelling", spelling, "-o", folder / f"{spelling}.onnx"]
    subprocess.run([*map(str, command)], check=True)
    tool.call("compile", folder / f"{spelling}.onnx", "-o", folder / f"{spelling}.kiln", "-q", *options)
    return folder / f"{spelling}.kiln"


# Norms of a decoder layer, and the matmuls that read their results.
READERS = {
    "input_layernorm": ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
    "post_attention_layernorm": ("mlp.gate_proj", "mlp.up_proj"),
}


def tinylm_with_outliers(folder):
    """A model of tinylm's function whose norms make one channel in 64 as many times larger as the weights behind are smaller."""
    config, values = shapes.read_config(MODELS / "tinylm"), weights.read_checkpoint(MODELS / "tinylm")
    values = {name: np.array(value, np.float32) for name, value in values.items()}
    for layer in range(config.layers):
        for norm, readers in READERS.items():
            values[f"model.layers.{layer}.{norm}.weight"][5::64] *= 64
            for reader in readers:
                values[f"model.layers.{layer}.{reader}.weight"][:, 5::64] /= 64
    path = folder / "outliers.onnx"
    save.save(*past.build(config, values), path, False)
    return path


def tokens(seed, *shape):
    return np.random.default_rng(seed).integers(0, 90, shape)


STEPS = (5, 1, 1, 3, 1, 16, 1)


def run_steps(package, device):
    """The logits of all steps; a process models one GPU, so each device has one of its own."""
    decoder = kiln.Decoder(package, device=device, rows=2, capacity=64)
    logits = [decoder.prefill(tokens(0, 2, STEPS[0]))[:, None]]
    logits += [decoder.decode(tokens(step, 2, count)) for step, count in enumerate(STEPS) if step]
    return np.concatenate(logits, axis=1), decoder.lengths


def run_elsewhere(package, device, folder, environment):
    command = [sys.executable, __file__, package, device, folder / "steps.npz"]
    subprocess.run([*map(str, command)], check=True, env=environment, timeout=300)
    found = np.load(folder / "steps.npz")
    return found["logits"], found["lengths"]


if __name__ == "__main__":
    logits, lengths = run_steps(sys.argv[1], sys.argv[2])
    np.savez(sys.argv[3], logits=logits, lengths=lengths)
