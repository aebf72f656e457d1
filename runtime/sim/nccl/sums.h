//===- sums.h - Reductions over modelled ranks --------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_NCCL_SUMS_H
#define KILN_SIM_NCCL_SUMS_H

#include <cstddef>
#include <vector>

namespace kiln::sim::nccl {

/// Returns "float32" ...; null if NCCL has no such type.
const char *typeName(int type);
size_t typeBytes(int type);
/// Returns "sum" ...; null if there is no such operation.
const char *opName(int op);

/// Computes to[i] = from[0][i] op from[1][i] op ..., in this order; f16 and bf16 are
/// accumulated in float32 and rounded once.
void combine(int type, int op, void *to, const std::vector<const void *> &from,
             size_t begin, size_t count);

} // namespace kiln::sim::nccl

#endif // KILN_SIM_NCCL_SUMS_H
