//===- CheckTargets.h - Names of targets in options -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TARGET_CHECKTARGETS_H
#define KILN_TARGET_CHECKTARGETS_H

#include "mlir/IR/Location.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace kiln {

/// Checks that each is the name of a target of this machine. Reports the errors of
/// TargetInfo::get.
mlir::LogicalResult checkTargets(mlir::Location loc, llvm::ArrayRef<std::string> names);

/// Checks, in Pass::initialize, that some CPU target has each of the features that an
/// option of a pass names. Reports KILN-E0001.
mlir::LogicalResult checkHostFeatures(const mlir::Pass &pass,
                                      llvm::ArrayRef<std::string> features,
                                      mlir::MLIRContext *context);

} // namespace kiln

#endif // KILN_TARGET_CHECKTARGETS_H
