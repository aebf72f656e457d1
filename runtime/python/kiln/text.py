"""kiln.generate: text out of a decoder, piece by piece, by `kiln generate` and a tokenizer."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import codecs
import os
import subprocess
import tempfile

from . import compiler
from .errors import Error

#: Text that a tokenizer returns for the bytes of an incomplete character.
_PARTIAL = "\N{REPLACEMENT CHARACTER}"


def generate(package, prompt, *, tokenizer=None, stop=(), options=()):
    """Yields the text that follows a prompt, in pieces, as it is generated.

    tokenizer: the path of a tokenizer.json, or a tokenizers.Tokenizer; None: a byte-level model.
    stop: texts at which it ends; the first of them is the last that is yielded.
    options: of `kiln generate`, as strings: "--max-new", "100", "--temperature", "0.8", "--device", "cuda" ...; of a model with a
    tokenizer "--stop" takes token ids.
    """
    stops = [stop] if isinstance(stop, str) else list(stop)
    if tokenizer is None:
        words, read = ["--prompt", prompt], _bytes
    else:
        tokenizer = _load(tokenizer)
        words, read = ["--prompt-ids", ",".join(map(str, tokenizer.encode(prompt).ids))], lambda pieces: _decoded(tokenizer, pieces)
    command = [compiler.find(), "generate", os.fspath(package), *words, *map(str, options)]
    return _until(stops, read(_output(command)))


def _load(tokenizer):
    try:
        import tokenizers
    except ImportError as problem:
        raise Error("KILN-E0005", "kiln.generate", "the Python package 'tokenizers' cannot be imported", "it beside kiln",
                    str(problem), "install tokenizers, or give token ids to `kiln generate --prompt-ids`", 4) from problem
    if isinstance(tokenizer, tokenizers.Tokenizer):
        return tokenizer
    try:
        return tokenizers.Tokenizer.from_file(os.fspath(tokenizer))
    except Exception as problem:  # tokenizers raise plain Exception
        raise Error("KILN-E0002", os.fspath(tokenizer), "is no tokenizer", "a tokenizer.json", str(problem),
                    "check the path; the tokenizer is beside the model that was exported", 3) from problem


def _output(command):
    """What the program prints, in pieces as they come. It is ended where nobody reads on."""
    with tempfile.TemporaryFile() as messages:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=messages)
        try:
            while piece := os.read(process.stdout.fileno(), 1 << 16):
                yield piece
            if process.wait():
                messages.seek(0)
                raise compiler.failure(command[0], process.returncode, messages.read().decode(errors="replace"))
        finally:
            process.kill()
            process.stdout.close()
            process.wait()


def _bytes(pieces):
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    rest = ""
    for piece in pieces:
        # The program prints a newline after the text.
        text = rest + decoder.decode(piece)
        yield text[:-1]
        rest = text[-1:]
    yield (rest + decoder.decode(b"", final=True)).removesuffix("\n")


def _decoded(tokenizer, pieces):
    """Text of ids "1,2,3": of all of them, as one token's depends on those before it."""
    ids, rest, told = [], b"", ""
    for piece in pieces:
        *whole, rest = (rest + piece).replace(b"\n", b",").split(b",")
        ids += [int(word) for word in whole if word]
        text = tokenizer.decode(ids)
        if text.startswith(told) and not text.endswith(_PARTIAL):
            yield text[len(told) :]
            told = text
    yield tokenizer.decode(ids)[len(told) :]


def _until(stops, pieces):
    told = ""
    for piece in pieces:
        ends = [place + len(stop) for stop in stops if (place := (told + piece).find(stop)) >= 0]
        if ends:
            yield (told + piece)[len(told) : min(ends)]
            return
        if piece:
            yield piece
        told += piece


def main(arguments):
    """`python -m kiln generate M.kiln --tokenizer FILE --prompt TEXT`, and options of `kiln generate`."""
    parser = argparse.ArgumentParser(prog="python -m kiln generate", description=main.__doc__, allow_abbrev=False)
    parser.add_argument("package")
    parser.add_argument("--tokenizer", required=True, help="the tokenizer.json of the model")
    parser.add_argument("--prompt", required=True)
    parser.add_argument("--stop", action="append", default=[], help="end where this text comes")
    known, options = parser.parse_known_args(arguments)
    for piece in generate(known.package, known.prompt, tokenizer=known.tokenizer, stop=known.stop, options=options):
        print(piece, end="", flush=True)
    print()
