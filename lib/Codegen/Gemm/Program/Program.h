//===- Program.h - What a GEMM kernel computes ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel around one matmul as an iteration space (batch loops, rows, column
// panels, lanes of a panel, K), the addresses of its operands over these,
// and its outputs as body nodes over the product. Made from a graph.kernel
// without touching IR. Internal to lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_PROGRAM_PROGRAM_H
#define KILN_LIB_CODEGEN_GEMM_PROGRAM_PROGRAM_H

#include "ProductOp.h"
#include "dialects/Graph/BlockScaledWeight.h"
#include "kiln/Codegen/Gemm.h"
#include "lib/Codegen/ViewAnalysis.h"

namespace kiln::codegen {

class GemmProgram {
public:
  /// Lanes of a tile: of an operand that is not packed, and the most of one that is,
  /// whose panels may be several tiles wide.
  struct Lanes {
    int64_t unpacked, maxPacked;
  };
  /// Null, with `why` set, if the kernel is no GEMM.
  static std::unique_ptr<GemmProgram> build(graph::KernelOp kernel, Lanes lanes,
                                            std::string &why);

  Body body;
  ProductOp op;
  /// Formats, scales and zero points of the operands of a graph.scaled_matmul; nullopt:
  /// neither operand is quantized.
  struct ScaledOperands {
    graph::FormatAttr lhs, rhs;
    graph::Accumulation accumulation;
    int64_t block = 0;        ///< steps of K that tile.scaled_mma takes at a time
    Loop wordStep, blockStep; ///< along K: 32 bits of the weight, a block
    /// Scales, and totals of the codes, by row and block of K; null: the left operand has
    /// none.
    Node *lhsScales = nullptr, *lhsTotals = nullptr;
    /// Scales by block of K and lane; null: the right operand has none.
    Node *rhsScales = nullptr;
    Node *rhsZeros = nullptr; ///< the same; null: all are the format's default

    int64_t bits() const { return rhs.getBits(); }
    /// Scales that an operand has side by side for a block.
    int64_t scalesPerBlock() const {
      return rhs.hasBlocks() ? block / rhs.getBlock() : 1;
    }
    /// Type of the right operand's scales, if they are bytes; else null.
    mlir::TypeAttr scaleBytes() const;
  };
  std::optional<ScaledOperands> scaled;
  bool isPacked = false; ///< the right operand is padded to whole panels
  int64_t width = 0;     ///< lanes of a panel
  /// Panels that lie side by side in one packed panel, which is so many times as wide.
  int64_t panelsPerPack = 1;
  /// Rows of the launches that the code is for; none: all that there may be.
  std::optional<int64_t> maxRows;

  std::vector<Loop> batch; ///< outermost first
  Loop row;
  std::vector<Loop> columnOuter; ///< splits of the columns, outermost first
  Loop panel;                    ///< inside the innermost split
  Loop lane;                     ///< extent: width
  Loop k;
  SymbolicExpr columnsInner; ///< columns of the innermost split

  Node *lhs = nullptr, *rhs = nullptr; ///< Load nodes
  /// f8E4M3FN where the right operand is bytes of it, which kernels widen; else null.
  mlir::Type rhsBytes;
  /// Scales of f8E8M0FNU of such bytes, per block of steps of K and lane.
  struct BlockScales {
    int64_t block = 0; ///< steps of K
    Loop step;         ///< along K: a block
    Node *scales = nullptr;
  };
  std::optional<BlockScales> rhsScales;
  /// Element type of the right operand; where it is bytes, the type that these stand for.
  mlir::Type rhsElement() const { return rhsBytes ? rhsBytes : rhs->storage; }
  mlir::Type accumulator;
  Node *product = nullptr; ///< Bound
  /// Bound: what `product` is of the first half of a panel, this is of the second; null:
  /// panels have no halves. See ColumnHalves.h.
  Node *second = nullptr;
  Loop resultLane; ///< lanes of a panel's results; `lane` without halves
  std::vector<Output> outputs;

  int64_t resultWidth() const { return second ? width / 2 : width; }
  /// Panels of one row, over all splits.
  SymbolicExpr panelCount() const;
  /// True if the last panel has fewer columns than lanes, or may have.
  bool hasPartialPanel() const;
  /// The right operand's lanes are contiguous and may be loaded whole.
  bool loadsRhsDirectly() const;
  /// Both operands are f16, or both bf16, or f32 to be multiplied as tf32, of which the
  /// right one may be bytes; sums f32.
  bool fitsTensorCores() const;
  /// Instructions per element of the epilogue.
  int epilogueCost() const;
  /// Contiguous elements of a row, at most `max`, that every access of the epilogue to
  /// contiguous memory is aligned for.
  int64_t resultRun(int64_t max) const;
  GemmProblem::Deal deal() const;

private:
  explicit GemmProgram(mlir::Block &block) : body(block) {}
  struct Factors;
  bool analyze(graph::KernelOp kernel, const Factors &factors);
  bool pullRhs(llvm::ArrayRef<SymbolicExpr> leading, const SymbolicExpr &column);
  bool pullBlockScaled(graph::BlockScaledWeight weight, const SymbolicExpr &column);
  bool pullScaled(llvm::ArrayRef<SymbolicExpr> leading, const SymbolicExpr &column);
  bool checkScaled();
  /// Returns the number that an accumulator stands for: times the scale of the row, if
  /// rows have one. Null, with `body.why` set, on failure.
  Node *scaledByRow(Node *accumulator, const Indices &leading);
  /// Says which elements the accumulators are, and where the outputs lie.
  bool defineProduct(graph::KernelOp kernel, Indices leading, const SymbolicExpr &column);
  bool defineHalves(graph::KernelOp kernel, Indices leading, const SymbolicExpr &column);
  /// `from`: the value whose indices these are.
  bool placeOutputs(graph::KernelOp kernel, mlir::Value from, const Indices &indices);
  bool pullOutputs(graph::KernelOp kernel);
  void walkEpilogue(llvm::function_ref<void(Node *)> visit) const;
  bool checkAddresses();
  bool refine(Factors &factors) const;
  void mergeRows();
  bool canMerge(const Loop &outer, const Loop &inner) const;
  std::vector<SymbolicExpr> addresses() const;
  std::vector<Indices> outputIndices;
};

/// The largest power of two, at most `max`, that divides what every variable but
/// `along` adds to an address.
int64_t alignedRun(const SymbolicExpr &address, mlir::StringAttr along, int64_t max);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_PROGRAM_PROGRAM_H
