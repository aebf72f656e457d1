//===- Bubble.h - How long stages wait for each other -----------*- C++ -*-===//
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

/// The fraction of a run for which a stage of a pipeline waits for the others, at the
/// largest dims. A kernel takes as long as its operations or its bytes on a device that
/// does so many operations for each byte; collectives take no time.
double bubbleOf(plan::ProgramOp program, const graph::SymbolRanges &ranges,
                double operationsPerByte);

} // namespace kiln

#endif // KILN_LIB_PIPELINE_BUBBLE_H
