//===- Position.h - Rotations by position -----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_OPS_POSITION_H
#define KILN_LIB_IMPORT_OPS_POSITION_H

#include "lib/Import/Node.h"

namespace kiln::import {

/// Rotary embedding of x [batch, seq, heads, width] (Su et al., RoFormer, 2021). Pairs of
/// its first 2 * half elements, adjacent ones or half the width apart, are rotated by
/// angles of these cosines and sines, [batch or 1, seq, 1, half]; the others stay.
mlir::Value rotateHeads(Node &n, mlir::Value x, int64_t half, mlir::Value cosine,
                        mlir::Value sine, bool interleaved);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_OPS_POSITION_H
