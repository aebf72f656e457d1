#!/usr/bin/env python3
"""Random decoders, used at random: every token's logits against the same decoder in double precision.

    test/fuzz/decoders.py --count 50
    test/fuzz/decoders.py --count 5 --device sim:h200
    test/fuzz/decoders.py --count 50 --ranks

A case is a shape (heads, norms, rotation, window, caps ...), the spelling of an exporter, an envelope and a list of calls of
kiln.Decoder on rows of different lengths: prompts, steps of several tokens, trim, fork, reset, save and load. With --ranks each is split
among the 2 to 8 ranks of a mesh; shapes of which nothing can be split are counted. Prints what failed, with its number; exit status 1 if something did. `--seed N` repeats a run, `--only K` its case number K.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import copy
import dataclasses
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "models"))

from bert import save  # noqa: E402
from decoder import config as shapes  # noqa: E402
from decoder import gqa, past, reference, rope, scatter, weights  # noqa: E402

SPELLINGS = {"past": past, "gqa": gqa, "scatter": scatter}
TARGETS = {"cpu": "native", "sim:a100": "sm_80", "sim:h200": "sm_90a"}
TOLERANCE = 1e-4  # relative to the largest logit; everything is computed in f32
WHOLE = "nothing can be split"
MESHES = (
    "tp=2", "tp=2", "tp=3", "tp=4", "tp=8", "pp=2", "pp=2", "pp=3", "pp=4", "pp=2,tp=2", "sp=2", "sp=4", "pp=2,sp=2",
    "cp=2", "cp=2", "cp=3", "cp=4", "pp=2,cp=2",
)  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Case:
    config: shapes.Config
    spelling: str
    rows: int
    capacity: int
    sequence: int
    threads: int
    seed: int
    mesh: str = ""  # for several ranks


def draw_config(rng):
    key_heads, size = rng.choice((1, 2, 3)), rng.choice((8, 16, 24, 32))
    cap, scaling = rng.choice((0.0, 0.0, 20.0)), rng.choice(("", *rope.SCALINGS))
    return shapes.Config(
        hidden=rng.choice((24, 40, 64)), layers=rng.choice((1, 2)), heads=key_heads * rng.choice((1, 2, 4, 8)), key_heads=key_heads,
        head_size=size, wide=rng.choice((20, 48, 65)), vocabulary=rng.choice((50, 64, 91)), positions=96,
        theta=rng.choice((1e4, 1e6)), tied=rng.random() < 0.5, bias=rng.random() < 0.3, head_norms=rng.random() < 0.3,
        packed=rng.random() < 0.3, gelu=rng.random() < 0.3, norm_offset=rng.choice((0.0, 1.0)), post_norms=rng.random() < 0.3,
        rotary=rng.choice((0, 0, size // 2)), adjacent=rng.random() < 0.3, scaling=scaling, scaling_factor=4.0, original_positions=24,
        score_cap=cap, logit_cap=rng.choice((0.0, 30.0)),
        window=rng.choice((0, 0, 1, 3, 7, 20)),
    )  # fmt: skip


def draw(number, seed):
    rng = random.Random(seed * 1_000_003 + number)
    config, spelling = draw_config(rng), rng.choice(list(SPELLINGS))
    if spelling == "scatter":  # this spelling has no sliding window
        config = dataclasses.replace(config, window=0)
    if spelling == "past":  # the other spellings have no input for these
        config = dataclasses.replace(config, sinks=rng.random() < 0.4, slopes=rng.random() < 0.3)
    return Case(config, spelling, rng.choice((1, 1, 2, 3, 5)), rng.choice((17, 33, 64)), rng.choice((1, 5, 16)),
                rng.choice((1, 2)), rng.randrange(1 << 30))


class Rows:
    """The oracle: a decoder in double precision for each row, and how far it can be cut back if caches are rings."""

    def __init__(self, case, values, ring):
        self.rows = [reference.Decoder(case.config, values) for _ in range(case.rows)]
        self.ring, self.room = ring, ring - case.config.window + 1
        self.highest = [0] * case.rows

    def run(self, row, ids):
        found = self.rows[row].run(np.asarray(ids)[None])[0]
        self.highest[row] = max(self.highest[row], self.rows[row].length)
        return found

    def keeps(self, row, length):
        """Whether the row can be cut to this length."""
        highest = self.highest[row]
        return not self.ring or length == 0 or highest <= self.ring or highest - length <= self.room

    def load(self):
        """A session that loads a row takes it for one that has been cut back as far as may be."""
        self.highest = [row.length + self.room if row.length else 0 for row in self.rows]

    def trim(self, row, length):
        decoder = self.rows[row]
        decoder.cache = {layer: tuple(part[:, :, :length] for part in both) for layer, both in decoder.cache.items()}
        decoder.length = length
        if length == 0:
            self.highest[row] = 0

    def fork(self, source, target):
        decoder = self.rows[source]
        self.rows[target] = copy.copy(decoder)
        self.rows[target].cache = dict(decoder.cache)
        self.highest[target] = self.highest[source]


def drawn_ids(rng, case, decoder, most):
    """New ids for each row; none for some."""
    room = case.capacity - decoder.lengths
    counts = [min(rng.choice((0, 1, 2, most)), int(left)) for left in room]
    return [[rng.randrange(case.config.vocabulary) for _ in range(count)] for count in counts]


def call(case, decoder, oracle, rng, folder):
    """One call; (found, expected) logits of its new tokens."""
    kind, rows = rng.random(), range(case.rows)
    row = rng.randrange(case.rows)
    if kind < 0.35 or not decoder.lengths.all():
        prompts = drawn_ids(rng, case, decoder, rng.randint(1, 12))
        if not any(prompts):
            return oracle_reset(decoder, oracle, row)
        found = decoder.prefill(prompts)
        return [(found[i], oracle.run(i, prompts[i])[-1]) for i in rows if prompts[i]]
    if kind < 0.75:
        count = rng.choice((1, 1, 2, 5, 16))
        takes = [int(length) + count <= case.capacity for length in decoder.lengths]
        if not any(takes):
            return oracle_reset(decoder, oracle, row)
        steps = [[rng.randrange(case.config.vocabulary) for _ in range(count)] if take else [] for take in takes]
        found = decoder.decode(steps)
        return [(found[i], oracle.run(i, steps[i])) for i in rows if steps[i]]
    if kind < 0.8:
        return oracle_reset(decoder, oracle, row)
    if kind < 0.87:
        length = rng.randint(0, int(decoder.lengths[row]))
        if oracle.keeps(row, length):
            decoder.trim(row, length)
            oracle.trim(row, length)
        else:
            refuse(decoder, row, length)
    elif kind < 0.94:
        target = rng.randrange(case.rows)
        decoder.fork(row, target)
        oracle.fork(row, target)
    else:
        decoder.save(folder / "state")
        decoder.reset()
        decoder.load(folder / "state")
        oracle.load()
    return []


def refuse(decoder, row, length):
    """A length that needs rows which a ring has not kept."""
    import kiln

    try:
        decoder.trim(row, length)
    except kiln.Error as error:
        if error.code == "KILN-E0620":
            return
        raise
    raise AssertionError(f"row {row} was cut to {length}, of which a ring has not kept what it needs")


def rows_of_rings(kiln_bin, package):
    """0 where all caches hold all rows."""
    listed = subprocess.run([kiln_bin, "inspect", package], capture_output=True, text=True, check=True).stdout
    return max(map(int, re.findall(r"^  state +\S+ \w+\[\w+,\d+,(\d+),\d+\]$", listed, re.MULTILINE)), default=0)


def oracle_reset(decoder, oracle, row):
    decoder.reset(row)
    oracle.trim(row, 0)
    return []


def judge(case, folder, kiln_bin, device, calls):
    """None, or what is wrong."""
    import kiln

    values = weights.seeded(case.config, case.seed, np.dtype(np.float32))
    save.save(*SPELLINGS[case.spelling].build(case.config, values), folder / "m.onnx", False)
    dims = f"rows=1..{case.rows},capacity=1..{case.capacity},sequence=1..{case.sequence}"
    command = [kiln_bin, "compile", folder / "m.onnx", "-o", folder / "m.kiln", "--dims", dims, "--target", TARGETS[device], "-q"]
    command += ["--shard", case.mesh] if case.mesh else []
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=600)
    if done.returncode:
        return WHOLE if "KILN-E0209" in done.stderr else done.stderr
    decoder = kiln.Decoder(folder / "m.kiln", device=device, threads=case.threads, rows=case.rows, capacity=case.capacity)
    oracle, rng = Rows(case, values, rows_of_rings(kiln_bin, folder / "m.kiln")), random.Random(case.seed)
    for index in range(calls):
        for found, expected in call(case, decoder, oracle, rng, folder):
            error = np.abs(found - expected).max() / np.abs(expected).max()
            if not error <= TOLERANCE:
                return f"call {index}: logits differ by {error:.2e} of the largest; lengths {decoder.lengths.tolist()}"
        lengths = [row.length for row in oracle.rows]
        if decoder.lengths.tolist() != lengths:
            return f"call {index}: lengths {decoder.lengths.tolist()}, expected {lengths}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--calls", type=int, default=25, help="of the decoder in each case")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int)
    parser.add_argument("--ranks", action="store_true", help="split each among the ranks of some mesh")
    parser.add_argument("--device", choices=TARGETS, default="cpu", help="a process models one GPU")
    parser.add_argument("--kiln", type=pathlib.Path, default=pathlib.Path(os.environ.get("KILN_BIN", ROOT / "build/bin")) / "kiln")
    arguments = parser.parse_args()
    numbers = range(arguments.count) if arguments.only is None else [arguments.only]
    failures = whole = 0
    with tempfile.TemporaryDirectory() as name:
        for number in numbers:
            case = draw(number, arguments.seed)
            if arguments.ranks:
                case = dataclasses.replace(case, mesh=random.Random(case.seed).choice(MESHES))
                if "sp" in case.mesh or "cp" in case.mesh:  # these divide only prompts of more than 16 tokens
                    case = dataclasses.replace(case, sequence=case.capacity)
            try:
                wrong = judge(case, pathlib.Path(name), arguments.kiln, arguments.device, arguments.calls)
            except Exception as error:  # noqa: BLE001: what a call raises is a finding
                wrong = f"{type(error).__name__}: {error}"
            whole += wrong == WHOLE
            if wrong and wrong != WHOLE:
                failures += 1
                print(f"FAILED {number}: {case}\n{wrong}", flush=True)
    print(f"{len(numbers) - failures - whole} of {len(numbers) - whole} cases agree" + f", {WHOLE} of {whole}" * bool(whole))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
