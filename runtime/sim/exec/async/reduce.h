//===- reduce.h - Reductions in memory by asynchronous copies ---*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_ASYNC_REDUCE_H
#define KILN_SIM_EXEC_ASYNC_REDUCE_H

#include <cstdint>

namespace kiln::sim::exec::async {

enum class Reduction : uint8_t { Add, Min, Max, Inc, Dec, And, Or, Xor };
enum class ReduceType : uint8_t { B32, U32, S32, B64, U64, S64, F16, BF16, F32, F64 };

inline uint32_t bytesOf(ReduceType type) {
  switch (type) {
  case ReduceType::F16:
  case ReduceType::BF16:
    return 2;
  case ReduceType::B64:
  case ReduceType::U64:
  case ReduceType::S64:
  case ReduceType::F64:
    return 8;
  default:
    return 4;
  }
}

struct ReduceStep {
  Reduction op = Reduction::Add;
  ReduceType type = ReduceType::U32;
};

/// Whether PTX has the reduction: and, or, xor of bits; inc and dec of u32; min and max
/// of integers and halves; add of all types.
bool legal(const ReduceStep &step);

/// Computes to = to <op> from for `bytes` of elements. Additions round to nearest even;
/// f32 additions flush subnormals, others do not.
void reduce(Reduction op, ReduceType type, uint8_t *to, const uint8_t *from,
            uint32_t bytes);

} // namespace kiln::sim::exec::async

#endif // KILN_SIM_EXEC_ASYNC_REDUCE_H
