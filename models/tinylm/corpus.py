#!/usr/bin/env python3
"""The text tinylm is trained on: the C and C++ headers of LLVM and MLIR, split into training and held-out files.

  corpus.py > held_out.bin      the excerpt of the held-out files that is committed
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import hashlib
import math
import os
import pathlib
import sys

HEADERS = pathlib.Path("/usr/lib/llvm-22/include")
FOLDERS = ("llvm", "llvm-c", "mlir", "mlir-c")
END = 0  # stands before each file and behind the last one; no header holds this byte
HELD_OUT = 32  # one file of this many is held out


def files(headers=HEADERS):
    """The headers under `headers`, sorted by path."""
    found = []
    for name in FOLDERS:
        # Packages install llvm as a symlink to another folder; its headers are named by the path through the link.
        for folder, _, names in os.walk(pathlib.Path(headers, name), followlinks=True):
            found += [pathlib.Path(folder, name) for name in names if name.endswith(".h")]
    if not found:
        raise FileNotFoundError(f"{headers} holds none of the headers of {', '.join(FOLDERS)}; install libmlir-22-dev")
    return sorted(found)


def is_held_out(text):
    """A file's side is decided by its contents, so that two copies of a file never stand on both sides."""
    return hashlib.sha256(text).digest()[0] % HELD_OUT == 0


def read(headers=HEADERS):
    """(training text, held-out text), each a bytes object in which END separates the files."""
    parts = {False: [], True: []}
    for path in files(headers):
        text = path.read_bytes().replace(bytes([END]), b"")
        parts[is_held_out(text)].append(text)
    end = bytes([END])
    return tuple(end + end.join(parts[side]) + end for side in (False, True))


def excerpt(headers=HEADERS, size=32768):
    """The first `size` bytes of the held-out files in the order of their hashes, without END."""
    texts = {path.read_bytes() for path in files(headers)}
    chosen = sorted(filter(is_held_out, texts), key=lambda text: hashlib.sha256(text).digest())
    return b"".join(chosen)[:size]


def unigram_bits(training, text):
    """Bits per byte of `text` under the byte frequencies of `training` (add-one smoothing)."""
    counts = collections.Counter(training)
    total = len(training) + 256
    return sum(-n * math.log2((counts[byte] + 1) / total) for byte, n in collections.Counter(text).items()) / len(text)


if __name__ == "__main__":
    sys.stdout.buffer.write(excerpt())
