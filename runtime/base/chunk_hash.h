//===- chunk_hash.h - Hash of a section, by chunks --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tree hash (Merkle 1987) of two levels: the SHA-256 of the XXH3 digests (128 bits,
// canonical) of the chunks. Chunks have no order, so that all cores check the weights of
// a package, and XXH3 is as fast as memory, where SHA-256 reads 0.4 to 2 GB/s a core. It
// finds damage; against an attacker, who could write hashes, too, a package is known by
// the SHA-256 of the whole file (expect_sha256).
//
//===----------------------------------------------------------------------===//
#ifndef KILN_BASE_CHUNK_HASH_H
#define KILN_BASE_CHUNK_HASH_H

#include "runtime/base/sha256.h"
#include <functional>
#include <memory>

namespace kiln::rt {

/// Part of the package format. Small enough for a core's second-level cache.
inline constexpr size_t hashChunkBytes = 256 << 10;

/// Hashes a stream piece by piece.
class ChunkHash {
public:
  ChunkHash();
  ~ChunkHash();
  ChunkHash(ChunkHash &&) noexcept;
  ChunkHash &operator=(ChunkHash &&) noexcept;
  void update(const void *data, size_t size);
  /// Call once, then drop the object.
  Sha256Digest finish();

private:
  struct Chunk;
  std::unique_ptr<Chunk> chunk; ///< the one begun
  Sha256 digests;
};

Sha256Digest chunkHash(const void *data, size_t size);

/// Gives the bytes [offset, offset + size) of what is hashed: where they are in memory,
/// or `buffer` after it has copied them there; NULL if they cannot be had. Is called by
/// several threads at once.
using ChunkReader =
    std::function<const void *(uint64_t offset, size_t size, uint8_t *buffer)>;

/// Computes the chunk hash of `size` bytes by threads of its own while the caller does
/// other work. The constructor allocates all memory.
class ParallelHash {
public:
  /// Begins with at most `threads` threads.
  ParallelHash(uint64_t size, ChunkReader read, uint32_t threads);
  /// Ends the threads, whether they are done or not.
  ~ParallelHash();
  ParallelHash(const ParallelHash &) = delete;
  ParallelHash &operator=(const ParallelHash &) = delete;
  /// Hashes beside the threads what is left. Call once. False if the reader failed.
  bool finish(Sha256Digest &out);

private:
  struct Work;
  void join();
  std::unique_ptr<Work> work;
};

} // namespace kiln::rt

#endif // KILN_BASE_CHUNK_HASH_H
