#!/usr/bin/env python3
"""Sequences that join and leave between steps: every step decodes one token of each text that is under way, and a text
that ends makes room for the next one.

  batching.py tinylm.kiln --rows 2 "/// Returns true if the " "class " "// "

For a byte-level model, such as tinylm. Each text ends with its line, or after --max-new bytes.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import collections

import kiln


def serve(decoder, prompts, max_new, report=lambda row, number, what: None):
    """The continuation of each prompt, greedily; `report` is told when one joins or leaves."""
    waiting = collections.deque(enumerate(prompts))
    texts = [bytearray() for _ in prompts]
    rows = [None] * decoder.rows  # index of the prompt in each row
    while waiting or any(number is not None for number in rows):
        joining = [[] for _ in rows]
        for row, number in enumerate(rows):
            if number is None and waiting:
                rows[row], prompt = waiting.popleft()
                decoder.reset(row)
                joining[row] = list(prompt)
                report(row, rows[row], "joins")
        # Rows without a prompt keep their sequence and their last logits.
        if any(joining):
            logits = decoder.prefill(joining)
        step = [[] for _ in rows]
        for row, number in enumerate(rows):
            if number is None:
                continue
            token = int(logits[row].argmax())
            texts[number].append(token)
            if token == ord("\n") or len(texts[number]) == max_new:
                report(row, number, "leaves")
                rows[row] = None
            else:
                step[row] = [token]
        if any(step):
            logits = decoder.decode(step)[:, -1]
    return [bytes(text) for text in texts]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package")
    parser.add_argument("prompts", nargs="+")
    parser.add_argument("--rows", type=int, default=2)
    parser.add_argument("--max-new", type=int, default=80)
    parser.add_argument("--device", default="cpu")
    arguments = parser.parse_args()
    prompts = [prompt.encode() for prompt in arguments.prompts]
    capacity = max(map(len, prompts)) + arguments.max_new
    decoder = kiln.Decoder(arguments.package, device=arguments.device, rows=arguments.rows, capacity=capacity)
    texts = serve(decoder, prompts, arguments.max_new, lambda row, number, what: print(f"text {number} {what}, row {row}"))
    for prompt, text in zip(prompts, texts):
        print((prompt + text).decode(errors="replace").rstrip("\n"))


if __name__ == "__main__":
    main()
