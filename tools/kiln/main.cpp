//===- main.cpp - kiln ----------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Driver/Driver.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace kiln::driver;

static const Command commands[] = {
    {"compile", "turn an ONNX model into a package", runCompile},
    {"check", "say all that keeps a model from compiling", runCheck},
    {"estimate", "say whether and how fast a model would run", runEstimate},
    {"ops", "list the ONNX operators that are imported", runOps},
    {"run", "run a package once on given or random inputs", runRun},
    {"inspect", "show what is inside a package", runInspect},
    {"explain", "say which configs each kernel was chosen from", runExplain},
    {"verify", "check every kernel of a package against the reference", runVerify},
    {"bench", "measure a package", runBench},
    {"generate", "generate text or tokens with a decoder", runGenerate},
    {"reduce", "make an input smaller that shows a bug", runReduce},
    {"tune", "measure configs of kernels and write the best to a file", runTune},
    {"version", "print the version", runVersion},
};

/// Makes glibc return large blocks (accumulators of a calibration, weights) to the system
/// as soon as they are freed. By default glibc keeps freed blocks of up to 32 MiB once it
/// has freed one of that size, so that the peak memory would depend on the order of
/// threads.
static void returnLargeBlocks() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 8 << 20);
#endif
}

int main(int argc, char **argv) {
  returnLargeBlocks();
  return runTool(commands, Arguments(argv + 1, argv + (argc ? argc : 1)));
}
