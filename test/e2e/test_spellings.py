"""tinylm in its three spellings: the same tokens, and the same bits however a text is computed."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools
import os
import subprocess
import sys

import decoders
import kiln
import numpy as np
import pytest
import tool

SPELLINGS = ("past", "gqa", "scatter")
PROMPTS = [text.encode() for text in ("/// Returns true if the ", "class ", "  if (", "// ", "static inline bool isa(const ")]
# Longer than a single prefill, and than all decode steps.
LONG = b"/// Returns the number of elements that were inserted into the container, which is at most the capacity. " * 2
STEPS = int(os.environ.get("KILN_DECODER_STEPS", 48))


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tinylm")

    @functools.cache
    def build(spelling):
        model, path = folder / f"{spelling}.onnx", folder / f"{spelling}.kiln"
        command = [sys.executable, decoders.MODELS / "build.py", "tinylm", "--spelling", spelling, "-o", model]
        subprocess.run([*map(str, command)], check=True)
        tool.call("compile", model, "-o", path, "--dims", "rows=1..5,capacity=1..1024,sequence=1..64", "-q")
        return path

    return build


def bits(logits):
    return np.asarray(logits, np.float32).tobytes()


def generate(decoder, prompts, steps=STEPS):
    """Greedy tokens [rows, steps], and all logits on the way."""
    logits = decoder.prefill([list(prompt) for prompt in prompts])
    found, seen = [], [logits]
    for _ in range(steps):
        found.append(logits.argmax(-1))
        logits = decoder.decode(found[-1][:, None])[:, -1]
        seen.append(logits)
    return np.stack(found, 1), np.stack(seen, 1)


def open_decoder(path, rows=1, threads=2):
    return kiln.Decoder(path, rows=rows, threads=threads, capacity=len(LONG) + STEPS + 8)


@pytest.fixture(scope="module")
def expected(package):
    """Five rows side by side."""
    return {spelling: generate(open_decoder(package(spelling), 5), PROMPTS) for spelling in SPELLINGS}


def test_spellings_give_the_same_tokens(expected):
    tokens = [expected[spelling][0].tolist() for spelling in SPELLINGS]
    assert tokens[0] == tokens[1] == tokens[2]
    assert len({token for row in tokens[0] for token in row}) > 10
    logits = [expected[spelling][1] for spelling in SPELLINGS]
    for other in logits[1:]:
        np.testing.assert_allclose(other, logits[0], rtol=0, atol=1e-3)


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("threads", [1, 2])
def test_rows_alone(package, expected, spelling, threads):
    for row, prompt in enumerate(PROMPTS):
        tokens, logits = generate(open_decoder(package(spelling), threads=threads), [prompt])
        assert bits(logits[0]) == bits(expected[spelling][1][row])


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_prompts_in_parts(package, spelling):
    """One prefill of more than `sequence` tokens, parts of other sizes, and all of it by decode."""
    whole, wholes = generate(open_decoder(package(spelling)), [LONG], 8)
    decoder = open_decoder(package(spelling))
    for size in (1, 2, 16, 17, 40):
        decoder.reset()
        for first in range(0, len(LONG), size):
            last = decoder.prefill([list(LONG[first : first + size])])
        assert bits(last) == bits(wholes[0, 0])
    decoder.reset()
    decoder.prefill([list(LONG[:1])])
    for first in range(1, len(LONG), 16):
        last = decoder.decode([list(LONG[first : first + 16])])[:, -1]
    assert bits(last) == bits(wholes[0, 0])
    assert bits(decoder.decode(whole[:, :1])[:, -1]) == bits(wholes[0, 1])


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_save_load_and_fork_in_the_middle(package, expected, spelling, tmp_path):
    tokens, logits = expected[spelling]
    half = STEPS // 2
    first = open_decoder(package(spelling), 5)
    generate(first, PROMPTS, half)
    first.save(tmp_path / "half")
    second = open_decoder(package(spelling), 5, threads=1)
    second.load(tmp_path / "half")
    for step in range(half, STEPS):
        found = second.decode(tokens[:, step : step + 1])[:, -1]
        assert bits(found) == bits(logits[:, step + 1])
    # Row 1 continues as row 0 did, and row 0 with other tokens.
    first.fork(0, 1)
    ids = tokens[:, half : half + 1].copy()
    ids[1] = ids[0]
    ids[0] += 1
    found = first.decode(ids)[:, -1]
    assert bits(found[1]) == bits(logits[0, half + 1]) != bits(found[0])
    assert bits(found[2:]) == bits(logits[2:, half + 1])
