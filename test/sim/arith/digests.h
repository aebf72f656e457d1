//===- digests.h - Fingerprints of conversions -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA toolkit's host code is an oracle that is not available everywhere: its results
// are recorded as one hash per conversion (toolkit_digests.def). DigestTest compares our
// conversions with them; where the toolkit is installed, ToolkitDigests prints them
// again.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_SIM_ARITH_DIGESTS_H
#define KILN_TEST_SIM_ARITH_DIGESTS_H

#include <cstdint>
#include <initializer_list>

namespace digests {

/// FNV-1a over the results, 8 bytes each.
template <class Result> class Digest {
public:
  void add(Result result) {
    uint64_t value = static_cast<uint64_t>(result);
    for (int i = 0; i < 8; ++i, value >>= 8)
      state = (state ^ (value & 0xff)) * 0x100000001b3;
  }
  uint64_t value() const { return state; }

private:
  uint64_t state = 0xcbf29ce484222325;
};

/// Hashes the results of all bit patterns below `count`.
template <class Convert> uint64_t ofAll(uint32_t count, Convert convert) {
  Digest<uint64_t> digest;
  for (uint32_t bits = 0; bits < count; ++bits)
    digest.add(convert(bits));
  return digest.value();
}

/// Hashes f32 operands: every upper half, with lower halves on and next to rounding
/// boundaries.
template <class Convert> uint64_t ofFloats(Convert convert) {
  Digest<uint64_t> digest;
  for (uint32_t high = 0; high < 65536; ++high)
    for (uint32_t low : {0u, 1u, 0xfffu, 0x1000u, 0x1001u, 0x7fffu, 0x8000u, 0x8001u,
                         0xefffu, 0xf000u, 0xffffu})
      digest.add(convert(high << 16 | low));
  return digest.value();
}

} // namespace digests

#endif // KILN_TEST_SIM_ARITH_DIGESTS_H
