//===- VerifyStreams.h - Verification of overlapping collectives *- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_PLANNING_VERIFYSTREAMS_H
#define KILN_LIB_PLANNING_VERIFYSTREAMS_H

#include "dialects/Plan/Plan.h"

namespace kiln {

/// Verifies that no step that overlaps with a collective reads or writes what it writes,
/// or writes what it reads, and that their memory is not reused before the collective's
/// join. Errors: KILN-E0303.
mlir::LogicalResult verifyStreams(plan::ProgramOp program);

} // namespace kiln

#endif // KILN_LIB_PLANNING_VERIFYSTREAMS_H
