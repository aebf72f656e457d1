//===- ScaledProductLowering.h - Products of quantized operands -*- C++ -*-===//
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

/// tile.scaled_mma of a warp, by mma.sync of bytes.
class ScaledProductLowering {
public:
  explicit ScaledProductLowering(ThreadProgram &program) : program(program) {}

  void lower(tile::ScaledMmaOp op);

private:
  ThreadProgram &program;
};

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LOWERING_SCALEDPRODUCTLOWERING_H
