//===- operands.h - Operands that find differences --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GPU_CHECK_OPERANDS_H
#define KILN_GPU_CHECK_OPERANDS_H

#include "tools/gpu_check/products.h"
#include <optional>

namespace kiln::gpucheck {

/// Elements as bits, one a word, in the order of Product::ptx.
struct Operands {
  std::vector<uint32_t> a, b, c;
};

/// Generator of random numbers, the same on every machine (splitmix64).
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next();
  /// [0, count)
  uint32_t below(uint32_t count) { return uint32_t((next() >> 32) * count >> 32); }

private:
  uint64_t state;
};

/// A way to choose operands.
struct Pattern {
  const char *name;
  const char *what; ///< for people
  Operands (*make)(const Product &product, Random &random);
};
const std::vector<Pattern> &patterns();

/// D of operands of the pattern `whole`, whose sums every format holds exactly.
std::vector<uint32_t> exactSums(const Product &product, const Operands &operands);

/// Elements to bytes and back.
void appendPacked(std::vector<uint8_t> &bytes, const Format &format,
                  const std::vector<uint32_t> &elements);
std::vector<uint32_t> unpack(const uint8_t *bytes, const Format &format, size_t count);

} // namespace kiln::gpucheck

#endif // KILN_GPU_CHECK_OPERANDS_H
