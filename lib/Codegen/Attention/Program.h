//===- Program.h - Program of an attention kernel ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Describes a kernel around one attention as loops (batch, key heads, query heads per key
// head, query rows), the addresses of its operands over these loops, and mask and outputs
// as body nodes. build() does not change the IR. Internal to lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_ATTENTION_PROGRAM_H
#define KILN_LIB_CODEGEN_ATTENTION_PROGRAM_H

#include "../ViewAnalysis.h"
#include "dialects/Graph/PartialAttention.h"
#include "kiln/Target/TargetInfo.h"

namespace kiln::codegen {

class AttentionProgram {
public:
  /// Returns null, with `why` set, if the kernel is no attention kernel.
  static std::unique_ptr<AttentionProgram> build(graph::KernelOp kernel,
                                                 std::string &why);

  Body body;
  graph::AttentionOp op;
  graph::AttentionLseOp lse; ///< null: the log-sum-exp is not used
  Loop batch, keyHead;       ///< parallel loops; batch is outermost
  Loop outer;                ///< query heads per key head, or the only query
  Loop row;            ///< rows of a tile: queries, or the query heads of a key head
  bool packsGroup = false; ///< rows are query heads
  /// Maximum number of queries in the launches that the code is for; nullopt: no limit.
  std::optional<int64_t> maxQueries;
  Loop key;    ///< keys: columns of the scores
  Loop depth;  ///< elements of queries and keys (K)
  Loop column; ///< of the values and the result

  Node *query = nullptr, *keys = nullptr, *values = nullptr; ///< Load nodes
  /// Type of quantized keys and values, i8 or f8E4M3FN; null if they are not quantized.
  mlir::Type codes;
  Node *keyScales = nullptr, *valueScales = nullptr; ///< over key; null without `codes`
  Node *mask = nullptr;                                      ///< over row and key
  Node *keep = nullptr; ///< over row and key: true adds the mask to the score, false
                        ///< replaces it
  Node *lengths = nullptr;                                   ///< over batch
  Node *sinks = nullptr;                                     ///< over query heads
  mlir::Type accumulator;
  Node *product = nullptr; ///< node that the main loop binds to its result
  std::vector<Output> outputs;
  std::vector<Output> lseOutputs; ///< log-sum-exp of a row, if it is a result

  /// Returns the number of rows, or its maximum, if either is known.
  std::optional<int64_t> knownRows() const {
    return maxQueries && !packsGroup ? maxQueries : row.extent.getConstant();
  }
  /// Swaps the rows of a tile between queries and the query heads of a key head; the
  /// latter requires one query. Nodes keep their loops.
  void swapRows() {
    std::swap(outer, row);
    packsGroup = !packsGroup;
  }
  /// Returns true if rows may see different keys. A single query sees all keys of its
  /// sequence.
  bool isCausal() { return op.getCausal() && !packsGroup; }
  /// Returns true if queries, keys and values are all f16 or all bf16, and accumulate in
  /// f32.
  bool fitsTensorCores() const;
  /// Returns the dot product by which a CPU multiplies bf16 faster than by FMAs: queries
  /// by keys, and weights, which are rounded to bf16, by values; nullopt: none.
  std::optional<tile::DotProduct> dotProduct(const TargetInfo &target) const;
  /// Returns true if all queries have the same mask and `keep`.
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
