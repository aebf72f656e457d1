//===- BoxEmitter.h - Boxes through scratch as tile IR ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A task is a box of the result. Operands are read line by line, in the order in which
// they lie, into scratch; then rows are computed in the order of the result. Internal
// to lib/Codegen/Pointwise.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_POINTWISE_BOXEMITTER_H
#define KILN_CODEGEN_POINTWISE_BOXEMITTER_H

#include "Box.h"
#include "../Expression/KernelShell.h"

namespace kiln::codegen {

class BoxEmitter : ShellEmitter {
public:
  BoxEmitter(mlir::OpBuilder &builder, graph::KernelOp kernel, Program &program, Box box,
             tile::BoxConfigAttr config);
  tile::KernelOp emit();

private:
  /// A load that goes through scratch.
  struct Boxed {
    Node *load;         ///< of an operand
    Node *copy;         ///< of scratch
    SymbolicExpr index; ///< of the load, in terms of the loops of the box
    BoxLayout layout;
    int64_t offset;     ///< bytes
    unsigned memory;    ///< of the copy
  };
  /// The positions of one loop in the box at hand.
  struct Range {
    int64_t length;
    Value first; ///< index into the loop
    Value valid; ///< positions from there on; null: all of them
  };

  /// A dim of fragments of lines.
  struct Extent {
    int64_t length, lanes; ///< in a box, in a fragment
    mlir::OpFoldResult inside;
    bool isCut = false; ///< not all lanes are inside
    bool isPadded() const { return lanes != length; }
  };
  /// A fragment of lines on its way from an operand to scratch.
  struct Line {
    Value tile, to;
    llvm::SmallVector<int64_t> padded; ///< dims
  };

  void planScratch();
  void mergeRow();
  SymbolicExpr alongRow(const SymbolicExpr &index) const;
  /// Positions of the lanes, or of a row, as places in scratch.
  SymbolicExpr placeOf(const Boxed &boxed, llvm::ArrayRef<int64_t> run,
                       mlir::StringAttr position) const;

  SymbolicExpr boxesAlong(int64_t loop) const;
  void openBox(Value task);
  void fillLines();
  Extent extentOf(int64_t length, Value valid);
  /// Elements of an operand from one position of a loop to the next.
  Value stepAlong(const Boxed &boxed, int64_t loop);
  Value originOf(const Boxed &boxed);
  void loadLines(const Boxed &boxed, std::vector<Line> &lines);
  void computeRows(Value validColumns);
  void computeRow(Value row);
  /// Positions of a run that are inside of its last loop; null if all are.
  Value validOf(llvm::ArrayRef<int64_t> run);

  Program &program;
  Box box;
  tile::BoxConfigAttr config;
  std::vector<Boxed> operands;
  std::vector<Range> ranges;
  int64_t scratchBytes = 0;
  Loop columns;             ///< the run of the result as one loop
  mlir::StringAttr rowPlace; ///< where the row at hand is, as a number of its run
};

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_BOXEMITTER_H
