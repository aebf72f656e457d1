//===- Box.h - Runs of short dims in two orders -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is next to each other in an operand, and in the result, may be several short
// loops, in either order. All of them together are a box, which goes through scratch.
// Internal to lib/Codegen/Pointwise.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_POINTWISE_BOX_H
#define KILN_CODEGEN_POINTWISE_BOX_H

#include "../Expression/Program.h"
#include "kiln/Codegen/Pointwise.h"

namespace kiln::codegen {

/// Loops of a program by which loads and the result need not agree.
struct Box {
  /// Those of either run and the runs, as numbers of `loops`. All are innermost
  /// first; of a run, all but the last loop have constant extents.
  llvm::SmallVector<const Loop *> loops;
  llvm::SmallVector<int64_t> line, row;
  /// Loads of the same run along `line`.
  llvm::SmallVector<Node *> loads;
};

/// The box of a pointwise program, of the loads that have most bytes; without loads
/// where lines and rows of one loop each will do.
Box findBox(graph::KernelOp kernel, const Program &program);

/// What rankBoxConfigs looks at.
BoxProblem boxProblemOf(graph::KernelOp kernel, const Program &program, const Box &box);

/// Where elements of a box are in scratch: lines of a run each, `pitch` elements apart.
class BoxLayout {
public:
  BoxLayout(llvm::ArrayRef<int64_t> lengths, llvm::ArrayRef<int64_t> line,
            llvm::ArrayRef<int64_t> row, int64_t pitch);

  int64_t lineLength = 1, rowLength = 1; ///< elements
  int64_t elements = 1;                  ///< of all of scratch
  /// Elements in scratch from one position of a loop to the next.
  llvm::SmallVector<int64_t> strides;
  /// Loops of lines but not of rows, those of rows but not of lines; innermost first.
  llvm::SmallVector<int64_t> acrossRows, acrossLines;

  /// The loop of acrossLines whose lines are loaded at once: that with tiles, or the
  /// longest one. nullopt: there is one line.
  std::optional<int64_t> fragmentLoop() const;
  /// The product of the lengths of some loops.
  int64_t count(llvm::ArrayRef<int64_t> loops) const;
  /// Where a position of the run through some loops is.
  int64_t address(llvm::ArrayRef<int64_t> loops, int64_t position) const;

private:
  llvm::SmallVector<int64_t> lengths;
  int64_t tiled; ///< the last loop of rows
};

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_BOX_H
