//===- HostAttention.h - Attention of a host as tile IR ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A task is some queries of one head. It packs the head's keys, transposed, and values
// into panels; then, per block of queries: scores into rows of scratch as wide as there
// are keys, softmax along each row, product with the values. All of it begins and ends
// at keys that some query of the task or the block sees. No buffer of queries times keys
// exists.
//
// With one query, a task is several query heads of one key head, whose keys and values it
// reads once for all of them. A panel of keys is packed when it is used, which leaves it
// in L1, and values are read where they lie; a block of few queries reads the keys and
// values of its head in the same way. Codes of a cache stay codes in both, and the
// products widen them in registers. Sums are in the same order as with many queries,
// which read panels of numbers again and again, so that results are the same bits.
// Internal to lib/Codegen/Attention.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_ATTENTION_HOSTATTENTION_H
#define KILN_LIB_CODEGEN_ATTENTION_HOSTATTENTION_H

#include "AttentionScheduler.h"
#include "HostSoftmax.h"
#include "PanelMultiplier.h"

namespace kiln::codegen {

class HostAttention : ShellEmitter {
public:
  HostAttention(mlir::OpBuilder &builder, graph::KernelOp kernel,
                AttentionProgram &program, tile::AttentionConfigAttr config);

  tile::KernelOp emit();

private:
  void emitTask(Value task);
  void emitQueries(QueryRows rows);
  void emitPacked(QueryRows rows, KeyRange seen);
  /// height: of blocks of rows, at most.
  void emitOnUse(QueryRows rows, KeyRange seen, int64_t height);
  void emitHeads(Value head);
  PanelOperand keysOf(KeyRange seen);
  PanelOperand valuesOf(KeyRange seen);
  void emitBlocks(QueryRows rows, const Panels &keys, const Panels &values);
  Value openQuery();
  void emitBlock(QueryRows block, Value query, const Panels &keys, const Panels &values);

  AttentionProgram &program;
  tile::AttentionConfigAttr config;
  AttentionBuilder attention;
  VisibleKeys visible;
  EvenQueries scheduler;
  HostScratch scratch;
  PanelMultiplier multiplier;
  HostSoftmax softmax;
  HostAttentionEpilogue epilogue;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_HOSTATTENTION_H
