//===- ParallelJobs.h - Parallel jobs that may fail -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/Target.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_PARALLELJOBS_H
#define KILN_LIB_TARGET_PARALLELJOBS_H

#include "kiln/Support/Error.h"
#include "mlir/IR/Threading.h"

namespace kiln {

/// Calls `job` for each index below `count` on the context's threads, and returns the
/// failure of the smallest index.
inline llvm::Error runJobs(mlir::MLIRContext *context, size_t count,
                           llvm::function_ref<llvm::Error(size_t)> job) {
  std::vector<std::unique_ptr<Diagnosis>> failures(count);
  mlir::parallelFor(context, 0, count, [&](size_t i) {
    if (llvm::Error error = job(i))
      failures[i] = std::make_unique<Diagnosis>(takeDiagnosis(std::move(error)));
  });
  for (std::unique_ptr<Diagnosis> &failure : failures)
    if (failure)
      return makeError(std::move(*failure));
  return llvm::Error::success();
}

} // namespace kiln

#endif // KILN_LIB_TARGET_PARALLELJOBS_H
