//===- chunk_hash.h - Hash of a section, by chunks --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Merkle tree hash (1987) of two levels: the SHA-256 of the concatenated XXH3 digests
// (128 bits, canonical) of the chunks. Chunks are hashed independently, so all cores
// check the weights of a package, and XXH3 runs at memory bandwidth, where SHA-256
// reaches 0.4 to 2 GB/s a core. The hash detects damage, not an attacker, who could
// write hashes, too: against that, callers pass the SHA-256 of the entire file
// (expect_sha256).
//
//===----------------------------------------------------------------------===//
#ifndef KILN_BASE_CHUNK_HASH_H
#define KILN_BASE_CHUNK_HASH_H

#include "runtime/base/sha256.h"
#include <functional>
#include <memory>

namespace kiln::rt {

/// Bytes of a chunk, a part of the package format. A chunk fits into a core's L2 cache.
inline constexpr size_t hashChunkBytes = 256 << 10;

/// Hashes a stream incrementally.
class ChunkHash {
public:
  ChunkHash();
  ~ChunkHash();
  ChunkHash(ChunkHash &&) noexcept;
  ChunkHash &operator=(ChunkHash &&) noexcept;
  void update(const void *data, size_t size);
  /// Returns the hash. To be called once; the object cannot be used after that.
  Sha256Digest finish();

private:
  struct Chunk;
  std::unique_ptr<Chunk> chunk; ///< the chunk that is not complete yet
  Sha256 digests;
};

Sha256Digest chunkHash(const void *data, size_t size);

/// Returns a pointer to bytes [offset, offset + size) of the hashed data: into memory
/// that holds them, or `buffer` after copying them there; NULL on failure. Several
/// threads call it concurrently.
using ChunkReader =
    std::function<const void *(uint64_t offset, size_t size, uint8_t *buffer)>;

/// Computes the chunk hash of `size` bytes on threads of its own while the caller does
/// other work. The constructor allocates all memory.
class ParallelHash {
public:
  /// Starts hashing on at most `threads` threads.
  ParallelHash(uint64_t size, ChunkReader read, uint32_t threads);
  /// Stops the threads, even if chunks are left to hash.
  ~ParallelHash();
  ParallelHash(const ParallelHash &) = delete;
  ParallelHash &operator=(const ParallelHash &) = delete;
  /// Hashes the remaining chunks together with the threads. To be called once. False if
  /// the reader failed.
  bool finish(Sha256Digest &out);

private:
  struct Work;
  void join();
  std::unique_ptr<Work> work;
};

} // namespace kiln::rt

#endif // KILN_BASE_CHUNK_HASH_H
