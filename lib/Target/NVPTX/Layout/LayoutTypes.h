//===- LayoutTypes.h - Layouts in types -------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts that kiln-assign-layouts writes into the types of fragments, and the verifier
// of its output. Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LAYOUT_LAYOUTTYPES_H
#define KILN_LIB_TARGET_NVPTX_LAYOUT_LAYOUTTYPES_H

#include "Layout.h"
#include "dialects/Tile/Tile.h"

namespace kiln::nvptx {

tile::LinearLayoutAttr toAttribute(const Layout &layout, mlir::MLIRContext *context);
/// Returns the layout in the type of a fragment, which must have one.
Layout layoutIn(tile::FragType type);

/// Returns the register layout of operand B of mma.sync, derived from the accumulator's
/// layout.
Layout rightLayout(tile::MmaOp product);

/// Returns true if the first dim of a staged tile is the contiguous one in memory.
bool isColumnMajor(tile::StageOp op);

/// Returns true if every fragment has a layout for the threads that run its op, and every
/// op gets its operands in the layout it needs: elementwise ops in that of their result,
/// reductions and broadcasts along an axis in slices of one another, mma.sync with
/// operand B in registers in the instruction's register layout. Else reports KILN-E0403
/// at the op.
bool verifyLayouts(tile::KernelOp kernel);

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LAYOUT_LAYOUTTYPES_H
