"""The model that ships with the project, greedily for 256 steps: the same bits however it is spelled, fed, threaded or kept."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import decoders
import kiln
import numpy as np
import pytest

SPELLINGS = ("past", "gqa", "scatter")
STEPS = 256
PROMPTS = [b"/// Returns true if the ", b"class ", b"  for (unsigned i = 0; i != ", b"#", b"//===- Support/raw_ostream.h"]


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    folder, dims = tmp_path_factory.mktemp("tinylm"), "rows=1..5,capacity=1..512,sequence=1..64"
    return {spelling: decoders.compile_tinylm(folder, "--dims", dims, spelling=spelling) for spelling in SPELLINGS}


def open_decoder(package, rows=1, threads=1):
    return kiln.Decoder(package, rows=rows, capacity=320, threads=threads)


class Text:
    """What rows were given greedily, and the logits of each step: [steps][rows, vocabulary]."""

    def __init__(self, decoder, logits):
        self.decoder, self.logits = decoder, [logits]

    def run(self, steps):
        for _ in range(steps):
            chosen = self.logits[-1].argmax(-1)[:, None]
            self.logits.append(self.decoder.decode(chosen)[:, 0])
        return self

    def bits(self, row=0):
        return np.stack([step[row] for step in self.logits]).tobytes()

    def tokens(self, row=0):
        return [int(step[row].argmax()) for step in self.logits]


def generate(package, prompts, threads=1, steps=STEPS):
    decoder = open_decoder(package, len(prompts), threads)
    return Text(decoder, decoder.prefill([list(prompt) for prompt in prompts])).run(steps)


@pytest.fixture(scope="module")
def alone(packages):
    """Each prompt by itself, on one thread."""
    return [generate(packages["past"], [prompt]) for prompt in PROMPTS]


def test_spellings_give_the_same_tokens(packages, alone):
    for spelling in SPELLINGS[1:]:
        found = generate(packages[spelling], PROMPTS[:1])
        assert found.tokens() == alone[0].tokens()
        np.testing.assert_allclose(np.stack(found.logits), np.stack(alone[0].logits), rtol=0, atol=1e-3)


def test_text_is_text(alone):
    for text in alone:
        assert bytes(text.tokens()).isascii() and len(set(text.tokens())) > 5


@pytest.mark.parametrize("threads", [1, 2])
def test_rows_are_what_they_are_alone(packages, alone, threads):
    together = generate(packages["past"], PROMPTS, threads)
    for row, expected in enumerate(alone):
        assert together.bits(row) == expected.bits()


@pytest.mark.parametrize("size", [1, 7])
def test_a_prompt_in_chunks(packages, alone, size):
    for prompt, expected in zip(PROMPTS, alone):
        decoder = open_decoder(packages["past"])
        for begin in range(0, len(prompt), size):
            logits = decoder.prefill([list(prompt[begin : begin + size])])
        assert Text(decoder, logits).run(STEPS).bits() == expected.bits()


def test_saved_and_loaded_in_the_middle(packages, alone, tmp_path):
    first = generate(packages["past"], PROMPTS, threads=2, steps=STEPS // 2)
    first.decoder.save(tmp_path / "state")
    decoder = open_decoder(packages["past"], len(PROMPTS))
    decoder.load(tmp_path / "state")
    second = Text(decoder, first.logits[-1]).run(STEPS - STEPS // 2)
    for row, expected in enumerate(alone):
        assert first.bits(row) + second.bits(row)[256 * 4 :] == expected.bits()


def test_forks_diverge_from_the_same_past(packages, alone):
    """Row 1 becomes a copy of row 0, takes another token, and is what it is by itself; row 0 goes on as if alone."""
    decoder = open_decoder(packages["past"], rows=2)
    text = Text(decoder, decoder.prefill([list(PROMPTS[0]), []])).run(0)
    text.logits[-1][1] = text.logits[-1][0]
    decoder.fork(0, 1)
    text.run(100)
    assert text.bits(0) == text.bits(1)
    other = (text.logits[-1][0].argmax() + 1) % 128
    text.logits[-1][1] = np.eye(1, 256, other, dtype=np.float32)
    text.run(STEPS - 100)
    assert text.bits(0) == alone[0].bits() and text.tokens(1) != text.tokens(0)
    lone = open_decoder(packages["past"])
    taken = [*PROMPTS[0], *text.tokens(0)[:100], other]
    assert Text(lone, lone.prefill([taken])).run(STEPS - 101).bits() == np.stack(text.logits)[101:, 1].tobytes()
