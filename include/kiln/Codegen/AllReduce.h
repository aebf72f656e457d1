//===- AllReduce.h - Sums of GPUs over peer memory --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels by which ranks that are GPUs of one process add up small tensors without the
// host and without NCCL (docs/rationale/ranks.md).
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_ALLREDUCE_H
#define KILN_CODEGEN_ALLREDUCE_H

#include "dialects/Graph/Graph.h"
#include "dialects/Tile/Tile.h"

namespace kiln::codegen {

/// Whether there is a kernel for it: a sum of f32, f16 or bf16, of as many ranks as a
/// kernel has peers (kiln/abi.h).
bool hasPeerKernel(graph::AllReduceOp op);

/// Text that is equal for two all-reduces exactly when one kernel computes both: ranks,
/// element type and number of elements.
std::string peerFingerprint(graph::AllReduceOp op);

/// The tile program, at the builder's insertion point, for a sum in one shot or in two.
/// kiln/abi.h says what its parameters are.
tile::KernelOp emitPeerKernel(graph::AllReduceOp op, bool splits, llvm::StringRef name,
                              mlir::OpBuilder &builder);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_ALLREDUCE_H
