//===- TileRuns.h - Kernels of a package on the tile interpreter -*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_KERNELS_TILERUNS_H
#define KILN_TEST_UNIT_KERNELS_TILERUNS_H

#include "kiln/Execution/Handles.h"
#include "kiln/Pipeline/Oracle.h"
#include "kiln/Tuning/KernelCheck.h"
#include "llvm/ADT/ArrayRef.h"

namespace kiln::test {

/// Observes a run on the host: emits each kernel for every target, interprets its tile
/// program on the kernel's actual operands, and checks the results like those of a run.
/// Matmuls of the first target, which is the one that runs, must have the bits of the
/// interpreter: those without a function whose formula the interpreter does not share.
/// Failures are recorded in the current test.
class TileRuns {
public:
  TileRuns(kiln_model *model, std::vector<std::string> targets,
           const SymbolValues &symbols);
  ~TileRuns();
  /// Observer for kiln_session_options, with this object as the user pointer.
  static void observe(void *self, size_t step, int after, const kiln_buffer_view *reads,
                      size_t readCount, const kiln_buffer_view *writes,
                      size_t writeCount);
  /// Expects that every kernel was interpreted for every target with correct results.
  void expectRight();
  /// Returns the number of kernels whose bits were compared.
  size_t numCompared() const { return compared; }

private:
  using Views = llvm::ArrayRef<kiln_buffer_view>;
  struct Kernels;
  void interpret(size_t step, Views reads, Views writes);
  void interpretFor(const std::string &target, size_t step, Views reads, Views writes);
  void compareBits(Views writes);

  kiln_model *model;
  std::vector<std::string> targets;
  SymbolValues symbols;
  PackageGraph graph;
  tuning::KernelCheck check;
  std::unique_ptr<Kernels> kernels;
  size_t launched = 0; ///< kernels so far
  size_t compared = 0;
  std::vector<std::vector<char>> interpreted; ///< results of the latest kernel
};

} // namespace kiln::test

#endif // KILN_TEST_UNIT_KERNELS_TILERUNS_H
