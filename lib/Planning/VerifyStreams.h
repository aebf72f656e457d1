//===- VerifyStreams.h - Prove what runs beside collectives -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_PLANNING_VERIFYSTREAMS_H
#define KILN_LIB_PLANNING_VERIFYSTREAMS_H

#include "dialects/Plan/Plan.h"

namespace kiln {

/// No step that runs beside a collective reads or writes what it writes, or writes what
/// it reads; and their memory is nobody else's until the collective is waited for.
/// Errors: KILN-E0303.
mlir::LogicalResult verifyStreams(plan::ProgramOp program);

} // namespace kiln

#endif // KILN_LIB_PLANNING_VERIFYSTREAMS_H
