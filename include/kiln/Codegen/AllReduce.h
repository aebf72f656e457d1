//===- AllReduce.h - All-reduce of GPUs over peer memory --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that all-reduce small tensors between GPUs of one process without the host and
// without NCCL (docs/rationale/ranks.md).
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_ALLREDUCE_H
#define KILN_CODEGEN_ALLREDUCE_H

#include "dialects/Graph/Graph.h"
#include "dialects/Tile/Tile.h"

namespace kiln::codegen {

/// Whether a kernel exists for it: a sum of f32, f16 or bf16 over at most as many ranks
/// as a kernel has peers (kiln/abi.h).
bool hasPeerKernel(graph::AllReduceOp op);

/// Returns a text that is equal for two all-reduces exactly if the same kernel computes
/// both: ranks, element type and number of elements.
std::string peerFingerprint(graph::AllReduceOp op);

/// Emits the tile program for a sum in one shot or in two (`splits`) at the builder's
/// insertion point. kiln/abi.h documents its parameters.
tile::KernelOp emitPeerKernel(graph::AllReduceOp op, bool splits, llvm::StringRef name,
                              mlir::OpBuilder &builder);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_ALLREDUCE_H
