#!/usr/bin/env python3
"""Measures held-out perplexity by ONNX Runtime.

  perplexity.py                      tinylm in its three spellings on held_out.bin
  perplexity.py --model m.onnx       another model of bytes
  perplexity.py --text FILE          another text; `--headers` takes all held-out files of the installed headers

The text is cut into windows of 257 bytes that overlap by one; each window starts without a past, and all its bytes but the
first are predicted.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import math
import pathlib
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from bert import save
from decoder import config, gqa, past, scatter, session, weights
from tinylm import corpus

FOLDER = pathlib.Path(__file__).resolve().parent
SPELLINGS = {"past": past, "gqa": gqa, "scatter": scatter}
CONTEXT = 256
ROWS = 16


def windows(text):
    """i64 [count, CONTEXT + 1]; the rest of the text that fills no window is left out."""
    data = np.frombuffer(text, np.uint8).astype(np.int64)
    count = (len(data) - 1) // CONTEXT
    return data[np.arange(count)[:, None] * CONTEXT + np.arange(CONTEXT + 1)]


def bits(logits, targets):
    """The sum of -log2 p over the targets, in double precision."""
    logits = logits.astype(np.float64)
    logits -= logits.max(-1, keepdims=True)
    chosen = np.take_along_axis(logits, targets[..., None], -1)[..., 0]
    return (np.log(np.exp(logits).sum(-1)) - chosen).sum() / math.log(2)


def bits_per_byte(path, text, engine=session.OnnxRuntime):
    found, run = windows(text), engine(path)
    total = 0.0
    for begin in range(0, len(found), ROWS):
        part = found[begin : begin + ROWS]
        decoder = session.Decoder(path, len(part), CONTEXT, lambda _: run)
        total += bits(decoder.run(part[:, :-1]), part[:, 1:])
    return total / (len(found) * CONTEXT)


def build(spelling, path):
    values = weights.read_checkpoint(FOLDER)
    save.save(*SPELLINGS[spelling].build(config.read_config(FOLDER), values), path)


def report(name, text, value):
    print(f"{name}\t{(len(text) - 1) // CONTEXT * CONTEXT}\t{value:.6f}\t{2**value:.6f}")


def main():
    arguments = parse_arguments()
    training, text = corpus.read() if arguments.headers else (None, pathlib.Path(arguments.text).read_bytes())
    print("model\tbytes\tbits_per_byte\tperplexity")
    if training:
        report("byte frequencies", text, corpus.unigram_bits(training, text))
    if arguments.model:
        return report(arguments.model, text, bits_per_byte(arguments.model, text))
    with tempfile.TemporaryDirectory() as folder:
        for spelling in SPELLINGS:
            path = pathlib.Path(folder) / f"{spelling}.onnx"
            build(spelling, path)
            report(f"tinylm {spelling}", text, bits_per_byte(path, text))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model")
    text = parser.add_mutually_exclusive_group()
    text.add_argument("--text", default=FOLDER / "held_out.bin")
    text.add_argument("--headers", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
