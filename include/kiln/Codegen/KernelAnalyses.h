//===- KernelAnalyses.h - Cache of kernel analyses --------------*- C++ -*-===//
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

/// Analyses of the kernels of one compile or one package, one per fingerprint and ranges
/// of symbols. After a pass changes a kernel, its lookup returns another analysis. Each
/// analyses a copy, so kernels may be changed and erased. Thread-safe. The MLIRContext of
/// the kernels must outlive the cache.
class KernelAnalyses {
public:
  KernelAnalyses();
  ~KernelAnalyses();

  /// Returns the analysis of a kernel; it lives as long as the cache.
  const KernelAnalysis &of(graph::KernelOp kernel);
  /// Returns the number of kernels that have been analysed.
  size_t size() const;

private:
  struct Entry;
  Entry &entryOf(llvm::StringRef key);

  mutable std::mutex mutex; ///< guards `entries`
  llvm::StringMap<std::unique_ptr<Entry>> entries;
};

/// Analyses that the passes of several pipelines use; the last owner frees them.
using SharedAnalyses = std::shared_ptr<KernelAnalyses>;

} // namespace kiln::codegen

#endif // KILN_CODEGEN_KERNELANALYSES_H
