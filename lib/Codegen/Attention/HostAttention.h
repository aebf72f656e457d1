//===- HostAttention.h - Attention on a host as tile IR ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A task computes some queries of one head. It packs the head's keys, transposed, and
// values into panels; then, per block of queries: scores into rows of scratch (one
// element per key), softmax along each row, matmul with the values. All of these loop
// only over keys that some query of the task or block sees. No buffer of size queries x
// keys exists.
//
// With one query, a task computes several query heads of one key head, whose keys and
// values it reads once for all of them. A panel of keys is packed just before its use, so
// that it is in L1, and values are read in place; a block of few queries reads keys and
// values in the same way. Quantized keys and values of a cache stay quantized in both,
// and the matmul widens them in registers. All variants accumulate in the same order, so
// that results are bitwise equal to those of many queries, which read dequantized panels.
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
                AttentionProgram &program, tile::AttentionConfigAttr config,
                const TargetInfo &target);

  tile::KernelOp emit();

private:
  void emitTask(Value task);
  void emitQueries(QueryRows rows);
  void emitPacked(QueryRows rows, KeyRange seen);
  /// `height` is the maximum number of rows of a block.
  void emitOnUse(QueryRows rows, KeyRange seen, int64_t height);
  void emitHeads(Value head);
  PanelOperand keysOf(KeyRange seen);
  PanelOperand valuesOf(KeyRange seen);
  void emitBlocks(QueryRows rows, const Panels &keys, const Panels &values);
  /// Returns a view of the first `rows` queries of the head.
  Value openQuery(mlir::OpFoldResult rows);
  void copyQueries(QueryRows block);
  /// `query` is a view of all queries of the head; null if each block copies its own.
  void emitBlock(QueryRows block, Value query, const Panels &keys, const Panels &values);

  AttentionProgram &program;
  tile::AttentionConfigAttr config;
  AttentionBuilder attention;
  VisibleKeys visible;
  EvenQueries scheduler;
  PanelMultiplier multiplier;
  HostScratch scratch;
  HostSoftmax softmax;
  HostAttentionEpilogue epilogue;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_HOSTATTENTION_H
