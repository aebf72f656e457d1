//===- PlanLayout.h - A plan's memory at given dims -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Planning.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_PLANNING_PLANLAYOUT_H
#define KILN_LIB_PLANNING_PLANLAYOUT_H

#include "dialects/Graph/Graph.h"
#include "dialects/Plan/Plan.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace kiln {

/// Values of all symbols.
using SymbolValues = llvm::DenseMap<mlir::StringAttr, int64_t>;

/// Bytes of a buffer in its arena. A weight that is divided among ranks ends behind its
/// last part; of all others the end is offset + size.
struct BufferExtent {
  int64_t offset = 0, size = 0, end = 0;
};

/// Evaluates sizes and offsets of a program's memory at given dims, as the runtime does.
class PlanLayout {
public:
  PlanLayout(plan::ProgramOp program, const SymbolValues &dims);

  /// Returns the largest of the expressions; nullopt if it is negative, or if one has no
  /// value of 63 bits.
  std::optional<int64_t> evaluate(graph::ShapeAttr sizes) const;
  /// Finds the place of a buffer: where the op says, or that of the buffer it is an alias
  /// of, or behind the buffers below it, at a multiple of 64. To be called in the order
  /// of the program. nullopt: a number is negative or too large, as `why` says.
  std::optional<BufferExtent> add(plan::BufferOp buffer, std::string &why);

private:
  std::optional<int64_t> occupied(plan::BufferOp buffer, int64_t size, std::string &why);
  int64_t offsetOf(plan::BufferOp buffer) const;

  const SymbolValues &dims;
  int64_t ranks;
  llvm::StringMap<BufferExtent> extents; ///< by buffer
};

} // namespace kiln

#endif // KILN_LIB_PLANNING_PLANLAYOUT_H
