//===- TestPasses.h - Passes that only tests run ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_LIB_PASSES_TESTPASSES_H
#define KILN_TEST_LIB_PASSES_TESTPASSES_H

namespace kiln::test {

/// --kiln-test-crash: ends the process by a signal, or by a fatal error of LLVM.
void registerCrash();
/// --kiln-test-evaluate: evaluates every function and prints the results.
void registerEvaluate();
/// --kiln-test-plant-bug: applies a wrong rewrite to @main.
void registerPlantBug();
/// --kiln-test-print-indexing: prints the index maps of every op.
void registerPrintIndexing();
/// --kiln-test-rank-configs=target=...: prints the configs of every kernel.
void registerRankConfigs();
/// --kiln-test-run-kernels=targets=...: runs the tile program of every graph.kernel and
/// compares with the reference.
void registerRunKernels();
/// --kiln-test-run-tile: runs every tile.kernel and prints its results.
void registerRunTile();
/// --kiln-test-verify-each=pipeline=...: runs a pipeline with every pass
/// verified.
void registerVerifyEach();

inline void registerTestPasses() {
  registerCrash();
  registerEvaluate();
  registerPlantBug();
  registerPrintIndexing();
  registerRankConfigs();
  registerRunKernels();
  registerRunTile();
  registerVerifyEach();
}

} // namespace kiln::test

#endif // KILN_TEST_LIB_PASSES_TESTPASSES_H
