"""Every variant of a decoder's attention against double precision: window as a mask, cap, sinks, slopes, 1, 4 and 8 query heads of a key
head, norms of query and key, partial rotation; odd lengths at past 0, 1 and capacity - 1, on the host and both simulated GPUs.

The variants are drawn from a fixed seed until each has met each number of query heads; `python test_attention_matrix.py` lists them."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses
import itertools
import random
import subprocess
import sys

import decoders
import numpy as np
import pytest
import tool
from decoder import past, reference
from decoder import config as shapes
from decoder import weights as weights_module

GROUPS = (1, 4, 8)  # query heads per key head
VARIANTS = {
    "window": {"window": 5},
    "cap": {"score_cap": 3.0},
    "sinks": {"sinks": True},
    "slopes": {"slopes": True},
    "norms": {"head_norms": True},
    "rotary": {"rotary": 8},
}
TOLERANCE = 1e-4  # relative to the largest logit; everything is computed in f32


@dataclasses.dataclass(frozen=True)
class Case:
    config: shapes.Config
    variants: tuple
    capacity: int
    seed: int

    def __str__(self):
        return "-".join([*self.variants, f"{self.config.heads}over{self.config.key_heads}", f"capacity{self.capacity}"])

    @property
    def ids(self):
        """New ids of three rows, call by call: past 0, then 1, an odd length and capacity - 1, then several from past 1 on."""
        random, some = np.random.default_rng(self.seed), self.capacity // 2 | 1
        counts = [(1, some, self.capacity - 1), (1, 1, 1), (3, 0, 3), (some, 0, 0)]
        return [[random.integers(0, self.config.vocabulary, count).tolist() for count in row] for row in counts]


def draw(rng, variants, group):
    key_heads = rng.choice((1, 2)) if group < 8 else 1
    fields = {key: number for name in variants for key, number in VARIANTS[name].items()}
    config = shapes.Config(
        hidden=24, layers=1, heads=group * key_heads, key_heads=key_heads, head_size=rng.choice((16, 32)), wide=20,
        vocabulary=50, positions=96, score_scale=rng.choice((0.0, 6.0)), **fields,
    )  # fmt: skip
    return Case(config, variants, rng.choice((17, 33, 67)), rng.randrange(1 << 30))


def cases(seed=15):
    """Of one or several variants each; every variant meets every group."""
    rng, found = random.Random(seed), []
    missing = set(itertools.product(VARIANTS, GROUPS))
    while missing:
        group = rng.choice(sorted({group for _, group in missing}))
        wanted = sorted(name for name, other in missing if other == group)
        variants = tuple(sorted(rng.sample(wanted, min(len(wanted), rng.choice((2, 3, 4))))))
        missing -= {(name, group) for name in variants}
        found.append(draw(rng, variants, group))
    return found


CASES = cases()


def write(case, folder):
    values = weights_module.seeded(case.config, case.seed, np.dtype(np.float32))
    decoders.save.save(*past.build(case.config, values), folder / "m.onnx", False)
    return folder / "m.onnx", values


def compile_case(case, folder, target, *options):
    model, values = write(case, folder)
    package = folder / f"{target}.kiln"
    dims = f"rows=1..3,capacity=1..{case.capacity},sequence=1..{case.capacity}"
    report = tool.call("compile", model, "-o", package, "--dims", dims, "--target", target, "-v", *options).stdout
    assert "1 attention" in report, report
    return package, values


def run_calls(case, device, package):
    """The logits of all calls, those of a prompt's last id and of all ids of a step, one after the other."""
    decoder = decoders.kiln.Decoder(package, device=device, rows=3, capacity=case.capacity)
    prompts, step, several, chunk = case.ids
    found = [decoder.prefill(prompts), decoder.decode(step).reshape(3, -1)]
    trim(decoder)
    taken = decoder.decode(several)
    found += [taken[0], taken[2]]
    decoder.trim(0, 1)
    found.append(decoder.prefill(chunk)[0][None])
    return np.concatenate(found)


def trim(decoder):
    decoder.trim(0, 1)
    decoder.trim(2, int(decoder.lengths[2]) - 3)


def expected(case, values):
    def after(*parts):
        decoder = reference.Decoder(case.config, values)
        return [decoder.run(np.array([part]))[0] for part in parts][-1]

    prompts, step, several, chunk = case.ids
    first = prompts[0][:1]
    return np.concatenate([
        *(after(prompt)[-1:] for prompt in prompts),
        *(after(prompt, new) for prompt, new in zip(prompts, step)),
        after(first, several[0]), after((prompts[2] + step[2])[: case.capacity - 3], several[2]),
        after(first, chunk[0])[-1:],
    ])  # fmt: skip


@pytest.mark.parametrize("number", range(len(CASES)), ids=map(str, CASES))
def test_decoder_in_f32(driver, tmp_path, number):
    case = CASES[number]
    package, values = compile_case(case, tmp_path, "native,sm_80,sm_90a")
    right = expected(case, values)
    for device in decoders.DEVICES.values():  # a process has one simulated GPU
        command = [sys.executable, __file__, str(number), device, str(package), str(tmp_path / "logits.npy")]
        done = subprocess.run(command, env=driver, timeout=300, capture_output=True, text=True)
        assert done.returncode == 0 and not done.stderr, done.stderr
        found = np.load(tmp_path / "logits.npy")
        error = np.abs(found - right).max() / np.abs(right).max()
        assert error <= TOLERANCE, f"{device}: logits differ by {error:.2e} of the largest"


@pytest.mark.parametrize("number", range(len(CASES)), ids=map(str, CASES))
def test_kernels_in_bf16(driver, tmp_path, number):
    """On tensor cores: mma.sync for steps, and for prompts on sm_80; wgmma for prompts on sm_90a. Both entries."""
    package, _ = compile_case(CASES[number], tmp_path, "sm_80,sm_90a", "--precision", "bf16")
    for device, schedule in (("sim:a100", "eager,forward"), ("sim:h200", f"random,random,{number}")):
        outcome = tool.call("verify", package, "--device", device, env={**driver, "KILN_SIM_SCHEDULE": schedule})
        assert outcome.stdout.endswith("PASSED\n") and not outcome.stderr, outcome.stdout + outcome.stderr


def test_every_variant_meets_every_group():
    met = {(name, case.config.heads // case.config.key_heads) for case in CASES for name in case.variants}
    assert met >= set(itertools.product(VARIANTS, GROUPS))


if __name__ == "__main__":
    if len(sys.argv) == 1:
        print("\n".join(map(str, CASES)))
    else:
        np.save(sys.argv[4], run_calls(CASES[int(sys.argv[1])], *sys.argv[2:4]))
