//===- matrix.cpp - The matrix instructions -------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/matrix/matrix.h"

namespace kiln::sim::exec {

void addMatrixDecoders(DecoderTable &table) {
  matrix::addMma(table);
  matrix::addMmaScaled(table);
  matrix::addWmma(table);
  matrix::addLdmatrix(table);
  matrix::addWgmma(table);
}

} // namespace kiln::sim::exec
