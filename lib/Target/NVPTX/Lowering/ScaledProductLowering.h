//===- ScaledProductLowering.h - MMA of quantized operands ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LOWERING_SCALEDPRODUCTLOWERING_H
#define KILN_LIB_TARGET_NVPTX_LOWERING_SCALEDPRODUCTLOWERING_H

#include "ThreadProgram.h"

namespace kiln::nvptx {

/// Lowers tile.scaled_mma of a warp to mma.sync.
class ScaledProductLowering {
public:
  explicit ScaledProductLowering(ThreadProgram &program) : program(program) {}

  void lower(tile::ScaledMmaOp op);

private:
  ThreadProgram &program;
};

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LOWERING_SCALEDPRODUCTLOWERING_H
