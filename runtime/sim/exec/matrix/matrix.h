//===- matrix.h - The matrix instructions -----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_MATRIX_MATRIX_H
#define KILN_SIM_EXEC_MATRIX_MATRIX_H

#include "runtime/sim/exec/decoder.h"

namespace kiln::sim::exec::matrix {

void addMma(DecoderTable &table);
void addMmaScaled(DecoderTable &table);
void addWmma(DecoderTable &table);
void addLdmatrix(DecoderTable &table); ///< ldmatrix, stmatrix, movmatrix
void addWgmma(DecoderTable &table);

} // namespace kiln::sim::exec::matrix

#endif // KILN_SIM_EXEC_MATRIX_MATRIX_H
