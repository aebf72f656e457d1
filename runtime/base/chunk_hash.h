//===- chunk_hash.h - SHA-256 by chunks -------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tree hash (Merkle 1987) of two levels: the SHA-256 of the SHA-256 digests of the
// chunks. SHA-256 alone is one chain, which a single core follows at 1 to 2 GB/s;
// chunks have no order, so that all cores check the weights of a package.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_BASE_CHUNK_HASH_H
#define KILN_BASE_CHUNK_HASH_H

#include "runtime/base/sha256.h"
#include <functional>

namespace kiln::rt {

/// Part of the package format. Small enough for a core's second-level cache.
inline constexpr size_t hashChunkBytes = 256 << 10;

/// Hashes a stream piece by piece.
class ChunkHash {
public:
  void update(const void *data, size_t size);
  /// Call once, then drop the object.
  Sha256Digest finish();

private:
  Sha256 chunk, digests;
  size_t chunkSize = 0;
};

Sha256Digest chunkHash(const void *data, size_t size);

/// Gives the bytes [offset, offset + size) of what is hashed: where they are in memory,
/// or `buffer` after it has copied them there; NULL if they cannot be had. Is called by
/// several threads at once.
using ChunkReader =
    std::function<const void *(uint64_t offset, size_t size, uint8_t *buffer)>;

/// The same of `size` bytes by at most `threads` threads, which end before it returns.
/// False if the reader failed.
bool chunkHash(uint64_t size, const ChunkReader &read, uint32_t threads,
               Sha256Digest &out);

} // namespace kiln::rt

#endif // KILN_BASE_CHUNK_HASH_H
