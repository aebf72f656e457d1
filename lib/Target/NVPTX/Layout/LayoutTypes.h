//===- LayoutTypes.h - Layouts in types -------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kiln-assign-layouts writes into the types of fragments, and what the level behind
// it asks of them. Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LAYOUT_LAYOUTTYPES_H
#define KILN_LIB_TARGET_NVPTX_LAYOUT_LAYOUTTYPES_H

#include "Layout.h"
#include "dialects/Tile/Tile.h"

namespace kiln::nvptx {

tile::LinearLayoutAttr toAttribute(const Layout &layout, mlir::MLIRContext *context);
/// The layout in the type of a fragment, which must have one.
Layout layoutIn(tile::FragType type);

/// How a right operand in registers of a product by mma.sync lies: its threads and
/// columns are those of the accumulator, which has a layout.
Layout rightLayout(tile::MmaOp product);

/// The first dim of a staged tile is the contiguous one in memory.
bool isColumnMajor(tile::StageOp op);

/// True if every fragment says a layout, of the threads that run its op, and every op
/// gets its operands as it wants them: ops on elements in the layout of their result, the
/// reduction along an axis and its repetition in slices of one another, products by
/// mma.sync a right operand in registers as the instruction has it. Else reports
/// KILN-E0403 at the op.
bool verifyLayouts(tile::KernelOp kernel);

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LAYOUT_LAYOUTTYPES_H
