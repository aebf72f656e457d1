//===- CheckTargets.h - Names of targets in options -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TARGET_CHECKTARGETS_H
#define KILN_TARGET_CHECKTARGETS_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace kiln {

/// Checks that each is the name of a target of this machine. Reports the errors of
/// TargetInfo::get.
mlir::LogicalResult checkTargets(mlir::Location loc, llvm::ArrayRef<std::string> names);

} // namespace kiln

#endif // KILN_TARGET_CHECKTARGETS_H
