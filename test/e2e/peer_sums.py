"""Adds up over peer memory on simulated GPUs, with the PTX of one kernel and nothing of Kiln's runtime.

    peer_sums.py LIBRARY PTX RANKS TYPE SYMBOL... FACTOR

The product of the symbols' values and the factor is the number of elements. One thread per GPU launches several sums one behind the other and waits for the last one. Prints "right" if each has the
bits of a sum in the order of the ranks."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import re
import struct
import sys
import threading

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "sim" / "triton"))
import driver as cuda  # noqa: E402

ROUNDS, BLOCKS, STAGING, STATE, THREADS = 3, 64, 4096, 65, 256  # the last four as in kiln/abi.h


def rounded(values, kind):
    """f32 as numbers of the type."""
    if kind == "f32":
        return values
    if kind == "f16":
        return values.astype(np.float16)
    bits = values.view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def widened(values, kind):
    return (values.astype(np.uint32) << 16).view(np.float32) if kind == "bf16" else values.astype(np.float32)


class Rank:
    def __init__(self, library, number, ranks, ptx, operands):
        self.context = cuda.Context(library, number)
        self.number, self.operands = number, [self.context.upload(each) for each in operands]
        self.results = [self.context.upload(np.zeros_like(each)) for each in operands]
        self.kernel = self.context.load(ptx, re.search(r"\.entry (\w+)\(", ptx).group(1), 0)
        self.staging = self.context.allocate(2 * BLOCKS * ranks * STAGING)
        self.flags = self.context.upload(np.zeros(BLOCKS * ranks, np.uint32))
        state = np.zeros(STATE, np.uint32)
        state[BLOCKS] = number
        self.state = self.context.upload(state)
        self.abort = self.context.upload(np.zeros(1, np.uint32))

    def reach(self, others):
        driver = self.context.driver
        driver.call("cuCtxSetCurrent", self.context.handle)
        for other in others:
            if other is not self:
                driver.call("cuCtxEnablePeerAccess", other.context.handle, 0)

    def run(self, ranks, symbols, blocks, out, meeting):
        try:
            self.context.driver.call("cuCtxSetCurrent", self.context.handle)
            for operand, result in zip(self.operands, self.results):
                words = [operand, self.abort, result, self.state, self.staging, self.flags]
                words += [rank.staging for rank in ranks] + [rank.flags for rank in ranks] + symbols
                self.context.launch(self.kernel, (blocks, 1, 1), THREADS, 0, [struct.pack("q", word) for word in words])
            meeting.wait()  # or a wait could come before the launch that it waits for
            self.context.synchronize()
            for result, values in zip(self.results, out):
                self.context.download(result, values)
        except cuda.DriverError as error:
            # Kernels of other GPUs would wait for this one forever, as no runtime sets their abort flag.
            print(f"rank {self.number}: {error}", file=sys.stderr, flush=True)
            os._exit(1)


def main(library, path, ranks, kind, *symbols):
    ranks, symbols = int(ranks), [int(symbol) for symbol in symbols]
    count, random = int(np.prod(symbols)), np.random.default_rng(1)
    library, ptx = cuda.Driver(library), pathlib.Path(path).read_text()
    operands = [[rounded(random.standard_normal(count, np.float32), kind) for _ in range(ROUNDS)] for _ in range(ranks)]
    group = [Rank(library, number, ranks, ptx, operands[number]) for number in range(ranks)]
    for rank in group:
        rank.reach(group)
    found = [[np.zeros_like(each) for each in operands[0]] for _ in group]
    blocks = -(-operands[0][0].nbytes // STAGING)
    meeting = threading.Barrier(ranks)
    threads = [
        threading.Thread(target=rank.run, args=(group, symbols[:-1], blocks, out, meeting)) for rank, out in zip(group, found)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for turn in range(ROUNDS):
        total = widened(operands[0][turn], kind)
        for other in operands[1:]:
            total = total + widened(other[turn], kind)
        for out in found:
            assert out[turn].tobytes() == rounded(total, kind).tobytes(), f"round {turn}"
    print("right")


if __name__ == "__main__":
    main(*sys.argv[1:])
