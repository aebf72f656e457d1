#!/usr/bin/env python3
"""Finds the sentences nearest to a query with a sentence encoder compiled by Kiln.

  embed.py --model minilm.kiln --tokenizer tokenizer.json "a cat in the sun"
  embed.py --model minilm.kiln --tokenizer tokenizer.json --sentences mine.txt "a query" "another"
  embed.py --model minilm.kiln --tokenizer tokenizer.json --check --onnx minilm.onnx --weights DIR
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import pathlib
import sys

import kiln
import numpy as np
import tokenizers

SENTENCES = pathlib.Path(__file__).with_name("sentences.txt")
LONGEST = 256  # max tokens with which all-MiniLM-L6-v2 was trained
BATCH = 16
EXAMPLE_QUERIES = ("a cat lying in the sun", "I can't sign in", "prices on the exchange dropped")


def main():
    arguments = parse_arguments()
    session = kiln.Session(arguments.model, threads=arguments.threads)
    tokenizer = load_tokenizer(arguments.tokenizer)
    sentences = [line for line in arguments.sentences.read_text().splitlines() if line.strip()]
    queries = arguments.query or (EXAMPLE_QUERIES if arguments.check else ())
    if queries:
        print_nearest(session, tokenizer, sentences, queries, arguments.top)
    if not arguments.check:
        return 0
    import check  # needs onnxruntime and the checkpoint, unlike the other options

    return check.run(arguments, tokenizer, sentences)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("query", nargs="*")
    parser.add_argument("--model", required=True, help="the package, from kiln compile")
    parser.add_argument("--tokenizer", required=True, help="tokenizer.json of the checkpoint")
    parser.add_argument("--sentences", type=pathlib.Path, default=SENTENCES, help="a text file, one per line")
    parser.add_argument("--top", type=int, default=3, help="how many sentences to print")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--check", action="store_true", help="errors and times beside ONNX Runtime")
    parser.add_argument("--onnx", help="with --check: the model the package was compiled from")
    parser.add_argument("--weights", help="with --check: the checkpoint folder")
    arguments = parser.parse_args()
    if arguments.check and not (arguments.onnx and arguments.weights):
        parser.error("--check needs --onnx and --weights")
    if not arguments.check and not arguments.query:
        parser.error("a query is needed")
    return arguments


def load_tokenizer(path):
    tokenizer = tokenizers.Tokenizer.from_file(str(path))
    tokenizer.enable_truncation(LONGEST)
    tokenizer.enable_padding()  # pads to the longest sentence of a batch
    return tokenizer


def tokenize(tokenizer, sentences):
    """The three inputs of a BERT-like encoder for a batch of sentences."""
    encodings = tokenizer.encode_batch(list(sentences))
    column = lambda field: np.array([getattr(encoding, field) for encoding in encodings], np.int64)
    return {
        "input_ids": column("ids"),
        "attention_mask": column("attention_mask"),
        "token_type_ids": column("type_ids"),
    }


def embed(session, tokenizer, sentences):
    """One unit-length row per sentence."""
    batches = [sentences[start : start + BATCH] for start in range(0, len(sentences), BATCH)]
    rows = [session.run(tokenize(tokenizer, batch))["sentence_embedding"] for batch in batches]
    return np.concatenate(rows)


def print_nearest(session, tokenizer, sentences, queries, top):
    known = embed(session, tokenizer, sentences)
    # The vectors have unit length, so their dot product is the cosine of the angle.
    scores = embed(session, tokenizer, queries) @ known.T
    for query, row in zip(queries, scores):
        print(f'nearest to "{query}":')
        for index in np.argsort(-row, kind="stable")[:top]:
            print(f"  {row[index]:6.3f}  {sentences[index]}")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except kiln.Error as error:
        print(error, file=sys.stderr)
        sys.exit(3)
