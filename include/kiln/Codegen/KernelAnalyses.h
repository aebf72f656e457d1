//===- KernelAnalyses.h - Analyses that are kept ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_KERNELANALYSES_H
#define KILN_CODEGEN_KERNELANALYSES_H

#include "kiln/Codegen/KernelAnalysis.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <mutex>

namespace kiln::codegen {

/// Analyses of the kernels of one compile, or of one package: one for all kernels of
/// equal fingerprints and equal ranges of symbols. A pass that changes a kernel thereby
/// asks for another analysis. Each is of a copy of its kernel, so kernels may change and
/// go. Threads may ask at the same time. The MLIRContext of the kernels outlives this.
class KernelAnalyses {
public:
  KernelAnalyses();
  ~KernelAnalyses();

  /// Returns the analysis of a kernel, which lives as long as this.
  const KernelAnalysis &of(graph::KernelOp kernel);
  /// Returns the number of kernels that have been analysed.
  size_t size() const;

private:
  struct Entry;
  Entry &entryOf(llvm::StringRef key);

  mutable std::mutex mutex; ///< guards `entries`
  llvm::StringMap<std::unique_ptr<Entry>> entries;
};

/// Analyses that passes of several pipelines ask; whoever asks last ends them.
using SharedAnalyses = std::shared_ptr<KernelAnalyses>;

} // namespace kiln::codegen

#endif // KILN_CODEGEN_KERNELANALYSES_H
