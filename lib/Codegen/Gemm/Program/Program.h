//===- Program.h - Program of a GEMM kernel ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Describes a kernel around one matmul as an iteration space (batch loops, rows, column
// panels, lanes of a panel, K), the addresses of its operands over these loops, and its
// outputs as body nodes over the matmul's result. build() does not change the IR.
// Internal to lib/Codegen.
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
  /// Lanes per tile for an unpacked operand, and their maximum for a packed one, whose
  /// panels may be several tiles wide.
  struct Lanes {
    int64_t unpacked, maxPacked;
  };
  /// Returns null, with `why` set, if the kernel is no GEMM.
  static std::unique_ptr<GemmProgram> build(graph::KernelOp kernel, Lanes lanes,
                                            std::string &why);

  Body body;
  ProductOp op;
  /// Formats, scales and zero points of the operands of a graph.scaled_matmul; nullopt if
  /// neither operand is quantized.
  struct ScaledOperands {
    graph::FormatAttr lhs, rhs;
    graph::Accumulation accumulation;
    int64_t block = 0;        ///< steps of K that tile.scaled_mma takes at a time
    Loop wordStep = {},
         blockStep = {}; ///< along K: words of 32 bits of the weight, blocks
    /// Scales, and sums of quantized values (totals), by row and block of K; null if the
    /// left operand has none.
    Node *lhsScales = nullptr, *lhsTotals = nullptr;
    /// Scales by block of K and lane; null if the right operand has none.
    Node *rhsScales = nullptr;
    Node *rhsZeros = nullptr; ///< by block of K and lane; null: the format's default

    int64_t bits() const { return rhs.getBits(); }
    /// Returns the number of adjacent scales of a panel or row per block.
    int64_t scalesPerBlock() const {
      return rhs.hasBlocks() ? block / rhs.getBlock() : 1;
    }
    /// Returns the type of the right operand's scales if they are bytes, else null.
    mlir::TypeAttr scaleBytes() const;
  };
  std::optional<ScaledOperands> scaled;
  bool isPacked = false; ///< the right operand is padded to full panels
  int64_t width = 0;     ///< lanes per panel
  /// Adjacent panels in one packed panel, which is that many times as wide.
  int64_t panelsPerPack = 1;
  /// Maximum number of rows in the launches that the code is for; nullopt: no limit.
  std::optional<int64_t> maxRows;

  std::vector<Loop> batch; ///< outermost first
  Loop row;
  std::vector<Loop> columnOuter; ///< splits of the columns, outermost first
  Loop panel;                    ///< within the innermost split
  Loop lane;                     ///< extent: width
  Loop k;
  SymbolicExpr columnsInner; ///< columns of the innermost split

  Node *lhs = nullptr, *rhs = nullptr; ///< Load nodes
  /// f8E4M3FN if the right operand is bytes of this type, which kernels widen; else null.
  mlir::Type rhsBytes;
  /// Scales (f8E8M0FNU) of such a right operand, one per block of K and lane.
  struct BlockScales {
    int64_t block = 0; ///< steps of K
    Loop step;         ///< along K: a block
    Node *scales = nullptr;
  };
  std::optional<BlockScales> rhsScales;
  /// Returns the right operand's element type, or the type that its bytes encode.
  mlir::Type rhsElement() const { return rhsBytes ? rhsBytes : rhs->storage; }
  mlir::Type accumulator;
  Node *product = nullptr; ///< node that the main loop binds to its result
  /// Like `product`, but for the second half of a panel; null if panels have no halves.
  /// See ColumnHalves.h.
  Node *second = nullptr;
  Loop resultLane; ///< lanes of a panel's results; the same as `lane` without halves
  std::vector<Output> outputs;

  int64_t resultWidth() const { return second ? width / 2 : width; }
  /// Returns the number of panels of one row, over all splits.
  SymbolicExpr panelCount() const;
  /// Returns true unless the last panel is known to have as many columns as lanes.
  bool hasPartialPanel() const;
  /// Returns true if the right operand's lanes are contiguous and full vectors may be
  /// loaded.
  bool loadsRhsDirectly() const;
  /// Returns true if tensor cores support the operands: both f16, both bf16, or f32
  /// computed as tf32, where the right operand may be bytes; accumulators in f32.
  bool fitsTensorCores() const;
  /// Returns the dot product by which a CPU multiplies the operands faster than by FMAs:
  /// both bf16, without scales, accumulators in f32; nullopt: none.
  std::optional<tile::DotProduct> dotProduct(const TargetInfo &target) const;
  /// Returns the epilogue's instructions per element.
  int epilogueCost() const;
  /// Returns the number of contiguous elements of a row, at most `max`, to which all
  /// contiguous accesses of the epilogue are aligned.
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
  /// Returns the accumulator times the scale of its row, if rows have one. Null, with
  /// `body.why` set, on failure.
  Node *scaledByRow(Node *accumulator, const Indices &leading);
  /// Defines the result's elements by the accumulators, and places the outputs.
  bool defineProduct(graph::KernelOp kernel, Indices leading, const SymbolicExpr &column);
  bool defineHalves(graph::KernelOp kernel, Indices leading, const SymbolicExpr &column);
  /// `indices` are those of an element of `from`.
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

/// Returns the largest power of two, at most `max`, that divides the address for any
/// values of the variables other than `along`.
int64_t alignedRun(const SymbolicExpr &address, mlir::StringAttr along, int64_t max);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_PROGRAM_PROGRAM_H
