//===- Bubble.h - Pipeline bubbles ------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_PIPELINE_BUBBLE_H
#define KILN_LIB_PIPELINE_BUBBLE_H

#include "dialects/Graph/SymbolBounds.h"
#include "dialects/Plan/Plan.h"

namespace kiln {

/// Returns the fraction of a run that a pipeline stage waits for others, at the maximum
/// of all dims. The time of a kernel is max(operations, bytes * operationsPerByte);
/// collectives take no time.
double bubbleOf(plan::ProgramOp program, const graph::SymbolRanges &ranges,
                double operationsPerByte);

} // namespace kiln

#endif // KILN_LIB_PIPELINE_BUBBLE_H
