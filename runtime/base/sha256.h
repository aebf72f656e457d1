//===- sha256.h - SHA-256 ---------------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SHA-256 (FIPS 180-4). Uses the CPU's SHA instructions where it has them (about 2 GB/s
// instead of 0.4). The compiler also includes this header, so it includes nothing of the
// runtime.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_BASE_SHA256_H
#define KILN_BASE_SHA256_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace kiln::rt {

using Sha256Digest = std::array<uint8_t, 32>;

/// Hashes a stream incrementally.
class Sha256 {
public:
  /// portable: uses the plain C++ code even if the CPU has SHA instructions (for tests).
  explicit Sha256(bool portable = false);
  void update(const void *data, size_t size);
  /// Returns the digest of everything so far. To be called once; the object cannot be
  /// used after that.
  Sha256Digest finish();

private:
  using Transform = void (*)(uint32_t state[8], const uint8_t *blocks, size_t count);
  Transform transform;
  uint32_t state[8];
  uint8_t pending[64];
  size_t pendingSize = 0;
  uint64_t total = 0;
};

Sha256Digest sha256(const void *data, size_t size);

/// Returns 64 lower-case hexadecimal digits.
std::string toHex(const Sha256Digest &digest);

} // namespace kiln::rt

#endif // KILN_BASE_SHA256_H
