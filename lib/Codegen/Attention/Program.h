//===- Program.h - What an attention kernel computes ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel around one attention as loops (batch, key heads, query heads per key
// head, query rows), the addresses of its operands over these, and mask and
// outputs as body nodes. Made from a graph.kernel without touching IR. Internal
// to lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_ATTENTION_PROGRAM_H
#define KILN_LIB_CODEGEN_ATTENTION_PROGRAM_H

#include "../ViewAnalysis.h"
#include "dialects/Graph/PartialAttention.h"

namespace kiln::codegen {

class AttentionProgram {
public:
  /// Null, with `why` set, if the kernel is no attention kernel.
  static std::unique_ptr<AttentionProgram> build(graph::KernelOp kernel,
                                                 std::string &why);

  Body body;
  graph::AttentionOp op;
  graph::AttentionLseOp lse; ///< null: nobody asks for it
  Loop batch, keyHead; ///< the parallel loops, outermost first ...
  Loop outer;          ///< ... and the query heads of a key head, or the only query
  Loop row;            ///< of a tile: queries, or the query heads of a key head
  bool packsGroup = false; ///< rows are query heads
  /// The maximum number of queries of the launches that the code is for; nullopt: any
  /// number.
  std::optional<int64_t> maxQueries;
  Loop key;    ///< keys: columns of the scores
  Loop depth;  ///< of queries and keys
  Loop column; ///< of the values and the result

  Node *query = nullptr, *keys = nullptr, *values = nullptr; ///< Load nodes
  /// Type of keys and values in memory where they are codes, i8 or f8E4M3FN; null: they
  /// are numbers.
  mlir::Type codes;
  Node *keyScales = nullptr, *valueScales = nullptr; ///< of codes, over key
  Node *mask = nullptr;                                      ///< over row and key
  Node *keep = nullptr; ///< over row and key: the mask is added, or replaces the score
  Node *lengths = nullptr;                                   ///< over batch
  Node *sinks = nullptr;                                     ///< over query heads
  mlir::Type accumulator;
  Node *product = nullptr; ///< Bound
  std::vector<Output> outputs;
  std::vector<Output> lseOutputs; ///< the log-sum-exp of a row, if it is a result

  /// The number of rows, or the most that there may be, if it is known.
  std::optional<int64_t> knownRows() const {
    return maxQueries && !packsGroup ? maxQueries : row.extent.getConstant();
  }
  /// Swaps what rows of a tile are: queries, or the query heads of a key head, which are
  /// for launches with one query at most. The nodes stay the same.
  void swapRows() {
    std::swap(outer, row);
    packsGroup = !packsGroup;
  }
  /// Rows may see different keys. One query alone sees all that its sequence has.
  bool isCausal() { return op.getCausal() && !packsGroup; }
  /// Queries, keys and values are all f16, or all bf16, and sums f32.
  bool fitsTensorCores() const;
  /// All queries have the same mask, and the same `keep`.
  bool hasOneMaskRow();

private:
  explicit AttentionProgram(mlir::Block &block) : body(block) {}
  bool analyze(graph::KernelOp kernel);
  bool pullOperands(const Indices &lead, const SymbolicExpr &position,
                    const Indices &keyLead);
  bool addOutputs(graph::KernelOp kernel, const Indices &indices);
  bool addLse(unsigned result, const Indices &row);
  bool isLinear(const SymbolicExpr &address);
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_PROGRAM_H
