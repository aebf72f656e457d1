//===- word_hash.h - A fast hash of 64-bit words ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hash by which ranks detect that their inputs differ. It does not resist attackers.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_BASE_WORD_HASH_H
#define KILN_BASE_WORD_HASH_H

#include <cstdint>

namespace kiln::rt {

class WordHash {
public:
  void add(uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  }
  uint64_t value() const { return hash; }

private:
  uint64_t hash = 0;
};

} // namespace kiln::rt

#endif // KILN_BASE_WORD_HASH_H
