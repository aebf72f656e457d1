//===- stamps.hpp - Files of stamps -----------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A header and a ring of stamps: that of number n is at n % capacity. The bytes are those
// of the machine that wrote them.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_STAMPS_HPP
#define KILN_STAMPS_HPP

#include <cstdint>

namespace kiln::rt {

struct StampHeader {
  char magic[8]; ///< stampMagic
  uint32_t version, capacity;
  uint32_t rank, ranks;
  uint64_t process;
  char node[64];
  uint8_t unused[160];
};
static_assert(sizeof(StampHeader) == 256);

inline constexpr char stampMagic[8] = {'K', 'I', 'L', 'N', 'S', 'T', 'M', 'P'};
inline constexpr uint32_t stampVersion = 1;
inline constexpr uint32_t stampCapacity = 4096;

/// A collective that a rank has reached. Times are in ns since 1970, by the node's clock.
struct Stamp {
  uint64_t number;     ///< of the collective, from 1; 0: none, or not written to its end
  uint64_t hash;       ///< of all that ranks must agree on
  uint64_t bytes;      ///< that the rank gives
  uint64_t begin, end; ///< end 0: it has no result
  uint32_t step;
  uint8_t kind; ///< CollectiveKind
  uint8_t dtype;
  uint8_t unused[18];
};
static_assert(sizeof(Stamp) == 64);

} // namespace kiln::rt

#endif // KILN_STAMPS_HPP
