//===- BubbleText.h - Text about pipeline bubbles ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_TABLES_BUBBLETEXT_H
#define KILN_LIB_DRIVER_TABLES_BUBBLETEXT_H

#include "llvm/ADT/Twine.h"

namespace kiln::driver {

/// Returns "prefill in 4 micro-batches: a stage waits for 20 % of it (the bubble)".
std::string bubbleText(const llvm::Twine &program, int64_t microBatches, double bubble);

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_TABLES_BUBBLETEXT_H
