//===- PassOptions.h - Checks of options and inputs of passes ---*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `kiln compile` checks its own options; in kiln-opt anyone can give a pass any number.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SUPPORT_PASSOPTIONS_H
#define KILN_SUPPORT_PASSOPTIONS_H

#include "mlir/IR/Operation.h"
#include "mlir/Pass/Pass.h"

#include <cstdint>

namespace kiln {

/// Reports a KILN-E0001 of an option of a pass; always failure.
mlir::LogicalResult refuseOption(const mlir::Pass &pass, llvm::StringRef option,
                                 const llvm::Twine &expected, const llvm::Twine &found,
                                 mlir::MLIRContext *context);

/// Checks that an option of a pass is from `min` to `max`, in Pass::initialize. Reports
/// KILN-E0001.
template <typename Option>
mlir::LogicalResult checkOption(const mlir::Pass &pass, const Option &option, int64_t min,
                                int64_t max, mlir::MLIRContext *context) {
  int64_t value = option.getValue();
  if (value >= min && value <= max)
    return mlir::success();
  return refuseOption(pass, option.getArgStr(),
                      "from " + llvm::Twine(min) + " to " + llvm::Twine(max),
                      llvm::Twine(value), context);
}

/// Warns that a pass has found nothing to work on in `op`: it may be in the wrong place
/// of a pipeline.
void warnOfNothing(const mlir::Pass &pass, mlir::Operation *op, llvm::StringRef what);

} // namespace kiln

#endif // KILN_SUPPORT_PASSOPTIONS_H
