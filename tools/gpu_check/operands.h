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

/// Elements as bits, one per 32-bit word, in the order of Product::ptx.
struct Operands {
  std::vector<uint32_t> a, b, c;
};

/// Random number generator that gives the same numbers on every machine (splitmix64).
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next();
  /// Returns a random number in [0, count).
  uint32_t below(uint32_t count) { return uint32_t((next() >> 32) * count >> 32); }

private:
  uint64_t state;
};

/// A named distribution of operands.
struct Pattern {
  const char *name;
  const char *what; ///< description for the report
  Operands (*make)(const Product &product, Random &random);
};
const std::vector<Pattern> &patterns();

/// Returns D for operands of the pattern `whole`, whose accumulators are exact in every
/// format.
std::vector<uint32_t> exactSums(const Product &product, const Operands &operands);

/// Appends elements, packed into bytes.
void appendPacked(std::vector<uint8_t> &bytes, const Format &format,
                  const std::vector<uint32_t> &elements);
std::vector<uint32_t> unpack(const uint8_t *bytes, const Format &format, size_t count);

} // namespace kiln::gpucheck

#endif // KILN_GPU_CHECK_OPERANDS_H
