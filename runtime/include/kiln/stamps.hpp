//===- stamps.hpp - Files of stamps -----------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// File format of collective stamps: a header and a ring buffer of stamps, in which
// number n is at n % capacity. The byte order is that of the machine that wrote the
// file.
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

/// A collective that a rank has started. Times are in ns since 1970, by the node's clock.
struct Stamp {
  uint64_t number;     ///< from 1; 0: none, or incompletely written
  uint64_t hash;       ///< hash of everything that ranks must agree on
  uint64_t bytes;      ///< bytes of the rank's operand
  uint64_t begin, end; ///< end 0: not completed
  uint32_t step;
  uint8_t kind; ///< CollectiveKind
  uint8_t dtype;
  uint8_t unused[18];
};
static_assert(sizeof(Stamp) == 64);

} // namespace kiln::rt

#endif // KILN_STAMPS_HPP
